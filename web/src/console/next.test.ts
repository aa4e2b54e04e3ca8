import { describe, expect, it } from 'vitest';
import type { CommandKind, MatterView, ShoeView, View } from '../lib/wire';
import { next, nextCard } from './next';
import { TABLE, view } from './testing';

const step = (different: Partial<View>, now = 0) => next(view(different), now);
const shoe = (different: Partial<ShoeView>): ShoeView => ({ ...view().shoe!, ...different });
const matter = (different: Partial<MatterView> = {}): MatterView => ({
  matter: 3,
  kind: 'foreign-card',
  report: { irregularity: 'foreign-card', card: 'joker' },
  round: 4,
  holds: true,
  cite: '5.5.1',
  decides: 'pit-supervisor',
  second_person: false,
  discretion: null,
  proposed: null,
  established: false,
  because: [],
  proposal: null,
  movable: [],
  rulings: ['void', 'misread'],
  money_until: null,
  take_two: [],
  may_replace: false,
  ...different,
});

describe('between Rounds', () => {
  it('bets are opened', () => {
    expect(step({})).toEqual({ is: 'order', kind: 'open-bets' });
  });

  it('first there is a shoe, a float, a burn', () => {
    expect(step({ shoe: null, possible: ['load-shoe'] })).toEqual({ is: 'order', kind: 'load-shoe' });
    const chips = { ...TABLE, money: 'chips' as const };
    expect(step({ table: chips, least: [['open-float', 'pit-supervisor']] })).toEqual({
      is: 'order',
      kind: 'open-float',
    });
    expect(step({ table: chips, float: 100 })).toEqual({ is: 'order', kind: 'open-bets' });
    const burn = { shoe: shoe({ burn_due: { fixed: 1 } }), possible: ['burn-cards' as const] };
    expect(step(burn)).toEqual({ is: 'order', kind: 'burn-cards' });
  });

  it('cards that are done with are exchanged', () => {
    expect(step({ shoe: shoe({ must_exchange: '5.5.1' }) })).toEqual({ is: 'order', kind: 'exchange-shoe' });
    expect(step({ shoe: shoe({ cut_card_out: true }) })).toEqual({ is: 'order', kind: 'exchange-shoe' });
    // Nobody recorded that they were shuffled: nothing but another set helps.
    expect(step({ possible: ['exchange-shoe'] })).toEqual({ is: 'order', kind: 'exchange-shoe' });
  });

  it('carried cards that already decide wait for their ruling', () => {
    const least: View['least'] = [['rule-carried-cards', 'shift-manager']];
    expect(step({ carried: ['9s', '8d'], possible: ['exchange-shoe'], least })).toEqual({
      is: 'order',
      kind: 'rule-carried-cards',
    });
    expect(step({ carried: ['2s'] })).toEqual({ is: 'order', kind: 'open-bets' });
  });

  it('a matter that holds is ruled before anything else, one that does not is not', () => {
    expect(step({ matters: [matter()] })).toEqual({ is: 'ruling', matter: 3 });
    expect(step({ matters: [matter({ holds: false })] })).toEqual({ is: 'order', kind: 'open-bets' });
  });

  it('after the last Round shoe, float and table are closed in turn', () => {
    const least: View['least'] = [
      ['close-table', 'pit-supervisor'],
      ['retire-shoe', 'dealer'],
      ['close-float', 'pit-supervisor'],
    ];
    const without = (...done: CommandKind[]): View['least'] => least.filter(([kind]) => !done.includes(kind));
    expect(step({ closing: 4, least })).toEqual({ is: 'order', kind: 'retire-shoe' });
    expect(step({ closing: 4, least: without('retire-shoe') })).toEqual({ is: 'order', kind: 'close-float' });
    const last = { closing: 4, least: without('retire-shoe', 'close-float') };
    expect(step(last)).toEqual({ is: 'order', kind: 'close-table' });
    expect(step({ closing: 4, least: [] })).toEqual({ is: 'wait', for: 'nothing' });
    // Announced, and the last Round is still to come.
    expect(step({ closing: 5 })).toEqual({ is: 'order', kind: 'open-bets' });
  });

  it('an electronic table of software goes by itself', () => {
    const etg = { ...TABLE, mode: 'electronic' as const, cards: 'software' as const };
    expect(step({ table: etg })).toEqual({ is: 'wait', for: 'clock' });
  });
});

describe('in a Round', () => {
  it('bets are closed by the Dealer, on the electronic game by the clock', () => {
    const betting = { phase: 'betting' as const, possible: ['close-bets' as const] };
    expect(step(betting)).toEqual({ is: 'order', kind: 'close-bets' });
    expect(step({ ...betting, table: { ...TABLE, mode: 'electronic' } })).toEqual({ is: 'wait', for: 'clock' });
  });

  it('cards are keyed, unless the software draws or a new shoe is awaited', () => {
    expect(step({ phase: 'dealing', possible: ['draw-card'] })).toEqual({ is: 'card', kind: 'draw-card' });
    expect(step({ phase: 'dealing', possible: ['report'] })).toEqual({ is: 'wait', for: 'house' });
    const awaited = { phase: 'dealing' as const, possible: ['draw-card' as const, 'exchange-shoe' as const] };
    expect(step(awaited)).toEqual({ is: 'order', kind: 'exchange-shoe' });
    expect(step({ phase: 'unread', possible: ['read-card'] })).toEqual({ is: 'card', kind: 'read-card' });
  });

  it('a held Round waits for its ruling', () => {
    expect(step({ phase: 'held', matters: [matter()] })).toEqual({ is: 'ruling', matter: 3 });
  });

  it('choices are ended when their time is up, not before', () => {
    const choosing = { phase: 'choosing' as const, closes_at: 5_000, possible: ['close-choices' as const] };
    expect(step(choosing, 4_999)).toEqual({ is: 'wait', for: 'choices' });
    expect(step(choosing, 5_000)).toEqual({ is: 'order', kind: 'close-choices' });
  });

  it('cards are turned, then the result is confirmed', () => {
    const phase = 'confirming' as const;
    expect(step({ phase, possible: ['turn-cards'] })).toEqual({ is: 'order', kind: 'turn-cards' });
    expect(step({ phase, possible: ['confirm-result'] })).toEqual({ is: 'order', kind: 'confirm-result' });
    expect(step({ phase, possible: [] })).toEqual({ is: 'wait', for: 'house' });
  });

  it('an interrupted table hears which cards are out', () => {
    const least: View['least'] = [['confirm-cards', 'pit-supervisor']];
    expect(step({ phase: 'interrupted', least })).toEqual({ is: 'order', kind: 'confirm-cards' });
  });
});

it('the next card is named by its Hand and its place in it', () => {
  const cards = [
    { card: '2s', side: 'player' as const },
    { card: '4d', side: 'banker' as const },
    { card: '5c', side: 'player' as const },
    { card: '4h', side: 'banker' as const },
  ];
  expect(nextCard(view({ cards, next: 'player' }))).toEqual({ side: 'player', nth: 3 });
  expect(nextCard(view({ cards: cards.slice(0, 1), next: 'banker' }))).toEqual({ side: 'banker', nth: 1 });
  expect(nextCard(view())).toBeNull();
});
