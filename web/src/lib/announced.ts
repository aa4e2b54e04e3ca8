// Limits that were announced and are not in force yet: as the table will display them (3.4), and from when.

import { language } from './language.svelte';
import type { TableView, Timestamp } from './wire';

/** A time of day, as the screens write it. */
export const clockTime = (at: Timestamp): string =>
  new Date(at).toLocaleTimeString(language.now, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The table with the limits that were announced; none if none were. */
export function ahead(table: TableView): TableView | null {
  const { announced } = table;
  if (!announced) return null;
  const bets = table.bets.map((it) => ({ ...it, range: announced.bets[it.bet] ?? it.range }));
  return { ...table, betting_box: announced.betting_box, bets, announced: null };
}
