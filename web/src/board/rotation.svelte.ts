// A board speaks all languages in turn: `?lang=zh-Hans` fixes one, `?rotate=en,zh-Hant` chooses, `?every=20` sets the pace.

import { LANGUAGES, language, type Language } from '../lib/language.svelte';

/** How long a language stays, in seconds, and the least: whoever reads must be able to finish. */
const USUAL = 15;
const LEAST = 5;

const isLanguage = (it: string): it is Language => (LANGUAGES as readonly string[]).includes(it);

export interface Plan {
  languages: Language[];
  /** Seconds. */
  every: number;
}

/** What the address asks for. */
export function plan(search: string): Plan {
  const asked = new URLSearchParams(search);
  const fixed = asked.get('lang') ?? '';
  const chosen = (asked.get('rotate') ?? '').split(',').filter(isLanguage);
  const languages = isLanguage(fixed) ? [fixed] : chosen.length > 0 ? [...new Set(chosen)] : [...LANGUAGES];
  const every = Number(asked.get('every') ?? USUAL);
  return { languages, every: Number.isFinite(every) ? Math.max(LEAST, every) : USUAL };
}

export class Rotation {
  readonly languages: Language[];
  /** Held by somebody (WCAG 2.2.2), or nothing to turn. */
  paused = $state(false);
  #every: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ languages, every }: Plan) {
    this.languages = languages;
    this.#every = every * 1000;
    language.use(languages[0]!, false);
  }

  /** Turns from now on; only while the control that holds it is on the screen. The answer stops it. */
  start(): () => void {
    this.#wind();
    return () => clearInterval(this.#timer);
  }

  get turns(): boolean {
    return this.languages.length > 1;
  }

  /** Holds the language, or lets it turn again. */
  toggle(): void {
    this.paused = !this.paused;
    this.#wind();
  }

  /** This one, from now on. */
  hold(which: Language): void {
    language.use(which, false);
    this.paused = true;
    this.#wind();
  }

  #wind(): void {
    clearInterval(this.#timer);
    if (this.turns && !this.paused) this.#timer = setInterval(() => this.#turn(), this.#every);
  }

  #turn(): void {
    const at = this.languages.indexOf(language.now);
    language.use(this.languages[(at + 1) % this.languages.length]!, false);
  }
}
