// Whether the house opens further Rounds. That is in no table's record, so a screen asks for it: while its table is between
// Rounds, and when an order was denied for it. Asking says nothing about whoever is signed in and prolongs no session.

import { health } from './api';
import type { Line } from './line.svelte';
import type { Health, Hold } from './wire';

/** How often it is asked for between Rounds, in milliseconds. An electronic table is between Rounds for less. */
const EVERY = 6_000;

/** While the history itself is in doubt, nothing is paid out either. */
export const doubtsHistory = (holds: readonly Hold[]): boolean =>
  holds.includes('history-unwitnessed') || holds.includes('history-contested');

export class Held {
  holds = $state.raw<Hold[]>([]);
  /** The host's clock is ahead of recorded time by so many milliseconds, further than the server follows by itself. */
  clockAhead = $state<number | null>(null);
  #line: Pick<Line, 'view' | 'link'>;
  #timer: ReturnType<typeof setInterval>;
  #ask: () => Promise<Health>;

  constructor(line: Pick<Line, 'view' | 'link'>, ask: () => Promise<Health> = health) {
    this.#line = line;
    this.#ask = ask;
    this.#timer = setInterval(() => this.#look(), EVERY);
  }

  /** Asks now. What is not known stays as it was. */
  async ask(): Promise<void> {
    const told = await this.#ask().catch(() => null);
    if (!told) return;
    this.holds = told.no_further_round ?? [];
    this.clockAhead = told.clock_ahead ?? null;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { view, link } = this.#line;
    if (link !== 'open' || !view) return;
    if (view.phase === 'between' || view.phase === 'closed') void this.ask();
    // A Round has opened since: what held it is over.
    else if (this.holds.length > 0) void this.ask();
  }
}
