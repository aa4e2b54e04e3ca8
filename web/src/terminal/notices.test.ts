import { describe, expect, it } from 'vitest';
import type { Event } from '../lib/wire';
import { mustBeSeen, post, putAway } from './notices';

const voided = (...returned: [number, number][]): Event => ({
  event: 'round-voided',
  round: 4,
  kind: 'foreign-card',
  cite: '5.3',
  returns: returned.map(([patron, amount]) => ({ patron, bet: 'banker', amount })),
  changes: [],
});
const opened: Event = { event: 'bets-opened', round: 5, shoe: 1, carried: [], closes_at: 0 };

describe('notices', () => {
  it('make one of a void that everybody and then oneself is told of', () => {
    const posted = post([], [voided(), voided([7, 500], [7, 100])], 7);
    expect(posted).toMatchObject([{ is: 'void', round: 4, cite: '5.3', returned: 600 }]);
    expect(post([], [voided([7, 500]), voided()], 7)).toMatchObject([{ returned: 500 }]);
  });

  it('of a void with one’s own bets stay until they have been seen', () => {
    const posted = post([], [voided([7, 500])], 7);
    expect(posted.every(mustBeSeen)).toBe(true);
    expect(post(posted, [opened], 7)).toHaveLength(1);
    expect(putAway(posted, posted[0]!.n)).toEqual([]);
  });

  it('of a note that was not credited stay until the case is settled', () => {
    const report = { case: 'note-not-credited', acceptor: 'acceptor-7', amount: 1_000, words: 'jammed' } as const;
    const taken: Event = { event: 'case-opened', case: 3, patron: 7, report, cite: 'interpretation 41' };
    const posted = post([], [taken, opened], 7);
    expect(posted).toMatchObject([{ is: 'case', case: 3, note: 1_000 }]);
    expect(post([], [taken], 8)).toEqual([]);
    const settled: Event = {
      event: 'case-settled',
      case: 3,
      patron: 7,
      acceptor: 'acceptor-7',
      outcome: { outcome: 'credited', amount: 1_000 },
      second: 'attendant',
      reason: 'seen in the box',
      cite: 'interpretation 41',
    };
    expect(post(posted, [settled], 7)).toMatchObject([{ is: 'case-settled', case: 3 }]);
  });

  it('that touch nobody’s money go when the next Round commences', () => {
    const posted = post([], [voided()], 7);
    expect(posted).toHaveLength(1);
    expect(post(posted, [opened], 7)).toEqual([]);
  });

  it('tell nothing of other people’s bets', () => {
    const late: Event = { event: 'late-bet-refused', patron: 8, bet: 'tie', stake: 500, cite: '3.7' };
    expect(post([], [late], 7)).toEqual([]);
    expect(post([], [{ ...late, patron: 7 }], 7)).toMatchObject([{ is: 'late', bet: 'tie' }]);
  });

  it('tell of a correction what was paid and taken', () => {
    const corrected: Event = {
      event: 'round-corrected',
      round: 4,
      result: {
        cards: [],
        points: { player: 1, banker: 2 },
        winner: 'banker',
        natural: false,
        pairs: { player: false, banker: false },
      },
      lines: [],
      house: 0,
      changes: [{ patron: 7, paid: 0, taken: 300, uncollected: 50 }],
      cite: '5.6',
    };
    const posted = post([], [corrected], 7);
    expect(posted).toMatchObject([{ is: 'corrected', moved: { paid: 0, taken: 300, uncollected: 50 } }]);
    expect(mustBeSeen(posted[0]!)).toBe(true);
  });

  it('of an interruption go when it is resolved', () => {
    const posted = post([], [{ event: 'table-interrupted', cite: '5.1' }], 7);
    const resolved: Event = { event: 'interruption-resolved', established: true, because: ['tie'], cite: '5.1.1' };
    expect(post(posted, [resolved], 7)).toMatchObject([{ is: 'resolved', established: true }]);
  });
});
