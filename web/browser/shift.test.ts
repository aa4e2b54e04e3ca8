// A shift at the console in a real browser: float, posts, disputes, counting, closing; a screen that is loaded anew and has
// lost nothing; cards that run out or are too many.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { Card } from '../src/lib/wire';
import { begins, Desk } from './desk';
import { accessible, Eyes } from './eyes';
import { House } from './house';
import { events } from './ledger';
import { BOUGHT } from './patron';

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

/** An order from the menu, with its form filled in. */
async function order(desk: Desk, name: string, fill: () => Promise<unknown> = async () => null): Promise<void> {
  await desk.settles();
  await desk.page.keyboard.press('m');
  await desk.dialog.getByRole('heading', { name: 'Orders' }).waitFor();
  await desk.dialog.getByRole('button', { name: begins(name) }).click();
  await desk.dialog.getByRole('heading', { name }).waitFor();
  await fill();
  await desk.send(name);
}

test('a shift at a table of chips: from the float to the closing', async () => {
  const desk = await Desk.open(house, eyes, 'shift-1', 'rws-baccarat', 'A', { money: 'chips', limits: 'observed' });
  const { page, dialog, book, shoe } = desk;
  await desk.begin();
  await desk.next('Open the float');
  await dialog.getByLabel('Amount').fill('10000');
  await desk.sign('sup-1');
  await desk.send('Open the float');
  await order(desk, 'Start a shift', async () => {
    await dialog.getByLabel('Name of the shift').fill('night');
    await desk.sign('shift-1');
  });
  await order(desk, 'Take a post', () => dialog.getByRole('radio', { name: 'Dealer' }).check());

  // A side bet over its maximum is shown as long as it lies there.
  await desk.next('Place your bets, please');
  const chips = async (bet: string, stake: string): Promise<void> => {
    await desk.settles();
    await page.keyboard.press('b');
    await dialog.getByLabel('Patron', { exact: true }).fill('7');
    await dialog.getByRole('radio', { name: '2', exact: true }).check();
    await dialog.getByRole('radio', { name: bet, exact: true }).check();
    await dialog.getByLabel('Stake').fill(stake);
    await desk.send('Record chips');
  };
  await chips('Banker', '100');
  await chips('Banker Pair', '800');
  await desk.says('Box 2: Patron 7 Banker Pair: outside $5 to $500');
  await book.getByText('outside $5 to $500').waitFor();
  await accessible(page);
  await chips('Banker Pair', '50');
  await book.getByText('outside $5 to $500').waitFor({ state: 'hidden' });
  await desk.next('No more bets');
  await desk.deal('2s', '4d', '6c', '5h');
  await desk.next('Confirm the result');
  await desk.stands('Between Rounds');

  // Somebody disputes it. A screen that is loaded anew knows all that is open.
  await order(desk, 'Open a dispute', async () => {
    await dialog.getByLabel('What happened').fill('says it was eight');
    await dialog.getByLabel('Patron').fill('7');
    await dialog.getByLabel('Round').fill('1');
  });
  await shoe.getByText('1 open dispute · Dispute 1: says it was eight').waitFor();
  await page.reload();
  await desk.stands('Between Rounds');
  await shoe.getByText('1 open dispute · Dispute 1: says it was eight').waitFor();
  await shoe.getByText('Shift: night').waitFor();
  await shoe.getByText('Posts: d-1 (Dealer)').waitFor();
  await order(desk, 'Bundle the record for a dispute', async () => {
    await dialog.getByRole('radio', { name: '1: says it was eight' }).check();
    await dialog.getByLabel('Fingerprint of the bundle').fill('ab'.repeat(32));
    await desk.sign('sup-1');
  });
  // It was raised in time: bets open when a Pit Supervisor has seen it.
  await order(desk, 'See a dispute', async () => {
    await dialog.getByRole('radio', { name: '1: says it was eight' }).check();
    await desk.sign('sup-1');
  });

  // Noticed after the next Round has begun: the Shift Manager decides, and money takes two.
  await desk.next('Place your bets, please');
  await desk.next('No more bets');
  await desk.deal('2c', '4c', '6s', '5d');
  await desk.report('Wrong result', async () => {
    await dialog.getByLabel('Round').fill('1');
    await dialog.getByLabel('What happened').fill('the last card was a four');
  });
  await desk.next('Confirm the result');
  await page.getByRole('button', { name: /1 matter/ }).click();
  await desk.matters.getByText('Table Games Shift Manager').waitFor();
  await desk.rule('Adjust', 'shift-1', async () => {
    const ruled = dialog.getByRole('textbox', { name: /^The cards as ruled.* type or scan a card$/ });
    await ruled.fill('2s4d6c4h');
    await dialog.getByLabel('Second person').fill('sup-1');
    await dialog.getByLabel('Their password').fill(house.password);
  });
  const [adjusted] = events(await house.entries('shift-1'), 'adjusted');
  // $100 on Banker won and $50 on the pair lost; by the cards it is a Tie, and the pair wins $550.
  expect(adjusted).toMatchObject({ round: 1, adjustments: [{ patron: 7, owed: 'to-patron', amount: 50_000 }] });
  expect(events(await house.entries('shift-1'), 'ruled').at(-1)).toMatchObject({ second: 'sup-1' });
  await order(desk, 'Close a dispute', async () => {
    await dialog.getByRole('radio', { name: '1: says it was eight' }).check();
    await dialog.getByLabel('What happened').fill('agreed, and put right');
    await desk.sign('shift-1');
  });
  await shoe.getByText('open dispute').waitFor({ state: 'hidden' });

  // Closing: announced, the shoe retired and counted, the float counted, the table closed.
  await order(desk, 'Announce closing', () => desk.sign('sup-1'));
  await desk.next('Place your bets, please');
  await desk.next('No more bets');
  await desk.deal('3c', '4s', '6h', '5s');
  await desk.next('Confirm the result');
  await desk.next('Retire the shoe');
  await dialog.getByLabel('Reason').fill('closing');
  await desk.send('Retire the shoe');
  await order(desk, 'Count a retired shoe', async () => {
    await dialog.getByRole('radio', { name: '1', exact: true }).check();
    const left = dialog.getByRole('textbox', { name: /^Left in the shoe.* type or scan a card$/ });
    // All that did not come out, but for one.
    const out = ['2s', '4d', '6c', '5h', '2c', '4c', '6s', '5d', '3c', '4s', '6h', '5s'];
    const all = [...'A23456789TJQK'].flatMap((rank) => [...'shdc'].map((suit) => rank + suit));
    const rest = all.flatMap((card) => Array<Card>(8 - out.filter((it) => it === card).length).fill(card));
    await left.fill(rest.slice(1).join(''));
    await desk.sign('sup-1');
  });
  const [counted] = events(await house.entries('shift-1'), 'shoe-reconciled');
  expect(counted).toMatchObject({ shoe: 1, missing: { As: 1 }, extra: {} });
  await desk.next('Close the float');
  await dialog.getByLabel('Chips counted').fill('9800');
  await desk.sign('sup-1');
  await desk.send('Close the float');
  await desk.next('Close the table');
  await desk.sign('sup-1');
  await desk.send('Close the table');
  await desk.stands('Table closed');
}, 90_000);

test('a console that is loaded anew in mid-Round knows who has not chosen and who would like to squeeze', async () => {
  const desk = await Desk.open(house, eyes, 'again-1', 'wu-song', 'A', { faces: 'down' });
  const { page } = desk;
  await desk.begin();
  const [one, two, three] = await desk.patrons(7, 8, 9);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await two!.bet(2, { player: 5_000 });
  await three!.bet(3, { player: 4_000 });
  await desk.next('No more bets');
  await desk.stands('Dealing');
  await one!.line.must({ do: 'ask-squeeze', patron: 7, card: 2 }, one!.line.view.round);
  await page.reload();
  await desk.says('Patron 7 asks to squeeze card 2');
  await page.getByRole('button', { name: 'Grant' }).click();
  await desk.says('Player’s first card');
  await desk.deal('2s', '4d');
  await desk.report('Other dealing error', () => desk.dialog.getByLabel('What happened').fill('a card fell'));
  await desk.rule('Continue', 'sup-1');
  await desk.stands('Patrons choose');
  await one!.choose('continue');
  await two!.choose('take-back');
  await page.reload();
  await desk.stands('Patrons choose');
  const choices = page.getByRole('region', { name: 'Continue, or take the bets back?' });
  // Who took back before this screen was there has no bets any more; a late frame may still have told it.
  await choices.getByText(/^(1 of 2|2 of 3) have answered$/).waitFor();
  const waits = choices.getByRole('listitem').filter({ has: page.getByRole('button') });
  expect(await waits.count()).toBe(1);
  await waits.getByText('Patron 9').waitFor();
  await three!.choose('continue');
  await desk.stands('Dealing');
  await two!.has(BOUGHT);
});

test('a card comes more often than it can; the last card of the shoe comes too early (5.5.2, 5.5.4)', async () => {
  const table = 'last-1';
  const desk = await Desk.open(house, eyes, table, 'wu-song', 'A', { decks: 4, cut_card: 1 });
  await desk.begin();
  const [one] = await desk.patrons(7);
  await desk.next('Place your bets, please');
  await one!.bet(1, { banker: 5_000 });
  await desk.next('No more bets');
  await desk.deal('2s', '2s', '2s', '2s');
  await desk.page.keyboard.type('2s');
  await desk.page.keyboard.press('Enter');
  await desk.stands('Held for a ruling');
  await desk.matters.getByRole('heading', { name: 'Matter 1: Cards missing or too many' }).waitFor();
  await desk.rule('It was a misreading', 'sup-1', () => desk.cards('7d'));
  await desk.stands('Dealing');
  expect(await desk.lying('Player')).toEqual(['2 of spades', '2 of spades', '7 of diamonds']);
  await desk.deal('9h');
  await desk.next('Confirm the result');
  await desk.stands('Between Rounds');

  // Somebody else deals the whole shoe but for cards that count nothing, and Rounds of those need six each.
  const dealer = await house.staff('d-1', table, 'console');
  const out = ['2s', '2s', '2s', '2s', '7d', '9h'];
  const all = [...'A23456789TJQK'].flatMap((rank) => [...'shdc'].flatMap((suit) => Array<Card>(4).fill(rank + suit)));
  for (const card of out) all.splice(all.indexOf(card), 1);
  const isNought = (card: Card): boolean => 'TJQK'.includes(card[0]!);
  const isNine = (card: Card): boolean => card === '9s' || card === '9d';
  const nines = all.filter(isNine);
  const others = all.filter((card) => !isNought(card) && !isNine(card));
  const noughts = all.filter(isNought);
  const round = async (take: () => Card): Promise<void> => {
    const must = async (...order: Parameters<typeof dealer.must>): Promise<void> => {
      const seq = await dealer.must(...order);
      // A terminal is told at once, staff ten times a second.
      await one!.line.until((view) => view.seq >= seq);
    };
    await must({ do: 'open-bets' });
    await must({ do: 'close-bets' });
    while (one!.line.view.phase === 'dealing') await must({ do: 'draw-card', card: take(), source: 'keyed' });
    await must({ do: 'confirm-result' });
  };
  while (others.length > 0) await round(() => others.shift() ?? noughts.shift()!);
  // Four or five must be left in the end: nines make naturals, with two noughts or without.
  const withTwo = [4, 4, 2, 2, 0, 0][noughts.length % 6]!;
  for (let n = 0; nines.length > 0; n += 1) {
    const natural = n < withTwo ? [nines.pop()!, noughts.pop()!, noughts.pop()!, nines.pop()!] : nines.splice(0, 4);
    await round(() => natural.shift()!);
  }
  while (noughts.length > 5) await round(() => noughts.shift()!);
  dealer.close();

  await desk.shoe.getByText(`${noughts.length} of 208 cards left`).waitFor();
  await one!.has(BOUGHT + 5_000);
  await desk.next('Place your bets, please');
  await one!.bet(1, { tie: 5_000 });
  await desk.next('No more bets');
  await desk.deal(...noughts.slice(0, -1));
  await desk.page.keyboard.type(noughts.at(-1)!);
  await desk.page.keyboard.press('Enter');
  await desk.stands('Between Rounds');
  await desk.says('Shoe exhausted');
  const voided = events(await house.entries(table), 'round-voided').at(-1);
  expect(voided).toMatchObject({ kind: 'shoe-exhausted', cite: '5.5, 5.5.4' });
  await one!.has(BOUGHT + 5_000);
  await desk.exchange('blue-5');
  await desk.next('Place your bets, please');
}, 60_000);

test('the audit of all this finds nothing', async () => {
  await house.stop('SIGKILL');
  expect(house.audit()).toBe('');
});
