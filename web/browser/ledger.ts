// What the ledger says of a patron's money, added up here by itself: what a screen shows must be this, to the cent.

import type { Entry, Event, PatronNo } from '../src/lib/wire';

export function credits(entries: readonly Entry[], patron: PatronNo): number {
  let sum = 0;
  const mine = (it: { patron: PatronNo }): boolean => it.patron === patron;
  for (const event of entries.flatMap((entry) => entry.events)) {
    switch (event.event) {
      case 'credits-bought':
      case 'ticket-redeemed':
        if (mine(event)) sum += event.amount;
        break;
      case 'cashed-out':
      case 'wager-registered':
      case 'collected':
      case 'unclaimed-kept':
        if (mine(event)) sum -= event.amount;
        break;
      case 'wager-withdrawn':
      case 'wager-trimmed':
        if (mine(event)) sum += event.amount;
        break;
      case 'round-settled':
        for (const line of event.lines.filter(mine)) sum += line.to_patron;
        break;
      case 'choice-made':
        for (const it of event.returns.filter(mine)) sum += it.amount;
        break;
      case 'round-voided':
        for (const it of event.returns.filter(mine)) sum += it.amount;
        for (const it of event.changes.filter(mine)) sum += it.paid - it.taken;
        break;
      case 'round-corrected':
      case 'adjusted':
        for (const it of event.changes.filter(mine)) sum += it.paid - it.taken;
        break;
    }
  }
  return sum;
}

/** The events of one kind, in order. */
export function events<K extends Event['event']>(entries: readonly Entry[], kind: K): Extract<Event, { event: K }>[] {
  const all = entries.flatMap((entry) => entry.events);
  return all.filter((event): event is Extract<Event, { event: K }> => event.event === kind);
}

/** `$1,250.00`, as a terminal in English shows it. */
export const dollars = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
