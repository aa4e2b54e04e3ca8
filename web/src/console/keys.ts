// Cards by keyboard: rank, then suit, then Enter. A scanner is a quick typist: what it reads comes within a few
// milliseconds a key and ends with Enter, so that one way of reading strokes serves both, and the speed tells the source.

import { RANKS, SUITS, type Rank, type Suit } from '../lib/cards';
import type { Card, Source } from '../lib/wire';

/** People do not strike two keys in so few milliseconds; scanners do. */
export const QUICK = 40;

/** After so long a pause the next stroke begins anew. */
const FORGET = 4_000;

const SUIT_SIGNS: Record<string, Suit> = {
  '♠': 's',
  '♥': 'h',
  '♦': 'd',
  '♣': 'c',
  '♤': 's',
  '♡': 'h',
  '♢': 'd',
  '♧': 'c',
};

/** What has been struck so far. */
export interface Strokes {
  /** As struck: `1`, `10`, `10h`. */
  readonly text: string;
  /** When the last key was struck. */
  readonly at: number;
  /** Whether every key so far came as quickly as a scanner's. */
  readonly quick: boolean;
}

/** What a stroke led to. */
export type Struck =
  /** It has nothing to do with cards. */
  | { is: 'nothing' }
  /** It belongs to a card, which is complete or not. */
  | { is: 'typed'; card: Card | null }
  /** A card was given with Enter. */
  | { is: 'card'; card: Card; source: Source }
  /** A scanner read something that is no card. */
  | { is: 'stray'; text: string }
  /** Enter came before the card was complete. */
  | { is: 'half'; text: string };

export const NO_STROKES: Strokes = { text: '', at: -Infinity, quick: true };

/** The card that a text names: `As`, `AS`, `A♠`, `10d`, `Td`; none if it names none. */
export function cardOf(text: string): Card | null {
  const clean = text
    .trim()
    .replace(/\uFE0F/g, '')
    .replace(/^10/, 'T');
  if ([...clean].length !== 2) return null;
  const [first, second] = [...clean] as [string, string];
  const rank = first.toUpperCase() as Rank;
  const suit = SUIT_SIGNS[second] ?? (second.toLowerCase() as Suit);
  return RANKS.includes(rank) && SUITS.includes(suit) ? rank + suit : null;
}

/** All cards that a text names, with or without spaces between them; none if anything else is in it. */
export function cardsOf(text: string): Card[] | null {
  const parts = text.replace(/[\s,;]+/g, '').match(/(10|[^\d]|[2-9])./gu) ?? [];
  const cards = parts.map(cardOf);
  const isAll = parts.join('') === text.replace(/[\s,;]+/g, '');
  return isAll && cards.every((it) => it !== null) ? (cards as Card[]) : null;
}

const isRank = (text: string): boolean => text === '1' || text === '10' || RANKS.includes(text.toUpperCase() as Rank);

/** Takes one key. */
export function strike(before: Strokes, key: string, at: number): [Strokes, Struck] {
  const gap = at - before.at;
  const isQuick = gap <= QUICK;
  if (key === 'Enter') return [NO_STROKES, gap > FORGET ? { is: 'nothing' } : enter(before, isQuick)];
  if (key === 'Escape' || key === 'Backspace') {
    const struck: Struck = before.text === '' ? { is: 'nothing' } : { is: 'typed', card: null };
    return [NO_STROKES, struck];
  }
  if ([...key].length !== 1) return [before, { is: 'nothing' }];
  const rest = gap > FORGET ? '' : before.text;
  const quick = rest === '' ? true : before.quick && isQuick;
  // In the middle of what a scanner says, no key is anything else.
  if (rest !== '' && isQuick && before.quick) return typed(rest + key, at, true);
  const grown = rest + key;
  if (isRank(grown) || cardOf(grown) !== null) return typed(grown, at, quick);
  if (isRank(key)) return typed(key, at, true);
  return [before, { is: 'nothing' }];
}

function typed(text: string, at: number, quick: boolean): [Strokes, Struck] {
  return [
    { text, at, quick },
    { is: 'typed', card: cardOf(text) },
  ];
}

function enter({ text, quick }: Strokes, isQuick: boolean): Struck {
  const card = cardOf(text);
  const isScan = quick && isQuick && [...text].length > 1;
  if (card !== null) return { is: 'card', card, source: isScan ? 'read' : 'keyed' };
  if (isScan) return { is: 'stray', text };
  return text === '' ? { is: 'nothing' } : { is: 'half', text };
}
