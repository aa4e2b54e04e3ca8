// The limits as the table displays them (3.4): bets with the same range are named together.

import type { BetView, Range, TableView } from '../lib/wire';

export interface Limit {
  range: Range;
  bets: BetView[];
  /** All bets have it, or all that are not Player and Banker. */
  all: 'every' | 'side' | null;
}

export function limitsOf({ bets }: Pick<TableView, 'bets'>): Limit[] {
  const groups = new Map<string, Limit>();
  for (const bet of bets) {
    if (!bet.range) continue;
    const key = `${bet.range.minimum} ${bet.range.maximum}`;
    const group = groups.get(key) ?? { range: bet.range, bets: [], all: null };
    group.bets.push(bet);
    groups.set(key, group);
  }
  const found = [...groups.values()];
  const [only] = found;
  if (found.length === 1 && only) only.all = only.bets.length === bets.length ? 'every' : 'side';
  return found;
}
