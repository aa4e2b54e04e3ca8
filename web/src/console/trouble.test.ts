// What a Dealer is told when no Round opens or the table stands still: in every language, with what to do about it.

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGES, language } from '../lib/language.svelte';
import type { Hold, Status } from '../lib/wire';
import wire from '../lib/wire.ts?raw';
import { duration } from './duration';
import Trouble from './Trouble.svelte';
import { words } from './words';

afterEach(() => {
  language.use('en', false);
  document.body.innerHTML = '';
});

/** The closed list as the server's types have it. */
const HOLDS = [...wire.match(/export type Hold =\n([\s\S]*?);\n\n/)![1]!.matchAll(/\| "([a-z-]+)"/g)].map(
  ([, it]) => it as Hold,
);

const RUNNING: Status = { is: 'running' };

function shown(status: Status, holds: Hold[] = [], clockAhead: number | null = null): string {
  const line = { link: 'open' as const, goodbye: null, status, again: () => undefined };
  const bars = mount(Trouble, { target: document.body, props: { line, held: { holds, clockAhead } } });
  flushSync();
  const told = document.body.textContent!.replace(/\s+/g, ' ').trim();
  void unmount(bars);
  return told;
}

describe('a hold', () => {
  it('is one of a closed list', () => expect(HOLDS.length).toBeGreaterThanOrEqual(3));

  it.each(LANGUAGES)('of each kind says in %s what has stopped and whom to tell', (tongue) => {
    language.use(tongue, false);
    const whom = { en: 'Tell the Shift Manager', 'zh-Hans': '告知值班经理', 'zh-Hant': '告知值班經理' }[tongue];
    const told = HOLDS.map((hold) => shown(RUNNING, [hold]));
    expect(new Set(told).size).toBe(HOLDS.length);
    for (const it of told) {
      expect(it).toContain(whom);
      expect(/\p{Script=Han}/u.test(it)).toBe(tongue !== 'en');
    }
  });

  it('stands beside others, and is gone with its cause', () => {
    const both = shown(RUNNING, ['history-contested', 'register-tampered']);
    expect(both).toContain(words.en.held['history-contested']);
    expect(both).toContain(words.en.held['register-tampered']);
    expect(shown(RUNNING)).toBe('');
  });
});

describe('a table that stands still', () => {
  const STATUS: Status[] = [
    { is: 'stopped', words: 'the disk is full' },
    { is: 'locked', words: 'its books do not balance' },
    { is: 'no-shoe', words: 'the folder cannot be written' },
  ];

  it.each(LANGUAGES)('says in %s what to do, and what the server found', (tongue) => {
    language.use(tongue, false);
    const whom = { en: 'Shift Manager', 'zh-Hans': '值班经理', 'zh-Hant': '值班經理' }[tongue];
    for (const status of STATUS) {
      const told = shown(status);
      expect(told).toContain(whom);
      expect(told).toContain((status as { words: string }).words);
    }
  });
});

it('says how far the clock of the server is ahead', () => {
  expect(shown(RUNNING, [], 3_650 * 24 * 3_600_000)).toContain('3650 days ahead of recorded time');
  expect([30_000, 90 * 60_000, 47 * 3_600_000].map(duration)).toEqual(['1 minute', '90 minutes', '47 hours']);
});
