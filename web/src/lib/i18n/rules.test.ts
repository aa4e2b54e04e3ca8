import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGES, language } from '../language.svelte';
import { burn, rules } from './rules';

afterEach(() => language.use('en', false));

/** Every text of a catalogue, by its path. */
function texts(of: object, path = ''): [string, string][] {
  return Object.entries(of).flatMap(([key, value]): [string, string][] => {
    const at = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') return [[at, value]];
    return typeof value === 'object' && value !== null ? texts(value as object, at) : [];
  });
}

describe.each(LANGUAGES)('the words of the rules in %s', (now) => {
  it('are all there', () => {
    const empty = texts(rules[now]).filter(([, words]) => words.trim() === '');
    expect(empty).toEqual([]);
  });

  it('call no two irregularities, rulings or orders the same', () => {
    const { irregularity, ruling, command, phase } = rules[now];
    const names = [
      Object.values(irregularity).map(({ name }) => name),
      Object.values(ruling).map(({ name }) => name),
      Object.values(command),
      Object.values(phase),
    ];
    names.forEach((list) => expect(new Set(list).size).toBe(list.length));
  });

  it('say how many cards are burnt', () => {
    language.use(now, false);
    expect(burn({ fixed: 3 })).toContain('3');
    expect(burn('by-first-card')).toContain('10');
  });
});

it('Chinese has no words left in English', () => {
  const left = [...texts(rules['zh-Hans']), ...texts(rules['zh-Hant'])].filter(
    ([, words]) => !/\p{Script=Han}/u.test(words),
  );
  expect(left).toEqual([]);
});

it('the two scripts are not mixed', () => {
  // Characters that only one of the two writes.
  const simplified = /[们个这会时对说发现结庄闲赌筹码录选单]/u;
  const traditional = /[們個這會時對說發現結莊閒賭籌碼錄選單]/u;
  expect(texts(rules['zh-Hant']).filter(([, words]) => simplified.test(words))).toEqual([]);
  expect(texts(rules['zh-Hans']).filter(([, words]) => traditional.test(words))).toEqual([]);
});
