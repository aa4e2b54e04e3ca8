import { expect, it } from 'vitest';
import type { Event } from '../lib/wire';
import { NOTHING, openSqueezes, remember, type Memory } from './memory';

const after = (...events: Event[]): Memory => events.reduce(remember, NOTHING);
const opened: Event = { event: 'bets-opened', round: 5, shoe: 1, carried: [], closes_at: 0 };

it('knows who was asked to choose and who has answered, until the next Round', () => {
  const asked: Event = { event: 'choice-offered', until: 9, patrons: [7, 8] };
  const made: Event = { event: 'choice-made', patron: 8, choice: 'take-back', silent: false, returns: [] };
  expect(after(asked, made).choices).toEqual({
    asked: [7, 8],
    made: [{ patron: 8, choice: 'take-back', silent: false }],
  });
  expect(after(asked, made, opened).choices).toBeNull();
});

it('knows squeezes that can still be answered', () => {
  const asks = (card: number): Event => ({ event: 'squeeze-asked', patron: 7, card, cite: '3.9' });
  const memory = after(asks(1), asks(3), { event: 'squeeze-answered', patron: 7, card: 3, granted: true });
  expect(memory.squeezes).toEqual([{ patron: 7, card: 1 }]);
  expect(openSqueezes(memory, 0)).toHaveLength(1);
  expect(openSqueezes(memory, 1)).toHaveLength(0);
});

it('knows disputes, posts and the shift', () => {
  const memory = after(
    { event: 'dispute-opened', dispute: 1, words: 'paid short', patron: 7 },
    { event: 'dispute-opened', dispute: 2, words: 'seat taken' },
    { event: 'dispute-closed', dispute: 1, words: 'looked at' },
    { event: 'post-taken', person: 'd-1', post: 'dealer' },
    { event: 'post-taken', person: 'd-2', post: 'dealer' },
    { event: 'post-left', person: 'd-1', post: 'dealer' },
    { event: 'shift-started', name: 'night' },
  );
  expect(memory.disputes).toEqual([{ dispute: 2, words: 'seat taken', patron: null, round: null }]);
  expect(memory.posts).toEqual([{ person: 'd-2', post: 'dealer' }]);
  expect(memory.shift).toBe('night');
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
