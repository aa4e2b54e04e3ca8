// How far each chip of this screen has come: local → sent → registered, or refused. Registered chips are not kept here:
// what the view says is registered always wins (ETG 5.2, interpretation 22). A chip that was refused stays, with the
// reason, until somebody has seen it or the next Round commences.

import type { Answer, BetId, Denial, Money, Rejection, RoundNo, Seq } from '../lib/wire';

/** Why chips are not on the felt. */
export type Why = { refused: Rejection } | { denied: Denial } | 'not-sent';

/** Chips that were laid on a bet and are not registered, or an order to take some back that was refused. */
export interface Lay {
  n: number;
  what: 'place' | 'withdraw';
  bet: BetId;
  amount: Money;
  round: RoundNo;
  stage: 'local' | 'sent' | 'refused';
  why: Why | null;
  /** The entry that registered it; the view will show it from there on. */
  seq: Seq | null;
}

export type Lays = readonly Lay[];

/** A tap: joins what lies there and has not been sent. */
export function lay(lays: Lays, n: number, bet: BetId, amount: Money, round: RoundNo): Lays {
  const at = lays.findIndex((it) => it.stage === 'local' && it.bet === bet && it.round === round);
  if (at >= 0) return lays.with(at, { ...lays[at]!, amount: lays[at]!.amount + amount });
  return [...lays, { n, what: 'place', bet, amount, round, stage: 'local', why: null, seq: null }];
}

/** A tap is taken back before it was sent. */
export function lift(lays: Lays, n: number, amount: Money): Lays {
  return lays
    .map((it) => (it.n === n && it.stage === 'local' ? { ...it, amount: it.amount - amount } : it))
    .filter((it) => it.amount > 0);
}

export const send = (lays: Lays, n: number): Lays =>
  lays.map((it) => (it.n === n && it.stage === 'local' ? { ...it, stage: 'sent' } : it));

/** What became of an order. */
export function answered(lays: Lays, n: number, answer: Answer): Lays {
  if (answer === 'busy' || answer === 'unknown') return lays;
  if ('done' in answer) return lays.map((it) => (it.n === n ? { ...it, seq: answer.done } : it));
  if ('before' in answer) return lays.map((it) => (it.n === n ? { ...it, seq: answer.before } : it));
  return lays.map((it) => (it.n === n ? { ...it, stage: 'refused', why: answer } : it));
}

/** The view has come so far: what was registered until then is in it. */
export const seen = (lays: Lays, seq: Seq): Lays => lays.filter((it) => it.seq === null || it.seq > seq);

/** The line is lost: what was not sent will not be. What was sent keeps waiting for its answer. */
export const lose = (lays: Lays): Lays =>
  lays.map((it) => (it.stage === 'local' ? { ...it, stage: 'refused', why: 'not-sent' } : it));

/** A Round commences: refusals of the Rounds before are past. */
export const commence = (lays: Lays, round: RoundNo): Lays =>
  lays.filter((it) => it.stage !== 'refused' || it.round >= round);

export const dismiss = (lays: Lays, n: number): Lays => lays.filter((it) => it.n !== n || it.stage !== 'refused');

/** An order to take chips back was refused: told like any other. */
export function kept(lays: Lays, n: number, bet: BetId, amount: Money, round: RoundNo, why: Why): Lays {
  return [...lays, { n, what: 'withdraw', bet, amount, round, stage: 'refused', why, seq: null }];
}

/** What lies on one bet beside what is registered. */
export interface Pile {
  /** On its way, and how far all of it has come at least. */
  coming: Money;
  stage: 'local' | 'sent';
  /** Refused, and not yet seen by anybody. */
  refused: Money;
}

export function pile(lays: Lays, bet: BetId): Pile {
  const own = lays.filter((it) => it.bet === bet && it.what === 'place');
  const sum = (some: Lays): Money => some.reduce((total, it) => total + it.amount, 0);
  const coming = own.filter((it) => it.stage !== 'refused');
  return {
    coming: sum(coming),
    stage: coming.some((it) => it.stage === 'local') ? 'local' : 'sent',
    refused: sum(own.filter((it) => it.stage === 'refused')),
  };
}

export const coming = (lays: Lays): Money =>
  lays.reduce((total, it) => total + (it.what === 'place' && it.stage !== 'refused' ? it.amount : 0), 0);

export const refusals = (lays: Lays): Lays => lays.filter((it) => it.stage === 'refused');
