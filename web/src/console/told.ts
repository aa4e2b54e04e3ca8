// What happened, in words: one sentence for each event, in the language of this screen.

import { clockTime } from '../lib/announced';
import { short as shortCard } from '../lib/cards';
import { words as common } from '../lib/i18n/common';
import { rules } from '../lib/i18n/rules';
import { language, type Language } from '../lib/language.svelte';
import { short } from '../lib/money';
import type { BoxNo, Event, Seen, TableView } from '../lib/wire';
import { en } from './told/en';
import { hans } from './told/hans';
import { hant } from './told/hant';
import type { Say, Sentences } from './told/say';

const SENTENCES: Record<Language, Sentences> = { en, 'zh-Hans': hans, 'zh-Hant': hant };

const BOX: Record<Language, (box: BoxNo) => string> = {
  en: (box) => `, box ${box}`,
  'zh-Hans': (box) => `，${box} 号位`,
  'zh-Hant': (box) => `，${box} 號位`,
};

/** A card as the log writes it: `10♥`, or what it is if it is none. */
export function cardName(seen: Seen, in_: Language = language.now): string {
  const short = shortCard(seen);
  if (short !== '?') return short;
  const c = common[in_];
  if (seen === 'covered') return c.covered;
  return seen.startsWith('foreign:') ? seen.slice('foreign:'.length) : c.unreadable;
}

/** What happened, as a sentence. */
export function tell(event: Event, table: TableView | null): string {
  const now = language.now;
  const currency = table?.currency ?? 'SGD';
  const say: Say = {
    money: (amount) => short(amount, currency),
    bet: (bet) => table?.bets.find((it) => it.bet === bet)?.label[now] ?? bet,
    cards: (cards) => (cards.length === 0 ? '–' : cards.map((card) => cardName(card, now)).join(' ')),
    side: (side) => (side ? common[now][side] : ''),
    box: (box) => (box ? BOX[now](box) : ''),
    time: clockTime,
    r: rules[now],
    c: common[now],
  };
  // Each sentence is made for its own event; which one it is the compiler cannot follow through the look-up.
  const sentence = SENTENCES[now][event.event] as ((it: Event, say: Say) => string) | undefined;
  return sentence ? sentence(event, say) : event.event;
}
