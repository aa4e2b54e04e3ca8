// What is said aloud: one region for what can wait, one for what cannot.

export class Speech {
  polite = $state('');
  assertive = $state('');
  #turn = false;

  /** Said when there is a pause. */
  say(words: string): void {
    this.polite = this.#new(words);
  }

  /** Said at once. */
  call(words: string): void {
    this.assertive = this.#new(words);
  }

  /** The same words twice are said twice only if the text is another one. */
  #new(words: string): string {
    this.#turn = !this.#turn;
    return this.#turn ? words : `${words}\u00a0`;
  }
}
