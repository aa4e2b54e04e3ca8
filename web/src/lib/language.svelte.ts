// The language of this screen: one of three, switched at once. Catalogues are plain objects, one value for each language,
// checked against each other by the compiler: a missing string does not build.

import type { Label } from './wire';

export const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const NAMES: Record<Language, string> = { en: 'English', 'zh-Hans': '简体中文', 'zh-Hant': '繁體中文' };

/** What a catalogue may hold: strings, sentences with something to fill in, and groups of both. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each sentence has its own parameters
export type Words = { [key: string]: string | ((...given: any[]) => string) | Words };

/** The same shape with other words. */
type Same<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...given: infer G) => string
      ? (...given: G) => string
      : Same<T[K]>;
};

export type Catalogue<T> = Record<Language, Same<T>>;

/** A catalogue: what the first language says, the others must say as well. */
export function catalogue<T extends Words>(en: T, hans: Same<T>, hant: Same<T>): Catalogue<T> {
  return { en: en as unknown as Same<T>, 'zh-Hans': hans, 'zh-Hant': hant };
}

const KEY = 'punto-language';

function chosen(): Language {
  const kept = globalThis.localStorage?.getItem(KEY);
  const asked = [new URLSearchParams(globalThis.location?.search ?? '').get('lang'), kept];
  const found = asked.find((it): it is Language => LANGUAGES.includes(it as Language));
  if (found) return found;
  const first = globalThis.navigator?.language ?? 'en';
  if (!first.startsWith('zh')) return 'en';
  return /Hant|TW|HK|MO/i.test(first) ? 'zh-Hant' : 'zh-Hans';
}

class Chosen {
  now = $state<Language>(chosen());

  /** Switches; `keep` so that this screen remembers. */
  use(language: Language, keep = true): void {
    this.now = language;
    if (keep) globalThis.localStorage?.setItem(KEY, language);
    if (globalThis.document) document.documentElement.lang = language;
  }
}

export const language = new Chosen();
language.use(language.now, false);

/** A name of the felt, in the language of this screen. */
export const label = (it: Label): string => it[language.now];
