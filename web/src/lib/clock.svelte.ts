// Seconds that pass on the screen, by the server's clock.

import type { Line } from './line.svelte';

/** The server's time, told again four times a second while somebody looks. */
export class Clock {
  now = $state(0);
  #timer: ReturnType<typeof setInterval>;

  constructor(line: Line) {
    this.now = line.now();
    this.#timer = setInterval(() => (this.now = line.now()), 250);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Whole seconds until then, never below nothing. */
export const secondsUntil = (then: number, now: number): number => Math.max(0, Math.ceil((then - now) / 1000));
