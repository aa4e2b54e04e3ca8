// The card that is being entered: what was typed of it, what is chosen, and where it was put. It is recorded by Enter, by a
// second tap, or by a scanner at once; what is recorded is a fact.

import type { Card, Seen, Side, Source } from '../lib/wire';
import type { Desk } from './desk.svelte';
import { NO_STROKES, strike, type Struck } from './keys';
import { nextCard } from './next';

const OTHER: Record<Side, Side> = { player: 'banker', banker: 'player' };

/** How often a scan that waits looks whether its turn has come, in milliseconds. */
const WAIT = 40;

export class Entry {
  /** What was typed so far. */
  strokes = $state.raw(NO_STROKES);
  chosen = $state<Card | null>(null);
  /** Whether it was put on the side that was not due. */
  otherSide = $state(false);

  #desk: Desk;
  #scanned: Promise<void> = Promise.resolve();

  #notDue: (card: Seen) => unknown;

  constructor(desk: Desk, notDue: (card: Seen) => unknown) {
    this.#desk = desk;
    this.#notDue = notDue;
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

  clear(): void {
    this.strokes = NO_STROKES;
    this.chosen = null;
    this.otherSide = false;
  }

  /** A key. */
  strike(key: string, at: number): Struck {
    const [after, struck] = strike(this.strokes, key, at);
    this.strokes = after;
    if (struck.is === 'typed' && this.isAwaited) this.chosen = struck.card;
    return struck;
  }

  /** A tap; the same card again is meant so. */
  pick(card: Card): void {
    if (this.chosen === card) void this.record(card, 'keyed');
    else this.chosen = card;
  }

  /**
   * Records a card. A scanner may be quicker than the ledger: what it read waits until nothing is on its way, and if no card
   * is due by then, whoever stands here is asked about it. A card that left the shoe is never passed over.
   */
  record(card: Seen, source: Source): Promise<void> {
    if (source !== 'read') return this.#give(card, source);
    this.#scanned = this.#scanned.then(async () => {
      while (!this.#desk.isReady) await new Promise((later) => setTimeout(later, WAIT));
      if (this.isAwaited) await this.#give(card, source);
      else this.#notDue(card);
    });
    return this.#scanned;
  }

  async #give(card: Seen, source: Source): Promise<void> {
    const desk = this.#desk;
    if (desk.step?.is !== 'card' || !desk.isReady) return;
    if (desk.step.kind === 'read-card') await desk.give({ do: 'read-card', card });
    else await desk.give({ do: 'draw-card', card, source, ...(this.otherSide ? { to: this.lies } : {}) });
  }
}
