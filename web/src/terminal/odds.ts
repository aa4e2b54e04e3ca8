// Printed odds, as short as a spot is small: "11 to 1", or "20:1 / 12:1" where a bet pays in several ways.

import type { Language } from '../lib/language.svelte';
import type { Odds, PrintedRow } from '../lib/wire';
import { words } from './words';

/** `0.95 to 1` in its two parts. */
function parts(odds: Odds): [string, string] {
  const [pays = odds, each = '1'] = odds.split(' to ');
  return [pays, each];
}

/** One price in full. */
export const inFull = (odds: Odds, tongue: Language): string => words[tongue].odds(...parts(odds));

/** All prices of a bet, the highest first. */
export function oddsOf(rows: readonly PrintedRow[], tongue: Language): string {
  const all = [...new Set(rows.flatMap((row) => row.odds ?? []))];
  if (all.length <= 1) return all.map((it) => inFull(it, tongue)).join('');
  const value = (odds: Odds): number =>
    parts(odds)
      .map(Number)
      .reduce((pays, each) => pays / each);
  return all
    .toSorted((a, b) => value(b) - value(a))
    .map((it) => words[tongue].oddsShort(...parts(it)))
    .join(' / ');
}
