// What a board says about the moment. It names what the table is doing and decides nothing.

import { secondsUntil } from '../lib/clock.svelte';
import type { PhaseWord, Recalled, Seen, Side, View, Winner } from '../lib/wire';

/** What the phase panel says. */
export type Said =
  | 'closed'
  | 'no-shoe'
  | 'exchange'
  | 'waiting'
  | 'paused'
  | 'betting'
  | 'last-bets'
  | 'no-more-bets'
  | 'ruling'
  | 'choosing'
  | 'confirming'
  | 'interrupted';

/** From here on bets are called for the last time. */
export const LAST_SECONDS = 5;

/** Phases in which a Round's own cards lie on the felt. */
const IN_PLAY: readonly PhaseWord[] = ['dealing', 'unread', 'held', 'choosing', 'confirming', 'interrupted'];

export const isInPlay = (view: View): boolean => IN_PLAY.includes(view.phase);

/** Seconds until bets or choices close; none where nothing runs. */
export const secondsLeft = (view: View, now: number): number | null =>
  view.closes_at === null ? null : secondsUntil(view.closes_at, now);

/** `isHeld`: the house opens no further Round. */
export function said(view: View, now: number, isHeld: boolean): Said {
  switch (view.phase) {
    case 'closed':
      return 'closed';
    case 'between':
      if (isHeld) return 'paused';
      if (view.shoe === null) return 'no-shoe';
      return view.shoe.must_exchange !== null || view.shoe.cut_card_out ? 'exchange' : 'waiting';
    case 'betting':
      // On a live table the clock only prompts; bets stay open until the Dealer closes them.
      return (secondsLeft(view, now) ?? Infinity) <= LAST_SECONDS ? 'last-bets' : 'betting';
    case 'dealing':
      return 'no-more-bets';
    case 'unread':
    case 'held':
      return 'ruling';
    case 'choosing':
      return 'choosing';
    case 'confirming':
      return 'confirming';
    case 'interrupted':
      return 'interrupted';
  }
}

/** The Round whose result is the latest, while none is being dealt. */
export const roundBefore = (view: View): number => (view.phase === 'betting' ? view.round - 1 : view.round);

/** What lies on the felt: the Round in play, or the one before. */
export interface Felt {
  round: number;
  cards: { card: Seen; side: Side | null }[];
  points: View['points'];
  winner: Winner | null;
  natural: boolean;
  pairs: Record<Side, boolean>;
  /** Void, with the paragraph. */
  void: string | null;
  corrected: boolean;
  /** Of the Round before, and no longer in play. */
  past: boolean;
}

const NO_PAIRS: Record<Side, boolean> = { player: false, banker: false };

/**
 * The cards of the Round before come without their sides in a view; the record has them. Until it has answered, what lay
 * there stays.
 */
export function felt(view: View, last: Recalled | null, kept: Felt | null): Felt | null {
  if (isInPlay(view)) {
    const { result } = view;
    return {
      round: view.round,
      cards: view.cards,
      points: view.points,
      winner: result?.winner ?? null,
      natural: result?.natural ?? false,
      pairs: result?.pairs ?? NO_PAIRS,
      void: null,
      corrected: false,
      past: false,
    };
  }
  if (last === null || last.round < roundBefore(view)) return kept;
  const { result } = last;
  return {
    round: last.round,
    cards: last.cards,
    points: result?.points ?? null,
    winner: result?.winner ?? null,
    natural: result?.natural ?? false,
    pairs: result?.pairs ?? NO_PAIRS,
    void: last.void?.cite ?? null,
    corrected: last.status === 'corrected',
    past: true,
  };
}

/** The same before its last cards lie there: the totals are those before them, and nobody has won yet. */
export const undecided = (felt: Felt, points: Felt['points']): Felt => ({
  ...felt,
  points,
  winner: null,
  natural: false,
  pairs: NO_PAIRS,
  void: null,
});

/** What is announced beside the phase. */
export type Notice = 'last-round' | 'closes-after' | 'last-of-shoe' | 'new-shoe';

export function notices(view: View): Notice[] {
  const found: Notice[] = [];
  if (view.phase === 'closed') return found;
  if (view.closing !== null) found.push(view.closing <= view.round ? 'last-round' : 'closes-after');
  if (view.shoe?.cut_card_out && view.phase !== 'between') found.push('last-of-shoe');
  else if (view.shoe && view.shoe.left !== null && view.roads.bead.length === 0) found.push('new-shoe');
  return found;
}
