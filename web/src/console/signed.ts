// What an order or a deed says, part by part, for whoever is to sign it. Nothing of it is left out.

import { language } from '../lib/language.svelte';
import { rules } from '../lib/i18n/rules';
import { money } from '../lib/money';
import type { Command, Deed, Post, Role, RulingWord } from '../lib/wire';
import { duration } from './duration';
import { words } from './words';

/** Parts that are amounts of money. */
const AMOUNTS = ['amount', 'stake', 'counted'];

/** A deed that two people answer for: any of them may wait for a signature. */
export type TwoPersonDeed = Extract<Deed, { second?: unknown }>;
type Parts<D> = D extends unknown ? Exclude<keyof D, 'deed'> : never;

/** Every part of an order with its label; what has no word of its own is shown by its name in the record. */
export function said(command: Command, currency: string): [string, string][] {
  const t = words[language.now];
  const r = rules[language.now];
  const labels: Record<string, string> = { ...t.fields, ...t.signatures, second_post: t.fields.post } as never;
  const parts = Object.entries(command) as [string, unknown][];
  return parts
    .filter(([key, value]) => key !== 'do' && value !== null && value !== false)
    .map(([key, value]) => {
      const label = typeof labels[key] === 'string' ? labels[key] : key;
      if (key === 'ruling' && typeof value === 'object') {
        const { ruling, ...rest } = value as { ruling: RulingWord };
        const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
        return [label, r.ruling[ruling].name + more];
      }
      if (AMOUNTS.includes(key) && typeof value === 'number') return [label, money(value, currency)];
      if (key === 'post' || key === 'second_post') return [label, r.post[value as Post]];
      return [label, plain(value)];
    });
}

/** What a deed is about, in a few words. A later release may know more deeds: they are told by their name in the record. */
export const titleOf = (deed: Deed): string =>
  words[language.now].signatures.deed[(deed as TwoPersonDeed).deed] ?? deed.deed;

/** Every part of a deed with its label. What is not so is said as well: a witness that is no longer asked, for one. */
export function saidOf(deed: Deed, currency: string): [string, string][] {
  const t = words[language.now].signatures;
  const labels: Record<Parts<TwoPersonDeed>, string> = t.deedPart;
  const own = 'currency' in deed && deed.currency ? deed.currency : currency;
  const parts = Object.entries(deed) as [Parts<TwoPersonDeed> | 'deed', unknown][];
  return parts.flatMap(([key, value]): [string, string][] =>
    key === 'deed' || value === null ? [] : [[labels[key] ?? key, valueOf(key, value, own)]],
  );
}

function valueOf(key: Parts<TwoPersonDeed>, value: unknown, currency: string): string {
  const t = words[language.now].signatures;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (key === 'amount' && typeof value === 'number') return money(value, currency);
  if (key === 'ahead' && typeof value === 'number') return duration(value);
  if (key === 'role') return rules[language.now].role[value as Role] ?? plain(value);
  if (key === 'kind') return (t.kinds as Record<string, string>)[String(value)] ?? plain(value);
  return plain(value);
}

function plain(value: unknown): string {
  if (Array.isArray(value))
    return value.every((it) => typeof it === 'string') ? value.join(' ') : JSON.stringify(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
