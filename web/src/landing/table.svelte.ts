// What a table card knows of its table: what is printed there, and the last Rounds. A board's credential is enough.

import { get } from '../lib/api';
import type { Printed, Recalled } from '../lib/wire';
import type { Place } from './floor';

/** How many Rounds a card shows, and how often it looks again while somebody looks at it. */
const ROUNDS = 12;
const EVERY = 8_000;

export class TableNews {
  printed = $state.raw<Printed | null>(null);
  /** The oldest first; none before they were read. */
  rounds = $state.raw<Recalled[] | null>(null);
  #path: string;
  #device: string | undefined;
  #timer: ReturnType<typeof setInterval>;

  constructor({ table, doors }: Place) {
    this.#path = `/api/tables/${encodeURIComponent(table)}`;
    this.#device = doors.board ?? doors.terminal;
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.#look();
    }, EVERY);
    void this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** What cannot be read now is read the next time. */
  async #look(): Promise<void> {
    const pass = this.#device ? { device: this.#device } : {};
    try {
      this.printed ??= await get<Printed>(`${this.#path}/print`, pass);
      this.rounds = (await get<Recalled[]>(`${this.#path}/rounds?limit=${ROUNDS}`, pass)).toReversed();
    } catch {
      // The card stays as it is.
    }
  }
}
