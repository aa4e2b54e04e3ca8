// Cards on their way into the record: what is being typed, what is chosen, and one queue of everything that was keyed or
// scanned and has no answer yet. Nothing in it is passed over: each card is recorded in its turn, asked about if none is due
// by then, or says that it was not taken. No frame from the table touches what somebody is typing.

import type { Card, RoundNo, Seen, Side, Source } from '../lib/wire';
import type { Desk, Outcome } from './desk.svelte';
import { NO_STROKES, strike, type Struck } from './keys';
import { nextCard } from './next';

const OTHER: Record<Side, Side> = { player: 'banker', banker: 'player' };

/** How often a card that waits looks whether its turn has come, in milliseconds. */
const WAIT = 20;

/** A card that was keyed or scanned and has no answer yet. */
export interface Waiting {
  readonly n: number;
  readonly card: Seen;
  readonly source: Source;
  /** It was put on the side that was not due. */
  readonly otherSide: boolean;
  /** The Round in which it was keyed. */
  readonly round: RoundNo;
  readonly is: 'waiting' | 'sent' | 'refused';
}

/** What an entry asks of its screen. */
export interface Around {
  /** No card is due: did this one leave the shoe? None where no card can be taken at all. */
  asks: (card: Seen, source: Source) => Promise<boolean> | null;
  /** A card that nothing can take now. */
  says: (card: Seen) => void;
  /** Whether nobody is in the middle of something else. */
  isFree: () => boolean;
}

export class Entry {
  /** What was typed so far. */
  strokes = $state.raw(NO_STROKES);
  chosen = $state<Card | null>(null);
  /** Whether it was put on the side that was not due. */
  otherSide = $state(false);
  /** What has no answer yet, first come first. */
  queue = $state.raw<readonly Waiting[]>([]);

  #desk: Desk;
  #around: Around;
  #n = 0;
  #work: Promise<void> | null = null;

  constructor(desk: Desk, around: Around) {
    this.#desk = desk;
    this.#around = around;
  }

  /** Whether a card is to be entered now. */
  get isAwaited(): boolean {
    return this.#desk.step?.is === 'card';
  }

  /** Where it lies: the side that is due, or the other one. */
  get lies(): Side | null {
    const due = this.#desk.view ? nextCard(this.#desk.view) : null;
    return due && this.otherSide ? OTHER[due.side] : (due?.side ?? null);
  }

  /** Everything that was keyed has its answer, or waits for somebody. */
  get idle(): Promise<void> {
    return this.#work ?? Promise.resolve();
  }

  /** Another Round: what was chosen before it, and not typed just now, is not meant for it. */
  commence(): void {
    this.otherSide = false;
    if (this.strokes.text === '') this.chosen = null;
  }

  /** A key. */
  strike(key: string, at: number): Struck {
    const [after, struck] = strike(this.strokes, key, at);
    this.strokes = after;
    // A card that is typed while something is on its way may be due by then.
    if (struck.is === 'typed' && (this.isAwaited || !this.#desk.isReady)) this.chosen = struck.card;
    return struck;
  }

  /** A tap; the same card again is meant so. */
  pick(card: Card): void {
    if (this.chosen === card) void this.record(card, 'keyed');
    else this.chosen = card;
  }

  /** Takes a card into the queue. It is kept when it has its answer. */
  record(card: Seen, source: Source): Promise<void> {
    this.#n += 1;
    const round = this.#desk.view?.round ?? 0;
    this.queue = [...this.queue, { n: this.#n, card, source, otherSide: this.otherSide, round, is: 'waiting' }];
    this.chosen = null;
    this.otherSide = false;
    return this.#go();
  }

  /** The last card that has not left this screen is not meant after all. Whether there was one. */
  takeBack(): boolean {
    const last = this.queue.findLast((it) => it.is === 'waiting');
    if (last) this.putAway(last.n);
    return last !== undefined;
  }

  /** Somebody has seen that a card was not taken, or takes it back. */
  putAway(n: number): void {
    this.queue = this.queue.filter((it) => it.n !== n);
    void this.#go();
  }

  /** The card that was not taken, once more. */
  again(n: number): void {
    this.#mark(n, 'waiting');
    void this.#go();
  }

  /** Nobody works here any more. */
  close(): void {
    this.queue = [];
  }

  #go(): Promise<void> {
    this.#work ??= this.#all().finally(() => (this.#work = null));
    return this.#work;
  }

  /** One after the other, until nothing waits or one was not taken. */
  async #all(): Promise<void> {
    for (let [it] = this.queue; it && it.is === 'waiting'; [it] = this.queue) {
      if (!this.#desk.isReady || !this.#around.isFree()) await later();
      else await this.#turn(it);
    }
  }

  async #turn(it: Waiting): Promise<void> {
    const isDue = this.isAwaited && it.round === this.#desk.view?.round;
    if (!isDue) {
      const asked = this.#around.asks(it.card, it.source);
      if (asked === null) {
        this.#mark(it.n, 'refused');
        return this.#around.says(it.card);
      }
      if (!(await asked)) return void (this.queue = this.queue.filter(({ n }) => n !== it.n));
    }
    this.#mark(it.n, 'sent');
    const outcome = await this.#give(it, isDue);
    if (!outcome.done) return this.#mark(it.n, 'refused');
    // Whose card the next one is, the view says that has this one.
    while (this.#desk.line.link === 'open' && (this.#desk.view?.seq ?? 0) < outcome.seq) await later();
    this.queue = this.queue.filter(({ n }) => n !== it.n);
  }

  #give({ card, source, otherSide }: Waiting, isDue: boolean): Promise<Outcome> {
    const desk = this.#desk;
    if (isDue && desk.step?.is === 'card' && desk.step.kind === 'read-card')
      return desk.give({ do: 'read-card', card });
    const due = desk.view ? nextCard(desk.view) : null;
    return desk.give({ do: 'draw-card', card, source, ...(otherSide && due ? { to: OTHER[due.side] } : {}) });
  }

  #mark(n: number, is: Waiting['is']): void {
    this.queue = this.queue.map((it) => (it.n === n ? { ...it, is } : it));
  }
}

const later = (): Promise<void> => new Promise((then) => setTimeout(then, WAIT));
