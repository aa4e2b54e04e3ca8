// The floor of the demonstration, as the landing page shows it: which devices a visitor may use, by table.

import type { DemoDevice, DemoSignIn, Guest, PatronNo, Role, TableId } from '../lib/wire';

export const DOORS = ['terminal', 'console', 'board'] as const;
export type Door = (typeof DOORS)[number];

/** A table and what a visitor may open at it. */
export interface Place {
  table: TableId;
  /** Credentials, by the kind of screen. */
  doors: Partial<Record<Door, string>>;
  /** Who sits at the terminal. */
  patron: PatronNo | null;
}

/** The tables of the floor, in the order in which their devices are told. */
export function places(devices: readonly DemoDevice[]): Place[] {
  const found = new Map<TableId, Place>();
  for (const { kind, credential } of devices) {
    const [[door, at]] = Object.entries(kind) as [[string, { table: TableId; patron?: PatronNo }]];
    if (!(DOORS as readonly string[]).includes(door)) continue;
    const place = found.get(at.table) ?? { table: at.table, doors: {}, patron: null };
    place.doors[door as Door] ??= credential;
    if (door === 'terminal') place.patron ??= at.patron ?? null;
    found.set(at.table, place);
  }
  return [...found.values()];
}

/** The last of a role: the first ones are those who work at the tables already. */
export const lastOf = (guest: Guest, role: Role): DemoSignIn | undefined =>
  guest.people.filter((it) => it.role === role).at(-1);
