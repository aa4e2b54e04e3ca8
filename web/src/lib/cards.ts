// Reading cards as the wire writes them: `As`, `Td`, and what is no card: `covered`, `unreadable`, `foreign:…`.

import type { Seen } from './wire';

export type Rank = 'A' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'T' | 'J' | 'Q' | 'K';
export type Suit = 's' | 'h' | 'd' | 'c';

export const RANKS: readonly Rank[] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];
export const SUITS: readonly Suit[] = ['s', 'h', 'd', 'c'];
export const SIGNS: Record<Suit, string> = { s: '♠', h: '♥', d: '♦', c: '♣' };

export type Face =
  { is: 'card'; rank: Rank; suit: Suit } | { is: 'covered' } | { is: 'unreadable' } | { is: 'foreign'; words: string };

export function face(seen: Seen): Face {
  if (seen === 'covered') return { is: 'covered' };
  if (seen.startsWith('foreign:')) return { is: 'foreign', words: seen.slice('foreign:'.length) };
  const [rank, suit] = [seen[0] as Rank, seen[1] as Suit];
  const isCard = seen.length === 2 && RANKS.includes(rank) && SUITS.includes(suit);
  return isCard ? { is: 'card', rank, suit } : { is: 'unreadable' };
}

/** As people write it: `10♥`. */
export function short(seen: Seen): string {
  const it = face(seen);
  return it.is === 'card' ? `${it.rank === 'T' ? '10' : it.rank}${SIGNS[it.suit]}` : '?';
}
