// Which chips lie in the tray. They are whole units of the table; what may be bet with them is for the table to say.

import type { Money, TableView } from '../lib/wire';
import { digits } from '../lib/money';

/** Chips as floors have them, in whole currency and in parts of it. */
const VALUES = [0.05, 0.1, 0.25, 0.5, 1, 5, 25, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000];
const MOST = 6;

type Terms = Pick<TableView, 'unit' | 'currency' | 'betting_box' | 'bets'>;

/** From the smallest bet of the table upwards, as far as any bet may go. */
export function denominations({ unit, currency, betting_box, bets }: Terms): Money[] {
  const ranges = bets.flatMap((it) => (it.range ? [it.range] : []));
  const least = Math.min(...ranges.map((it) => it.minimum), betting_box?.minimum ?? Infinity);
  const most = Math.max(...ranges.map((it) => it.maximum), betting_box?.differential ?? 0);
  const values = VALUES.map((value) => Math.round(value * 10 ** digits(currency)));
  const fitting = values.filter((value) => value > 0 && value % unit === 0 && value <= most);
  // The largest chip that is no more than the smallest bet, so that every bet can be made.
  const first = Math.max(
    0,
    fitting.findLastIndex((value) => value <= least),
  );
  const chosen = fitting.slice(first, first + MOST);
  return chosen.length > 0 ? chosen : [1, 5, 25, 100].map((times) => times * unit);
}

/** The chip that is in hand at first: the smallest that is a bet on Player or Banker. */
export function firstChip(terms: Terms): Money {
  const chips = denominations(terms);
  const minimum = terms.betting_box?.minimum ?? terms.bets.find((it) => it.side)?.range?.minimum ?? 0;
  return chips.find((it) => it >= minimum) ?? chips[0]!;
}
