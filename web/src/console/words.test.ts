import { expect, it } from 'vitest';
import { words } from './words';

/** The shape of a catalogue: every key, and whether it is a text or a sentence. */
const shape = (of: object): object =>
  Object.fromEntries(
    Object.entries(of).map(([key, value]) => [key, typeof value === 'object' ? shape(value as object) : typeof value]),
  );

it('says the same things in every language, and nothing else', () => {
  expect(shape(words['zh-Hans'])).toEqual(shape(words.en));
  expect(shape(words['zh-Hant'])).toEqual(shape(words.en));
});

it('names the card that is due', () => {
  expect(words.en.nth.player(3)).toBe('Player’s third card');
  expect(words['zh-Hans'].nth.banker(1)).toBe('庄家第 1 张牌');
});

it('gives the line of the Table of Play', () => {
  expect(words.en.decision.against('Banker', 5, 4, true, '3.12')).toBe('Banker 5 against a 4: draws (3.12)');
});

it('does not mix the two scripts', () => {
  const simplified = /[们个这会时对说发现结庄闲赌筹码录选单编号楼]/u;
  const texts = (of: object): string[] =>
    Object.values(of).flatMap((it: unknown) =>
      typeof it === 'string' ? [it] : typeof it === 'object' && it !== null ? texts(it) : [String(it)],
    );
  expect(texts(words['zh-Hant']).filter((it) => simplified.test(it))).toEqual([]);
});
