// The Game Console in a real browser: whole Rounds by keyboard, by scanner and by touch with every amount compared to the
// ledger; limits, posts, a server that is killed in mid-Round; every language at every desk. What goes wrong in the dealing
// is in irregularities.test.ts.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { PatronNo, Settings } from '../src/lib/wire';
import { begins, Desk, named, tidy } from './desk';
import { accessible, Eyes } from './eyes';
import { House } from './house';
import { credits, events } from './ledger';
import { BOUGHT } from './patron';

let house: House;
let eyes: Eyes;

/** What the browser itself says where a password is refused. */
const UNAUTHORIZED = 'Failed to load resource: the server responded with a status of 401 (Unauthorized)';
/** What a test brings about on purpose. Nothing else is forgiven. */
let forgiven: string[] = [];

beforeAll(async () => {
  [house, eyes] = await Promise.all([House.open(), Eyes.open()]);
});

afterEach(async () => {
  await eyes.rest((it) => forgiven.includes(it));
  forgiven = [];
});

afterAll(async () => {
  await eyes?.close();
  await house?.close();
});

async function work(table: string, game: string, layout = 'A', more: Partial<Settings> = {}): Promise<Desk> {
  const desk = await Desk.open(house, eyes, table, game, layout, more);
  await desk.begin();
  return desk;
}

test('a whole Round by keyboard alone', async () => {
  forgiven = [UNAUTHORIZED];
  const desk = await Desk.open(house, eyes, 'ws-1', 'wu-song', 'A', { burn: 'by-first-card' });
  const { page, dialog, book } = desk;
  const { keyboard } = page;
  const enter = async (step: string): Promise<void> => {
    await desk.soon(step);
    await keyboard.press('Enter');
  };
  await page.getByRole('heading', { name: 'Game Console · ws-1' }).waitFor();
  await keyboard.type('d-1');
  await keyboard.press('Tab');
  await keyboard.type('not the password');
  await keyboard.press('Enter');
  await page.getByRole('alert').getByText('Staff number, password and code do not belong together').waitFor();
  await keyboard.type(house.password);
  await keyboard.press('Enter');
  await dialog.getByRole('heading', { name: 'What was done to your account' }).waitFor();
  await dialog.getByText('You were invited to choose a password, as Dealer').waitFor();
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await desk.stands('Between Rounds');

  // A shoe: which set, who shuffled it, what is burnt of it.
  await enter('Load a shoe');
  await dialog.waitFor();
  await keyboard.type('red-4');
  await keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('Still needed: Shuffled by.').waitFor();
  await keyboard.press('Tab');
  await keyboard.type('shuffler-2');
  await keyboard.press('Enter');
  await desk.shoe.getByText('416 of 416 cards left').waitFor();
  expect(tidy(await desk.shoe.innerText())).toContain('Shoe 1 set red-4 shuffled by shuffler-2');
  await enter('Burn cards');
  await dialog.getByText('Turn the first card over').waitFor();
  await keyboard.type('5c');
  await dialog.getByRole('button', { name: 'Remove 5 of clubs' }).waitFor();
  await dialog.getByLabel('Cards burnt').focus();
  await keyboard.type('6');
  await keyboard.press('Enter');
  await desk.shoe.getByText('410 of 416 cards left').waitFor();

  // Bets, by box as they come.
  const [one, two, three] = await desk.patrons([7, 2], [8, 1], 9);
  await enter('Place your bets, please');
  await desk.stands('Bets are open');
  await one!.bet(2, { banker: 2_500, 'small-tiger': 2_500 });
  await two!.bet(1, { player: 5_000 });
  await three!.bet(2, { tie: 1_000 });
  await book.getByText('4 wagers').waitFor();
  expect(await book.getByRole('heading').allInnerTexts()).toEqual(['Box 1', 'Box 2']);
  expect((await book.getByRole('listitem').allInnerTexts()).map(tidy)).toEqual([
    'Patron 8 Seated Player $50',
    'Patron 7 Seated Banker $25',
    'Patron 7 Seated Small Tiger $25',
    'Patron 9 Standing Tie $10',
  ]);
  await desk.says('4 wagers of 3 patrons, $110');
  await enter('No more bets');
  await desk.stands('Dealing');

  // Each card is named before it comes; the Table of Play is told by its line.
  for (const [due, card] of [
    ['Player’s first card', '2s'],
    ['Banker’s first card', 'Kd'],
    ['Player’s second card', '3c'],
    ['Banker’s second card', '6h'],
  ] as const) {
    await page.getByRole('heading', { name: due }).waitFor();
    await desk.settles();
    await keyboard.type(card, { delay: 60 });
    await desk.step(`${named(card)} → ${due}`).waitFor();
    await keyboard.press('Enter');
  }
  await page.getByRole('heading', { name: 'Player’s third card' }).waitFor();
  await desk.says('Player 5: draws (3.12)');
  await desk.settles();
  // What was typed wrongly goes with Escape or Backspace.
  await keyboard.type('8s', { delay: 60 });
  await keyboard.press('Escape');
  await keyboard.type('10s', { delay: 60 });
  await desk.step('10 of spades → Player’s third card').waitFor();
  await keyboard.press('Backspace');
  await keyboard.type('9s', { delay: 60 });
  await keyboard.press('Enter');
  await desk.says('Banker 6 against a 9: stands (3.12)');
  expect(await desk.lying('Player')).toEqual(['2 of spades', '3 of clubs', '9 of spades']);
  expect(await desk.lying('Banker')).toEqual(['King of diamonds', '6 of hearts']);
  await desk.says('Banker wins');
  await enter('Confirm the result');

  // Banker wins on six with two cards: 1 to 2, and a Small Tiger pays 22 to 1.
  const lines = await desk.agrees({ player: 'Player', banker: 'Banker', 'small-tiger': 'Small Tiger', tie: 'Tie' });
  expect(lines.map(({ to_patron }) => to_patron)).toEqual([0, 3_750, 57_500, 0]);
  await one!.has(BOUGHT + 1_250 + 55_000);
  await two!.has(BOUGHT - 5_000);
  await three!.has(BOUGHT - 1_000);
  const drawn = events(await house.entries('ws-1'), 'card-drawn').map(({ card, source }) => `${card} ${source}`);
  expect(drawn).toEqual(['2s keyed', 'Kd keyed', '3c keyed', '6h keyed', '9s keyed']);

  // It is in the books, and the log tells it.
  await keyboard.press('r');
  await book.locator('summary', { hasText: 'Round 1' }).focus();
  await keyboard.press('Enter');
  await book.getByText('Staked $110, to patrons $612.50').waitFor();
  await keyboard.press('l');
  await book.getByText('Round 1 settled: Banker, 4–6.').waitFor();
});

test('commission is a figure of its own (4.1.1)', async () => {
  const desk = await work('dh-1', 'da-hu-ying-xiong', 'B');
  const [one, two] = await desk.patrons(7, 8);
  await desk.next('Place your bets, please');
  await one!.bet(3, { banker: 10_000, tiger: 2_000 });
  await two!.bet(1, { banker: 2_500, player: 3_000 });
  await desk.next('No more bets');
  await desk.deal('2s', 'Kd', '4c', '8h');
  await desk.says('Natural: neither Hand draws (3.12)');
  await desk.next('Confirm the result');
  const lines = await desk.agrees({ player: 'Player', banker: 'Banker', tiger: 'Tiger' });
  expect(lines.map(({ bet, commission }) => [bet, commission])).toEqual([
    ['banker', 125],
    ['player', 0],
    ['banker', 500],
    ['tiger', 0],
  ]);
  await one!.has(BOUGHT + 9_500 - 2_000);
  await two!.has(BOUGHT + 2_375 - 3_000);
});

test('cards by a scanner, and by touch', async () => {
  const desk = await work('rws-1', 'rws-baccarat');
  const { page } = desk;
  const drawn = async (): Promise<string[]> =>
    events(await house.entries('rws-1'), 'card-drawn').map(({ card, source }) => `${card} ${source}`);
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(1, { player: 5_000, 'any-tie': 500 });
  await desk.next('No more bets');
  // A scanner records at once, whatever has the focus.
  for (const [due, text] of [
    ['Player’s first card', '9h'],
    ['Banker’s first card', '10d'],
    ['Player’s second card', 'KS'],
  ] as const) {
    await page.getByRole('heading', { name: due }).waitFor();
    await desk.settles();
    await page.getByRole('tab', { name: /^Log/ }).focus();
    await desk.scan(text);
  }
  await page.getByRole('heading', { name: 'Banker’s second card' }).waitFor();
  expect(await desk.lying('Player')).toEqual(['9 of hearts', 'King of spades']);
  await desk.scan('QX17');
  await desk.says('The scanner read “QX17”, which is no card.');
  expect(await drawn()).toEqual(['9h read', 'Td read', 'Ks read']);

  // A finger chooses, and then says it again.
  const seven = page.getByRole('group', { name: 'Choose a card' }).getByRole('button', { name: '7 of clubs' });
  const { width, height } = (await seven.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(48);
  await desk.touch(seven);
  await desk.step('7 of clubs → Banker’s second card').waitFor();
  expect(await seven.getAttribute('aria-pressed')).toBe('true');
  expect((await drawn()).length).toBe(3);
  await desk.touch(seven);
  await desk.stands('Result to be confirmed');
  expect((await drawn()).at(-1)).toBe('7c keyed');
  await desk.next('Confirm the result');
  await desk.agrees({ player: 'Player', 'any-tie': 'Any Tie' });
  await one!.has(BOUGHT + 5_000 - 500);
});

test('a scanner that is quicker than the ledger loses no card', async () => {
  const desk = await work('rws-2', 'rws-baccarat');
  await desk.next('Place your bets, please');
  await desk.next('No more bets');
  await desk.page.getByRole('heading', { name: 'Player’s first card' }).waitFor();
  await desk.settles();
  // All four within one turn of the browser's loop: no answer can come in between.
  await desk.page.evaluate(
    (keys) => {
      for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    },
    ['2s', '3d', '4c', '5h'].flatMap((card) => [...card, 'Enter']),
  );
  await desk.stands('Result to be confirmed');
  const drawn = events(await house.entries('rws-2'), 'card-drawn').map(({ card, side }) => `${card} ${side}`);
  expect(drawn).toEqual(['2s player', '3d banker', '4c player', '5h banker']);
});

test('the electronic game: its clock closes bets, and after an error nobody is asked (ETG 3.7, 5.7)', async () => {
  const desk = await work('etg-1', 'ncb-etg', 'terminal', { betting_seconds: 5 });
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await desk.says('The table opens and closes bets by its own clock.');
  await one!.bet(null, { banker: 5_000, 'banker-pair': 1_000 });
  await desk.stands('Dealing');
  await desk.deal('2s', '4d');
  await desk.report('Cards drawn together', () => desk.cards('5c', '4h'));
  await desk.matters.getByText('§ 5.7, 5.7.1').waitFor();
  await desk.rule('Fix the order', 'sup-1');
  await desk.next('Confirm the result');
  await desk.agrees({ banker: 'Banker', 'banker-pair': 'Banker Pair' });
  await one!.has(BOUGHT + 5_000 + 11_000);
});

test('chips over the Differential: rejected before bets close; after it the felt prevails and is shared (5.1, 5.2, 5.14)', async () => {
  const desk = await work('chips-1', 'wu-song', 'B', {
    money: 'chips',
    limits: 'observed',
    betting_box: { minimum: 2_500, differential: 50_000 },
  });
  const { page, dialog, book } = desk;
  await desk.step('Open the float').getByText('Pit Supervisor or above signs in for it').waitFor();
  await desk.next('Open the float');
  await dialog.getByLabel('Amount').fill('10,000');
  await desk.sign('sup-1');
  await desk.send('Open the float');
  await desk.shoe.getByText('$10,000.00').waitFor();
  await desk.next('Place your bets, please');
  await desk.stands('Bets are open');
  // Patron 7 sits down at box 2: one key, and the number that the pit knows them by.
  await desk.settles();
  await page.keyboard.press('s');
  await dialog.getByRole('radio', { name: '2', exact: true }).check();
  await dialog.getByLabel('Patron', { exact: false }).fill('7');
  await desk.send('A patron sits down');
  await book.getByRole('button', { name: 'Box 2 Patron 7 gets up' }).waitFor();
  // Somebody sits down at box 3 and is nobody whom the table knows; then they are gone again.
  await book.getByRole('button', { name: 'Box 3: somebody sits down' }).click();
  await book.getByRole('button', { name: 'Box 3 Patron 8 gets up' }).click();
  await book.getByRole('button', { name: 'Box 3: somebody sits down' }).waitFor();
  const chips = async (no: PatronNo, stake: string): Promise<void> => {
    await desk.settles();
    await page.keyboard.press('b');
    await dialog.getByLabel('Patron', { exact: true }).fill(`${no}`);
    await dialog.getByRole('radio', { name: '2', exact: true }).check();
    await dialog.getByRole('radio', { name: 'Banker', exact: true }).check();
    await dialog.getByLabel('Stake').fill(stake);
    await desk.send('Record chips');
  };
  const stack = (stake: string) => book.getByRole('button', { name: new RegExp(`Patron 7\\b.*Banker.*\\${stake}`) });
  await chips(7, '900');
  await desk.says('Box 2: Banker over the Differential by $400');
  await chips(8, '10');
  await book.getByText('Banker over the Differential by $410').waitFor();
  await book.getByText('under the minimum by $15').waitFor();
  await desk.fits();
  await accessible(page);
  // Standing chips give way first.
  await book.getByRole('button', { name: 'Reject the excess' }).click();
  await book.getByText('over the Differential').waitFor({ state: 'hidden' });
  const trimmed = events(await house.entries('chips-1'), 'wager-trimmed');
  expect(trimmed.map(({ patron, amount, stake }) => [patron, amount, stake])).toEqual([
    [8, 1_000, 0],
    [7, 40_000, 50_000],
  ]);

  // What the console shows keeps bets open until something is done about it.
  await stack('$500').click();
  expect(await dialog.getByLabel('Stake').inputValue()).toBe('500');
  await dialog.getByLabel('Stake').fill('900');
  await desk.send('Record chips');
  await desk.says('A limit is broken');
  await book.getByRole('button', { name: 'Reject the excess' }).click();
  await book.getByText('over the Differential').waitFor({ state: 'hidden' });
  await desk.next('No more bets');
  expect(await page.getByRole('button', { name: 'Reject the excess' }).count()).toBe(0);
  // The record is amended to what lay on the felt: by a Pit Supervisor, before the first card. It plays its share.
  await stack('$500').click();
  await dialog.getByLabel('Stake').fill('700');
  await desk.sign('sup-1', 'as the camera shows');
  await desk.send('Amend a wager');
  await book.getByText('plays $500').waitFor();
  await desk.deal('2s', '4d', '5c', '4h');
  await desk.next('Confirm the result');
  const [line] = await desk.agrees({ banker: 'Banker' });
  expect(line).toMatchObject({ stake: 70_000, playing: 50_000, returned: 20_000, to_patron: 120_000 });
  await desk.shoe.getByText('$9,500.00').waitFor();
});

test('nobody is offered what is not theirs to order', async () => {
  const desk = await Desk.open(house, eyes, 'ws-2', 'wu-song');
  const { page, dialog } = desk;
  const orders = async (): Promise<string[]> => {
    await page.getByRole('button', { name: /^Orders/ }).click();
    await dialog.getByRole('heading', { name: 'Orders' }).waitFor();
    const told = (await dialog.getByRole('listitem').allInnerTexts()).map(tidy);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    return told;
  };
  await desk.signIn('cash-1');
  await page.getByRole('alert').getByText('Cashier: this person does not work at tables.').waitFor();
  await desk.begin();
  await desk.next('Place your bets, please');
  await desk.stands('Bets are open');
  const dealer = await orders();
  // For some things a Dealer calls somebody, and is told whom. The money of the cage is nowhere.
  expect(dealer.filter((it) => it.includes('signs in for it'))).toEqual([
    'Set abandoned credits aside Pit Supervisor or above signs in for it',
    'Announce other limits Pit Supervisor or above signs in for it',
    'Announce closing Pit Supervisor or above signs in for it',
    'Start a shift Pit Manager or above signs in for it',
  ]);
  const own = dealer.filter((it) => !it.includes('signs in for it'));
  // A note or ticket that went wrong is reported; that moves no money.
  expect(own.join()).not.toMatch(/credits|float|unclaimed|redeem|cash|pay|carried|settings/i);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await desk.signIn('sup-2');
  await desk.stands('Bets are open');

  // Whoever is no longer of the house is out at once; somebody else goes on at the same desk.
  forgiven = [UNAUTHORIZED];
  await house.ask('PATCH', '/api/staff/sup-2', { enabled: false }, 'administrator');
  await dialog.getByRole('heading', { name: 'Please sign in again' }).waitFor();
  await accessible(page);
  await desk.signIn('shift-1');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('banner').getByText('Table Games Shift Manager').waitFor();
  const manager = await orders();
  expect(manager).toEqual(expect.arrayContaining(['Announce closing', 'Start a shift']));
  expect(manager.join()).not.toContain('signs in');
  // A Shift Manager is no Pit Employee and bets for nobody (1.12, 5.17).
  expect(dealer).toContain('Place a bet for a patron');
  expect(manager).not.toContain('Place a bet for a patron');
  expect(await page.getByRole('button', { name: /^Bet for a patron/ }).count()).toBe(0);
});

test('every language, at every desk', async () => {
  const desk = await Desk.open(house, eyes, 'size-1', 'rws-baccarat');
  const names = ['d-1', 'red-4', 'RWS'];
  await desk.page.getByLabel('Staff number').waitFor();
  await desk.everybody('sign-in', names);
  await desk.begin();
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000, 'player-pair': 2_500 });
  await desk.book.getByText('2 wagers').waitFor();
  await desk.everybody('betting', names);
  await desk.next('No more bets');
  await desk.deal('2s', '3d');
  await desk.everybody('dealing', names);
  await desk.everybody('guide', names, '!');
  await desk.everybody('orders', names, 'm');
  await desk.report('Cards drawn together', () => desk.cards('9c', '4s'));
  await desk.stands('Held for a ruling');
  await desk.everybody('matter', names);
  await desk.everybody('ruling', names, '1');
  await desk.rule('Fix the order', 'sup-1');
  await desk.stands('Patrons choose');
  await desk.everybody('choices', names);
  await one!.choose('continue');
  await desk.deal('5c');
  await desk.next('Confirm the result');
  await desk.stands('Between Rounds');
  await desk.everybody('settlement', names);
  await desk.turnTo('Rounds');
  await desk.everybody('history', names);
  await desk.turnTo('Log');
  await desk.everybody('log', [...names, 'as it was seen']);
}, 120_000);

test('the server is killed in mid-Round: told at once, put right by the cards, concluded with its reason (5.4)', async () => {
  const desk = await work('ws-3', 'wu-song');
  const { page } = desk;
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(1, { player: 5_000 });
  await desk.next('No more bets');
  await desk.deal('2s', '4d');
  const gone = `WebSocket connection to '${house.url.replace('http', 'ws')}/api/socket' failed: `;
  forgiven = [`${gone}Error in connection establishment: net::ERR_CONNECTION_REFUSED`];
  await house.stop('SIGKILL');
  await page.getByRole('alert').getByText('The line to the table is lost. Trying again…').waitFor({ timeout: 3_000 });
  // Nothing can be ordered into the void.
  for (const name of ['Something is wrong', 'Cannot be read', 'Not of this set'])
    expect(await page.getByRole('button', { name: begins(name) }).isDisabled()).toBe(true);
  expect(await desk.lying('Player')).toEqual(['2 of spades']);
  await desk.fits();

  // It comes back by itself, and whoever was signed in still is.
  await house.start();
  await desk.stands('Interrupted');
  await desk.next('Confirm the cards that are out');
  // The record has two cards; a third lies on the felt, and the cards prevail.
  await desk.cards('5c');
  await desk.signTogether('sup-1', 'd-1');
  await desk.send('Confirm the cards that are out');
  await desk.stands('Dealing');
  const [resolved] = events(await house.entries('ws-3'), 'interruption-resolved');
  expect(resolved).toMatchObject({ established: true, cite: '5.4, 5.4.1' });
  expect(resolved!.because).toContain('player-pair');
  await desk.deal('4h');
  await desk.says(/^An outcome was established, because already certain were: .*Player Pair.*The Round is concluded\./);
  await desk.next('Confirm the result');
  await desk.agrees({ player: 'Player' });
  expect(credits(await house.entries('ws-3'), 7)).toBe(BOUGHT - 5_000);
});

test('the audit of all this finds nothing', async () => {
  await house.stop('SIGKILL');
  expect(house.audit()).toBe('');
});
