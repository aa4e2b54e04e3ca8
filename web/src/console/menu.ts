// Orders beside the next step, by topic. What is not possible is not in it.

import { onTheSpot } from './authority';
import type { CommandKind, Post, View } from '../lib/wire';

export const TOPICS = ['round', 'wagers', 'shoe', 'float', 'table', 'people'] as const;
export type Topic = (typeof TOPICS)[number];

/** Cards, reports, rulings, choices and squeezes have places of their own on the screen. */
const KINDS: Record<Topic, readonly CommandKind[]> = {
  round: ['open-bets', 'close-bets', 'turn-cards', 'confirm-result', 'close-choices'],
  wagers: ['record-chips', 'place-wager', 'withdraw-wager', 'amend-wager', 'ask-squeeze', 'collect'],
  shoe: ['load-shoe', 'inspect-cards', 'cut-cards', 'burn-cards', 'exchange-shoe', 'retire-shoe', 'rule-carried-cards'],
  float: ['open-float', 'drop', 'fill', 'credit', 'close-float'],
  table: ['announce-closing', 'close-table', 'open-dispute', 'close-dispute'],
  people: ['take-post', 'leave-post', 'start-shift'],
};

export interface Item {
  kind: CommandKind;
  /** Somebody of a higher post must come and sign in for it. */
  spot: boolean;
}

export function menu(view: View, post: Post): { topic: Topic; items: Item[] }[] {
  const spot = onTheSpot(view, post);
  // The squeeze is of tables that deal face down (3.9).
  const isHere = (kind: CommandKind): boolean => kind !== 'ask-squeeze' || view.table?.faces === 'down';
  const item = (kind: CommandKind): Item[] =>
    view.possible.includes(kind) ? [{ kind, spot: false }] : spot.includes(kind) ? [{ kind, spot: true }] : [];
  return TOPICS.map((topic) => ({ topic, items: KINDS[topic].filter(isHere).flatMap(item) })).filter(
    ({ items }) => items.length > 0,
  );
}
