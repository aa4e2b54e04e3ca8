// Who answers for an order. Somebody of a higher post may give it at this console by signing in on the spot; rulings,
// carried cards and amended wagers take a password in any case. The table has the last word on both.

import type { CommandKind, Post, Role, View } from '../lib/wire';

export const POSTS: readonly Post[] = ['dealer', 'pit-supervisor', 'pit-manager', 'shift-manager'];

/** The post of a role; none for those who do not work at tables. */
export const postOf = (role: Role): Post | null => POSTS.find((it) => it === role) ?? null;

export const reaches = (post: Post, least: Post): boolean => POSTS.indexOf(post) >= POSTS.indexOf(least);

/** Orders that are not every Dealer's, and from which post on they are given. */
const LEAST: Partial<Record<CommandKind, Post>> = {
  'announce-closing': 'pit-supervisor',
  'close-table': 'pit-supervisor',
  'amend-wager': 'pit-supervisor',
  'open-float': 'pit-supervisor',
  'close-float': 'pit-supervisor',
  fill: 'pit-supervisor',
  credit: 'pit-supervisor',
  'start-shift': 'pit-manager',
  'rule-carried-cards': 'shift-manager',
  'close-dispute': 'shift-manager',
};

const WITH_PASSWORD: readonly CommandKind[] = ['rule', 'rule-carried-cards', 'amend-wager'];

export const leastPost = (kind: CommandKind): Post => LEAST[kind] ?? 'dealer';

/** Whether somebody must give their password for it: always, or because the order is above the person signed in. */
export function needsApproval(kind: CommandKind, view: View, post: Post): boolean {
  return WITH_PASSWORD.includes(kind) || (!view.possible.includes(kind) && !reaches(post, leastPost(kind)));
}

/**
 * Orders above the person signed in for which the moment seems right, so that somebody may come and give them here. What
 * the table lists as possible is for the person signed in alone.
 */
export function onTheSpot(view: View, post: Post): CommandKind[] {
  const { phase, table, closing, carried, shoe } = view;
  if (!table || phase === 'closed' || phase === 'interrupted') return [];
  const chips = table.money === 'chips';
  const between = phase === 'between';
  const moments: Partial<Record<CommandKind, boolean>> = {
    'announce-closing': closing === null,
    'close-table': between && closing !== null && view.round >= closing && !shoe,
    'amend-wager': chips && phase === 'dealing' && view.cards.length === 0,
    'open-float': chips && view.float === null,
    'close-float': chips && between && view.float !== null,
    fill: chips && view.float !== null,
    credit: chips && view.float !== null,
    'start-shift': true,
    'rule-carried-cards': between && carried.length > 0,
  };
  const kinds = Object.keys(moments) as CommandKind[];
  return kinds.filter((kind) => moments[kind] && !view.possible.includes(kind) && !reaches(post, leastPost(kind)));
}
