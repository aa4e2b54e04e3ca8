import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { LANGUAGES, language } from '../language.svelte';
import type { AccountChange, AccountDeed, Session } from '../wire';
import { told } from './changes';
import Changes from './Changes.svelte';

afterEach(() => language.use('en', false));

const of = (what: AccountDeed, by: string | null = 'ann'): AccountChange => ({ entry: 7, at: 0, by, what });
const CHANGED = { role: 'dealer', enabled: true, invited: false, second: 'ben', reason: 'as planned' };
/** One of each; the compiler keeps the list of names complete. */
const ALL: AccountDeed[] = [
  { changed: CHANGED },
  { changed: { ...CHANGED, invited: true } },
  { changed: { role: 'dealer', enabled: false, invited: false } },
  'password-chosen',
  { 'factor-enrolled': { replaced: false } },
  { 'factor-enrolled': { replaced: true } },
  'recovery-codes-made',
  { 'factor-reset-begun': { second: 'ben', reason: 'the phone is lost' } },
  'factor-reset-stopped',
  'factor-reset',
];

it('says of each change what it is, in every language and differently', () => {
  for (const tongue of LANGUAGES) {
    language.use(tongue, false);
    const all = ALL.map((what) => told(of(what)).what);
    expect(new Set(all).size).toBe(ALL.length);
    for (const words of all) expect(/\p{Script=Han}/u.test(words), `${tongue}: ${words}`).toBe(tongue !== 'en');
  }
});

it('names both people and the reason, and the software where it was nobody', () => {
  const it_ = told(of({ changed: { ...CHANGED, invited: true } }));
  expect(it_.what).toContain('invited');
  expect(it_.by).toContain('ann with ben');
  expect(it_.reason).toContain('as planned');
  expect(told(of('factor-reset', null)).by).toContain('The software');
  expect(told(of({ changed: { ...CHANGED, role: 'chef' } })).what).toContain('chef');
});

it('shows the sign-in before this one, and the latest change first', () => {
  const session = {
    before: Date.UTC(2026, 10, 18),
    account: [
      { ...of('password-chosen'), entry: 3 },
      { ...of('factor-reset'), entry: 9 },
    ],
  } as unknown as Session;
  const shown = mount(Changes, { target: document.body, props: { session } });
  flushSync();
  const lines = [...document.querySelectorAll('li strong')].map((line) => line.textContent);
  expect(lines).toEqual(['Your second factor was removed', 'A password was chosen']);
  expect(document.body.textContent).toContain('Last sign-in under your name before this one: Nov 18, 2026');
  expect(document.body.textContent).toContain('tell the Shift Manager');
  unmount(shown);
});
