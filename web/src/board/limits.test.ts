import { describe, expect, it } from 'vitest';
import type { BetView } from '../lib/wire';
import { groups } from './limits';

const name = (it: string) => ({ en: it, 'zh-Hans': it, 'zh-Hant': it });

function bet(it: string, limits: [number, number] | null): BetView {
  const range = limits && { minimum: limits[0], maximum: limits[1] };
  return { bet: it, label: name(it), cite: '4.1', side: null, range };
}

const shown = (bets: BetView[]) =>
  groups(bets).map(({ bets, range }) => [
    typeof bets === 'string' ? bets : bets.map((it) => it.en).join(' '),
    range.minimum,
    range.maximum,
  ]);

describe('limits', () => {
  it('are not shown for bets that have none of their own', () => {
    expect(shown([bet('player', null), bet('banker', null)])).toEqual([]);
  });

  it('are one line where all are alike', () => {
    expect(shown([bet('player', null), bet('tie', [5, 100]), bet('pair', [5, 100])])).toEqual([['all', 5, 100]]);
  });

  it('are a line for each kind, in the order of the felt', () => {
    const bets = [bet('player', [5, 500]), bet('tie', [2, 100]), bet('banker', [5, 500]), bet('pair', [2, 100])];
    expect(shown(bets)).toEqual([
      ['player banker', 5, 500],
      ['tie pair', 2, 100],
    ]);
  });

  it('name the few and not the many', () => {
    const many = Array.from({ length: 18 }, (_, at) => bet(`wins-on-${at}`, [5, 50]));
    expect(shown([...many, bet('tie', [5, 100])])).toEqual([
      ['tie', 5, 100],
      ['others', 5, 50],
    ]);
  });

  it('differ by the least as by the most', () => {
    expect(shown([bet('a', [5, 100]), bet('b', [10, 100])])).toHaveLength(2);
  });
});
