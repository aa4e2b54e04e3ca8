import { describe, expect, it } from 'vitest';
import type { Change, Event, RoundResult, SettledLine } from '../lib/wire';
import { NOTHING, add } from './totals';

const line = (patron: number, stake: number, to_patron: number): SettledLine => ({
  patron,
  bet: 'banker',
  stake,
  playing: stake,
  verdict: to_patron > 0 ? 'won' : 'lost',
  returned: 0,
  winnings: Math.max(0, to_patron - stake),
  commission: 0,
  to_patron,
});
const result: RoundResult = {
  cards: [],
  points: { player: 1, banker: 2 },
  winner: 'banker',
  natural: false,
  pairs: { player: false, banker: false },
};
const settled = (...lines: SettledLine[]): Event => ({ event: 'round-settled', round: 1, result, lines, house: 0 });
const change = (patron: number, paid: number, taken: number): Change => ({ patron, paid, taken, uncollected: 0 });

describe('totals', () => {
  it('add up one’s own lines only', () => {
    expect(add(NOTHING, [settled(line(7, 500, 950), line(7, 100, 0), line(8, 900, 1800))], 7)).toEqual({
      staked: 600,
      returned: 950,
    });
  });

  it('count nothing for what everybody is told', () => {
    expect(add(NOTHING, [settled()], 7)).toEqual(NOTHING);
  });

  it('follow a correction', () => {
    const corrected: Event = {
      event: 'round-corrected',
      round: 1,
      result,
      lines: [],
      house: 0,
      changes: [change(7, 0, 950), change(8, 100, 0)],
      cite: '5.6',
    };
    expect(add(NOTHING, [settled(line(7, 500, 950)), corrected], 7)).toEqual({ staked: 500, returned: 0 });
  });

  it('leave a void Round out that was never settled', () => {
    const voided: Event = {
      event: 'round-voided',
      round: 1,
      kind: 'foreign-card',
      cite: '5.5',
      returns: [{ patron: 7, bet: 'banker', amount: 500 }],
      changes: [],
    };
    expect(add(NOTHING, [voided], 7)).toEqual(NOTHING);
  });
});
