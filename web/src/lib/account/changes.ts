// What was done to an account, in words: what, when, by whom, who agreed and why.

import { rules } from '../i18n/rules';
import { language } from '../language.svelte';
import type { AccountChange, AccountDeed, Role } from '../wire';
import { words } from './words';

/** A moment, as dates are written in the reader's language. */
export const moment = (ms: number): string =>
  new Date(ms).toLocaleString(language.now, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** One change, ready to be shown. */
export interface Told {
  entry: number;
  what: string;
  by: string;
  reason: string | null;
}

export function told({ entry, at, by, what }: AccountChange): Told {
  const t = words[language.now];
  const { says, second, reason } = parts(what);
  const first = by ?? t.software;
  return {
    entry,
    what: says,
    by: t.by(second ? t.two(first, second) : first, moment(at)),
    reason: reason ? t.reason(reason) : null,
  };
}

function parts(deed: AccountDeed): { says: string; second?: string | null; reason?: string | null } {
  const t = words[language.now].what;
  if (typeof deed === 'string') return { says: t[deed] };
  if ('factor-enrolled' in deed) {
    return { says: deed['factor-enrolled'].replaced ? t['factor-replaced'] : t['factor-enrolled'] };
  }
  if ('factor-reset-begun' in deed) return { says: t['factor-reset-begun'], ...deed['factor-reset-begun'] };
  const { role, enabled, invited, second, reason } = deed.changed;
  // A role that a later release knows is told by its word.
  const name = rules[language.now].role[role as Role] ?? role;
  const says = !enabled ? t.disabled : invited ? t.invited(name) : t.changed(name);
  return { says, second: second ?? null, reason: reason ?? null };
}
