// What was staked and what came back since this screen was opened. Sums of what the table told, nothing else.

import type { Change, Event, Money, PatronNo } from '../lib/wire';

export interface Totals {
  staked: Money;
  returned: Money;
}

export const NOTHING: Totals = { staked: 0, returned: 0 };

const sum = (amounts: number[]): number => amounts.reduce((total, it) => total + it, 0);

const net = (changes: readonly Change[], patron: PatronNo): number =>
  sum(
    changes
      .filter((it) => it.patron === patron)
      .map(
        (it) =>
          it.paid + (it.cancelled ?? 0) - it.taken - it.uncollected - (it.from_unclaimed ?? 0) - (it.from_held ?? 0),
      ),
  );

export function add(totals: Totals, events: readonly Event[], patron: PatronNo): Totals {
  return events.reduce((before, event) => one(before, event, patron), totals);
}

function one(totals: Totals, event: Event, patron: PatronNo): Totals {
  switch (event.event) {
    case 'round-settled': {
      const own = event.lines.filter((it) => it.patron === patron);
      return {
        staked: totals.staked + sum(own.map((it) => it.stake)),
        returned: totals.returned + sum(own.map((it) => it.to_patron)),
      };
    }
    // A correction, an adjustment, and a void of a Round that had been settled undo or add to what came back.
    case 'round-corrected':
    case 'adjusted':
    case 'round-voided':
      return { ...totals, returned: totals.returned + net(event.changes, patron) };
    default:
      return totals;
  }
}
