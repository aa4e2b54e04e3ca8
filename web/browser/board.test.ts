// The board: a shoe as those around the table follow it.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NAMES } from '../src/lib/language.svelte';
import type { Card, Command, Seq } from '../src/lib/wire';
import { accessible, Eyes, fits, picture, SIZES, speaks, type Size } from './eyes';
import { House } from './house';
import { Line } from './line';
import { agrees, SHOE } from './roads';

let house: House;
let eyes: Eyes;
let isNothing: (complaint: string) => boolean;

beforeAll(async () => {
  [house, eyes] = await Promise.all([House.open(), Eyes.open()]);
});

afterEach(async () => {
  await eyes.rest(isNothing);
});

afterAll(async () => {
  await eyes?.close();
  await house?.close();
});

/** A live table without a burn, its Dealer, and a board that looks at it. */
async function sit(table: string, size: Size = 'full'): Promise<{ page: Page; dealer: Line }> {
  isNothing = () => false;
  await house.table(table, 'wu-song', 'A', { burn: { fixed: 0 }, betting_seconds: 7 });
  const [page, dealer] = await Promise.all([
    house.screen('board', table).then((it) => eyes.look(it, size)),
    house.staff('d-1', table, 'console'),
  ]);
  return { page, dealer };
}

const load = (dealer: Line): Promise<Seq> => dealer.must({ do: 'load-shoe', card_set: 'A-1', shuffled_by: 'd-1' });
const draw = async (dealer: Line, ...cards: Card[]): Promise<void> => {
  for (const card of cards) await dealer.must({ do: 'draw-card', card, source: 'keyed' });
};

/**
 * In this state of the table everybody can read the board: in every language, on every wall, whoever they are. A full
 * screen is a small one enlarged; one look at it is enough.
 */
async function everybody(page: Page, state: string, table: string, sizes: Size[] = ['tall', 'small']): Promise<void> {
  // What may be old is dimmed, and the line that says so is not.
  await accessible(page, '.old > :not(.trouble)');
  const before = page.viewportSize()!;
  for (const language of ['zh-Hant', 'zh-Hans', 'en'] as const) {
    await page.getByRole('button', { name: NAMES[language] }).click();
    for (const size of sizes) {
      await page.setViewportSize(SIZES[size]);
      await fits(page);
      await picture(page, `board-${state}-${size}-${language}`);
    }
    await speaks(page, language, [table, table.split('-')[0]!]);
  }
  await page.setViewportSize(before);
}

const said = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByText(words, { exact: true }).first().waitFor();
const hand = (page: Page, side: string) => page.getByRole('region', { name: new RegExp(`^${side} Hand`) });
const lying = (page: Page, side: string): Promise<(string | null)[]> =>
  hand(page, side)
    .getByRole('img')
    .evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));

test('a Round, from an empty table to its result', async () => {
  const { page, dealer } = await sit('ws-1');
  await said(page, 'The cards are being prepared');
  await said(page, 'No shoe');
  await said(page, 'No Round yet');
  await everybody(page, 'empty', 'ws-1');

  await load(dealer);
  await said(page, 'The next Round opens soon');
  await said(page, 'New shoe');
  await said(page, 'Shoe 1');
  await said(page, '416 cards left');

  await dealer.must({ do: 'open-bets' });
  await said(page, 'Place your bets, please');
  await said(page, 'Round 1');
  const clock = page.getByRole('img', { name: /^[67] seconds$/ });
  await clock.waitFor();
  const spoken = page.locator('[aria-live=polite]');
  expect(await spoken.textContent()).toBe('Place your bets, please');
  // The seconds pass by the server's clock, and the last ones are called aloud.
  await said(page, 'Last bets, please');
  const five = page.getByRole('img', { name: '5 seconds' });
  await five.waitFor();
  expect(await five.textContent()).toBe('5');
  expect(await spoken.textContent()).toMatch(/^Last bets, please(\. 5 seconds)?$|^5 seconds$/);
  await accessible(page);

  await dealer.must({ do: 'close-bets' });
  await said(page, 'No more bets');
  expect(await page.getByRole('img', { name: /seconds$/ }).count()).toBe(0);
  expect(await spoken.textContent()).toBe('No more bets');

  // Player 2, 3 draws 5: 10, so nothing. Banker 3, 2 draws against a 5: 2, so 7. Player cards first.
  await draw(dealer, '2h', '3c', '3d');
  await page.getByRole('img', { name: '3 of diamonds' }).waitFor();
  expect(await lying(page, 'Player')).toEqual(['2 of hearts', '3 of diamonds']);
  expect(await lying(page, 'Banker')).toEqual(['3 of clubs']);
  await draw(dealer, '2s', '5c');
  await page.getByRole('region', { name: 'Player Hand, 0 points' }).waitFor();
  await page.getByRole('region', { name: 'Banker Hand, 5 points' }).waitFor();
  await draw(dealer, '2d');
  await said(page, 'The result is being confirmed');
  expect(await lying(page, 'Player')).toEqual(['2 of hearts', '3 of diamonds', '5 of clubs']);
  expect(await lying(page, 'Banker')).toEqual(['3 of clubs', '2 of spades', '2 of diamonds']);
  await everybody(page, 'confirming', 'ws-1');

  await dealer.must({ do: 'confirm-result' });
  await said(page, 'Banker wins');
  await page.getByRole('region', { name: 'Banker Hand, 7 points, wins' }).waitFor();
  await page.getByRole('region', { name: 'Player Hand, 0 points' }).waitFor();
  await page.getByRole('heading', { name: 'Last Round Round 1' }).waitFor();
  await expect.poll(() => spoken.textContent()).toMatch(/^Banker wins/);
  await said(page, '410 cards left');
  expect(await page.locator('figure.bead g[data-col]').count()).toBe(1);
  await everybody(page, 'result', 'ws-1');
  dealer.close();
});

test('the roads of a shoe are those that the server tells', async () => {
  const { page, dealer } = await sit('ws-2');
  const turning = await eyes.look((await house.screen('board', 'ws-2')).replace('#', '?rotate=zh-Hant,en&every=5#'));
  await turning.getByText('限紅').waitFor();
  await load(dealer);
  for (const cards of SHOE) await dealer.round(...cards);
  const { view } = dealer;
  // The shoe was worth it.
  expect(view.counters).toEqual({
    wins: { banker: 10, player: 5 },
    ties: 3,
    pairs: { banker: 1, player: 4 },
    naturals: 8,
  });
  expect(view.roads.bead.length).toBe(SHOE.length);
  expect(view.roads.big_road.cells.some(({ col, logical_col }) => col > logical_col)).toBe(true);
  for (const road of ['big_eye_boy', 'small_road', 'cockroach_pig'] as const)
    expect(view.roads[road].cells.length).toBeGreaterThan(1);
  await agrees(page, view);
  // Whoever comes late sees the same.
  await page.reload();
  await agrees(page, view);
  await everybody(page, 'roads', 'ws-2', ['full', 'tall', 'small']);
  // A board on a wall speaks its languages in turn, until somebody holds one.
  await turning.getByText('Limits').waitFor();
  // It may turn once more before the button is pressed.
  await turning.getByRole('button', { name: 'Hold this language' }).click();
  await turning.getByRole('button', { name: /^(Let the languages turn|輪換語言)$/ }).waitFor();

  // A result that was registered wrongly is put right to the cards, and every road with it.
  await dealer.must({
    do: 'report',
    report: { irregularity: 'wrong-result', round: view.round, words: 'the Player had 9' },
  });
  await house.rule('sup-1', 'ws-2', { ruling: 'correct', cards: ['9d', '2s', 'Kh', '3d'] }, 'shift-1');
  await said(page, 'Corrected to the cards');
  await said(page, 'Player wins');
  await dealer.until((it) => it.counters.wins.player === 6);
  await agrees(page, dealer.view);
  dealer.close();
});

test('a Round that is void, and the shoe that is changed for it', async () => {
  const { page, dealer } = await sit('ws-3');
  await load(dealer);
  await dealer.round(...SHOE[0]!);
  await said(page, 'Banker wins');
  await dealer.must({ do: 'open-bets' });
  await dealer.must({ do: 'close-bets' });
  await draw(dealer, '4h', '5c');
  await dealer.must({ do: 'report', report: { irregularity: 'foreign-card', card: 'a joker' } });
  await said(page, 'Please wait: a ruling is being made');
  expect(await page.getByText('wins').count()).toBe(0);
  await everybody(page, 'ruling', 'ws-3');

  await house.rule('sup-1', 'ws-3', { ruling: 'void' });
  await said(page, 'Round 2 is void');
  await said(page, 'All bets are returned (§ 5.5, 5.5.1)');
  await said(page, 'The shoe is being changed');
  expect(await lying(page, 'Player')).toEqual(['4 of hearts']);
  // A void Round leaves no mark.
  expect(await page.locator('figure.bead g[data-col]').count()).toBe(1);
  await everybody(page, 'void', 'ws-3');

  await dealer.must({ do: 'exchange-shoe', card_set: 'B-1', reason: 'a joker', shuffled_by: 'd-1' });
  await said(page, 'Shoe 2');
  await said(page, 'New shoe');
  expect(await page.locator('figure.bead g[data-col]').count()).toBe(0);
  dealer.close();
});

test('a table announces its last Round, and closes', async () => {
  const { page, dealer } = await sit('ws-4');
  const pit = await house.staff('sup-1', 'ws-4', 'pit');
  await load(dealer);
  await dealer.round(...SHOE[1]!);
  await said(page, 'Tie');
  await pit.must({ do: 'announce-closing' });
  await said(page, 'The table closes after the next Round.');
  await dealer.must({ do: 'open-bets' });
  await said(page, 'This is the last Round. The table closes after it.');
  await everybody(page, 'last-round', 'ws-4');
  await dealer.must({ do: 'close-bets' });
  await draw(dealer, ...SHOE[2]!);
  await dealer.must({ do: 'confirm-result' });
  await said(page, 'Player wins');
  await said(page, 'Player Pair');
  await dealer.must({ do: 'retire-shoe', reason: 'the table closes' });
  await pit.must({ do: 'close-table' });
  await said(page, 'Table closed');
  await everybody(page, 'closed', 'ws-4');
  dealer.close();
  pit.close();
});

test('the limits of a table, as they are displayed at it', async () => {
  const limits = async (page: Page): Promise<string[]> => {
    const lines = page.locator('section:has(> h2:text("Limits")) dl > div');
    await lines.first().waitFor();
    return (await lines.allInnerTexts()).map((it) => it.replaceAll('\n', ': '));
  };
  const { page, dealer } = await sit('ws-5');
  expect(await limits(page)).toEqual(['Minimum: $25', 'Differential: $5,000', 'Every side bet: $5 – $500']);
  dealer.close();

  // Amounts as long as they get, and a limit of its own for most bets.
  const range = (minimum: number, maximum: number) => ({ minimum, maximum });
  await house.table('etg-5', 'ncb-etg', 'terminal', {
    other_bets: range(100, 1_234_567_890_00),
    bets: {
      tie: range(500, 1_000_50),
      'player-pair': range(1000, 20_000_000_00),
      'banker-pair': range(1000, 20_000_000_00),
    },
  });
  const other = await eyes.look(await house.screen('board', 'etg-5'), 'full');
  expect(await limits(other)).toEqual([
    'Player, Banker: $1 – $1,234,567,890',
    'Tie: $5 – $1,000.50',
    'Player Pair, Banker Pair: $10 – $20,000,000',
  ]);
  await everybody(other, 'limits', 'etg-5');
});

test('a board that is not of this house says so', async () => {
  isNothing = () => false;
  const page = await eyes.look(`${house.url}/board`);
  await page.getByRole('heading', { name: 'This board is not enrolled.' }).waitFor();
  await fits(page);
  await accessible(page);
  const stranger = await eyes.look(`${house.url}/board#table=ws-1&device=${'0'.repeat(64)}`);
  await stranger.getByRole('heading', { name: 'This screen is not enrolled, or no longer.' }).waitFor();
  await fits(stranger);
  await accessible(stranger);
  await stranger.getByRole('button', { name: 'Try again' }).click();
  await stranger.getByRole('heading', { name: 'This screen is not enrolled, or no longer.' }).waitFor();
});

test('a line that is lost is told at once; a power cut is a technical interruption', async () => {
  const { page, dealer } = await sit('ws-6');
  await load(dealer);
  await dealer.must({ do: 'open-bets' });
  await dealer.must({ do: 'close-bets' });
  await draw(dealer, '4h', '5c');
  await page.getByRole('img', { name: '5 of clubs' }).waitFor();

  // While nobody answers, the browser itself complains of every attempt. Nothing else is forgiven.
  const nobody = [
    `WebSocket connection to '${house.url.replace('http', 'ws')}/api/socket' failed: Error in connection establishment: net::ERR_CONNECTION_REFUSED`,
    'Failed to load resource: net::ERR_CONNECTION_REFUSED',
    'Failed to load resource: net::ERR_CONNECTION_RESET',
    'Failed to load resource: net::ERR_EMPTY_RESPONSE',
  ];
  isNothing = (it) => nobody.includes(it);
  await house.stop('SIGKILL');
  const alert = page.getByRole('alert');
  await alert.waitFor({ timeout: 2_000 });
  expect(await alert.textContent()).toBe('The line to the table is lost. Trying again… What is shown may be old.');
  expect(await lying(page, 'Banker')).toEqual(['5 of clubs']);
  await everybody(page, 'lost', 'ws-6');

  await house.start();
  await alert.waitFor({ state: 'detached' });
  await said(page, 'Technical interruption');
  await everybody(page, 'interrupted', 'ws-6');
  // A Pit Supervisor and the Dealer say which cards are out; with two nothing is established, and the Round is void (5.4).
  const back = await house.staff('sup-1', 'ws-6', 'pit');
  const confirm: Command = { do: 'confirm-cards', cards: ['4h', '5c'], second: 'd-1' };
  await back.mustSigned(await house.signed('sup-1', 'ws-6', confirm, 'd-1'));
  await said(page, 'Round 1 is void');
  back.close();
});
