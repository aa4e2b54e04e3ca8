// Somebody new, with nothing but the address that `make run` prints: five things to try, each by the doors of the landing page.

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Demo } from './demo';
import { Eyes, picture } from './eyes';

const PATIENCE = { timeout: 45_000 };

let demo: Demo;
let eyes: Eyes;
let landing: Page;

beforeAll(async () => {
  [demo, eyes] = await Promise.all([Demo.open(2), Eyes.open()]);
  landing = await eyes.look(demo.url);
});

afterAll(async () => {
  await eyes?.close();
  await demo?.close();
});

/** Goes through a door. */
async function door(name: 'Terminal' | 'Console' | 'Board', table: string): Promise<Page> {
  const context: BrowserContext = landing.context();
  const opened = context.waitForEvent('page');
  await landing.getByRole('link', { name: `${name} of table ${table}, in a new tab` }).click();
  const page = await opened;
  eyes.listen(page);
  return page;
}

const spot = (page: Page, bet: string, said = '') =>
  page.getByRole('button', { name: new RegExp(`^${bet}( \\p{Script=Han}+)?,.*${said}`, 'u') }).first();
const figure = (page: Page, what: string) =>
  page.locator('dl.money > div', { has: page.getByText(what, { exact: true }) }).locator('dd');
const cents = async (page: Page, what: string): Promise<number> =>
  Math.round(Number((await figure(page, what).innerText()).split('\n')[0]!.replace(/[$,]/g, '')) * 100);

test('bets, sees it registered, won and paid; cashes out, and uses the ticket at another table', async () => {
  const card = landing.locator('article', { hasText: 'etg-1' });
  await card.getByRole('button', { name: 'Give this terminal $1,000' }).click();
  await card.getByText('✓ $1,000 added to this terminal.').waitFor();
  const page = await door('Terminal', 'etg-1');
  await figure(page, 'Credits').getByText('$1,000.00').waitFor();

  // Whoever bets on both sides wins on one of them, unless there is a Tie.
  await page.getByRole('radio', { name: 'Chip $100', exact: true }).click();
  for (let rounds = 0; ; rounds += 1) {
    expect(rounds).toBeLessThan(4);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('No more bets').waitFor(PATIENCE);
    await status.getByText(/Place your bets|Last seconds/).waitFor(PATIENCE);
    for (const bet of ['Player', 'Banker']) {
      await spot(page, bet).click();
      await spot(page, bet, '\\$100 registered').waitFor();
    }
    await page
      .getByText(/^(Player wins|Banker wins|Tie)$/)
      .first()
      .waitFor(PATIENCE);
    await spot(page, 'Player', 'in the last Round').waitFor(PATIENCE);
    if ((await cents(page, 'Last win')) > 0) break;
  }
  await picture(page, 'newcomer-won');

  await page.getByRole('button', { name: 'Tickets' }).click();
  const dialog = page.getByRole('dialog');
  const credits = await cents(page, 'Credits');
  await dialog.getByRole('button', { name: /^Cash out/ }).click(PATIENCE);
  const number = await page.locator('.ticket .number dd').innerText();

  const other = await door('Terminal', 'da-hu-1');
  await other.getByRole('button', { name: 'Tickets' }).click();
  await other.getByRole('dialog').getByRole('textbox').fill(number);
  await other.getByRole('dialog').getByRole('button', { name: 'Add to credits' }).click();
  await expect.poll(() => cents(other, 'Credits')).toBe(credits);
  await page.close();
  await other.close();
}, 240_000);

test('runs a whole Round at the console, and rules on an exposed card and on a foreign card', async () => {
  const page = await door('Console', 'practice-1');
  const dialog = page.getByRole('dialog');
  const next = async (step: string): Promise<void> => {
    const button = page.getByRole('button', { name: new RegExp(`^${step}\\b.*⏎`, 's'), disabled: false });
    await button.waitFor();
    await page.waitForTimeout(300);
    await button.click();
  };
  const deal = async (...cards: [string, string][]): Promise<void> => {
    await page.getByRole('region', { name: 'The card' }).waitFor();
    for (const [typed, name] of cards) {
      await page.getByRole('button', { name: /^Something is wrong/, disabled: false }).waitFor();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Cards on the felt' }).getByRole('img', { name }).waitFor();
    }
  };
  /** Patrons of the demonstration have bet. */
  const bettors = (): Promise<void> =>
    page
      .getByText(/[1-9]\d* wagers?\b/)
      .first()
      .waitFor(PATIENCE);
  /** The Pit Supervisor of the demonstration comes to the console. */
  const rule = async (ruling: string): Promise<void> => {
    await page
      .getByRole('region', { name: 'Matters to be ruled' })
      .getByRole('button', { name: new RegExp(`^${ruling}`) })
      .click();
    await dialog.getByLabel('Reason').fill('as everybody saw it');
    await dialog.getByRole('button', { name: 'Pit Supervisor', exact: true }).click();
    const send = dialog.getByRole('button', { name: new RegExp(`^${ruling}`) });
    if (await dialog.isVisible()) await send.click();
    await dialog.waitFor({ state: 'hidden' });
  };
  await page.getByRole('button', { name: 'Dealer', exact: true }).click();
  await next('Load a shoe');
  await dialog.getByLabel('Card set').fill('R-7');
  await dialog.getByLabel('Shuffled by').fill('d-5');
  await dialog.getByRole('button', { name: /^Load a shoe/ }).click();
  await dialog.waitFor({ state: 'hidden' });

  await next('Place your bets');
  await bettors();
  await next('No more bets');
  await deal(['9h', '9 of hearts'], ['Kd', 'King of diamonds'], ['Kc', 'King of clubs'], ['2s', '2 of spades']);
  await next('Confirm');
  await page.getByText('Between Rounds').first().waitFor();
  await picture(page, 'newcomer-settled');

  // A card too many is shown: it opens the next Round (5.8).
  await next('Place your bets');
  await bettors();
  await next('No more bets');
  await deal(['2h', '2 of hearts'], ['3d', '3 of diamonds']);
  await page.getByRole('button', { name: /^Something is wrong/ }).click();
  await dialog
    .getByRole('button', { name: /exposed/i })
    .first()
    .click();
  await dialog.getByRole('textbox', { name: /type or scan a card$/ }).fill('5c');
  await dialog.getByRole('button', { name: /^Report it/ }).click();
  await dialog.waitFor({ state: 'hidden' });
  await rule('Reconstruct');
  await picture(page, 'newcomer-exposed');

  // Then one that is not of the set: void (5.5.1).
  await expect.poll(() => page.getByRole('region', { name: 'The card' }).isVisible(), PATIENCE).toBe(true);
  await page.getByRole('button', { name: /^Not of this set/ }).click();
  await page.getByRole('button', { name: /^Record it/ }).click();
  await page.getByText('foreign', { exact: false }).first().waitFor();
  await rule('Void');
  await page.getByText('Between Rounds').first().waitFor();
  await page
    .getByRole('button', { name: /^Exchange the shoe/ })
    .first()
    .waitFor();
  await page.close();
}, 120_000);

test('follows a shoe on the board in Chinese', async () => {
  const page = await door('Board', 'wu-song-1');
  await page.getByRole('button', { name: '简体中文' }).click();
  await page
    .getByText(/请下注|最后下注|停止下注/)
    .first()
    .waitFor(PATIENCE);
  await page.getByText('珠盘路').first().waitFor();
  await page
    .getByText(/第 \d+ 局/)
    .first()
    .waitFor();
  const before = await page.locator('[data-o]').count();
  await expect.poll(() => page.locator('[data-o]').count(), { timeout: 60_000 }).toBeGreaterThan(before);
  await page.close();
}, 120_000);

test('buys credits with a note at the terminal; one that jams is told to an attendant and not credited', async () => {
  const page = await door('Terminal', 'etg-1');
  await page.getByRole('button', { name: 'Tickets' }).click();
  const dialog = page.getByRole('dialog');
  const before = await cents(page, 'Credits');
  await dialog.getByRole('button', { name: /^Note of \$100/ }).click();
  await dialog.getByText('✓ The acceptor took $100').waitFor();
  await expect.poll(() => cents(page, 'Credits')).toBe(before + 10_000);
  await dialog.getByRole('button', { name: 'Let a note jam' }).click();
  await dialog.getByText('was not credited').waitFor();
  expect(await cents(page, 'Credits')).toBe(before + 10_000);
  await picture(page, 'newcomer-note');
  await page.close();
}, 120_000);

test('the browser had nothing to complain about', () => {
  expect(eyes.complaints).toEqual([]);
});
