// One's own account in a house: an invitation, the second factor right after it, recovery codes; and a reset that is told and
// stopped.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NAMES } from '../src/lib/language.svelte';
import type { Pending, RecoveryCodes, Session } from '../src/lib/wire';
import { codeOf } from './app';
import { accessible, Eyes, fits, large, PAGE_SIZES, picture, speaks } from './eyes';
import { PUNTO, Server } from './server';

const PASSWORD = 'a sentence that is long enough';

const folder = mkdtempSync(join(tmpdir(), 'punto-account-'));
let eyes: Eyes;
let server: Server;
let links: string[];
/** Recovery codes that were shown and not used. */
const codes = new Map<string, string[]>();

beforeAll(async () => {
  const ledger = join(folder, 'house.punto');
  execFileSync(PUNTO, ['ledger', 'found', ledger, '--kind', 'house'], { stdio: 'ignore' });
  const people = ['--administrator', 'ann', '--administrator', 'ben'];
  server = await Server.start([ledger, '--listen', '127.0.0.1:0', ...people], folder);
  links = [...server.said.matchAll(/http\S+\/invitation#[0-9a-f]+/g)].map(([link]) => link);
  eyes = await Eyes.open();
});

afterEach(async () => {
  // A wrong code is refused; the browser notes that.
  await eyes.rest((it) => /status of 40[19]/.test(it));
});

afterAll(async () => {
  await eyes?.close();
  await server?.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Every language at every size: nothing is cut off, every word is in the language, and it is accessible. */
async function everywhere(page: Page, name: string, names: string[]): Promise<void> {
  for (const language of ['zh-Hans', 'zh-Hant', 'en'] as const) {
    await page.getByRole('button', { name: NAMES[language] }).click();
    for (const [size, viewport] of Object.entries(PAGE_SIZES)) {
      await page.setViewportSize(viewport);
      await fits(page, 'down');
      await large(page);
      await picture(page, `account-${name}-${size}-${language}`);
    }
    await speaks(page, language, ['Punto', ...names]);
  }
  await accessible(page);
}

async function signIn(page: Page, person: string, code: string): Promise<void> {
  await page.getByLabel('Staff number').fill(person);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Code from your app, if you have one').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Whoever opens the link: a password, the second factor, recovery codes. */
async function come(page: Page, person: string, looks: boolean): Promise<void> {
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  if (looks) await everywhere(page, 'invitation', []);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill('another one, long enough');
  await page.getByRole('button', { name: 'Choose this password' }).click();
  await page.getByText('The two passwords are not the same.').waitFor();
  await page.getByLabel('Password again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Choose this password' }).click();

  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
  const secret = (await page.locator('dd code').innerText()).replaceAll(' ', '');
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(page.url()).not.toContain('#');
  if (looks) await everywhere(page, 'enrol', [person, ...secret.match(/.{4}/g)!]);
  await page.getByLabel('Code that the app shows now').fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('That is not the code that the app shows').waitFor();
  await page.getByLabel('Code that the app shows now').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();

  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  const shown = await page.locator('li code').allInnerTexts();
  expect(shown).toHaveLength(10);
  codes.set(person, shown);
  if (looks) await everywhere(page, 'codes', [person, ...shown]);
  expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await page.getByLabel('I have kept them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('You have a second factor.').waitFor();
  await page.getByText('Recovery codes left: 10').waitFor();
}

async function ask<T>(token: string | null, path: string, body: unknown): Promise<T> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token) headers['authorization'] = `Bearer ${token}`;
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

const token = async (person: string): Promise<string> =>
  (
    await ask<Session>(null, '/api/session', {
      person,
      password: PASSWORD,
      code: codes.get(person)!.pop(),
      token: true,
    })
  ).token!;

test('whoever is invited chooses a password, sets up a second factor and keeps recovery codes', async () => {
  expect(links).toHaveLength(2);
  await come(await eyes.look(links[0]!), 'ann', true);
  const page = await eyes.look(links[1]!);
  await come(page, 'ben', false);
  await page.getByRole('button', { name: 'Sign out' }).click();

  // Without a code nobody comes in, with a recovery code once.
  const code = codes.get('ben')!.pop()!;
  await signIn(page, 'ben', '');
  await page.getByText('do not belong together').waitFor();
  await signIn(page, 'ben', code);
  await page.getByText('Recovery codes left: 9').waitFor();
  await page.getByText('A second factor was set up').waitFor();
  await everywhere(page, 'home', ['ben']);
  await page.getByText('New recovery codes', { exact: true }).click();
  const form = page.locator('details[open]');
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('Code from your app').fill(code);
  await form.getByRole('button', { name: 'Begin' }).click();
  await form.getByText('do not belong together').waitFor();
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('Code from your app').fill(codes.get('ben')!.pop()!);
  await form.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  codes.set('ben', await page.locator('li code').allInnerTexts());
  await page.getByLabel('I have kept them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Recovery codes left: 10').waitFor();

  // The telephone is lost: another one, by a recovery code; the app on the old one is no longer good.
  await page.getByText('Set up another second factor', { exact: true }).click();
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('Code from your app').fill(codes.get('ben')!.pop()!);
  await form.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  const secret = await page.locator('dd code').innerText();
  await page.getByLabel('Code that the app shows now').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  codes.set('ben', await page.locator('li code').allInnerTexts());
  await page.getByLabel('I have kept them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Another second factor was set up in place of the one before').waitFor();
  await page.getByText('Codes that you hold as the second person').click();
  await page.getByText('You hold no code.').waitFor();
});

test('a reset is told to the person concerned, who stops it', async () => {
  const ann = await token('ann');
  // Somebody of standing who is neither of the two.
  const what = { hire: { person: 'sm-1', name: 'Mei', role: 'shift-manager' } };
  const hired = await ask<Pending>(ann, '/api/staffing', { what, second: 'ben', reason: 'as planned' });
  const ben = await token('ben');
  await ask(ben, '/api/approvals', { pending: hired.pending, person: 'ben', password: PASSWORD });
  const told = await ask<{ invitation: string }>(ann, '/api/staffing/record', { pending: hired.pending });
  const half = await fetch(`${server.url}/api/staffing/codes`, { headers: { authorization: `Bearer ${ben}` } });
  const [{ code }] = (await half.json()) as [{ code: string }];
  const bens = await eyes.look(`${server.url}/account`);
  await signIn(bens, 'ben', codes.get('ben')!.pop()!);
  await bens.getByText('Codes that you hold as the second person').click();
  await bens.getByText('Invitation of sm-1').waitFor();
  await bens.getByText(code, { exact: true }).waitFor();
  await everywhere(bens, 'codes-held', ['ben', 'sm-1', code]);
  const page = await eyes.look(`${server.url}/invitation#${told.invitation}`);
  await page.getByLabel('Code from the second person').fill(code);
  await come(page, 'sm-1', false);

  const body = { person: 'sm-1', second: 'ben', reason: 'the phone is lost' };
  const asked = await ask<Pending>(ann, '/api/factor/resets/pending', body);
  await ask(ben, '/api/approvals', { pending: asked.pending, person: 'ben', password: PASSWORD });
  await ask(ann, '/api/factor/resets', { pending: asked.pending });
  await page.reload();
  const alarm = page.getByRole('alert').filter({ hasText: 'ann and ben asked that your second factor be removed' });
  await alarm.waitFor();
  await everywhere(page, 'reset', ['Mei', 'sm-1', 'ann', 'ben', 'the phone is lost', 'as planned']);
  const form = page.locator('details[open]');
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('Code from your app').fill(codes.get('sm-1')!.pop()!);
  await form.getByRole('button', { name: 'Stop it' }).click();
  await alarm.waitFor({ state: 'detached' });
  await page.getByText('That removal was stopped').waitFor();
  const renewed = await ask<RecoveryCodes>(await token('sm-1'), '/api/factor/recovery-codes', {
    password: PASSWORD,
    code: codes.get('sm-1')!.pop(),
  });
  expect(renewed.codes).toHaveLength(10);
});
