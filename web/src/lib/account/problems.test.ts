import { afterEach, expect, it } from 'vitest';
import register from '../../../../crates/punto-server/src/register/error.rs?raw';
import { Problem } from '../api';
import { LANGUAGES, language } from '../language.svelte';
import { CODES, why } from './problems';

afterEach(() => language.use('en', false));

/** Refusals that only routes without a screen give: hiring people and enrolling devices. */
const WITHOUT_A_SCREEN = [
  'bad-person',
  'bad-name',
  'person-exists',
  'no-such-person',
  'last-administrator',
  'bad-device',
  'bad-table',
  'device-exists',
  'no-such-device',
  'terminal-taken',
];

it('knows every refusal of the register that a screen can meet', () => {
  const refusals = [...register.matchAll(/^ {4}[A-Z]\w+ = "([a-z-]+)",/gm)].map(([, code]) => code!);
  expect(refusals.length).toBeGreaterThan(15);
  const known = [...CODES, ...WITHOUT_A_SCREEN];
  expect(refusals.filter((it) => !known.includes(it))).toEqual([]);
  expect(
    WITHOUT_A_SCREEN.filter((it) => !refusals.includes(it)),
    'gone from the server',
  ).toEqual([]);
});

it('says each in every language, as a sentence', () => {
  for (const tongue of LANGUAGES) {
    language.use(tongue, false);
    const all = CODES.map((code) => why(new Problem(409, code, 'the words of the server')));
    for (const words of [...all, why(new TypeError('Failed to fetch'))]) {
      expect(words).not.toBe('the words of the server');
      expect(/\p{Script=Han}/u.test(words), `${tongue}: ${words}`).toBe(tongue !== 'en');
      expect(words).toMatch(/[.。]$/);
    }
    expect(new Set(all).size).toBe(CODES.length);
  }
});

it('never keeps a reason back that it does not know', () => {
  expect(why(new Problem(409, 'too-loud', 'not so loud'))).toBe('not so loud');
});
