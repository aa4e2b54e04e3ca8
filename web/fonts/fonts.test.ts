// Every character that a screen can show before anybody types one is in a file that a first view loads.

import { writeFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { faces } from './faces';
import { SCRIPTS, used, type Script } from './used';

/** The families of each language's screens, as tokens.css lists them. */
const FAMILIES: Record<Script, string[]> = {
  en: ['Punto Text', 'Punto Signs', 'Punto Felt'],
  'zh-Hans': ['Punto Text', 'Punto Signs', 'Punto SC', 'Punto Felt'],
  'zh-Hant': ['Punto Text', 'Punto Signs', 'Punto TC', 'Punto Felt'],
};
const KB = 1024;
const everything = used();

test.runIf(process.env.USED)('tells what is used', () => {
  const text = Object.entries(everything).map(([script, found]) => [script, [...found.keys()].sort().join('')]);
  writeFileSync(process.env.USED!, JSON.stringify(Object.fromEntries(text)));
});

describe.skipIf(process.env.USED)('fonts', () => {
  test.each(SCRIPTS)('every character of %s is in a base file; if not: scripts/fonts', (script) => {
    const base = faces().filter((it) => it.isBase && FAMILIES[script].includes(it.family));
    const missing = [...everything[script]].filter(([character]) => !base.some((face) => face.has(character)));
    expect(missing.map(([character, place]) => `${character} in ${place}`)).toEqual([]);
  });

  test('signs that no font has would be noticed', () => {
    const shipped = faces();
    for (const sign of '☃𝄞♔') expect(shipped.some((face) => face.has(sign))).toBe(false);
    for (const sign of '✓⚠★→§') expect(shipped.some((face) => face.isBase && face.has(sign))).toBe(true);
  });

  test('what people may write is in a margin', () => {
    const has = (family: string, text: string): string[] =>
      [...text].filter((it) => !faces().some((face) => face.family === family && face.has(it)));
    expect(has('Punto Text', 'Zoë Nguyễn Łukasz Ðặng')).toEqual([]);
    expect(has('Punto SC', '张伟陈丽黄娜赵敏周涛鑫昊')).toEqual([]);
    expect(has('Punto TC', '張偉陳麗黃娜趙敏周濤鑫昊')).toEqual([]);
  });

  test('files stay small', () => {
    const tooLarge = faces().filter((it) => it.bytes > (it.isBase ? 150 : 900) * KB);
    expect(tooLarge.map((it) => `${it.file}: ${it.bytes}`)).toEqual([]);
  });
});
