// The Player Terminal in a real browser: whole Rounds of every game with the money compared to the ledger, what goes wrong
// at the table, tickets, a server that is killed in mid-Round, every language and size.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Card, Command, Ruling } from '../src/lib/wire';
import { accessible, Eyes, fits, picture, SIZES, type Size } from './eyes';
import { House } from './house';
import { credits, events } from './ledger';
import type { Line } from './line';
import { agrees, bet, PATRON, shown, sit, spot } from './seat';

const LANGUAGES = ['en', 'zh-Hans', 'zh-Hant'];
/** Where the largest felts need not lie on one screen. */
const MAY_SCROLL: readonly Size[] = ['phone', 'old', 'tablet', 'low'];

let house: House;
let eyes: Eyes;

beforeAll(async () => {
  [house, eyes] = await Promise.all([House.open(), Eyes.open()]);
});

afterAll(async () => {
  await eyes?.close();
  await house?.close();
});

async function liveTable(table: string, game: string, layout: string, more = {}): Promise<Line> {
  await house.table(table, game, layout, { burn: { fixed: 0 }, ...more });
  await house.buy(table, PATRON, 100_000);
  const dealer = await house.staff('d-1', table, 'console');
  await dealer.must({ do: 'load-shoe', card_set: 'S-1', shuffled_by: 'd-1' });
  await dealer.must({ do: 'open-bets' });
  return dealer;
}

async function deal(dealer: Line, cards: Card[]): Promise<void> {
  for (const card of cards) await dealer.must({ do: 'draw-card', card, source: 'keyed' });
}

test('a whole Round of the electronic game, by its own clock', async () => {
  await house.table('etg-1', 'ncb-etg', 'terminal', { cards: 'software', betting_seconds: 6 });
  await house.buy('etg-1', PATRON, 100_000);
  const page = await eyes.look(await house.screen('terminal', 'etg-1'));
  await page.getByText('Place your bets, please').first().waitFor();
  await bet(page, '$25', 'Banker', 'Tie');
  expect(await shown(page, 'Total bet').innerText()).toContain('$50.00');
  expect(await shown(page, 'Credits').innerText()).toBe('$950.00');
  await page.getByText('No more bets').first().waitFor();
  await expect
    .poll(async () => events(await house.entries('etg-1'), 'round-settled').length, { timeout: 30_000 })
    .toBeGreaterThan(0);
  await agrees(house, page, 'etg-1');
  const lines = events(await house.entries('etg-1'), 'round-settled')[0]!.lines;
  expect(lines.map((line) => [line.bet, line.stake])).toEqual([
    ['banker', 2_500],
    ['tie', 2_500],
  ]);
  await page.context().close();
}, 90_000);

test.each([
  // Banker wins on 6 with two cards: halved in Wu Song, and a Small Tiger pays 22 to 1.
  ['wu-song', 'A', ['Banker', 'Small Tiger'], ['2s', 'Kd', '3c', '6h', '9s'], 100_000 + 1_250 + 22 * 2_500],
  ['rws-baccarat', 'A', ['Banker', 'Player Pair'], ['2s', 'Kd', '2c', '6h', '9s'], 100_000 + 1_250 + 11 * 2_500],
  // Banker wins on 8: even money less the commission.
  ['da-hu-ying-xiong', 'A', ['Banker', 'Tiger'], ['2s', 'Kd', '4c', '8h'], 100_000 + 2_375 - 2_500],
] as const)('a whole Round of %s, layout %s', async (game, layout, bets, cards, after) => {
  const table = `${game.slice(0, 6)}-1`;
  const dealer = await liveTable(table, game, layout);
  const page = await eyes.look(await house.screen('terminal', table));
  await sit(page, 2);
  await bet(page, '$25', ...bets);
  await dealer.must({ do: 'close-bets' });
  await page.getByText('No more bets').first().waitFor();
  await deal(dealer, [...cards]);
  await dealer.must({ do: 'confirm-result' });
  expect(await agrees(house, page, table)).toBe(after);
  await page.getByText('Banker wins').first().waitFor();
  await fits(page);
  await accessible(page);
  await picture(page, `terminal-${game}`);
  dealer.close();
  await page.context().close();
});

test('undo, clear, rebet and double move money as the ledger does', async () => {
  const dealer = await liveTable('ws-2', 'wu-song', 'C');
  const page = await eyes.look(await house.screen('terminal', 'ws-2'));
  await sit(page, 1);
  await bet(page, '$100', 'Player', 'Tie');
  await picture(page, 'undo');
  await page.getByRole('button', { name: 'Undo' }).click();
  await shown(page, 'Total bet').getByText('$100.00').waitFor();
  await page.getByRole('button', { name: 'Double' }).click();
  await shown(page, 'Total bet').getByText('$200.00').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await shown(page, 'Total bet').getByText('$0.00').waitFor();
  await bet(page, '$100', 'Player');
  await dealer.must({ do: 'close-bets' });
  await deal(dealer, ['9s', 'Kd', 'Kc', '6h']);
  await dealer.must({ do: 'confirm-result' });
  await shown(page, 'Last win').getByText('$100.00').waitFor();
  await dealer.must({ do: 'open-bets' });
  await page.getByRole('button', { name: 'Rebet' }).click();
  await shown(page, 'Total bet').getByText('$100.00').waitFor();
  await agrees(house, page, 'ws-2');
  dealer.close();
  await page.context().close();
});

test('a refused bet says why and what would be accepted, and does not vanish', async () => {
  const dealer = await liveTable('ws-3', 'wu-song', 'A', { betting_box: { minimum: 2_500, differential: 10_000 } });
  const page = await eyes.look(await house.screen('terminal', 'ws-3'));
  await sit(page, 3);
  await page.getByRole('radio', { name: 'Chip $500', exact: true }).click();
  await spot(page, 'Banker').click();
  await spot(page, 'Banker', '$500 refused').waitFor();
  await page
    .getByText(/\$100\b/)
    .filter({ hasText: /refused|Differential/ })
    .first()
    .waitFor();
  expect(await shown(page, 'Credits').innerText()).toBe('$1,000.00');
  await agrees(house, page, 'ws-3');
  dealer.close();
  await page.context().close();
});

test('after an exposed card the patron chooses, and bets taken back are returned (5.13)', async () => {
  const dealer = await liveTable('dh-2', 'da-hu-ying-xiong', 'B');
  const page = await eyes.look(await house.screen('terminal', 'dh-2'));
  await sit(page, 4);
  await bet(page, '$25', 'Banker');
  await dealer.must({ do: 'close-bets' });
  await deal(dealer, ['2s']);
  await dealer.must({
    do: 'report',
    report: { irregularity: 'other-dealing-error', words: 'the shoe was knocked over' },
  });
  await page.getByText('a decision is being made').first().waitFor();
  await rule('dh-2', { ruling: 'continue' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /take/i }).waitFor();
  await accessible(page);
  await dialog.getByRole('button', { name: /back/i }).click();
  await expect.poll(async () => events(await house.entries('dh-2'), 'choice-made').length).toBe(1);
  expect(await agrees(house, page, 'dh-2')).toBe(100_000);
  dealer.close();
  await page.context().close();
});

test('a void is told, must be seen, and gives every bet back (5.5)', async () => {
  const dealer = await liveTable('rws-2', 'rws-baccarat', 'A');
  const page = await eyes.look(await house.screen('terminal', 'rws-2'));
  await sit(page, 1);
  await bet(page, '$25', 'Banker', 'Any Tie');
  await dealer.must({ do: 'close-bets' });
  await deal(dealer, ['2s', '3d']);
  await dealer.must({ do: 'draw-card', card: 'foreign:joker', source: 'keyed' });
  await rule('rws-2', { ruling: 'void' });
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/void/i).first().waitFor();
  await dialog.getByText(/\$50/).first().waitFor();
  await accessible(page);
  await dialog.getByRole('button', { name: 'I have seen this' }).click();
  expect(await agrees(house, page, 'rws-2')).toBe(100_000);
  dealer.close();
  await page.context().close();
});

test('a correction is told and must be seen (ETG 5.6, live 5.15)', async () => {
  const dealer = await liveTable('ws-4', 'wu-song', 'A');
  const page = await eyes.look(await house.screen('terminal', 'ws-4'));
  await sit(page, 1);
  await bet(page, '$25', 'Player');
  await dealer.must({ do: 'close-bets' });
  await deal(dealer, ['2s', 'Kd', '4c', '8h']);
  await dealer.must({ do: 'confirm-result' });
  await dealer.must({
    do: 'report',
    report: { irregularity: 'wrong-result', round: 1, words: 'the last card was a 3' },
  });
  await rule('ws-4', { ruling: 'correct', cards: ['2s', 'Kd', '4c', '3h', '2d'] });
  await page
    .getByRole('dialog')
    .getByText(/corrected/i)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'I have seen this' }).click();
  await agrees(house, page, 'ws-4');
  await page.getByRole('button', { name: 'Last Rounds' }).click();
  await page
    .getByRole('dialog')
    .getByText(/corrected/i)
    .first()
    .waitFor();
  await accessible(page);
  dealer.close();
  await page.context().close();
});

test('a ticket out at one table and in at another, once', async () => {
  const one = await liveTable('ws-5', 'wu-song', 'A');
  const two = await liveTable('dh-3', 'da-hu-ying-xiong', 'A');
  const page = await eyes.look(await house.screen('terminal', 'ws-5'));
  await page.getByRole('button', { name: 'Tickets' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /\$1,000\.00/ })
    .click();
  const number = (await page.locator('.ticket .number dd').innerText()).trim();
  await page.getByRole('img', { name: /code/i }).waitFor();
  await accessible(page);
  await picture(page, 'ticket');
  const serial = (await page.locator('.ticket .serial dd').innerText()).trim();
  expect(events(await house.entries('ws-5'), 'cashed-out')[0]).toMatchObject({ amount: 100_000, ticket: serial });
  expect(JSON.stringify(await house.entries('ws-5'))).not.toContain(number);
  expect(credits(await house.entries('ws-5'), PATRON)).toBe(0);

  const other = await eyes.look(await house.screen('terminal', 'dh-3'));
  await other.getByRole('button', { name: 'Tickets' }).click();
  const dialog = other.getByRole('dialog');
  await dialog.getByRole('textbox').fill(number);
  await dialog.getByRole('button', { name: 'Add to credits' }).first().click();
  await shown(other, 'Credits').getByText('$2,000.00').waitFor();
  await agrees(house, other, 'dh-3');
  await dialog.getByRole('textbox').fill(number);
  await dialog.getByRole('button', { name: 'Add to credits' }).first().click();
  await dialog
    .getByText(/paid|already/i)
    .first()
    .waitFor();
  [one, two].forEach((line) => line.close());
  await page.context().close();
  await other.context().close();
});

test('pay table, rules, limits, roads and the last Rounds are one tap away', async () => {
  const dealer = await liveTable('ws-6', 'wu-song', 'E');
  const page = await eyes.look(await house.screen('terminal', 'ws-6'));
  for (const panel of ['Pay table', 'Last Rounds', 'Roads', 'Tickets']) {
    await page.getByRole('button', { name: panel }).click();
    await page.getByRole('dialog').waitFor();
    await accessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  await page.getByRole('button', { name: 'Pay table' }).click();
  const rules = page.getByRole('dialog');
  await rules.getByText('30 to 1').first().waitFor();
  await rules
    .getByText(/4\.1\.7/)
    .first()
    .waitFor();
  await rules.getByText(/3\.12/).first().waitFor();
  dealer.close();
  await page.context().close();
});

test('every language at every size: nothing is cut off, nothing is missing', async () => {
  for (const [table, game, layout] of [
    ['size-rws', 'rws-baccarat', 'A'],
    ['size-ws', 'wu-song', 'E'],
  ] as const) {
    const dealer = await liveTable(table, game, layout);
    const address = await house.screen('terminal', table);
    for (const language of LANGUAGES) {
      const page = await eyes.look(address, 'small', language);
      await page.locator('.spot').first().waitFor();
      for (const size of Object.keys(SIZES) as Size[]) {
        await page.setViewportSize(SIZES[size]);
        await page.waitForTimeout(150);
        await fits(page, MAY_SCROLL.includes(size) ? 'down' : 'never');
        await targets(page);
        await picture(page, `terminal-${table}-${language}-${size}`);
      }
      const text = await page.locator('body').innerText();
      expect(text).not.toMatch(/undefined|\[object|NaN/);
      if (language !== 'en') expect(text).not.toMatch(/Credits|Limits|Place your bets|Undo/);
      await page.context().close();
    }
    dealer.close();
  }
}, 120_000);

test('the server is killed in mid-Round: told at once, and afterwards exactly what is registered', async () => {
  const dealer = await liveTable('ws-9', 'wu-song', 'A');
  const page = await eyes.look(await house.screen('terminal', 'ws-9'));
  await sit(page, 5);
  await bet(page, '$25', 'Banker');
  dealer.close();
  await house.stop('SIGKILL');
  await page.getByText('The line to the table is lost').first().waitFor({ timeout: 5_000 });
  await spot(page, 'Player').click({ force: true });
  expect(await spot(page, 'Player', '$25').count()).toBe(0);
  await house.start();
  await page.getByText('The line to the table is lost').first().waitFor({ state: 'hidden', timeout: 20_000 });
  // 5.4: a crash is a technical interruption; the Dealer confirms the cards, and without any the Round is void.
  const again = await house.staff('d-1', 'ws-9', 'console');
  expect(again.view.phase).toBe('interrupted');
  await spot(page, 'Banker', '$25 registered').waitFor();
  await again.must({ do: 'confirm-cards', cards: [] });
  await page.getByRole('button', { name: 'I have seen this' }).click();
  expect(await agrees(house, page, 'ws-9')).toBe(100_000);
  again.close();
  const unreachable = /WebSocket connection|ERR_CONNECTION_REFUSED/;
  expect(eyes.complaints.filter((it) => !unreachable.test(it))).toEqual([]);
  await page.context().close();
});

test('the audit of all this finds nothing', async () => {
  await house.stop('SIGKILL');
  expect(house.audit()).toBe('');
});

/** Somebody of the pit rules on what is open. */
async function rule(table: string, ruling: Ruling): Promise<void> {
  const pit = await house.staff('sup-1', table, 'pit');
  await pit.until((view) => (view.matters ?? []).length > 0);
  const { matter, rulings } = pit.view.matters![0]!;
  expect(rulings).toContain(ruling.ruling);
  // After a result was shown a second person agrees.
  const command: Command = { do: 'rule', matter, ruling, reason: 'as it was seen', second: 'shift-1' };
  await pit.mustSigned(await house.signed('sup-1', table, command, 'shift-1'));
  pit.close();
}

/** Large enough to be hit: 48 px, spots 64 px one way. */
async function targets(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const out: string[] = [];
    for (const button of document.querySelectorAll<HTMLElement>('button, [role=radio], input')) {
      if (!button.checkVisibility()) continue;
      const { width, height } = button.getBoundingClientRect();
      const least = button.classList.contains('spot') ? 64 : 48;
      if (Math.max(width, height) < least - 0.5 || Math.min(width, height) < 47.5) {
        out.push(`${button.textContent?.trim().slice(0, 40)} ${Math.round(width)}×${Math.round(height)}`);
      }
    }
    return out;
  });
  expect(small).toEqual([]);
}
