// Console and terminal of one table, both in a real browser: each paragraph of section 5 that reaches a patron's screen, from
// the Dealer's hand to the patron's eyes, with the credits compared to the ledger after each.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { Desk } from './desk';
import { Eyes } from './eyes';
import { House } from './house';
import { events } from './ledger';
import { BOUGHT } from './patron';
import { agrees, bet, PATRON, sit } from './seat';

let house: House;
let eyes: Eyes;

beforeAll(async () => {
  [house, eyes] = await Promise.all([House.open(), Eyes.open()]);
});

afterEach(() => eyes.rest());

afterAll(async () => {
  await eyes?.close();
  await house?.close();
});

/** A table with a shoe, and a patron with credits who sits at a box. */
async function table(name: string, game: string, box: number | null, more = {}): Promise<[Desk, Page]> {
  const desk = await Desk.open(house, eyes, name, game, game === 'ncb-etg' ? 'terminal' : 'A', more);
  await desk.begin();
  await house.buy(name, PATRON, BOUGHT);
  const seat = await eyes.look(await house.screen('terminal', name));
  if (box !== null) await sit(seat, box);
  return [desk, seat];
}

/** A Round with a bet of $25, until the cards come. */
async function round(desk: Desk, seat: Page, on: string): Promise<void> {
  await desk.next('Place your bets, please');
  await bet(seat, '$25', on);
  await desk.next('No more bets');
  await seat.getByText('No more bets').first().waitFor();
}

const seen = (seat: Page) => seat.getByRole('dialog').getByRole('button', { name: 'I have seen this' }).click();

test('what goes wrong in the dealing: chosen, carried, fixed (5.8, 5.11, 5.13)', async () => {
  const [desk, seat] = await table('ws-1', 'wu-song', 2);
  // Shown early, with nothing established: the patron is asked, and goes on.
  await round(desk, seat, 'Banker');
  await desk.deal('2h');
  await desk.report('Excess or exposed card', () => desk.cards('9c'));
  await seat.getByText('Please wait: a decision is being made').first().waitFor();
  await desk.rule('Reconstruct', 'sup-1');
  await seat
    .getByRole('dialog')
    .getByRole('button', { name: /continue/i })
    .click();
  await seat.getByRole('dialog').waitFor({ state: 'hidden' });
  await desk.deal('Kd', '5s', '8d');
  await desk.next('Confirm the result');
  expect(await agrees(house, seat, 'ws-1')).toBe(BOUGHT + 2_500);

  // Drawn together: the order is fixed, and what the patron takes back is returned.
  await round(desk, seat, 'Player');
  await desk.deal('2s', '4d');
  await desk.report('Cards drawn together', () => desk.cards('3c', 'Kh'));
  await desk.rule('Fix the order', 'sup-1');
  await seat.getByRole('dialog').getByRole('button', { name: /back/i }).click();
  await seat.getByRole('dialog').waitFor({ state: 'hidden' });
  expect(await agrees(house, seat, 'ws-1')).toBe(BOUGHT + 2_500);
  await desk.deal('9h');
  await desk.next('Confirm the result');
  await desk.stands('Between Rounds');
}, 60_000);

test('what voids a Round: told with its paragraph, returned, and to be seen (5.4, 5.5)', async () => {
  const [desk, seat] = await table('rws-1', 'rws-baccarat', 1);
  const told = async (words: string): Promise<void> => {
    await seat.getByRole('dialog').getByText(words).waitFor();
    await seat.getByRole('dialog').getByText('Your bets of $25 were returned.').waitFor();
    await seen(seat);
    expect(await agrees(house, seat, 'rws-1')).toBe(BOUGHT);
  };
  await round(desk, seat, 'Banker');
  await desk.deal('2s', '3d');
  await desk.page.keyboard.press('f');
  await desk.dialog.getByRole('button', { name: 'Record it' }).click();
  await desk.rule('Void', 'sup-1');
  await told('Round 1 is void: Foreign card (§ 5.5, 5.5.1).');
  await desk.exchange('blue-1');

  await round(desk, seat, 'Banker');
  await desk.deal('2s');
  await desk.report('Cards not shuffled');
  await desk.rule('Void', 'sup-1');
  await told('Round 2 is void: Cards not shuffled (§ 5.5, 5.5.5).');
  await desk.exchange('blue-2');

  // Power fails with no outcome established.
  await round(desk, seat, 'Banker');
  await desk.deal('2s');
  await desk.report('Technical interruption');
  await seat.getByText('The table is interrupted').first().waitFor();
  await desk.next('Confirm the cards that are out');
  await desk.signTogether('sup-1', 'd-1');
  await desk.send('Confirm the cards that are out');
  await told('Round 3 is void: Technical interruption (§ 5.4, 5.4.2).');
}, 60_000);

test('what comes too late, and what is put right (5.6, 5.7, 5.15)', async () => {
  const [desk, seat] = await table('dh-1', 'da-hu-ying-xiong', 3);
  const { dialog } = desk;
  await round(desk, seat, 'Player');
  await desk.report('Late bet', async () => {
    await dialog.getByLabel('Patron', { exact: true }).fill(`${PATRON}`);
    await dialog.getByRole('radio', { name: 'Tie', exact: true }).check();
    await dialog.getByLabel('Stake').fill('10');
  });
  await seat.getByText('Tie $10 came too late and is returned (§ 5.6).').first().waitFor();
  await desk.deal('2s', 'Kd', '4c', '8h');
  await desk.next('Confirm the result');
  expect(await agrees(house, seat, 'dh-1')).toBe(BOUGHT - 2_500);
  await desk.report('Wrong result', () => dialog.getByLabel('What happened').fill('the last card was a three'));
  await desk.rule('Correct to the cards', 'sup-1', async () => {
    await dialog.getByRole('button', { name: 'Remove 8 of hearts' }).click();
    await desk.cards('3h', '2d');
  });
  await seat
    .getByRole('dialog')
    .getByText(/corrected/i)
    .first()
    .waitFor();
  await seen(seat);
  expect(await agrees(house, seat, 'dh-1')).toBe(BOUGHT + 2_500);
}, 60_000);

test('the electronic game: an error that nobody is asked about, and a void (ETG 5.3, 5.5, 5.7)', async () => {
  const [desk, seat] = await table('etg-1', 'ncb-etg', null, { betting_seconds: 6 });
  await desk.next('Place your bets, please');
  await bet(seat, '$25', 'Banker');
  await desk.stands('Dealing');
  await desk.deal('2s', '4d');
  await desk.report('Cards drawn together', () => desk.cards('5c', '4h'));
  await seat.getByText('Please wait: a decision is being made').first().waitFor();
  await desk.rule('Fix the order', 'sup-1');
  await desk.next('Confirm the result');
  expect(await agrees(house, seat, 'etg-1')).toBe(BOUGHT + 2_500);
  expect(events(await house.entries('etg-1'), 'choice-offered')).toEqual([]);

  await desk.next('Place your bets, please');
  await bet(seat, '$25', 'Banker');
  await desk.stands('Dealing');
  await desk.deal('2s');
  await desk.report('Foreign card', () => desk.dialog.getByLabel('What it is').fill('joker'));
  await desk.rule('Void', 'sup-1');
  await seat.getByRole('dialog').getByText('Round 2 is void: Foreign card (§ 5.3, 5.3.1).').waitFor();
  await seen(seat);
  expect(await agrees(house, seat, 'etg-1')).toBe(BOUGHT + 2_500);
}, 60_000);

test('the audit of all this finds nothing', async () => {
  await house.stop('SIGKILL');
  expect(house.audit()).toBe('');
});
