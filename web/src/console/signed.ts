// What an order or a deed says, part by part, for whoever is to sign it. Nothing of it is left out.

import { language } from '../lib/language.svelte';
import { rules } from '../lib/i18n/rules';
import { money } from '../lib/money';
import type { Post, RulingWord } from '../lib/wire';
import { words } from './words';

/** Parts that are amounts of money. */
const AMOUNTS = ['amount', 'stake', 'counted'];

/** Every part with its label; what has no word of its own is shown by its name in the record. */
export function said(command: object, currency: string): [string, string][] {
  const t = words[language.now];
  const r = rules[language.now];
  const labels: Record<string, string> = { ...t.fields, ...t.signatures, second_post: t.fields.post } as never;
  const parts = Object.entries(command) as [string, unknown][];
  return parts
    .filter(([key, value]) => key !== 'do' && key !== 'deed' && value !== null && value !== false)
    .map(([key, value]) => {
      const label = typeof labels[key] === 'string' ? labels[key] : key;
      if (key === 'ruling' && typeof value === 'object') {
        const { ruling, ...rest } = value as { ruling: RulingWord };
        const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
        return [label, r.ruling[ruling].name + more];
      }
      if (AMOUNTS.includes(key) && typeof value === 'number') return [label, money(value, currency)];
      if (key === 'post' || key === 'second_post') return [label, r.post[value as Post]];
      if (Array.isArray(value))
        return [label, value.every((it) => typeof it === 'string') ? value.join(' ') : JSON.stringify(value)];
      return [label, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    });
}
