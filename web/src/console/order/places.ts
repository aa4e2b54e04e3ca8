// Where the cards of a Round lie: with the Player Hand, with the Banker Hand, with neither.

import type { Card } from '../../lib/wire';
import type { Hands } from './fields';

export const AREAS = ['player', 'banker', 'neither'] as const;
export type Area = (typeof AREAS)[number];

/** Where a tap moves a card. */
export const next = (area: Area): Area => AREAS[(AREAS.indexOf(area) + 1) % AREAS.length]!;

/** The cards of each area. */
export const areas = ({ player, banker, neither = [] }: Hands): Record<Area, Card[]> => ({ player, banker, neither });

/** One card goes to the next area. */
export function moved(value: Hands, area: Area, at: number): Hands {
  const [lying, to] = [areas(value), next(area)];
  const card = lying[area][at];
  if (card === undefined) return value;
  return { ...value, [area]: lying[area].filter((_, i) => i !== at), [to]: [...lying[to], card] };
}

/** Cards that nobody had read come to neither Hand first; one that is taken off the list leaves its area. */
export function withUnread(value: Hands, unread: Card[]): Hands {
  const before = value.unread ?? [];
  if (unread.length > before.length) {
    const added = unread.slice(before.length);
    return { ...value, neither: [...areas(value).neither, ...added], unread };
  }
  const gone = before.find((card, at) => unread[at] !== card);
  const area = AREAS.findLast((it) => gone !== undefined && areas(value)[it].includes(gone));
  if (gone === undefined || area === undefined) return { ...value, unread };
  const cards = areas(value)[area];
  const at = cards.lastIndexOf(gone);
  return { ...value, [area]: cards.filter((_, i) => i !== at), unread };
}
