import { expect, it } from 'vitest';
import type { Event } from '../lib/wire';
import { NOTHING, remember, type Memory } from './memory';

const after = (...events: Event[]): Memory => events.reduce(remember, NOTHING);
const opened: Event = { event: 'bets-opened', round: 5, shoe: 1, carried: [], closes_at: 0 };

it('knows who has answered what, until the next Round or question', () => {
  const asked: Event = { event: 'choice-offered', until: 9, patrons: [7, 8] };
  const made: Event = { event: 'choice-made', patron: 8, choice: 'take-back', silent: false, returns: [] };
  expect(after(asked, made).choices).toEqual([{ patron: 8, choice: 'take-back', silent: false }]);
  expect(after(asked, made, opened).choices).toEqual([]);
  expect(after(asked, made, asked).choices).toEqual([]);
});

it('knows why an interruption ended as it did, and what a void gave back', () => {
  const memory = after(
    { event: 'interruption-resolved', established: true, because: ['player-pair'], cite: '5.4.1' },
    {
      event: 'round-voided',
      round: 4,
      kind: 'foreign-card',
      cite: '5.5.1',
      returns: [{ patron: 7, bet: 'banker', amount: 500 }],
      changes: [],
    },
  );
  expect(memory.interruption?.because).toEqual(['player-pair']);
  expect(memory.voided?.returns).toHaveLength(1);
  expect(remember(memory, opened)).toMatchObject({ interruption: null, voided: null });
});
