// A screen that is not a browser: for those around the table whom a test needs.

import type { Actor, Answer, Card, Command, Hello, Pending, RoundNo, Seq, Told, View } from '../src/lib/wire';

export class Line {
  view!: View;
  #socket: WebSocket;
  #n = 0;
  #device = '';
  #answers = new Map<number, { done: (answer: Answer) => void; failed: (why: Error) => void }>();
  #changed: (() => void)[] = [];

  private constructor(
    socket: WebSocket,
    readonly by: Actor,
  ) {
    this.#socket = socket;
  }

  static async open(url: string, hello: Hello, by: Actor): Promise<Line> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/socket`);
    const line = new Line(socket, by);
    const ready = new Promise<void>((done, failed) => {
      socket.onopen = () => socket.send(JSON.stringify({ hello }));
      socket.onclose = () => {
        const gone = new Error('the server hung up');
        failed(gone);
        line.#answers.forEach((it) => it.failed(gone));
      };
      socket.onmessage = (message) => {
        line.#hear(JSON.parse(String(message.data)) as Told);
        if (line.view) done();
      };
    });
    await ready;
    return line;
  }

  #hear(told: Told): void {
    if ('welcome' in told) {
      this.#device = told.welcome.device ?? '';
      this.#n = told.welcome.last;
    } else if ('view' in told) this.view = told.view;
    else if ('frame' in told) this.view = { ...this.view, ...told.frame.view, seq: told.frame.seq };
    else if ('reply' in told) this.#answers.get(told.reply.to.n)?.done(told.reply.answer);
    const changed = this.#changed;
    this.#changed = [];
    changed.forEach((it) => it());
  }

  /** Gives an order; under the name by which it waited, where it was signed. */
  order(command: Command, round?: RoundNo | null, pending: string | null = null, by = this.by): Promise<Answer> {
    this.#n += 1;
    const n = this.#n;
    const order = { id: { device: this.#device, n }, by, at: 0, command, ...(round ? { round } : {}) };
    return new Promise((done, failed) => {
      this.#answers.set(n, { done, failed });
      this.#socket.send(JSON.stringify(pending === null ? { order } : { approved: { order, pending } }));
    });
  }

  /** An order that is carried out, or the test fails. The answer is its entry; the view may not be there yet. */
  async must(command: Command, round?: RoundNo | null): Promise<Seq> {
    return done(command, await this.order(command, round));
  }

  /** The same for an order that was signed. */
  async mustSigned({ pending, order }: Pending): Promise<Seq> {
    const { by, command, round } = order!;
    return done(command, await this.order(command, round ?? null, pending, by));
  }

  /** A whole Round at a live table: bets open and close, these cards are drawn, the result is confirmed. */
  async round(...cards: Card[]): Promise<void> {
    await this.must({ do: 'open-bets' });
    await this.must({ do: 'close-bets' });
    for (const card of cards) await this.must({ do: 'draw-card', card, source: 'keyed' });
    const settled = await this.must({ do: 'confirm-result' });
    await this.until(({ seq }) => seq >= settled);
  }

  /** Waits until the view is so, and not for ever. */
  async until(is: (view: View) => boolean, patience = 15_000): Promise<void> {
    const end = Date.now() + patience;
    while (!is(this.view)) {
      const left = end - Date.now();
      if (left <= 0) throw new Error(`it never came: ${is.toString()}; phase ${this.view.phase}`);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, left);
        this.#changed.push(() => [clearTimeout(timer), done()]);
      });
    }
  }

  close(): void {
    this.#socket.onclose = null;
    this.#socket.close();
  }
}

function done(command: Command, answer: Answer): Seq {
  if (typeof answer === 'string' || !('done' in answer)) throw new Error(`${command.do}: ${JSON.stringify(answer)}`);
  return answer.done;
}
