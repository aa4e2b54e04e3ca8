// A ticket reader that types: digits in quick succession and Enter. People do not type so fast, so what a reader sends is
// told from what they do, wherever the focus is.

/** Between two characters of a reader at most, in milliseconds. */
const QUICK = 60;
/** A ticket's number has this many digits at least. */
const DIGITS = 16;

export class Wedge {
  #typed = '';
  #last = -Infinity;

  /** A key went down; a number if it was the Enter behind one. */
  key(key: string, now: number): string | null {
    const isQuick = now - this.#last <= QUICK;
    this.#last = now;
    if (key === 'Enter') {
      const number = isQuick ? this.#typed : '';
      this.#typed = '';
      return number.replaceAll('-', '').length >= DIGITS ? number : null;
    }
    if (!/^[\d-]$/.test(key)) {
      this.#typed = '';
      return null;
    }
    this.#typed = isQuick ? this.#typed + key : key;
    return null;
  }
}
