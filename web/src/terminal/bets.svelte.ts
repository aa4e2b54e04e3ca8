// What a patron does with chips: tap, undo, clear, rebet, double. Each becomes orders that name their Round; what they do
// is for the table to say. The first tap on a bet leaves at once. Those that come while it is on its way are one order,
// which waits for its answer and never for long: tapping on and on keeps nothing back.

import type { Answer, BetId, BoxNo, Command, Money, PatronNo, RoundNo, Seq, View, WagerView } from '../lib/wire';
import * as chips from './chips';
import type { Lays, Why } from './chips';

/** What the bets need of the screen. */
export interface Hand {
  order: (command: Command, round: RoundNo) => Promise<Answer>;
  patron: () => PatronNo;
  /** Where one bets on a live game; the electronic game has no boxes. */
  box: () => BoxNo | null;
  /** The least that a bet takes as its first stake, as far as the view says. */
  least: (bet: BetId) => Money;
  /** How long bets are still open, in milliseconds; without end where nobody knows. */
  left: () => number;
}

/** A stake on a bet. */
export interface Stake {
  bet: BetId;
  amount: Money;
}

/** One thing the patron did, with the numbers of its chips: what undo takes back. */
interface Act {
  round: RoundNo;
  parts: { n: number; bet: BetId; amount: Money }[];
}

/** Chips that come while others of the bet are on their way wait this long at most. */
export const MERGE = 150;

/** So long one may gather chips that are not yet the least that the bet takes. */
export const GATHER = 500;

/** So near to the close nothing waits for anything. */
export const LAST = 400;

export class Bets {
  lays = $state.raw<Lays>([]);
  #acts = $state.raw<readonly Act[]>([]);
  #hand: Hand;
  #n = 0;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();
  #answers = new Map<number, Promise<Answer>>();
  #round: RoundNo = 0;
  #seq: Seq = 0;

  constructor(hand: Hand) {
    this.#hand = hand;
  }

  /** Chips that are not registered yet. */
  get coming(): Money {
    return chips.coming(this.lays);
  }

  get refusals(): Lays {
    return chips.refusals(this.lays);
  }

  get canUndo(): boolean {
    return this.#acts.some((it) => it.round === this.#round);
  }

  /** A chip on a bet: lies there at once. */
  tap(stake: Stake, round: RoundNo): void {
    const n = this.#lay(stake, round);
    this.#acts = [...this.#acts, { round, parts: [{ n, ...stake }] }];
    const pause = this.#pause(n);
    if (pause <= 0) this.#send(n);
    // A later tap never puts the leaving off.
    else if (!this.#timers.has(n))
      this.#timers.set(
        n,
        setTimeout(() => this.#send(n), pause),
      );
  }

  /** Several stakes in one go: the bets of the last Round again, or every bet once more. */
  place(stakes: readonly Stake[], round: RoundNo): void {
    const parts = stakes.map((stake) => ({ n: this.#lay(stake, round), ...stake }));
    this.#acts = [...this.#acts, { round, parts }];
    new Set(parts.map(({ n }) => n)).forEach((n) => this.#send(n));
  }

  /** Takes back the last thing that was done in this Round. */
  async undo(): Promise<void> {
    const act = this.#acts.findLast((it) => it.round === this.#round);
    if (!act) return;
    this.#acts = this.#acts.filter((it) => it !== act);
    await Promise.all(act.parts.map((part) => this.#takeBack(act.round, part)));
  }

  /** Takes everything back: what was not sent at once, what was sent as soon as it is registered. */
  async clear(wagers: readonly WagerView[], round: RoundNo): Promise<void> {
    this.#acts = [];
    const sent = this.lays.filter((it) => it.stage === 'sent' && it.round === round);
    this.lays.filter((it) => it.stage === 'local').forEach((it) => this.#forget(it.n));
    this.lays = this.lays.filter((it) => it.stage !== 'local');
    const bets = new Map<string, { bet: BetId; box: BoxNo | null }>();
    wagers.forEach(({ bet, box }) => bets.set(`${bet} ${box}`, { bet, box }));
    await Promise.all(sent.map((it) => this.#answers.get(it.n)));
    const box = this.#hand.box();
    sent.forEach(({ bet, n }) => {
      const isRefused = this.lays.some((it) => it.n === n && it.stage === 'refused');
      if (!isRefused) bets.set(`${bet} ${box}`, { bet, box });
    });
    await Promise.all([...bets.values()].map((it) => this.#withdraw(it.bet, it.box, null, round)));
  }

  dismiss(n: number): void {
    this.lays = chips.dismiss(this.lays, n);
  }

  /** The view has moved on. */
  look(view: Pick<View, 'seq' | 'round'>): void {
    this.#seq = view.seq;
    this.lays = chips.seen(this.lays, view.seq);
    if (view.round === this.#round) return;
    this.#round = view.round;
    this.lays = chips.commence(this.lays, view.round);
    this.#acts = this.#acts.filter((it) => it.round >= view.round);
  }

  /** The line is lost: nothing more is sent. */
  lose(): void {
    this.#timers.forEach(clearTimeout);
    this.#timers.clear();
    this.lays = chips.lose(this.lays);
  }

  #lay({ bet, amount }: Stake, round: RoundNo): number {
    this.#n += 1;
    this.lays = chips.lay(this.lays, this.#n, bet, amount, round);
    return this.lays.findLast((it) => it.bet === bet && it.round === round && it.stage === 'local')!.n;
  }

  /** How long chips that lie here may wait for more. */
  #pause(n: number): number {
    const lay = this.lays.find((it) => it.n === n)!;
    const left = this.#hand.left() - LAST;
    if (this.#isFlying(lay.bet)) return Math.min(MERGE, left);
    return lay.amount < this.#hand.least(lay.bet) ? Math.min(GATHER, left) : 0;
  }

  /** Whether chips of this bet are on their way. */
  #isFlying(bet: BetId): boolean {
    return this.lays.some((it) => it.bet === bet && it.what === 'place' && it.stage === 'sent' && it.seq === null);
  }

  #forget(n: number): void {
    clearTimeout(this.#timers.get(n));
    this.#timers.delete(n);
  }

  #send(n: number): void {
    this.#forget(n);
    const it = this.lays.find((one) => one.n === n && one.stage === 'local');
    if (!it) return;
    this.lays = chips.send(this.lays, n);
    const box = this.#hand.box();
    const wager = { do: 'place-wager' as const, patron: this.#hand.patron(), bet: it.bet, stake: it.amount };
    const answer = this.#hand.order(box === null ? wager : { ...wager, box }, it.round);
    this.#answers.set(n, answer);
    void answer.then((said) => {
      // The frame may have come before the answer.
      this.lays = chips.seen(chips.answered(this.lays, n, said), this.#seq);
      this.#answers.delete(n);
      if (why(said)) this.#acts = without(this.#acts, n);
      // Nothing is on its way any more that chips of this bet could wait for.
      const next = this.lays.find((lay) => lay.stage === 'local' && lay.bet === it.bet && lay.round === it.round);
      if (next && this.#pause(next.n) <= 0) this.#send(next.n);
    });
  }

  /** Undoes a part of an act, however far its chips have come. */
  async #takeBack(round: RoundNo, part: { n: number; bet: BetId; amount: Money }): Promise<void> {
    if (this.lays.some((it) => it.n === part.n && it.stage === 'local')) {
      this.lays = chips.lift(this.lays, part.n, part.amount);
      return;
    }
    const answer = await this.#answers.get(part.n);
    if (answer && why(answer)) return;
    await this.#withdraw(part.bet, this.#hand.box(), part.amount, round);
  }

  async #withdraw(bet: BetId, box: BoxNo | null, amount: Money | null, round: RoundNo): Promise<void> {
    const patron = this.#hand.patron();
    const command: Command = { do: 'withdraw-wager', patron, bet, amount, ...(box === null ? {} : { box }) };
    const refused = why(await this.#hand.order(command, round));
    if (!refused) return;
    this.#n += 1;
    this.lays = chips.kept(this.lays, this.#n, bet, amount ?? 0, round, refused);
  }
}

/** Why an order was not carried out; none if it was. */
export function why(answer: Answer): Why | null {
  if (answer === 'busy' || answer === 'unknown' || 'done' in answer || 'before' in answer) return null;
  return answer;
}

/** Acts without the chips of this number: they never came to lie on the felt. */
const without = (acts: readonly Act[], n: number): Act[] =>
  acts.map((act) => ({ ...act, parts: act.parts.filter((it) => it.n !== n) })).filter((act) => act.parts.length > 0);
