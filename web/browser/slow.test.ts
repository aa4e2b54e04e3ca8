// A slow line and cards that move: nothing keyed, scanned or tapped is lost, and nothing is told before the cards are there.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { Card, Settings } from '../src/lib/wire';
import { Delay } from './delay';
import { Desk } from './desk';
import { Eyes } from './eyes';
import { House } from './house';
import { events } from './ledger';
import { PATRON, shown, spot } from './seat';

let house: House;
let eyes: Eyes;
let line: Delay;

beforeAll(async () => {
  line = await Delay.open();
  [house, eyes] = await Promise.all([House.open(line.url), Eyes.open()]);
  line.to = house.url;
});

afterEach(() => {
  [line.each, line.jitter] = [0, 0];
});

afterAll(async () => {
  await eyes?.close();
  await line?.close();
  await house?.close();
});

/** What a page does by itself: tones, cards that set out, and when a text was first seen. It runs in the page. */
function watch(): void {
  const watched: Watched = { tones: 0, dealt: 0, seen: {} };
  Object.assign(globalThis, { watched });
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when?: number) {
    watched.tones += 1;
    start.call(this, when);
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const moves = typeof how === 'object' && Number(how.duration) > 0;
    if (this.classList.contains('dealt') && moves) watched.dealt += 1;
    return animate.call(this, frames, how);
  };
}

interface Watched {
  tones: number;
  dealt: number;
  seen: Record<string, number>;
}
const watched = (page: Page): Promise<Watched> =>
  page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched);

/** A screen on the slow line, with everything moving. */
async function screen(page: 'terminal' | 'console', table: string): Promise<Page> {
  const blank = await eyes.blank('en', 'small', 'no-preference');
  await blank.addInitScript(watch);
  await eyes.show(blank, line.at(await house.screen(page, table)), 'en');
  return blank;
}

async function console(table: string, game = 'wu-song', more: Partial<Settings> = {}): Promise<Desk> {
  await house.table(table, game, game === 'ncb-etg' ? 'terminal' : 'A', { burn: { fixed: 0 }, ...more });
  const desk = Desk.at(house, await screen('console', table), table);
  await desk.begin();
  return desk;
}

/** Bets open and close, and the cards come. */
async function toTheCards(desk: Desk): Promise<void> {
  await desk.next('Place your bets, please');
  await desk.next('No more bets');
  await desk.page.getByRole('region', { name: 'The card' }).waitFor();
}

/** At the pace of somebody who does it all day. */
async function type(page: Page, ...cards: Card[]): Promise<void> {
  for (const card of cards) {
    for (const key of [...card, 'Enter']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(60);
    }
    await page.waitForTimeout(60);
  }
}

const drawn = async (table: string, round: number) => {
  const all = (await house.entries(table)).filter(({ order }) => order.round === round);
  return events(all, 'card-drawn').map(({ card, side, source }) => [card, side, source]);
};

test('four cards typed at an ordinary pace are four cards, in their order, with their Hands', async () => {
  const desk = await console('slow-1');
  for (const [round, each] of [0, 50, 150].entries()) {
    [line.each, line.jitter] = [each, each / 5];
    await toTheCards(desk);
    await type(desk.page, '9h', '2s', 'Kd', '3c');
    if (each === 150) await desk.page.getByRole('group', { name: 'Cards on their way' }).waitFor();
    await desk.step('Confirm the result').waitFor();
    expect(await drawn('slow-1', round + 1)).toEqual([
      ['9h', 'player', 'keyed'],
      ['2s', 'banker', 'keyed'],
      ['Kd', 'player', 'keyed'],
      ['3c', 'banker', 'keyed'],
    ]);
    await desk.page.getByRole('group', { name: 'Cards on their way' }).waitFor({ state: 'detached' });
    await desk.next('Confirm the result');
    await desk.stands('Between Rounds');
  }
  expect((await watched(desk.page)).tones).toBe(0);
  await eyes.rest();
});

test('four scans 20 ms apart are four cards', async () => {
  const desk = await console('slow-2');
  for (const [round, each] of [10, 50, 150].entries()) {
    [line.each, line.jitter] = [each, each / 5];
    await toTheCards(desk);
    await desk.scanAll(['9h', '2s', 'Kd', '3c'], 20);
    await desk.step('Confirm the result').waitFor();
    expect(await drawn('slow-2', round + 1)).toEqual([
      ['9h', 'player', 'read'],
      ['2s', 'banker', 'read'],
      ['Kd', 'player', 'read'],
      ['3c', 'banker', 'read'],
    ]);
    await desk.next('Confirm the result');
    await desk.stands('Between Rounds');
  }
  // The frame of one card comes in the middle of the next scan.
  await toTheCards(desk);
  await desk.scan('9h');
  const begun = Date.now();
  await desk.strokes(['2'], begun);
  await desk.felt.getByRole('img', { name: '9 of hearts' }).waitFor();
  await desk.strokes(['s', 'Enter'], begun, 1);
  await desk.felt.getByRole('img', { name: '2 of spades' }).waitFor();
  expect((await drawn('slow-2', 4)).map(([card]) => card)).toEqual(['9h', '2s']);
  await eyes.rest();
});

test('what is not taken says so, with a tone that can be turned off', async () => {
  const desk = await console('slow-3');
  await toTheCards(desk);
  await desk.page.keyboard.press('9');
  await desk.page.keyboard.press('Enter');
  await desk.says('“9” is not a whole card yet');
  expect((await watched(desk.page)).tones).toBe(2);
  await desk.page.getByRole('button', { name: 'Turn the sound off' }).click();
  await desk.page.keyboard.press('Backspace');
  await desk.says('Nothing to put right');
  expect((await watched(desk.page)).tones).toBe(2);
  await eyes.rest();
});

test('a frame leaves what is half typed alone, and Enter is for the next step after a tap elsewhere', async () => {
  const desk = await console('slow-4');
  await desk.soon('Place your bets, please');
  await desk.turnTo('Log');
  await desk.page.keyboard.press('Enter');
  await desk.soon('No more bets');
  await desk.turnTo('Wagers');
  await desk.page.keyboard.press('Enter');
  await desk.page.getByRole('region', { name: 'The card' }).waitFor();
  line.each = 150;
  // The rank of the second card is typed before the frame of the first has come, its suit after it.
  await type(desk.page, '9h');
  await desk.page.keyboard.press('2');
  await desk.felt.getByRole('img', { name: '9 of hearts' }).waitFor();
  await desk.page.keyboard.press('s');
  await desk.page.keyboard.press('Enter');
  await expect
    .poll(() => drawn('slow-4', 1))
    .toEqual([
      ['9h', 'player', 'keyed'],
      ['2s', 'banker', 'keyed'],
    ]);
  await eyes.rest();
});

test('Backspace: the stroke, then the last card, by the Dealer alone or with a Pit Supervisor', async () => {
  const desk = await console('slow-5');
  await toTheCards(desk);
  await type(desk.page, '9h', '6s');
  await desk.settles();
  await desk.page.keyboard.press('K');
  await desk.page.keyboard.press('Backspace');
  expect(await desk.dialog.count()).toBe(0);
  await desk.page.keyboard.press('Backspace');
  await desk.dialog.getByRole('heading', { name: 'A card was keyed wrongly' }).waitFor();
  expect(await desk.dialog.getByLabel('Staff number').count()).toBe(0);
  await desk.cards('9s');
  await desk.send('A card was keyed wrongly');
  await desk.felt.getByRole('img', { name: '9 of spades' }).waitFor();
  await type(desk.page, 'Kd', '3c');
  await desk.step('Confirm the result').waitFor();
  // The Hands are complete and the result is there: somebody else answers for it.
  await desk.page.keyboard.press('Backspace');
  await desk.cards('4c');
  await desk.sign('sup-1');
  await desk.send('A card was keyed wrongly');
  await desk.felt.getByRole('img', { name: '4 of clubs' }).waitFor();
  const corrected = events(await house.entries('slow-5'), 'card-corrected');
  expect(corrected.map(({ at, was, card, supervised }) => [at, was, card, supervised])).toEqual([
    [2, '6s', '9s', false],
    [4, '3c', '4c', true],
  ]);
  await eyes.rest();
});

test.each([0, 150])('tapping one spot steadily until the close keeps every chip (%i ms each way)', async (each) => {
  const table = `slow-taps-${each}`;
  await house.table(table, 'ncb-etg', 'terminal', { betting_seconds: 7 });
  await house.buy(table, PATRON, 1_000_000);
  const dealer = await house.staff('d-1', table, 'console');
  await dealer.must({ do: 'load-shoe', card_set: 'S-1', shuffled_by: 'd-1' });
  const page = await screen('terminal', table);
  [line.each, line.jitter] = [each, each / 5];
  await page.getByRole('radio', { name: 'Chip $5', exact: true }).click();
  await dealer.must({ do: 'open-bets' });
  await page.getByText('Place your bets, please').first().waitFor();
  const close = dealer.view.closes_at!;
  const { x, y } = (await spot(page, 'Tie').boundingBox())!;
  let taps = 0;
  for (let now = Date.now(); now < close + 500; now = Date.now()) {
    await page.mouse.click(x + 20, y + 20);
    // So late that it cannot be there in time.
    if (Date.now() < close - each - 250) taps += 1;
    await page.waitForTimeout(90);
  }
  await page.getByText('No more bets').first().waitFor();
  const stakes = events(await house.entries(table), 'wager-registered').map(({ amount }) => amount);
  const registered = stakes.reduce((sum, it) => sum + it, 0);
  expect(registered).toBeGreaterThanOrEqual(taps * 500);
  expect(taps).toBeGreaterThan(20);
  await eyes.rest();
});

test('a tap that does not fit is cut to what does, and that is said', async () => {
  await house.table('slow-most', 'ncb-etg', 'terminal', { other_bets: { minimum: 500, maximum: 4_000 } });
  await house.buy('slow-most', PATRON, 100_000);
  const dealer = await house.staff('d-1', 'slow-most', 'console');
  await dealer.must({ do: 'load-shoe', card_set: 'S-1', shuffled_by: 'd-1' });
  await dealer.must({ do: 'open-bets' });
  const page = await screen('terminal', 'slow-most');
  [line.each, line.jitter] = [50, 10];
  await page.getByRole('radio', { name: 'Chip $25', exact: true }).click();
  await spot(page, 'Tie').click();
  await spot(page, 'Tie').click();
  await page.getByText('At most $15 more fits on this bet.').first().waitFor();
  await spot(page, 'Tie', '$40 registered').waitFor();
  await spot(page, 'Tie').click();
  await page.getByText('No more fits on this bet.').first().waitFor();
  expect(await page.getByText('over the maximum').count()).toBe(0);
  await eyes.rest();
});

test('verdict, credits and roads wait for the last card, and no card is dealt twice', async () => {
  await house.table('slow-land', 'ncb-etg', 'terminal', { result: 'automatic', betting_seconds: 3 });
  await house.buy('slow-land', PATRON, 100_000);
  const dealer = await house.staff('d-1', 'slow-land', 'console');
  await dealer.must({ do: 'load-shoe', card_set: 'S-1', shuffled_by: 'd-1' });
  const page = await screen('terminal', 'slow-land');
  await dealer.must({ do: 'open-bets' });
  await page.getByRole('radio', { name: 'Chip $25', exact: true }).click();
  await spot(page, 'Player').click();
  await spot(page, 'Player', '$25 registered').waitFor();
  await dealer.until(({ phase }) => phase === 'dealing');
  // Looks at every change of the page: when the last card is there, and when each of the rest is.
  await page.evaluate(() => {
    const { seen } = (globalThis as unknown as { watched: Watched }).watched;
    const first = (what: string, is: boolean): void => void (is && (seen[what] ??= performance.now()));
    const look = (): void => {
      const text = document.body.innerText;
      first('card', document.querySelectorAll('.dealt').length === 4);
      first('verdict', /Player wins/.test(text));
      first('credits', text.includes('$1,025.00'));
      first('roads', document.querySelector('.room')?.textContent?.includes('P') === true);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  for (const card of ['9h', '2s', 'Kd']) await dealer.must({ do: 'draw-card', card, source: 'keyed' });
  await page.waitForTimeout(500);
  await dealer.must({ do: 'draw-card', card: '3c', source: 'keyed' });
  await shown(page, 'Credits').getByText('$1,025.00').waitFor();
  await page.getByText('Player wins').first().waitFor();
  const { seen, dealt } = await watched(page);
  expect(seen.verdict! - seen.card!).toBeGreaterThan(250);
  expect(seen.credits! - seen.card!).toBeGreaterThan(250);
  expect(dealt).toBe(4);
  await page.reload();
  await page.getByText('Player wins').first().waitFor();
  await page.waitForTimeout(500);
  expect((await watched(page)).dealt).toBe(0);
  await eyes.rest();
});

test('the console deals no card again after settling, nor when it is opened', async () => {
  const desk = await console('slow-6');
  await toTheCards(desk);
  await desk.deal('9h', '2s', 'Kd', '3c');
  const dealt = async (): Promise<number> => (await watched(desk.page)).dealt;
  await expect.poll(dealt).toBe(4);
  await desk.next('Confirm the result');
  await desk.stands('Between Rounds');
  await desk.says('Cards of Round 1');
  await desk.page.waitForTimeout(400);
  expect(await dealt()).toBe(4);
  await desk.page.reload();
  await desk.says('Cards of Round 1');
  await desk.page.waitForTimeout(400);
  expect(await dealt()).toBe(0);
  await eyes.rest();
});
