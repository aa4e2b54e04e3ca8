import { describe, expect, it } from 'vitest';
import type { BetView, Range } from '../lib/wire';
import { limitsOf } from './limits';

const label = { en: '', 'zh-Hans': '', 'zh-Hant': '' };
const bet = (id: string, range: Range | null): BetView => ({ bet: id, label, cite: '4.1', side: null, range });
const low = { minimum: 500, maximum: 50_000 };
const high = { minimum: 500, maximum: 200_000 };

describe('limitsOf', () => {
  it('names one range for every bet of the electronic game', () => {
    expect(limitsOf({ bets: [bet('player', high), bet('tie', high)] })).toMatchObject([{ all: 'every', range: high }]);
  });

  it('names one range for the side bets of a live game', () => {
    expect(limitsOf({ bets: [bet('player', null), bet('tie', low), bet('tiger', low)] })).toMatchObject([
      { all: 'side', range: low },
    ]);
  });

  it('names the bets where ranges differ', () => {
    const found = limitsOf({ bets: [bet('player', high), bet('banker', high), bet('tie', low)] });
    expect(found.map((it) => [it.all, it.bets.map((one) => one.bet)])).toEqual([
      [null, ['player', 'banker']],
      [null, ['tie']],
    ]);
  });
});
