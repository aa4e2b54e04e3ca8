// Limits as they are displayed (3.4): bets with the same limits share a line, and where most do, they are called the
// others. Nothing is checked here.

import type { BetView, Label, Range } from '../lib/wire';

export interface Group {
  /** Which bets: by name, or all, or all that are not named. */
  bets: Label[] | 'all' | 'others';
  range: Range;
}

/** More names than these are no longer read at a glance. */
const NAMES = 4;

/** Bets that have limits of their own, in the order of the felt, the others last. */
export function groups(bets: readonly BetView[]): Group[] {
  const found: { labels: Label[]; range: Range }[] = [];
  for (const { label, range } of bets) {
    if (range === null) continue;
    const same = found.find((it) => it.range.minimum === range.minimum && it.range.maximum === range.maximum);
    if (same) same.labels.push(label);
    else found.push({ labels: [label], range });
  }
  if (found.length === 1) return found.map(({ range }) => ({ bets: 'all', range }));
  const most = found.reduce((most, it) => Math.max(most, it.labels.length), 0);
  const others = most > NAMES ? found.find((it) => it.labels.length === most) : undefined;
  const named = found.filter((it) => it !== others).map(({ labels, range }): Group => ({ bets: labels, range }));
  return others ? [...named, { bets: 'others', range: others.range }] : named;
}
