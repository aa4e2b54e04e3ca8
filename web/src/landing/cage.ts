// The Cashier of the demonstration, for visitors: signs in by token and sells credits to a terminal, as a cage would.

import { post, remove } from '../lib/api';
import { Line } from '../lib/line.svelte';
import type { Answer, DemoSignIn, Hello, Money, PatronNo, Session, TableId } from '../lib/wire';

/** How long a visitor waits for an answer. */
const PATIENCE = 10_000;

/** What is used of a line. */
type Wire = Pick<Line, 'order' | 'close' | 'link'>;

export class Cage {
  #cashier: DemoSignIn;
  #open: (hello: Hello) => Wire;
  #token: Promise<string> | null = null;

  constructor(cashier: DemoSignIn, open: (hello: Hello) => Wire = (hello) => new Line(hello)) {
    this.#cashier = cashier;
    this.#open = open;
  }

  /** Sells credits. The answer is the table's; an error says that there was none. */
  async give(table: TableId, patron: PatronNo, amount: Money): Promise<Answer> {
    const session = await this.#session();
    const line = this.#open({ table, screen: 'cage', session });
    const by = { as: 'cashier', person: this.#cashier.person } as const;
    let watch: ReturnType<typeof setInterval> | undefined;
    try {
      const answer = line.order(by, { do: 'buy-credits', patron, amount });
      const until = Date.now() + PATIENCE;
      const none = new Promise<never>((_, fail) => {
        watch = setInterval(() => {
          if (line.link === 'refused' || Date.now() >= until) fail(new Error(line.link));
        }, 100);
      });
      return await Promise.race([answer, none]);
    } finally {
      // A session that has ended is begun anew.
      if (line.link === 'refused') this.#token = null;
      clearInterval(watch);
      line.close();
    }
  }

  /** Signs out, if anybody was signed in. */
  async leave(): Promise<void> {
    const token = await this.#token?.catch(() => null);
    this.#token = null;
    if (token) await remove('/api/session', { device: token }).catch(() => null);
  }

  #session(): Promise<string> {
    const { person, password } = this.#cashier;
    this.#token ??= post<Session>('/api/session', { person, password, token: true })
      .then((it) => it.token ?? '')
      .catch((problem: unknown) => {
        this.#token = null;
        throw problem;
      });
    return this.#token;
  }
}
