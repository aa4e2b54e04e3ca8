// Credits in by ticket and out as one (ETG 1.15). A ticket that was given out stays in the tab until it is closed: whoever
// holds its number can cash it, so it must not be lost with a page that is loaded anew.

import type { Command, PatronNo } from '../lib/wire';
import type { Why } from './chips';
import type { Memory } from './memory';
import { ticketNo, type Paper } from './ticket';

export class Till {
  /** The ticket that was just given out, or is looked at again. */
  paper = $state.raw<Paper | null>(null);
  /** Why the last ticket was not taken. */
  refused = $state.raw<Why | null>(null);

  #ask: (command: Command) => Promise<Why | null>;
  #patron: () => PatronNo;
  #memory: Memory;

  constructor(ask: (command: Command) => Promise<Why | null>, patron: () => PatronNo, memory: Memory) {
    this.#ask = ask;
    this.#patron = patron;
    this.#memory = memory;
  }

  /** Credits by a ticket, its number as it was typed or scanned. Whether it was taken. */
  async redeem(typed: string): Promise<boolean> {
    this.refused = await this.#ask({ do: 'redeem-ticket', patron: this.#patron(), ticket: ticketNo(typed) });
    return this.refused === null;
  }

  /** All credits out; the ticket to be printed comes with the answer. Why not, if not. */
  async cashOut(): Promise<Why | null> {
    return this.#ask({ do: 'cash-out', patron: this.#patron() });
  }

  give({ ticket, number, amount, expires, currency, table }: Paper): void {
    this.paper = { ticket, number, amount, expires, currency, table };
    this.#memory.keep({ paper: this.paper });
  }

  /** The ticket that was given out last. */
  get last(): Paper | null {
    const { paper } = this.#memory.read();
    // A tab may remember one of an earlier release, which was kept in another way.
    return paper?.number ? paper : null;
  }
}
