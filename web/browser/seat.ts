// A Player Terminal in a real browser, and the patron at it.

import type { Page } from 'playwright-core';

import type { House } from './house';
import { credits, dollars } from './ledger';

/** Whose terminal it is. */
export const PATRON = 7;

/** A spot of the felt, with what is said about it: "Banker 莊, 1:1 / 1:2, $25 registered". */
export const spot = (page: Page, bet: string, said = '') =>
  page
    .getByRole('button', { name: new RegExp(`^${bet}( \\p{Script=Han}+)?,.*${said.replaceAll('$', '\\$')}`, 'u') })
    .first();
export const shown = (page: Page, what: string) =>
  page.locator('dl.money > div', { has: page.getByText(what, { exact: true }) }).locator('dd');

/** Takes a box, where the game has boxes. */
export async function sit(page: Page, box: number): Promise<void> {
  await page.getByRole('button', { name: 'Choose a box' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Box ${box}`, exact: true }).click();
  await dialog.getByRole('button', { name: /^Bet here/ }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Bets, and sees it registered. */
export async function bet(page: Page, chip: string, ...bets: string[]): Promise<void> {
  await page.getByRole('radio', { name: `Chip ${chip}`, exact: true }).click();
  for (const it of bets) {
    await spot(page, it).click();
    await spot(page, it, `${chip} registered`).waitFor();
  }
}

/** The credits on the screen are those of the ledger, to the cent. */
export async function agrees(house: House, page: Page, table: string): Promise<number> {
  const sum = credits(await house.entries(table), PATRON);
  await shown(page, 'Credits').getByText(dollars(sum)).waitFor();
  return sum;
}
