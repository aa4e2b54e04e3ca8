// Orders beside the next step, by topic. What is not possible is not in it.

import { leastPost, onTheSpot } from './authority';
import type { CommandKind, Post, View } from '../lib/wire';

export const TOPICS = ['round', 'wagers', 'shoe', 'float', 'table', 'people'] as const;
export type Topic = (typeof TOPICS)[number];

/** Cards, reports, rulings, choices and squeezes have places of their own on the screen. */
const KINDS: Record<Topic, readonly CommandKind[]> = {
  round: ['open-bets', 'close-bets', 'turn-cards', 'correct-card', 'confirm-result', 'close-choices'],
  wagers: [
    'record-chips',
    'place-wager',
    'withdraw-wager',
    'amend-wager',
    'ask-squeeze',
    'hand-cards',
    'record-push',
    'hold-payout',
    'decide-held',
    'collect',
    'report-case',
    'settle-case',
    'empty-acceptor',
    'extend-hold',
    'keep-unclaimed',
    'review-set-aside',
  ],
  shoe: [
    'load-shoe',
    'inspect-cards',
    'cut-cards',
    'burn-cards',
    'exchange-shoe',
    'retire-shoe',
    'rule-carried-cards',
    'reconcile-shoe',
  ],
  float: ['open-float', 'cover-float', 'uncover-float', 'drop', 'fill', 'credit', 'close-float'],
  table: [
    'change-limits',
    'announce-closing',
    'close-table',
    'open-dispute',
    'bundle-dispute',
    'see-dispute',
    'close-dispute',
  ],
  people: ['take-seat', 'leave-seat', 'take-post', 'leave-post', 'start-shift'],
};

export interface Item {
  kind: CommandKind;
  /** From which post on somebody must come and sign in for it; none where the person signed in may. */
  signs: Post | null;
}

export function menu(view: View, post: Post): { topic: Topic; items: Item[] }[] {
  // The squeeze is of tables that deal face down (3.9).
  const isHere = (kind: CommandKind): boolean =>
    (kind !== 'ask-squeeze' && kind !== 'hand-cards') || view.table?.faces === 'down';
  const item = (kind: CommandKind): Item[] =>
    view.possible.includes(kind)
      ? [{ kind, signs: null }]
      : onTheSpot(view, kind, post)
        ? [{ kind, signs: leastPost(view, kind) }]
        : [];
  return TOPICS.map((topic) => ({ topic, items: KINDS[topic].filter(isHere).flatMap(item) })).filter(
    ({ items }) => items.length > 0,
  );
}
