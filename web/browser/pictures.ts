// The pictures of README and docs, of a demonstration as visitors meet it: `npx vitest run --project pictures`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';

import type { Card } from '../src/lib/wire';
import { Demo } from './demo';
import { Eyes, loaded } from './eyes';
import { compact } from './png';

const FOLDER = resolve('../docs/pictures');
/** The patron of the visitors' terminals. */
const VISITOR = 900;

let demo: Demo;
let eyes: Eyes;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  [demo, eyes] = await Promise.all([Demo.open(1), Eyes.open()]);
});

afterAll(async () => {
  await eyes?.close();
  await demo?.close();
});

/** From the top, with nothing pointed at. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.querySelectorAll('*').forEach((it) => it.scrollTo(0, 0)));
  await page.evaluate(loaded);
  writeFileSync(join(FOLDER, `${name}.png`), compact(await page.screenshot({ animations: 'disabled' })));
}

async function sell(table: string, amount: number): Promise<void> {
  const cage = await demo.staff('cash-1', table, 'cage');
  await cage.must({ do: 'buy-credits', patron: VISITOR, amount });
  cage.close();
}

/** Takes a box where the game has boxes and this one is free. */
async function sit(page: Page, box: number): Promise<void> {
  const choose = page.getByRole('button', { name: 'Choose a box' });
  if (!(await choose.isVisible())) return;
  await choose.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Box ${box}`, exact: true }).click();
  await dialog.getByRole('button', { name: /^Bet here/ }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Places a chip on each as soon as the next bets are open, and sees it registered. */
async function bet(page: Page, bets: readonly string[]): Promise<void> {
  const patience = { timeout: 90_000 };
  const said = (words: string): Promise<void> => page.getByText(words).first().waitFor(patience);
  await said('No more bets');
  await said('Place your bets, please');
  await page.getByRole('radio', { name: 'Chip $100', exact: true }).click();
  for (const it of bets) {
    const spot = (what = ''): RegExp => new RegExp(`^${it}( \\p{Script=Han}+)?,.*${what}`, 'u');
    await page.getByRole('button', { name: spot() }).first().click();
    await page
      .getByRole('button', { name: spot('registered') })
      .first()
      .waitFor();
  }
}

const cards = (page: Page) => page.locator('svg.card');

test.concurrent.each([
  { name: 'terminal', table: 'etg-1', size: 'small', bets: ['Banker', 'Tie', 'Banker Pair'] },
  { name: 'terminal-rws', table: 'rws-1', size: 'small', bets: ['Player', 'Player Pair'] },
  { name: 'terminal-phone', table: 'wu-song-1', size: 'phone', bets: ['Banker', 'Tie'] },
] as const)('$name', async ({ name, table, size, bets }) => {
  await sell(table, 150_000);
  const page = await eyes.look(demo.screen('terminal', table), size);
  await page.getByText('$1,500.00').first().waitFor();
  await sit(page, 3);
  await bet(page, bets);
  await take(page, name);
  await page.context().close();
});

test('a ticket', async () => {
  await sell('da-hu-1', 123_450);
  const page = await eyes.look(demo.screen('terminal', 'da-hu-1'));
  await page.getByRole('button', { name: 'Tickets' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /\$1,234\.50/ })
    .click();
  await page.locator('.ticket').waitFor();
  await take(page, 'ticket');
  await page.context().close();
});

/** A Dealer signs in at the console that visitors may use. */
async function atTheConsole(): Promise<Page> {
  const page = await eyes.look(demo.screen('console', 'practice-1'));
  const { person, password } = demo.person('d-5');
  await page.getByLabel('Staff number').fill(person);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  return page;
}

test('the console in mid-Round, and a ruling', async () => {
  let dealer = await demo.staff('d-5', 'practice-1', 'console');
  const draw = async (...drawn: Card[]): Promise<void> => {
    for (const card of drawn) await dealer.must({ do: 'draw-card', card, source: 'keyed' });
  };
  await dealer.must({ do: 'load-shoe', card_set: 'R-12', shuffled_by: 'd-5' });
  await dealer.round('6h', '3c', 'Kd', '4s');
  await dealer.must({ do: 'open-bets' });
  await dealer.until((view) => (view.wagers?.length ?? 0) >= 5, 60_000);
  await dealer.must({ do: 'close-bets' });
  await draw('4d', 'Ks', 'Ah', '5c');
  dealer.close();

  const page = await atTheConsole();
  await page.getByText('Banker’s third card').or(page.getByText('Player’s third card')).first().waitFor();
  await take(page, 'console');
  await page.context().close();

  dealer = await demo.staff('d-5', 'practice-1', 'console');
  await dealer.must({ do: 'report', report: { irregularity: 'simultaneous-draw', cards: ['2h', '9s'] } });
  dealer.close();
  const ruling = await atTheConsole();
  await ruling.locator('[data-ruling]').first().click();
  await ruling.getByRole('dialog').getByLabel('Reason').fill('Two cards left the shoe together; the 2♥ lay below.');
  await take(ruling, 'console-ruling');
  await ruling.context().close();
});

test('the board, and the way in', async () => {
  const quick = await Demo.open(60);
  try {
    const board = await eyes.look(quick.screen('board', 'wu-song-1'), 'full', 'zh-Hant');
    await board.locator('figure.bead g[data-col="4"]').first().waitFor({ timeout: 120_000 });
    await cards(board).first().waitFor();
    await take(board, 'board');
    const page = await eyes.look(quick.url);
    await page.getByRole('listitem').nth(30).waitFor();
    await take(page, 'landing');
  } finally {
    await quick.close();
  }
});
