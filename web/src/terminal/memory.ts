// What this tab remembers of its patron: the box they bet at, what they bet last, the last ticket. It goes when the tab is
// closed, and nothing of it is needed to play.

import type { BetId, BoxNo, Money, RoundNo } from '../lib/wire';
import type { Paper } from './ticket';

/** The bets of a Round. */
export interface Played {
  round: RoundNo;
  stakes: { bet: BetId; amount: Money }[];
}

export interface Kept {
  box: BoxNo | null;
  played: Played | null;
  paper: Paper | null;
}

const NOTHING: Kept = { box: null, played: null, paper: null };

export class Memory {
  #key: string;
  #tab: Storage;

  constructor(table: string, tab: Storage = sessionStorage) {
    this.#key = `punto-terminal ${table}`;
    this.#tab = tab;
  }

  read(): Kept {
    const text = this.#tab.getItem(this.#key);
    return text ? { ...NOTHING, ...(JSON.parse(text) as Partial<Kept>) } : NOTHING;
  }

  keep(part: Partial<Kept>): void {
    this.#tab.setItem(this.#key, JSON.stringify({ ...this.read(), ...part }));
  }
}
