import { describe, expect, it } from 'vitest';
import type { PhaseWord, Recalled, ShoeView, View } from '../lib/wire';
import { felt, notices, said, secondsLeft } from './stage';

const SHOE = { shoe: 1, left: 300, cards: 416, cut_card_out: false, must_exchange: null } as ShoeView;
const BEAD = { n: 0, col: 0, row: 0, o: 'B', bp: false, pp: false, nat: false } as const;

/** A view of which only these parts matter here. */
const view = (parts: Partial<View>): View =>
  ({
    phase: 'between',
    round: 7,
    closes_at: null,
    closing: null,
    shoe: SHOE,
    cards: [],
    points: null,
    result: null,
    roads: { bead: [BEAD] },
    ...parts,
  }) as unknown as View;

const RESULT = {
  cards: ['9s', '2d', 'Kh', '3c'],
  points: { player: 9, banker: 5 },
  winner: 'player',
  natural: true,
  pairs: { player: false, banker: true },
} as const;

const recalled = (parts: Partial<Recalled>): Recalled =>
  ({
    round: 7,
    status: 'settled',
    void: null,
    cards: [{ card: '9s', side: 'player' }],
    result: RESULT,
    ...parts,
  }) as Recalled;

describe('what is said', () => {
  it('follows the phase', () => {
    const words = (phase: PhaseWord) => said(view({ phase }), 0, false);
    expect(words('closed')).toBe('closed');
    expect(words('between')).toBe('waiting');
    expect(words('dealing')).toBe('no-more-bets');
    expect(words('unread')).toBe('ruling');
    expect(words('held')).toBe('ruling');
    expect(words('choosing')).toBe('choosing');
    expect(words('confirming')).toBe('confirming');
    expect(words('interrupted')).toBe('interrupted');
  });

  it('calls the last bets five seconds before the end, and until the Dealer closes them', () => {
    const at = (now: number) => said(view({ phase: 'betting', closes_at: 20_000 }), now, false);
    expect(at(0)).toBe('betting');
    expect(at(14_999)).toBe('betting');
    expect(at(15_000)).toBe('last-bets');
    expect(at(25_000)).toBe('last-bets');
  });

  it('says why no Round opens', () => {
    expect(said(view({ shoe: null }), 0, false)).toBe('no-shoe');
    expect(said(view({ shoe: { ...SHOE, cut_card_out: true } }), 0, false)).toBe('exchange');
    expect(said(view({ shoe: { ...SHOE, must_exchange: '5.5' } }), 0, false)).toBe('exchange');
    expect(said(view({}), 0, true)).toBe('paused');
    expect(said(view({ shoe: null }), 0, true)).toBe('paused');
    expect(said(view({ phase: 'dealing' }), 0, true), 'a Round in play goes on').toBe('no-more-bets');
  });

  it('counts seconds up to the next, and never below none', () => {
    expect(secondsLeft(view({}), 0)).toBeNull();
    expect(secondsLeft(view({ closes_at: 1_001 }), 0)).toBe(2);
    expect(secondsLeft(view({ closes_at: 1_000 }), 9_000)).toBe(0);
  });
});

describe('the felt', () => {
  it('shows the Round in play, and its result once it is there', () => {
    const cards = [{ card: 'As', side: 'player' as const }];
    const dealing = felt(view({ phase: 'dealing', round: 8, cards }), recalled({}), null)!;
    expect([dealing.round, dealing.cards, dealing.winner, dealing.past]).toEqual([8, cards, null, false]);
    const confirming = felt(
      view({ phase: 'confirming', round: 8, cards, result: { ...RESULT, cards: [] } as never }),
      null,
      null,
    )!;
    expect([confirming.winner, confirming.natural, confirming.pairs.banker]).toEqual(['player', true, true]);
  });

  it('goes back to the Round before while bets are open', () => {
    const before = felt(view({ phase: 'betting', round: 8 }), recalled({}), null)!;
    expect([before.round, before.points, before.winner, before.past]).toEqual([7, RESULT.points, 'player', true]);
  });

  it('keeps what lay there until the record has answered', () => {
    const dealt = felt(view({ phase: 'dealing', round: 8 }), recalled({}), null);
    expect(felt(view({ round: 8 }), recalled({ round: 7 }), dealt)).toBe(dealt);
    expect(felt(view({ round: 8 }), recalled({ round: 8 }), dealt)!.past).toBe(true);
    expect(felt(view({ phase: 'betting', round: 9 }), recalled({ round: 7 }), dealt)).toBe(dealt);
    expect(felt(view({ phase: 'betting', round: 9 }), recalled({ round: 8 }), dealt)!.round).toBe(8);
  });

  it('is empty before the first Round', () => {
    expect(felt(view({ round: 0 }), null, null)).toBeNull();
  });

  it('knows a void Round and its paragraph, and shows no winner', () => {
    const it = felt(
      view({}),
      recalled({ status: 'void', void: { kind: 'foreign-card', cite: '5.5.1' }, result: null }),
      null,
    )!;
    expect([it.void, it.winner, it.points]).toEqual(['5.5.1', null, null]);
  });

  it('knows a correction', () => {
    expect(felt(view({}), recalled({ status: 'corrected' }), null)!.corrected).toBe(true);
    expect(felt(view({}), recalled({}), null)!.corrected).toBe(false);
  });
});

describe('notices', () => {
  it('announce the end of the table: after the next Round, then after this one', () => {
    expect(notices(view({ closing: 8 }))).toEqual(['closes-after']);
    expect(notices(view({ closing: 8, round: 8, phase: 'betting' }))).toEqual(['last-round']);
    expect(notices(view({ closing: 8, round: 8, phase: 'closed' }))).toEqual([]);
  });

  it('announce the end of a shoe while its last Round is played', () => {
    const shoe = { ...SHOE, cut_card_out: true };
    expect(notices(view({ shoe, phase: 'dealing' }))).toEqual(['last-of-shoe']);
    expect(notices(view({ shoe, phase: 'between' }))).toEqual([]);
  });

  it('announce a new shoe until it has a Round, and never a shuffler that has no shoes', () => {
    const roads = { bead: [] } as unknown as View['roads'];
    expect(notices(view({ roads }))).toEqual(['new-shoe']);
    expect(notices(view({}))).toEqual([]);
    expect(notices(view({ roads, shoe: { ...SHOE, left: null } }))).toEqual([]);
    expect(notices(view({ roads, shoe: null }))).toEqual([]);
  });
});
