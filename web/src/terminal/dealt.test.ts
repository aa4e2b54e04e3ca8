import { describe, expect, it, vi } from 'vitest';
import type { CardView, Event, RoundResult } from '../lib/wire';
import { Landing } from '../lib/felt/landing.svelte';
import { Dealt } from './dealt.svelte';

const P = (card: string): CardView => ({ card, side: 'player' });
const B = (card: string): CardView => ({ card, side: 'banker' });
const result = (...cards: string[]): RoundResult => ({
  cards,
  points: { player: 5, banker: 7 },
  winner: 'banker',
  natural: false,
  pairs: { player: false, banker: false },
});
const drawn = (card: string, side: 'player' | 'banker', covered = false): Event => ({
  event: 'card-drawn',
  card,
  source: 'read',
  covered,
  side,
});
/** Cards that are there at once. */
const still = () => new Landing(() => 0);
const none = { round: 3, cards: [], points: null, result: null, last: null, own: null };

describe('Dealt', () => {
  it('shows the cards of the Round in play', () => {
    const dealt = new Dealt(() => Promise.resolve([]), still());
    dealt.look({ ...none, cards: [P('As'), B('2s')], points: { player: 1, banker: 2 } });
    expect(dealt.shown).toMatchObject({ round: 3, isPast: false, points: { player: 1, banker: 2 } });
  });

  it('keeps them after the end, with the card that came together with it', () => {
    const recall = vi.fn(() => Promise.resolve([]));
    const dealt = new Dealt(recall, still());
    dealt.look({ ...none, cards: [P('As'), B('2s'), P('4s')] });
    dealt.look({ ...none, last: { round: 3, result: result('As', '2s', '4s', '5s'), lines: [] } }, [
      drawn('5s', 'banker'),
    ]);
    expect(dealt.shown).toMatchObject({ round: 3, isPast: true, winner: 'banker', points: { player: 5, banker: 7 } });
    expect(dealt.shown?.cards).toEqual([P('As'), B('2s'), P('4s'), B('5s')]);
    // Once, for the Round before it came.
    expect(recall).toHaveBeenCalledTimes(1);
  });

  it('asks for them where it has not seen them', async () => {
    const cards = [P('As'), B('2s'), P('4s'), B('5s')];
    const dealt = new Dealt(() => Promise.resolve([{ round: 3, cards, result: result('As', '2s', '4s', '5s') }]));
    dealt.look({ ...none, round: 4 });
    await vi.waitFor(() => expect(dealt.shown?.cards).toEqual(cards));
  });

  it('asks for them where somebody has put them in order', async () => {
    const cards = [P('4s'), B('2s'), P('As'), B('5s')];
    const ordered = result('4s', '2s', 'As', '5s');
    const dealt = new Dealt(() => Promise.resolve([{ round: 3, cards, result: ordered }]));
    dealt.look({ ...none, cards: [P('As'), B('2s'), P('4s'), B('5s')] });
    dealt.look({ ...none, last: { round: 3, result: ordered, lines: [] } });
    await vi.waitFor(() => expect(dealt.shown?.cards).toEqual(cards));
  });

  it('keeps them while the next Round has no cards', () => {
    const dealt = new Dealt(() => Promise.resolve([]), still());
    dealt.look({ ...none, cards: [P('As'), B('2s'), P('4s'), B('5s')] });
    dealt.look({ ...none, last: { round: 3, result: result('As', '2s', '4s', '5s'), lines: [] } });
    dealt.look({ ...none, round: 4 }, [{ event: 'bets-opened', round: 4, shoe: 1, carried: [], closes_at: 0 }]);
    expect(dealt.shown).toMatchObject({ round: 3, isPast: true, winner: 'banker' });
    expect(dealt.shown?.cards).toHaveLength(4);
    dealt.look({ ...none, round: 4, cards: [P('Kd')] });
    expect(dealt.shown).toMatchObject({ round: 4, isPast: false, winner: null });
  });

  it('says that the Round before was void', () => {
    const dealt = new Dealt(() => Promise.resolve([]), still());
    dealt.look({ ...none, last: { round: 3, result: null, lines: [] } });
    expect(dealt.shown).toMatchObject({ isVoid: true, cards: [], winner: null });
  });
});

describe('squeeze', () => {
  const own = { squeezes: [3] };

  it('holds a card back until it is peeled, and the totals with it', () => {
    const dealt = new Dealt(() => Promise.resolve([]), still());
    dealt.look({ ...none, own, cards: [P('covered'), B('covered'), P('covered')] });
    expect(dealt.toPeel).toBeNull();
    dealt.look({ ...none, own, cards: [P('As'), B('2s'), P('4s')], points: { player: 5, banker: 2 } });
    expect(dealt.toPeel).toEqual({ card: 3, seen: '4s', side: 'player' });
    expect(dealt.shown?.cards).toEqual([P('As'), B('2s'), P('covered')]);
    expect(dealt.shown?.points).toBeNull();
    dealt.peel(3);
    expect(dealt.toPeel).toBeNull();
    expect(dealt.shown?.cards[2]).toEqual(P('4s'));
    expect(dealt.shown?.points).toEqual({ player: 5, banker: 2 });
  });

  it('still holds where turning the cards ended the Round', () => {
    const dealt = new Dealt(() => Promise.resolve([]), still());
    dealt.look({ ...none, own, cards: [P('covered'), B('covered'), P('covered'), B('covered')] });
    dealt.look(
      { ...none, own: { squeezes: [] }, last: { round: 3, result: result('As', '2s', '4s', '5s'), lines: [] } },
      [{ event: 'cards-turned', cards: [1, 2, 3, 4], shown: ['As', '2s', '4s', '5s'] }],
    );
    expect(dealt.toPeel).toMatchObject({ card: 3, seen: '4s' });
    expect(dealt.shown).toMatchObject({ winner: null, points: null });
    dealt.peel(3);
    expect(dealt.shown).toMatchObject({ winner: 'banker' });
  });

  it('is over with its Round', () => {
    const dealt = new Dealt(() => Promise.resolve([]), still());
    dealt.look({ ...none, own, cards: [P('As'), B('2s'), P('4s')] });
    dealt.look({ ...none, round: 4, own: { squeezes: [] }, cards: [P('As'), B('2s'), P('5s')] });
    expect(dealt.toPeel).toBeNull();
  });

  it('tells the result when the last card lies there, and the totals of before until then', () => {
    vi.useFakeTimers();
    const dealt = new Dealt(() => Promise.resolve([]), new Landing((cards) => cards * 100));
    dealt.look({ ...none, cards: [P('As'), B('2s')], points: { player: 1, banker: 2 } });
    expect(dealt.shown).toMatchObject({ lay: 2, points: { player: 1 } });
    const over = result('As', '2s', '4s', '5s');
    dealt.look({ ...none, cards: [P('As'), B('2s'), P('4s'), B('5s')], points: over.points, result: over });
    expect(dealt.shown).toMatchObject({ result: null, winner: null, points: { player: 1, banker: 2 } });
    vi.advanceTimersByTime(199);
    expect(dealt.landing.isOn).toBe(true);
    vi.advanceTimersByTime(1);
    expect(dealt.shown).toMatchObject({ winner: 'banker', points: { player: 5, banker: 7 }, lay: 2 });
    vi.useRealTimers();
  });

  it('deals nothing again that lay there before this screen came', async () => {
    const cards = [P('As'), B('2s'), P('4s'), B('5s')];
    const dealt = new Dealt(() => Promise.resolve([{ round: 3, cards, result: result('As', '2s', '4s', '5s') }]));
    dealt.look({ ...none, round: 4 });
    await vi.waitFor(() => expect(dealt.shown?.lay).toBe(Infinity));
    expect(dealt.landing.isOn).toBe(false);
  });
});
