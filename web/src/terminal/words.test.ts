import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Words } from '../lib/language.svelte';
import { words as panels } from './panel-words';
import { words } from './words';

/** Every sentence of a catalogue by its name, filled in with something. */
function sentences(group: Words, name = ''): [string, string][] {
  return Object.entries(group).flatMap(([key, it]): [string, string][] => {
    if (typeof it === 'object') return sentences(it, `${name}${key}.`);
    return [[name + key, typeof it === 'string' ? it : it(...Array.from({ length: it.length }, () => '7'))]];
  });
}

/** These say the same in every script. */
const SIGNS = ['title', 'range', 'oddsShort'];
/** Characters of one script that the other writes differently; one of them in the wrong catalogue is a slip. */
const HANS_ONLY = /[请点张台注闲庄赢输对规则换额结种给过这还进连选择发来时间为个发边开关号码币单]/u;
const HANT_ONLY = /[請點張檯閒莊贏輸對規則換額結種給過這還進連選擇發來時間為個邊開關號碼幣單]/u;
const BOTH = /[注台]/u;

describe.each([
  ['words', words],
  ['panel-words', panels],
])('%s', (_, catalogue) => {
  it('has Chinese where there should be Chinese', () => {
    for (const tongue of LANGUAGES) {
      for (const [name, text] of sentences(catalogue[tongue] as Words)) {
        if (SIGNS.includes(name)) continue;
        expect(/\p{Script=Han}/u.test(text), `${tongue} ${name}: ${text}`).toBe(tongue !== 'en');
      }
    }
  });

  it('keeps the two scripts apart', () => {
    for (const [name, text] of sentences(catalogue['zh-Hans'] as Words)) {
      expect(HANT_ONLY.test(text), `zh-Hans ${name}: ${text}`).toBe(false);
    }
    for (const [name, text] of sentences(catalogue['zh-Hant'] as Words)) {
      const slip = [...text].find((char) => HANS_ONLY.test(char) && !BOTH.test(char));
      expect(slip, `zh-Hant ${name}: ${text}`).toBeUndefined();
    }
  });
});
