// Whether cards are still on their way to their places. What they lead to waits until the last of them lies there.

import { landing } from './motion';

export class Landing {
  isOn = $state(false);
  #until = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #time: (cards: number) => number;

  constructor(time: (cards: number) => number = landing) {
    this.#time = time;
  }

  /** So many cards come together now. */
  come(cards: number): void {
    const time = this.#time(cards);
    if (time <= 0) return;
    this.isOn = true;
    this.#until = Math.max(this.#until, Date.now() + time);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.isOn = false), this.#until - Date.now());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.isOn = false;
  }
}
