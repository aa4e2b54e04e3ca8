// What a sentence about an event is made of.

import type { words as common } from '../../lib/i18n/common';
import type { rules } from '../../lib/i18n/rules';
import type { Language } from '../../lib/language.svelte';
import type { BetId, BoxNo, Event, Money, Seen, Side, Timestamp } from '../../lib/wire';

/** How things of a table are called. */
export interface Say {
  money: (amount: Money) => string;
  bet: (bet: BetId) => string;
  cards: (cards: Seen[]) => string;
  side: (side: Side | null | undefined) => string;
  box: (box: BoxNo | null | undefined) => string;
  time: (at: Timestamp) => string;
  r: (typeof rules)[Language];
  c: (typeof common)[Language];
}

/** One sentence for each event. An event without words does not compile. */
export type Sentences = {
  [K in Event['event']]: (it: Extract<Event, { event: K }>, say: Say) => string;
};

export const total = (list: { amount: Money }[]): Money => list.reduce((sum, { amount }) => sum + amount, 0);
