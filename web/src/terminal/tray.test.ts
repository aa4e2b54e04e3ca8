import { describe, expect, it } from 'vitest';
import type { Range } from '../lib/wire';
import { denominations, firstChip } from './tray';

const label = { en: '', 'zh-Hans': '', 'zh-Hant': '' };
const terms = (unit: number, range: Range, box?: { minimum: number; differential: number }) => ({
  unit,
  currency: 'SGD',
  betting_box: box ?? null,
  bets: [{ bet: 'player', label, cite: '4.1', side: 'player' as const, range: box ? null : range }].concat(
    box ? [{ bet: 'tie', label, cite: '4.1', side: null as never, range: range as never }] : [],
  ),
});

describe('denominations', () => {
  it('begin at the smallest bet and go as far as any bet may', () => {
    expect(denominations(terms(2, { minimum: 500, maximum: 200_000 }))).toEqual([500, 2_500, 10_000, 50_000, 100_000]);
  });

  it('are multiples of the unit', () => {
    const chips = denominations(terms(20, { minimum: 100, maximum: 50_000 }));
    expect(chips.every((it) => it % 20 === 0)).toBe(true);
    expect(chips[0]).toBe(100);
  });

  it('are multiples of an unusual unit, whatever it is', () => {
    expect(denominations(terms(700, { minimum: 700, maximum: 70_000 }))[0]! % 700).toBe(0);
  });

  it('let every bet be made, also an odd minimum', () => {
    expect(denominations(terms(500, { minimum: 1_500, maximum: 50_000 }))[0]).toBe(500);
  });
});

describe('firstChip', () => {
  it('is a bet on Player or Banker by itself', () => {
    const box = { minimum: 2_500, differential: 500_000 };
    expect(firstChip(terms(2, { minimum: 500, maximum: 50_000 }, box))).toBe(2_500);
  });
});
