// Orders beside the next step, by topic. What is not possible is not in it.

import { leastPost, onTheSpot } from './authority';
import { CommandKind, TOPIC_OF } from '../lib/wire';
import type { Post, View } from '../lib/wire';

export const TOPICS = ['play', 'wagers', 'payments', 'shoe', 'float', 'table', 'people'] as const;
export type Topic = (typeof TOPICS)[number];

/** These have places of their own on the screen, or on others. */
const ELSEWHERE: readonly CommandKind[] = ['reject-excess', 'advise', 'open-table', 'change-settings'];

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
  const of = (topic: Topic): CommandKind[] =>
    CommandKind.filter((kind) => TOPIC_OF[kind] === topic && !ELSEWHERE.includes(kind) && isHere(kind));
  return TOPICS.map((topic) => ({ topic, items: of(topic).flatMap(item) })).filter(({ items }) => items.length > 0);
}
