// The Round before, from the record: with the sides of its cards, and whether it was void or corrected.

import { get } from '../lib/api';
import type { Place } from '../lib/device';
import type { Recalled } from '../lib/wire';

/** Tries again this often while the record cannot be read. */
const AGAIN = 3_000;

export class Last {
  round = $state.raw<Recalled | null>(null);
  #place: Place;
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Asks once more. An answer that a later question has overtaken is not heard. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const path = `/api/tables/${encodeURIComponent(this.#place.table)}/rounds?limit=1`;
      const [last] = await get<Recalled[]>(path, { device: this.#place.device });
      if (asked === this.#asked) this.round = last ?? null;
    } catch {
      if (asked === this.#asked) this.#timer = setTimeout(() => void this.refresh(), AGAIN);
    }
  }

  stop(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
  }
}
