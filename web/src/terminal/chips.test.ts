import { describe, expect, it } from 'vitest';
import * as chips from './chips';
import type { Lays } from './chips';

const none: Lays = [];
const over = { refused: { reason: 'over-maximum', most: 400, cite: '3.4' } } as const;

describe('chips', () => {
  it('lie on the felt at once, and taps on one bet join', () => {
    const two = chips.lay(chips.lay(none, 1, 'banker', 500, 7), 2, 'banker', 2500, 7);
    expect(two).toHaveLength(1);
    expect(chips.pile(two, 'banker')).toEqual({ coming: 3000, stage: 'local', refused: 0 });
    expect(chips.pile(two, 'player').coming).toBe(0);
  });

  it('do not join what has been sent, or another Round', () => {
    const sent = chips.send(chips.lay(none, 1, 'banker', 500, 7), 1);
    const more = chips.lay(sent, 2, 'banker', 500, 7);
    expect(more.map((it) => it.stage)).toEqual(['sent', 'local']);
    expect(chips.lay(more, 3, 'banker', 500, 8)).toHaveLength(3);
  });

  it('stay as sent until the view shows them registered', () => {
    const sent = chips.send(chips.lay(none, 1, 'tie', 500, 7), 1);
    const done = chips.answered(sent, 1, { done: 40 });
    expect(chips.pile(chips.seen(done, 39), 'tie')).toMatchObject({ coming: 500, stage: 'sent' });
    expect(chips.seen(done, 40)).toEqual([]);
  });

  it('that had been registered before, after a break, are the view’s as well', () => {
    const sent = chips.send(chips.lay(none, 1, 'tie', 500, 7), 1);
    expect(chips.seen(chips.answered(sent, 1, { before: 12 }), 30)).toEqual([]);
  });

  it('that were refused stay with the reason until they are dismissed', () => {
    const sent = chips.send(chips.lay(none, 1, 'tie', 500, 7), 1);
    const refused = chips.answered(sent, 1, over);
    expect(chips.refusals(refused)).toMatchObject([{ bet: 'tie', amount: 500, why: over }]);
    expect(chips.pile(refused, 'tie')).toMatchObject({ coming: 0, refused: 500 });
    expect(chips.seen(refused, 1000)).toHaveLength(1);
    expect(chips.dismiss(refused, 1)).toEqual([]);
  });

  it('that were refused are gone when the next Round commences, and not before', () => {
    const refused = chips.answered(chips.send(chips.lay(none, 1, 'tie', 500, 7), 1), 1, over);
    expect(chips.commence(refused, 7)).toHaveLength(1);
    expect(chips.commence(refused, 8)).toEqual([]);
  });

  it('cannot be dismissed while they are on their way', () => {
    const sent = chips.send(chips.lay(none, 1, 'tie', 500, 7), 1);
    expect(chips.dismiss(sent, 1)).toEqual(sent);
    expect(chips.commence(sent, 8)).toEqual(sent);
  });

  it('that were not sent when the line broke say so; those that were keep waiting', () => {
    const sent = chips.send(chips.lay(none, 1, 'tie', 500, 7), 1);
    const lost = chips.lose(chips.lay(sent, 2, 'banker', 500, 7));
    expect(lost.map((it) => [it.bet, it.stage, it.why])).toEqual([
      ['tie', 'sent', null],
      ['banker', 'refused', 'not-sent'],
    ]);
  });

  it('know nothing from an answer that says nothing', () => {
    const sent = chips.send(chips.lay(none, 1, 'tie', 500, 7), 1);
    expect(chips.answered(sent, 1, 'unknown')).toEqual(sent);
  });

  it('are lifted one tap at a time while they are local', () => {
    const two = chips.lay(chips.lay(none, 1, 'banker', 500, 7), 2, 'banker', 2500, 7);
    expect(chips.pile(chips.lift(two, 1, 2500), 'banker').coming).toBe(500);
    expect(chips.lift(chips.lift(two, 1, 2500), 1, 500)).toEqual([]);
  });
});
