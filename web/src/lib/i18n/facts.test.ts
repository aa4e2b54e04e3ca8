import { describe, expect, it } from 'vitest';
import type { FactTold, PrintedRow } from '../wire';
import { condition } from './facts';

const row = (...when: FactTold[]): PrintedRow => ({ when, odds: '1 to 1', commission: null, cite: '4.1', label: null });

/** A row in the three languages. */
const told = (...when: FactTold[]): string[] =>
  (['en', 'zh-Hans', 'zh-Hant'] as const).map((tongue) => condition(row(...when), tongue));

describe('condition', () => {
  it('says the winner, the points and the cards in one phrase', () => {
    expect(
      told(
        { fact: 'winner', is: ['banker'] },
        { fact: 'points', is: [6] },
        { fact: 'cards-of', side: 'banker', is: [2] },
      ),
    ).toEqual(['Banker wins on 6 with 2 cards', '庄以 6 点胜（2 张牌）', '莊以 6 點勝（2 張牌）']);
    expect(told({ fact: 'winner', is: ['banker'] }, { fact: 'points', is: [6, 7] })).toEqual([
      'Banker wins on 6 or 7',
      '庄以 6 或 7 点胜',
      '莊以 6 或 7 點勝',
    ]);
    expect(told({ fact: 'winner', is: ['player'] })).toEqual(['Player wins', '闲胜', '閒勝']);
  });

  it('says a Tie, and on how many points', () => {
    expect(told({ fact: 'winner', is: ['tie'] })).toEqual(['Tie', '和局', '和局']);
    expect(told({ fact: 'winner', is: ['tie'] }, { fact: 'points', is: [6] })).toEqual([
      'Tie on 6',
      '6 点和局',
      '6 點和局',
    ]);
  });

  it('says pairs of either Hand', () => {
    expect(told({ fact: 'pairs', on: 'player' })).toEqual(['Player has a Pair', '闲为对子', '閒為對子']);
    expect(told({ fact: 'pairs', on: 'twin' })[0]).toBe('Both Hands have a Pair of the same rank');
    expect(told({ fact: 'suited-pairs', on: 'either' })[1]).toBe('至少一方为同花对子');
  });

  it('keeps the cards of the other Hand apart', () => {
    expect(told({ fact: 'winner', is: ['banker'] }, { fact: 'cards-of', side: 'player', is: [3] })[0]).toBe(
      'Banker wins, Player has 3 cards',
    );
  });

  it('says margins, Naturals and sums', () => {
    expect(told({ fact: 'winner', is: ['player'] }, { fact: 'margin', is: [4, 5, 6] })).toEqual([
      'Player wins by 4 to 6 points',
      '闲胜 4 至 6 点',
      '閒勝 4 至 6 點',
    ]);
    expect(told({ fact: 'winner', is: ['player'] }, { fact: 'natural', on: 'winner' })[0]).toBe(
      'Player wins with a Natural',
    );
    expect(told({ fact: 'natural', on: 'both' })[0]).toBe('Both Hands have a Natural');
    expect(told({ fact: 'sum', is: [1, 3, 8] })).toEqual([
      'Both totals add up to 1, 3 or 8',
      '双方点数合计 1、3 或 8',
      '雙方點數合計 1、3 或 8',
    ]);
    expect(told({ fact: 'points', is: [9] })[0]).toBe('Won or tied on 9');
  });

  it('says counts of cards', () => {
    expect(told({ fact: 'count', is: [3, 4, 5, 6], of: '7' })).toEqual([
      'At least 3 of: 7',
      '至少 3 张7',
      '至少 3 張7',
    ]);
    expect(told({ fact: 'count', is: [0], of: 'hearts/diamonds' })[1]).toBe('没有红心、方块');
    expect(told({ fact: 'count', is: [1], of: 'T/K of spades' })[2]).toBe('恰好 1 張黑桃 10、K');
  });

  it('says a row without facts', () => {
    expect(told()).toEqual(['Always', '任何结果', '任何結果']);
  });
});
