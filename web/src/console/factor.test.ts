// Every console tells whoever works at it that their second factor is to be removed: at once, and while they work.

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LANGUAGES, language } from '../lib/language.svelte';
import type { FactorState } from '../lib/wire';
import FactorNotice from './FactorNotice.svelte';

const ENROLLED: FactorState = { enrolled: true, must_enrol: false, recovery_codes: 10 };
const RESET = { begun: 9, person: 'sup-1', by: 'ann', second: 'ben', reason: 'the phone is lost', due: 0 };

let told: FactorState | null = ENROLLED;
const asked = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  told = ENROLLED;
  asked.mockClear();
  vi.stubGlobal('fetch', (path: string) => {
    asked(path);
    return told ? Promise.resolve(new Response(JSON.stringify(told))) : Promise.reject(new TypeError('lost'));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  language.use('en', false);
  document.body.innerHTML = '';
});

function notice(state: FactorState) {
  const it_ = mount(FactorNotice, { target: document.body, props: { state } });
  flushSync();
  return it_;
}
const seen = (role: 'alert' | 'status'): string | undefined =>
  document.querySelector(`[role=${role}]`)?.textContent?.trim();

it('tells a reset that waits at sign-in: both people, the reason, and what to do', () => {
  const it_ = notice({ ...ENROLLED, reset: RESET });
  for (const tongue of LANGUAGES) {
    language.use(tongue, false);
    flushSync();
    for (const word of ['ann', 'ben', 'the phone is lost', '/account']) expect(seen('alert')).toContain(word);
  }
  void unmount(it_);
});

it('tells a reset that was asked for during the session within a minute, and stops when it was stopped', async () => {
  const it_ = notice(ENROLLED);
  expect(seen('alert')).toBeUndefined();
  told = { ...ENROLLED, reset: RESET };
  await vi.advanceTimersByTimeAsync(60_000);
  flushSync();
  expect(asked).toHaveBeenCalledWith('/api/factor');
  expect(seen('alert')).toContain('ann and ben');
  // A line that is lost takes no warning away.
  told = null;
  await vi.advanceTimersByTimeAsync(60_000);
  flushSync();
  expect(seen('alert')).toContain('ann and ben');
  told = ENROLLED;
  await vi.advanceTimersByTimeAsync(60_000);
  flushSync();
  expect(seen('alert')).toBeUndefined();
  void unmount(it_);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toHaveBeenCalledTimes(3);
});

it('says when few recovery codes are left', () => {
  const it_ = notice({ ...ENROLLED, recovery_codes: 3 });
  expect(seen('status')).toContain('Recovery codes left: 3');
  void unmount(it_);
});
