// Section 5 of the rules as it reaches a Game Console in a real browser: what is reported there, who rules on it, what the
// patrons choose, what becomes of their bets. Every amount is compared to the ledger.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { Card, Settings } from '../src/lib/wire';
import { begins, Desk, tidy } from './desk';
import { Eyes } from './eyes';
import { House } from './house';
import { events } from './ledger';
import { BOUGHT } from './patron';

let house: House;
let eyes: Eyes;

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

async function work(table: string, game: string, layout = 'A', more: Partial<Settings> = {}): Promise<Desk> {
  const desk = await Desk.open(house, eyes, table, game, layout, more);
  await desk.begin();
  return desk;
}

const SUPERVISOR = 'Pit Supervisor or above decides';
const RULES = 'The rules decide at once';
/** What can be reported with a card on the felt; by which paragraph, in Wu Song and in the other two; and who decides. */
const SECTION_5 = [
  ['Excess or exposed card', '5.8, 5.8.1', '5.7, 5.7.1', SUPERVISOR],
  ['Card on the wrong side', '5.9, 5.9.1, 5.9.2', '5.8, 5.8.1, 5.8.2', SUPERVISOR],
  ['Cards drawn together', '5.11, 5.11.1, 5.11.2', '5.10, 5.10.1, 5.10.2', SUPERVISOR],
  ['Other dealing error', '5.13, 5.13.1, 5.13.2, 5.13.3', '5.12, 5.12.1, 5.12.2, 5.12.3', SUPERVISOR],
  ['Foreign card', '5.5, 5.5.1', '5.5, 5.5.1', SUPERVISOR],
  ['Cards missing or too many', '5.5, 5.5.2', '5.5, 5.5.2', SUPERVISOR],
  ['Wrong number of cards', '5.5, 5.5.3', '5.5, 5.5.3', SUPERVISOR],
  ['Shoe exhausted', '5.5, 5.5.4', '5.5, 5.5.4', SUPERVISOR],
  ['Cards not shuffled', '5.5, 5.5.5', '5.5, 5.5.5', SUPERVISOR],
  ['Wrong result', '5.6, 5.15', '5.14, 5.17', `${SUPERVISOR} until the next Round begins`],
  ['Late bet', '5.7', '5.6', RULES],
  ['Bet placed in error', '5.14', '5.13', RULES],
  ['Patron walked away', '5.3', '5.3', RULES],
  ['Technical interruption', '5.4, 5.4.1, 5.4.2', '5.4, 5.4.1, 5.4.2', RULES],
  ['Not covered by the rules', '5.18', '5.17', 'Table Games Shift Manager or above decides'],
] as const;

test.each(['wu-song', 'rws-baccarat', 'da-hu-ying-xiong'])(
  'every paragraph has its place, and what the rules decide is done at once: %s',
  async (game) => {
    const desk = await work(`all-${game.slice(0, 5)}`, game);
    const { page, dialog } = desk;
    const cite = (wuSong: string, others: string): string => (game === 'wu-song' ? wuSong : others);
    const [one] = await desk.patrons(7);
    await desk.next('Place your bets, please');
    await one!.bet(1, { banker: 5_000 });
    await desk.next('No more bets');
    await desk.deal('2s');
    await page.keyboard.press('!');
    await dialog.getByRole('heading', { name: 'In the dealing' }).waitFor();
    const offered = (await dialog.getByRole('listitem').allInnerTexts()).map(tidy);
    expect(offered.map((it) => it.replace(/(?<= § [\d., ]*\d ).*\. (?=\S.* decides?\b)/, ''))).toEqual(
      SECTION_5.map(([kind, wuSong, others, who]) => `${kind} § ${cite(wuSong, others)} ${who}`),
    );
    await page.keyboard.press('Escape');

    await desk.report('Late bet', async () => {
      await dialog.getByLabel('Patron', { exact: true }).fill('8');
      await dialog.getByRole('radio', { name: '2', exact: true }).check();
      await dialog.getByRole('radio', { name: 'Player', exact: true }).check();
      await dialog.getByLabel('Stake').fill('50');
    });
    await desk.report('Bet placed in error', async () => {
      await dialog.getByRole('button', { name: '7', exact: true }).click();
      await dialog.getByLabel('What happened').fill('meant the Player');
    });
    await desk.report('Patron walked away', () => dialog.getByLabel('Patron', { exact: true }).fill('7'));
    await desk.stands('Dealing');
    const entries = await house.entries(desk.table);
    expect(events(entries, 'late-bet-refused')).toMatchObject([
      { patron: 8, bet: 'player', stake: 5_000, box: 2, cite: cite('5.7', '5.6') },
    ]);
    expect(events(entries, 'ruled')).toMatchObject([{ ruling: { ruling: 'stand' }, cite: cite('5.14', '5.13') }]);
    expect(events(entries, 'walked-away')).toMatchObject([{ patron: 7, cite: '5.3' }]);
    await desk.turnTo('Log');
    await desk.book.getByText('Patron 8: late bet of $50 on Player refused').waitFor();

    // The light goes out. Two cards lie there, one more than the record has: nothing is certain, the Round is void.
    await desk.report('Technical interruption');
    await desk.stands('Interrupted');
    await desk.next('Confirm the cards that are out');
    await dialog.getByRole('button', { name: 'Remove 2 of spades' }).waitFor();
    await desk.cards('9d');
    await desk.signTogether('sup-1', 'd-1');
    await desk.send('Confirm the cards that are out');
    await desk.says('No outcome was established, because no bet was certain. The Round is void. § 5.4, 5.4.2');
    await one!.has(BOUGHT);
  },
);

test('a foreign card: the Round stops, a Pit Supervisor voids it, the shoe is exchanged (5.5.1)', async () => {
  const desk = await work('rws-1', 'rws-baccarat', 'B');
  const { page, dialog, matters } = desk;
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(4, { banker: 5_000, 'player-pair': 2_500 });
  await desk.next('No more bets');
  await desk.deal('2s', '3d');
  await page.keyboard.press('f');
  await dialog.getByLabel('What it is').fill('a joker');
  await desk.send('Record it and stop the Round');
  await desk.stands('Held for a ruling');
  const told = tidy(await matters.innerText());
  expect(told).toContain('Matter 1: Foreign card § 5.5, 5.5.1');
  expect(told).toContain('What it is a joker');
  expect(told).toContain('Not established: no bet is certain yet.');
  expect(told).toContain('Decides Pit Supervisor or above signs in on the spot');
  expect(await matters.getByRole('button').allInnerTexts()).toEqual([
    expect.stringContaining('Void the Round'),
    expect.stringContaining('It was a misreading'),
  ]);

  // The Dealer cannot rule alone, and nobody can without a reason.
  const press = () => dialog.getByRole('button', { name: /^Void the Round/ }).click();
  await matters.getByRole('button', { name: /^Void the Round/ }).click();
  await desk.sign('d-1');
  await press();
  await dialog.getByRole('alert').getByText('Pit Supervisor').waitFor();
  await desk.sign('sup-1', '');
  await press();
  await dialog.getByRole('alert').getByText('Still needed: Reason.').waitFor();
  expect(events(await house.entries('rws-1'), 'ruled')).toEqual([]);
  await desk.sign('sup-1', 'a joker of the blue set');
  await desk.send('Void the Round');

  await desk.says('Round 1: Void');
  await desk.says('$75 went back.');
  const [ruled] = events(await house.entries('rws-1'), 'ruled');
  expect(ruled).toMatchObject({ ruling: { ruling: 'void' }, cite: '5.5, 5.5.1', reason: 'a joker of the blue set' });
  expect(await desk.rows()).toEqual([
    { Box: '4', Patron: '7', Bet: 'Banker', 'Goes back': '$50' },
    { Box: '4', Patron: '7', Bet: 'Player Pair', 'Goes back': '$25' },
  ]);
  await one!.has(BOUGHT);
  await desk.shoe.getByText('These cards must be exchanged. Interpretation 23').waitFor();
  await desk.exchange('blue-2');
  await desk.shoe.getByText('Shoe 2').waitFor();
  await desk.step('Place your bets, please').waitFor();
});

test('other causes for a void, and what the rules leave open (5.5, 5.17)', async () => {
  const desk = await work('dh-1', 'da-hu-ying-xiong', 'C');
  const { dialog, matters } = desk;
  const [one] = await desk.patrons(7);
  const round = async (...cards: Card[]): Promise<void> => {
    await desk.next('Place your bets, please');
    await one!.bet(1, { banker: 5_000 });
    await desk.next('No more bets');
    await desk.deal(...cards);
  };
  await round('2s');
  await desk.report('Cards not shuffled');
  await desk.rule('Void the Round', 'sup-1');
  await desk.says('Round 1: Void');
  await desk.shoe.getByText('These cards must be exchanged. Interpretation 23').waitFor();
  await desk.exchange('blue-2');

  await round('2s');
  await desk.report('Cards missing or too many', () =>
    dialog.getByRole('textbox', { name: /^Missing.*type or scan a card$/ }).fill('Kh'),
  );
  await matters.getByRole('heading', { name: /Cards missing or too many$/ }).waitFor();
  expect(tidy(await matters.innerText())).toContain('Missing K♥ Too many –');
  await desk.rule('It was a misreading', 'sup-1');
  await desk.stands('Dealing');

  // A Pit Supervisor is not enough for what no paragraph provides for.
  await desk.report('Not covered by the rules', () => dialog.getByLabel('What happened').fill('a bird on the felt'));
  await matters.getByRole('button', { name: /^Continue/ }).click();
  await desk.sign('sup-1');
  await dialog.getByRole('button', { name: /^Continue/ }).click();
  await dialog.getByRole('alert').getByText('Table Games Shift Manager').waitFor();
  await desk.sign('shift-1');
  await desk.send('Continue');
  await desk.deal('4d', '6c', '4h');
  await desk.next('Confirm the result');
  await desk.agrees({ banker: 'Banker' });
  await one!.has(BOUGHT);

  // Paid already, and somebody says that a number of cards was wrong. It is counted, and was not.
  await desk.page.getByRole('button', { name: /^Something is wrong/ }).click();
  await dialog.getByRole('button', { name: begins('Wrong number of cards') }).click();
  await dialog.getByRole('button', { name: begins('Report it') }).click();
  await dialog.getByRole('alert').waitFor();
  await desk.page.keyboard.press('Escape');
  const ruled = events(await house.entries('dh-1'), 'ruled').map(({ ruling, cite }) => [ruling.ruling, cite]);
  expect(ruled).toEqual([
    ['void', '5.5, 5.5.5'],
    ['misread', 'interpretation 23'],
    ['continue', '5.17'],
  ]);
  await one!.has(BOUGHT);
});

test('cards too many during the deal open the next Round, unless they tell too much (5.8)', async () => {
  const desk = await work('ws-1', 'wu-song', 'C');
  const { page, dialog, matters } = desk;
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await desk.next('No more bets');
  await desk.deal('2s', '4d', '5c');
  await desk.report('Excess or exposed card', () => desk.cards('4h', '9s'));
  await desk.stands('Held for a ruling');
  const told = tidy(await matters.innerText());
  expect(told).toContain('Matter 1: Excess or exposed card § 5.8, 5.8.1');
  expect(told).toContain('Proposal 2♠ 4♦ 5♣ 4♥ · carried over 9♠');
  expect(told).toMatch(/Established: already certain are .*Player Pair/);
  await desk.rule('Reconstruct', 'sup-1');
  await desk.stands('Result to be confirmed');
  expect(await desk.lying('Banker')).toEqual(['4 of diamonds', '4 of hearts']);
  await page.getByRole('region', { name: 'Not placed' }).getByRole('img', { name: '9 of spades' }).waitFor();
  await desk.next('Confirm the result');
  await desk.agrees({ banker: 'Banker' });
  await one!.has(BOUGHT + 5_000);
  await desk.says(/^Carried over:\s*9♠\s*open the next Round$/);
  await desk.next('Place your bets, please');
  await page
    .getByRole('region', { name: /^Player Hand/ })
    .getByRole('img', { name: '9 of spades' })
    .waitFor();
  expect(events(await house.entries('ws-1'), 'bets-opened')[1]!.carried).toEqual(['9s']);

  // Three cards decide bets that nobody has placed yet: it is for the Shift Manager to say what becomes of them.
  await desk.next('No more bets');
  await desk.deal('2h', 'Kc', '3h');
  await desk.report('Excess or exposed card', () => desk.cards('9d', '3c', '9c'));
  await desk.rule('Reconstruct', 'sup-1');
  await desk.next('Confirm the result');
  await desk.step('Decide on carried cards').getByText('Table Games Shift Manager or above signs in for it').waitFor();
  await desk.next('Decide on carried cards');
  await dialog.getByRole('radio', { name: 'Discard them' }).check();
  await desk.sign('shift-1');
  await desk.send('Decide on carried cards');
  await desk.step('Place your bets, please').waitFor();
  expect(events(await house.entries('ws-1'), 'carried-cards-discarded')[0]!.cards).toEqual(['9d', '3c', '9c']);
});

test('a card that is not due: it stayed in the shoe, or it left it and stops the Round (5.7)', async () => {
  const desk = await work('rws-2', 'rws-baccarat');
  const drawn = async (): Promise<number> => events(await house.entries('rws-2'), 'card-drawn').length;
  await desk.next('Place your bets, please');
  await desk.next('No more bets');
  await desk.deal('2s', '4d', '5c', '4h');
  await desk.stands('Result to be confirmed');
  await desk.scan('3h');
  await desk.dialog.getByRole('heading', { name: 'A card that is not due' }).waitFor();
  await desk.send('It stayed in the shoe');
  expect(await drawn()).toBe(4);
  // One that is keyed is asked about as well.
  await desk.page.keyboard.type('3h', { delay: 60 });
  await desk.page.keyboard.press('Enter');
  await desk.send('It stayed in the shoe');
  expect(await drawn()).toBe(4);
  await desk.scan('3h');
  await desk.send('It left the shoe');
  await desk.stands('Held for a ruling');
  expect(await drawn()).toBe(5);
  await desk.rule('Reconstruct', 'sup-1');
  await desk.next('Confirm the result');
  await desk.says(/^Carried over:\s*3♥/);
});

test('a card shown early: while nothing is established the patrons choose (5.7.1, 5.12)', async () => {
  const desk = await work('dh-2', 'da-hu-ying-xiong', 'D');
  const { page } = desk;
  const [one, two] = await desk.patrons(7, 8);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000, tiger: 1_000 });
  await two!.bet(2, { player: 3_000 });
  await desk.next('No more bets');
  await desk.deal('2h', '9c');
  await desk.report('Excess or exposed card', () => desk.cards('Ad'));
  await desk.matters.getByText('no bet is certain yet.').waitFor();
  await desk.rule('Reconstruct', 'sup-1');
  await desk.stands('Patrons choose');
  const choices = page.getByRole('region', { name: 'Continue, or take the bets back?' });
  const answers = async (): Promise<string[]> => (await choices.getByRole('listitem').allInnerTexts()).map(tidy);
  await choices.getByText('0 of 2 have answered').waitFor();
  expect(await answers()).toEqual(['Patron 7 $60 Continues Takes back', 'Patron 8 $30 Continues Takes back']);
  // Each at their own terminal: the Dealer does not choose for them (interpretation 42).
  await one!.choose('take-back');
  await choices.getByText('1 of 2 have answered').waitFor();
  expect((await answers())[0]).toMatch(/^Patron 7 .*takes back$/);
  await one!.has(BOUGHT);
  const eight = choices.getByRole('listitem').filter({ hasText: 'Patron 8' });
  expect(await eight.getByRole('button', { name: 'Continues' }).isDisabled()).toBe(true);
  await two!.choose('continue');
  await desk.stands('Dealing');
  const chosen = (await house.entries('dh-2')).filter(({ order }) => order.command.do === 'choose');
  expect(chosen.map(({ order }) => order.by.as)).toEqual(['patron', 'patron']);
  await desk.deal('7s', '5h');
  await desk.next('Confirm the result');
  await desk.agrees({ player: 'Player' });
  await two!.has(BOUGHT + 3_000);
});

test('a squeeze is granted, and a card comes face up where all are dealt face down (3.9, 5.10)', async () => {
  const desk = await work('ws-2', 'wu-song', 'D', { faces: 'down' });
  const { page, dialog } = desk;
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(1, { player: 5_000 });
  await desk.next('No more bets');
  await one!.line.until(({ phase }) => phase === 'dealing');
  await one!.line.must({ do: 'ask-squeeze', patron: 7, card: 3 });
  const squeeze = page.getByRole('status').filter({ hasText: 'Patron 7 asks to squeeze card 3' });
  await squeeze.getByRole('button', { name: 'Grant' }).click();
  await squeeze.waitFor({ state: 'hidden' });
  await one!.line.until(({ own }) => own!.squeezes.includes(3));
  await desk.deal('2s', '4d');
  await page.keyboard.press('!');
  await dialog.getByRole('button', { name: begins('Dealt face up § 5.10') }).click();
  await desk.send('Report it');
  await desk.stands('Patrons choose');
  await one!.choose('continue');
  await desk.deal('5c', '4h');
  await desk.next('Turn the cards over');
  await desk.next('Confirm the result');
  await desk.agrees({ player: 'Player' });
  await one!.has(BOUGHT - 5_000);
});

test('cards drawn together: a Pit Supervisor says which was first, and has the shoe replaced (5.11)', async () => {
  const desk = await work('ws-3', 'wu-song', 'F');
  const { dialog, matters } = desk;
  const [one, two] = await desk.patrons(7, 8);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await two!.bet(2, { player: 4_000 });
  await desk.next('No more bets');
  await desk.deal('2s', '4d');
  await desk.report('Cards drawn together', () => desk.cards('3c', 'Kh'));
  await matters.getByText('§ 5.11, 5.11.1, 5.11.2').waitFor();
  expect(await matters.getByRole('button').allInnerTexts()).toEqual([expect.stringContaining('Fix the order')]);
  await desk.rule('Fix the order', 'sup-1', async () => {
    // Of the cards that lay there before, the order is known.
    expect(await dialog.getByRole('button', { name: /change places$/ }).count()).toBe(1);
    await dialog.getByRole('button', { name: 'Let 3♣ and K♥ change places' }).click();
    await dialog.getByLabel('Have the cards in the shoe replaced').check();
  });
  await desk.stands('Patrons choose');
  await one!.choose('continue');
  await two!.choose('take-back');
  await desk.exchange('blue-2');
  expect(await desk.lying('Player')).toEqual(['2 of spades', 'King of hearts']);
  await desk.deal('9s');
  await desk.next('Confirm the result');
  await desk.agrees({ banker: 'Banker' });
  const entries = await house.entries('ws-3');
  expect(events(entries, 'cards-ordered').at(-1)!.order).toEqual(['2s', '4d', 'Kh', '3c']);
  expect(events(entries, 'shoe-loaded').map(({ card_set }) => card_set)).toEqual(['red-4', 'blue-2']);
  await one!.has(BOUGHT + 2_500);
  await two!.has(BOUGHT);
});

test('a card that cannot be read, one on the wrong side, and Hands that stay as they lie (5.9)', async () => {
  const desk = await work('ws-4', 'wu-song', 'C');
  const { page, matters } = desk;
  const [one, two] = await desk.patrons(7, 8);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await desk.next('No more bets');
  await desk.deal('2s');
  await page.keyboard.press('u');
  await desk.stands('Card not read');
  await page.getByRole('heading', { name: 'Which card is it?' }).waitFor();
  await desk.deal('4d');
  await desk.stands('Dealing');
  expect(events(await house.entries('ws-4'), 'card-read').map(({ card }) => card)).toEqual(['4d']);
  // The third card belongs to the Player and was put with the Banker.
  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'It was put with Banker', pressed: true }).waitFor();
  await page.keyboard.type('5c');
  await page.keyboard.press('Enter');
  await desk.stands('Held for a ruling');
  const told = tidy(await matters.innerText());
  expect(told).toContain('Matter 1: Card on the wrong side § 5.9, 5.9.1, 5.9.2');
  expect(told).toContain('The Hands as they lie Player: 2♠ · Banker: 4♦ 5♣');
  await desk.rule('Reconstruct', 'sup-1');
  await desk.stands('Dealing');
  expect(await desk.lying('Player')).toEqual(['2 of spades', '5 of clubs']);
  await desk.deal('4h');
  await desk.next('Confirm the result');
  await desk.agrees({ banker: 'Banker' });
  await one!.has(BOUGHT + 5_000);

  // All four on the other side, and nobody knows in which order they came: they stay, and the patrons are asked.
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await two!.bet(2, { player: 4_000 });
  await desk.next('No more bets');
  await desk.deal('2c', '3h', '5s', '6d');
  await desk.report('Card on the wrong side', async () => {
    for (const move of ['2♣ to Banker', '5♠ to Banker', '3♥ to Player', '6♦ to Player'])
      await desk.dialog.getByRole('button', { name: `Move ${move}` }).click();
  });
  await desk.rule('Leave as they lie', 'sup-1');
  await desk.stands('Patrons choose');
  await one!.choose('take-back');
  await two!.choose('continue');
  await desk.next('Confirm the result');
  await desk.says('Round 2: Player wins');
  await desk.agrees({ player: 'Player' });
  await one!.has(BOUGHT + 5_000);
  await two!.has(BOUGHT + 4_000);
});

test('a wrong result is corrected to the cards after it was paid; later it stands (5.6, 5.12, 5.15)', async () => {
  const desk = await work('ws-5', 'wu-song', 'C');
  const { dialog } = desk;
  const [one, two] = await desk.patrons(7, 8);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await two!.bet(2, { player: 5_000 });
  await desk.next('No more bets');
  await desk.deal('2s', '4d', '6c', '4h');
  await desk.next('Confirm the result');
  await desk.says('Round 1: Tie');
  await one!.line.must({ do: 'cash-out', patron: 7 });
  await desk.report('Wrong result', async () => {
    expect(await dialog.getByLabel('Round').inputValue()).toBe('1');
    await dialog.getByLabel('What happened').fill('the third card is a seven');
  });
  await desk.rule('Correct to the cards', 'sup-1', async () => {
    await dialog.getByRole('button', { name: 'Remove 4 of hearts' }).click();
    await dialog.getByRole('button', { name: 'Remove 6 of clubs' }).click();
    await desk.cards('7c', '4h');
  });
  await desk.says('Round 1: Player wins');
  const [corrected] = events(await house.entries('ws-5'), 'round-corrected');
  expect(corrected!.result.cards).toEqual(['2s', '4d', '7c', '4h']);
  const book = tidy(await desk.book.innerText());
  expect(book).toContain('Corrected to the cards § 5.15');
  expect(book).toContain('Patron 7 still owes $50');
  expect(book).toContain('Patron 8 is paid $50');
  expect((await desk.rows()).map((row) => row['To patron'])).toEqual(['$0', '$100']);
  await one!.has(0);
  await two!.has(BOUGHT + 5_000);
  await desk.turnTo('Rounds');
  await desk.book.getByText('corrected').waitFor();
  expect(tidy(await desk.book.innerText())).toMatch(/2♠ 7♣ 9 4♦ 4♥ 8 Player · corrected/);

  await desk.next('Place your bets, please');
  await desk.next('No more bets');
  await desk.report('Noticed too late', async () => {
    expect(await dialog.getByLabel('Round').inputValue()).toBe('1');
    await dialog.getByLabel('What happened').fill('it was a six after all');
  });
  await desk.stands('Dealing');
  const late = events(await house.entries('ws-5'), 'ruled').at(-1);
  expect(late).toMatchObject({ ruling: { ruling: 'stand' }, cite: '5.6, 5.12' });
});

test('the audit of all this finds nothing', async () => {
  await house.stop('SIGKILL');
  expect(house.audit()).toBe('');
});
