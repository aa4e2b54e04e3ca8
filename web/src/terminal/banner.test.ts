// What a patron is told when nothing can be bet: in every language, and that what is theirs is not lost.

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it } from 'vitest';
import { LANGUAGES, language } from '../lib/language.svelte';
import type { Hold, Status } from '../lib/wire';
import Banner from './Banner.svelte';
import type { Play } from './play.svelte';

afterEach(() => {
  language.use('en', false);
  document.body.innerHTML = '';
});

const RUNNING: Status = { is: 'running' };

function shown(status: Status, holds: Hold[] = []): string {
  const line = { link: 'open', goodbye: null, status, again: () => undefined };
  const play = { line, held: { holds }, bets: { lays: [] } } as unknown as Play;
  const banner = mount(Banner, { target: document.body, props: { play } });
  flushSync();
  const told = document.body.textContent!.replace(/\s+/g, ' ').trim();
  void unmount(banner);
  return told;
}

it('names no cause, says whom to ask, and whether money is paid out', () => {
  expect(shown(RUNNING)).toBe('');
  expect(shown(RUNNING, ['register-tampered'])).toMatch(/No further Round begins.*ask a member of staff/);
  expect(shown(RUNNING, ['register-tampered'])).not.toContain('paid out');
  for (const hold of ['history-unwitnessed', 'history-contested'] as const) {
    expect(shown(RUNNING, [hold])).toMatch(/nothing is paid out.*stay recorded.*ask a member of staff/);
    expect(shown(RUNNING, [hold])).not.toMatch(/witness|register|tamper/);
  }
});

it('tells a table that stands still before a house that holds', () => {
  const locked: Status = { is: 'locked', words: 'its books do not balance' };
  const told = shown(locked, ['history-contested']);
  expect(told).toMatch(/locked.*stay recorded.*ask a member of staff/);
  expect(told, 'what the server found is for staff').not.toContain('books');
});

it.each(LANGUAGES)('is in %s, all of it', (tongue) => {
  language.use(tongue, false);
  const all: string[] = [
    ...(['stopped', 'locked', 'no-shoe'] as const).map((is) => shown({ is, words: 'x' })),
    shown({ is: 'closing' }),
    shown(RUNNING, ['register-tampered']),
    shown(RUNNING, ['history-contested']),
  ];
  expect(new Set(all).size).toBe(all.length);
  for (const words of all) {
    expect(/\p{Script=Han}/u.test(words), words).toBe(tongue !== 'en');
    if (tongue !== 'en') expect(words).not.toMatch(/[A-Za-z]{2,}/);
  }
});
