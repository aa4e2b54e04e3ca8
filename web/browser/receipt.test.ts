// A patron's receipt with the real binary: bet at a terminal, receipt from its screen, checked on the page for receipts, which
// asks no server. Opened over http, as a file, and where browsers allow no cryptography.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NAMES } from '../src/lib/language.svelte';
import { accessible, Eyes, fits, picture, SIZES, speaks, type Size } from './eyes';
import { House } from './house';
import { bet, PATRON, sit } from './seat';

let house: House;
let eyes: Eyes;
/** The receipt as a file, and the key of the house as it stands in a checkpoint. */
let receipt: string;
let key: string;

const GENUINE = 'This receipt is genuine';
const FORGED = 'This receipt is NOT genuine';

beforeAll(async () => {
  [house, eyes] = await Promise.all([House.open(), Eyes.open()]);
});

afterEach(async () => {
  await eyes.rest();
});

afterAll(async () => {
  await eyes?.close();
  await house?.close();
});

async function fill(page: Page, file: string, typed: string | null): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file);
  if (typed !== null) await page.getByRole('textbox', { name: 'The public key of the house' }).fill(typed);
}

function save(name: string, text: string): string {
  const path = join(house.folder, name);
  writeFileSync(path, text);
  return path;
}

test('from the last Rounds of a terminal: waits for the signature, then file and code', async () => {
  const settings = { burn: { fixed: 0 } };
  await house.table('ws-1', 'wu-song', 'A', settings);
  await house.buy('ws-1', PATRON, 100_000);
  const dealer = await house.staff('d-1', 'ws-1', 'console');
  await dealer.must({ do: 'load-shoe', card_set: 'S-1', shuffled_by: 'd-1' });
  await dealer.must({ do: 'open-bets' });
  const address = await house.screen('terminal', 'ws-1');
  const page = await eyes.look(address);
  await sit(page, 2);
  await bet(page, '$25', 'Banker', 'Small Tiger');
  await dealer.must({ do: 'close-bets' });
  for (const card of ['2s', 'Kd', '4c', '8h'] as const) await dealer.must({ do: 'draw-card', card, source: 'keyed' });
  await dealer.must({ do: 'confirm-result' });
  await page.getByRole('button', { name: 'Last Rounds' }).click();
  const button = page.getByRole('button', { name: 'Receipt of Round 1' });
  await button.waitFor();
  await accessible(page);
  const { width, height } = (await button.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(48);
  await picture(page, 'receipt-recall');
  // By the keyboard alone.
  await button.focus();
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: 'Save the receipt' });
  await link.waitFor({ timeout: 15_000 });
  await page.getByRole('img', { name: 'The receipt as a code' }).waitFor();
  await accessible(page);
  for (const size of ['full', 'low', 'phone'] as Size[]) {
    await page.setViewportSize(SIZES[size]);
    await picture(page, `receipt-dialog-${size}`);
  }
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('punto-receipt-ws-1-1.txt');
  receipt = readFileSync(await download.path(), 'utf8');
  expect(receipt.match(/^entry /gm)).toHaveLength(2);
  const kept = await house.ask<{ checkpoint: string }>('GET', '/api/checkpoint', undefined, 'aud-1');
  key = /^key (.*)$/m.exec(kept.checkpoint)![1]!;
  await page.context().close();
  for (const language of ['zh-Hans', 'zh-Hant'] as const) {
    const other = await eyes.look(address, 'small', language);
    await other.getByRole('button', { name: '最近牌局' }).click();
    await other.locator('button.get').click();
    await other.locator('.receipt .act.primary').waitFor({ timeout: 15_000 });
    await picture(other, `receipt-dialog-${language}`);
    await other.context().close();
  }
  dealer.close();
  // While no checkpoint signed for it, the server said so, and the browser notes that.
  await eyes.rest((it) => it.includes('status of 409 (Conflict)'));
}, 120_000);

test.each(['http', 'file'] as const)('over %s: genuine with the right key, and nothing leaves', async (how) => {
  let address = `${house.url}/receipt`;
  if (how === 'file') {
    // As somebody keeps it: what the server gives out, byte by byte.
    const kept = save('kept.html', await (await fetch(address)).text());
    address = pathToFileURL(kept).href;
  }
  const page = await eyes.blank();
  await page.goto(address);
  await page.getByRole('heading', { name: 'Check a receipt' }).waitFor();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const file = save('receipt.txt', receipt);
  await fill(page, file, null);
  await page.getByText('Nothing is proven yet').waitFor();
  expect(await page.getByText(GENUINE).count()).toBe(0);
  await accessible(page);
  await fill(page, file, key.toUpperCase().replaceAll(/(.{4})/g, '$1 '));
  await page.getByText(GENUINE).waitFor();
  await page.getByText('Bet on Banker').waitFor();
  await page.getByText('Bet on small-tiger').waitFor();
  await page.getByText('table ws-1, box 2, patron 7').first().waitFor();
  expect(await page.getByText('2,500').count()).toBe(4);
  await accessible(page);
  await fill(page, file, '0'.repeat(64));
  await page.getByText(FORGED).waitFor();
  await page.getByText('The receipt names another key').waitFor();
  await fill(page, save('more.txt', receipt.replace('"stake":2500', '"stake":9900')), key);
  await page.getByText('is not in the record that was signed').first().waitFor();
  expect(await page.getByText(GENUINE).count()).toBe(0);
  expect(await page.getByText('Bet on').count()).toBe(0);
  await accessible(page);
  await fill(page, save('cut.txt', receipt.slice(0, -1)), key);
  await page.getByText('is not as a receipt has it').waitFor();
  // A whole receipt that was pasted.
  await page.getByRole('textbox', { name: 'or paste its text' }).fill(receipt);
  await page.getByText(GENUINE).waitFor();
  expect(requests).toEqual([]);
});

test('its policy lets no request leave, whatever runs in it', async () => {
  const answer = await fetch(`${house.url}/receipt`);
  const policy = answer.headers.get('content-security-policy')!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/);
  expect(policy).not.toContain('unsafe');
  const text = await answer.text();
  expect(text.match(/(?:src|href)="(?!data:)[^"]*"/g)).toBeNull();
  const page = await eyes.blank();
  await page.goto(pathToFileURL(save('kept.html', text)).href);
  const tried = page.evaluate(async (url) => fetch(url).then(String, String), house.url);
  expect(await tried).toContain('TypeError');
  await eyes.rest((it) => /Content Security Policy|Refused to connect|Fetch API cannot load/.test(it));
});

test('over an open line it says that nothing can be checked, and can be saved', async () => {
  const body = await (await fetch(`${house.url}/receipt`)).text();
  const page = await eyes.blank();
  await page.route('http://floor.example/**', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://floor.example/receipt');
  await page.getByRole('alert').getByText('not secure').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await accessible(page);
  await picture(page, 'receipt-page-not-secure');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save this page' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('punto-receipt.html');
});

test('every language at every size', async () => {
  const page = await eyes.blank();
  await page.goto(`${house.url}/receipt`);
  const file = save('receipt.txt', receipt);
  await fill(page, file, key);
  await page.getByText(GENUINE).waitFor();
  const names = ['Punto', 'small-tiger', 'ws', 'UTC', 'GMT', 'receipt.txt', key, receipt];
  for (const language of ['zh-Hans', 'zh-Hant', 'en'] as const) {
    await page.getByRole('button', { name: NAMES[language] }).click();
    for (const size of Object.keys(SIZES) as Size[]) {
      await page.setViewportSize(SIZES[size]);
      await fits(page, 'down', '.digits, textarea');
      await picture(page, `receipt-page-${language}-${size}`);
    }
    if (language === 'en') await accessible(page);
    const shown = await page.locator('.digits').allInnerTexts();
    await speaks(page, language, [...names, ...shown]);
  }
});
