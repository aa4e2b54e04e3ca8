// A patron at a terminal that is not a browser: for those around a table whom its console shows.

import { expect } from 'vitest';

import type { BetId, BoxNo, Choice, PatronNo } from '../src/lib/wire';
import type { House } from './house';
import { credits } from './ledger';
import { Line } from './line';

/** What each has to begin with. */
export const BOUGHT = 100_000;

export class Patron {
  private constructor(
    readonly house: House,
    readonly table: string,
    readonly no: PatronNo,
    readonly line: Line,
  ) {}

  /** At a terminal, which may stand at a box. */
  static async arrive(house: House, table: string, no: PatronNo, box?: BoxNo): Promise<Patron> {
    const terminal = { table, patron: no, ...(box === undefined ? {} : { box }) };
    const device = await house.enrol(`${table}-${no}`, { terminal });
    await house.buy(table, no, BOUGHT);
    const line = await Line.open(house.url, { table, screen: 'terminal', device }, { as: 'patron', patron: no });
    return new Patron(house, table, no, line);
  }

  /** Bets as soon as bets are open. */
  async bet(box: BoxNo | null, on: Record<BetId, number>): Promise<void> {
    await this.line.until(({ phase }) => phase === 'betting');
    // The electronic game has no boxes.
    const where = box === null ? {} : { box };
    for (const [bet, stake] of Object.entries(on)) {
      await this.line.must({ do: 'place-wager', patron: this.no, bet, stake, ...where }, this.line.view.round);
    }
  }

  async choose(choice: Choice): Promise<void> {
    await this.line.until(({ phase }) => phase === 'choosing');
    await this.line.must({ do: 'choose', patron: this.no, choice }, this.line.view.round);
  }

  /** This is what the ledger says that the patron has, to the cent, and what the terminal is told. */
  async has(sum: number): Promise<void> {
    expect(credits(await this.house.entries(this.table), this.no)).toBe(sum);
    await this.line.until(({ own }) => own!.credits === sum);
  }
}
