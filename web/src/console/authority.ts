// Who answers for an order. The table says what can be ordered now and from which post on; the server, what takes a
// password whoever gives it.

import { Post, type CommandKind, type Role, type View } from '../lib/wire';

/** The post of a role; none for those who do not work at tables. */
export const postOf = (role: Role): Post | null => Post.find((it) => it === role) ?? null;

export const reaches = (post: Post, least: Post): boolean => Post.indexOf(post) >= Post.indexOf(least);

/** From which post on an order can be given now; none if by nobody. */
export const leastPost = (view: View, kind: CommandKind): Post | null =>
  view.least?.find(([it]) => it === kind)?.[1] ?? null;

/** Whether an order is above the person signed in, so that somebody may come and give it here. */
export function onTheSpot(view: View, kind: CommandKind, post: Post): boolean {
  const least = leastPost(view, kind);
  return least !== null && !reaches(post, least);
}
