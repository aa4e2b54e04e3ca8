// In a house: a device is set up by two, whoever works at it is told about their account and their second factor, and every
// screen says why no further Round opens. Over a slow line nothing is sent twice and nothing that was typed is lost.

import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NAMES, type Language } from '../src/lib/language.svelte';
import type { Health } from '../src/lib/wire';
import { Delay } from './delay';
import { accessible, Eyes, fits, large, loaded, PAGE_SIZES, picture, speaks } from './eyes';
import { Founded, type Halves } from './founded';

let house: Founded;
let eyes: Eyes;
let line: Delay;
/** The console, enrolled by two. */
let desk: Halves;

beforeAll(async () => {
  line = await Delay.open();
  [house, eyes] = await Promise.all([Founded.open(line.url), Eyes.open()]);
  line.to = house.url;
  await house.hire('sup-1', 'pit-supervisor');
  await house.enrolFactor('sup-1');
  await house.openTable('T1');
  desk = await house.enrol('desk-1', { console: { table: 'T1' } });
});

afterEach(async () => {
  line.each = 0;
  // A wrong code or password is refused, and a line is cut on purpose; the browser notes both.
  await eyes.rest((it) => /status of 40[13]|ERR_EMPTY_RESPONSE|ERR_CONNECTION/.test(it));
});

afterAll(async () => {
  await eyes?.close();
  await line?.close();
  await house?.close();
});

const LANGUAGES: readonly Language[] = ['zh-Hant', 'zh-Hans', 'en'];

/** A screen whose timers a test can put forward. */
async function open(address: string): Promise<Page> {
  const page = await eyes.blank('en', 'small', 'no-preference');
  await page.clock.install();
  await eyes.show(page, address, 'en');
  return page;
}

const linkOf = (screen: string, half: string): string =>
  `${house.url}/device#screen=${screen}&table=T1&device=${half}&keep`;

async function signIn(page: Page, person: string): Promise<void> {
  await page.getByLabel('Staff number').fill(person);
  await page.getByLabel('Password').fill(house.password);
  await page.getByLabel('Code from your app').fill(house.recoveryCode(person));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a console is set up by its link and the code of the second person, by keyboard alone', async () => {
  const broken = await eyes.look(`${house.url}/device#screen=console&table=T1`);
  await broken.getByRole('alert').getByText('This link is incomplete').waitFor();

  const page = await open(linkOf('console', desk.credential));
  await page.getByRole('heading', { name: 'Set up this device' }).waitFor();
  for (const language of LANGUAGES) {
    await page.getByRole('button', { name: NAMES[language] }).click();
    for (const [size, viewport] of Object.entries(PAGE_SIZES)) {
      await page.setViewportSize(viewport);
      await fits(page, 'down');
      await large(page);
      await picture(page, `device-${size}-${language}`);
    }
    await speaks(page, language, ['Punto', 'T1']);
  }
  await accessible(page);

  // A code that was misread: it is said here, and the link is still good.
  const misread = (desk.code.startsWith('0') ? '1' : '0') + desk.code.slice(1);
  await page.getByLabel('Code of the device').focus();
  await page.keyboard.type(misread);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This is not the code of this device').waitFor();
  expect(await page.getByLabel('Code of the device').inputValue()).toBe(misread);
  await page.getByLabel('Code of the device').fill(desk.code.toUpperCase());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Game Console · T1' }).waitFor();
  expect(page.url()).not.toContain(desk.credential);
  await page.getByLabel('Staff number').waitFor();
});

test('a console tells whoever signs in what was done to their account, and at any time that a factor is to be removed', async () => {
  const page = await open(`${house.url}/console#table=T1&device=${desk.credential}.${desk.code}`);
  await signIn(page, 'sup-1');
  const dialog = page.getByRole('dialog', { name: 'What was done to your account' });
  await dialog.getByText('You were invited to choose a password, as Pit Supervisor').waitFor();
  await dialog.getByText('ann with ben').waitFor();
  await dialog.getByText('Reason: as planned').waitFor();
  await dialog.getByText('A second factor was set up').waitFor();
  await dialog.getByText('Last sign-in under your name before this one').waitFor();
  await accessible(page);
  await picture(page, 'console-account-news');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });

  // During the session, without anybody doing anything at this screen.
  const alarm = page.getByRole('alert').filter({ hasText: 'ann and ben asked that your second factor be removed' });
  expect(await alarm.count()).toBe(0);
  const pending = await house.agree('/api/factor/resets/pending', { person: 'sup-1' });
  await house.ask('POST', '/api/factor/resets', pending, 'ann');
  await page.clock.fastForward(61_000);
  await alarm.waitFor();
  for (const language of LANGUAGES) {
    await page.getByRole('button', { name: NAMES[language] }).click();
    await fits(page, 'never', '[title]');
    await picture(page, `console-reset-${language}`);
  }

  // They stop it, at another screen.
  const account = await eyes.look(`${house.url}/account`);
  await signIn(account, 'sup-1');
  await account.getByRole('alert').getByText('If you did not ask for this, stop it').waitFor();
  const form = account.locator('details[open]');
  await form.getByLabel('Password').fill(house.password);
  await form.getByLabel('Code from your app').fill(house.recoveryCode('sup-1'));
  await form.getByRole('button', { name: 'Stop it' }).click();
  await account.getByText('That removal was stopped').waitFor();
  await page.clock.fastForward(61_000);
  await alarm.waitFor({ state: 'detached' });

  // Being told does not use it up: the next sign-in says both.
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, 'sup-1');
  await dialog.getByText('Two people asked for your second factor to be removed').waitFor();
  await dialog.getByText('That removal was stopped').waitFor();
});

test('over a slow line a form is sent once, says that it is busy, and keeps what was typed when the line is cut', async () => {
  const page = await eyes.look(line.at(`${house.url}/account`));
  const sent: string[] = [];
  page.on('request', (it) => void (it.method() === 'POST' && sent.push(new URL(it.url()).pathname)));
  await page.getByLabel('Staff number').fill('sup-1');
  await page.getByLabel('Password').fill(house.password);
  const code = house.recoveryCode('sup-1');
  await page.getByLabel('Code from your app').fill(code);

  // The line is cut while the request is on its way.
  await page.route('**/api/session', (route) => route.abort('connectionfailed'));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  expect(await page.getByLabel('Staff number').inputValue()).toBe('sup-1');
  expect(await page.getByLabel('Password').inputValue()).toBe(house.password);
  expect(await page.getByLabel('Code from your app').inputValue()).toBe(code);
  await page.unroute('**/api/session');

  sent.length = 0;
  line.each = 300;
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const busy = page.getByRole('button', { name: 'One moment…' });
  await busy.waitFor();
  expect(await busy.isDisabled()).toBe(true);
  await busy.click({ force: true });
  await page.getByText('You have a second factor.').waitFor();
  expect(sent).toEqual(['/api/session']);

  // What is wrong in one field costs nobody the others; a session that is over says so.
  await page.getByText('New recovery codes', { exact: true }).click();
  const form = page.locator('details[open]');
  await form.getByLabel('Password').fill(house.password);
  await form.getByLabel('Code from your app').fill('000000');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await form.getByRole('alert').getByText('do not belong together').waitFor();
  expect(await form.getByLabel('Password').inputValue()).toBe(house.password);
  expect(sent).toEqual(['/api/session', '/api/factor/recovery-codes']);
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  await page.getByText('Your session has ended. Please sign in again.').waitFor();
});

test('every screen says that no further Round opens, to staff with the cause, and that Administrators were restored', async () => {
  const folder = join(house.folder, 'witness');
  mkdirSync(folder);
  const named = { witness: 'safe', address: `folder:${folder}`, in_use: true };
  await house.ask('POST', '/api/witnesses', await house.agree('/api/witnesses/pending', named), 'ann');
  const seat = await house.enrol('seat-7', { terminal: { table: 'T1', patron: 7 } });
  const wall = await house.ask<{ credential: string }>(
    'POST',
    '/api/devices',
    { device: 'wall-1', kind: { board: { table: 'T1' } } },
    'ann',
  );
  await house.stop('SIGTERM');
  renameSync(folder, `${folder}-away`);
  house.restoreAdministrators();
  await house.start();

  const terminal = await open(`${house.url}/terminal#table=T1&device=${seat.credential}.${seat.code}`);
  const board = await open(`${house.url}/board#table=T1&device=${wall.credential}`);
  const console = await open(`${house.url}/console#table=T1&device=${desk.credential}.${desk.code}`);
  await signIn(console, 'sup-1');
  await console.getByRole('button', { name: 'Continue' }).click();
  await terminal.locator('section.status').waitFor();
  await board.locator('.said').waitFor();
  const screens = { terminal, board, console };
  const told = {
    terminal: terminal.getByRole('status').filter({ hasText: 'nothing is paid out' }),
    board: board.locator('.said').filter({ hasText: 'No further Round for now' }),
    console: console.getByRole('alert').filter({ hasText: 'no witness has confirmed the records' }),
  };
  for (const [name, page] of Object.entries(screens)) {
    await page.clock.fastForward(7_000);
    await told[name as keyof typeof told].waitFor();
    await page.getByText('Administrators were restored at the host').waitFor();
    for (const language of LANGUAGES) {
      await page.getByRole('button', { name: NAMES[language] }).click();
      await page.evaluate(loaded);
      // The felt of a terminal is printed in two languages.
      if (name !== 'terminal') await speaks(page, language, ['T1', 'sup-1', 'software']);
      await fits(page, name === 'console' ? 'never' : 'down', '[title]');
      await picture(page, `held-${name}-${language}`);
    }
  }

  // Two people open without a witness: the next Round is on its way.
  const opened = await house.agree('/api/witnesses/unwitnessed/pending', {});
  await house.ask('POST', '/api/witnesses', opened, 'ann');
  for (const [name, page] of Object.entries(screens)) {
    await page.clock.fastForward(7_000);
    await told[name as keyof typeof told].waitFor({ state: 'detached' });
  }

  // An Administrator has looked into it: screens stop saying so when they next connect.
  const { restored } = await house.ask<Health>('GET', '/api/health');
  await house.ask('POST', '/api/restorations/seen', { restored, reason: 'they left' }, 'ann');
  await board.reload();
  await board.locator('.said').waitFor();
  expect(await board.getByText('Administrators were restored at the host').count()).toBe(0);
});
