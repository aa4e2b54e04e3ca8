// A Game Console in a real browser, and whoever works at it: what they see there, and what they do about it.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { NAMES, type Language } from '../src/lib/language.svelte';
import type { BetId, Card, BoxNo, PatronNo, Role, Settings, SettledLine } from '../src/lib/wire';
import { accessible, type Eyes, fits, picture, SIZES, speaks } from './eyes';
import { type House, PEOPLE, type Who } from './house';
import { dollars, events } from './ledger';
import { Patron } from './patron';

const SUITS: Record<string, string> = { s: 'spades', h: 'hearts', d: 'diamonds', c: 'clubs' };
const RANKS: Record<string, string> = { A: 'Ace', T: '10', J: 'Jack', Q: 'Queen', K: 'King' };
const MARKS = { won: '+', lost: '−', returned: '=' } as const;

/** A name that begins so; what follows are keys and explanations. */
export const begins = (name: string): RegExp => new RegExp(`^${name.replace(/[.*+?()[\]$]/g, '\\$&')}`);
export const named = (card: Card): string => `${RANKS[card[0]!] ?? card[0]} of ${SUITS[card[1]!]}`;
export const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();
const short = (cents: number): string => dollars(cents).replace('.00', '');

/** Roles that work at a console. */
const FLOOR: readonly Role[] = ['dealer', 'pit-supervisor', 'shift-manager'];

/** What is filled in before a form is sent. */
type Fill = () => Promise<unknown>;
const NOTHING: Fill = async () => null;

export class Desk {
  private constructor(
    readonly house: House,
    readonly page: Page,
    readonly table: string,
  ) {}

  /** A table, without a burn unless it is asked for, and its console with nobody signed in. */
  static async open(
    house: House,
    eyes: Eyes,
    table: string,
    game: string,
    layout = 'A',
    more: Partial<Settings> = {},
  ): Promise<Desk> {
    await house.table(table, game, layout, { burn: { fixed: 0 }, ...more });
    return new Desk(house, await eyes.look(await house.screen('console', table)), table);
  }

  /** A console that is open already. */
  static at(house: House, page: Page, table: string): Desk {
    return new Desk(house, page, table);
  }

  /** Patrons come, one after the other: the cage sells to one at a time. */
  /** By number; with a box where their terminal stands at one. */
  async patrons(...numbers: (PatronNo | [PatronNo, BoxNo])[]): Promise<Patron[]> {
    const all: Patron[] = [];
    for (const it of numbers) {
      const [no, box] = Array.isArray(it) ? it : [it];
      all.push(await Patron.arrive(this.house, this.table, no, box));
    }
    return all;
  }

  // What is seen.

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  get felt(): Locator {
    return this.page.getByRole('region', { name: 'Cards on the felt' });
  }

  get matters(): Locator {
    return this.page.getByRole('region', { name: 'Matters to be ruled' });
  }

  get shoe(): Locator {
    return this.page.getByRole('region', { name: 'Shoe and float' });
  }

  /** The page of the books that is open. */
  get book(): Locator {
    return this.page.getByRole('tabpanel');
  }

  step(name: string): Locator {
    return this.page.getByRole('button', { name: new RegExp(`${begins(name).source}\\s*⏎`), disabled: false });
  }

  /** The table stands so, as the head of the screen says. */
  async stands(phase: string): Promise<void> {
    await this.page.getByRole('banner').getByText(phase, { exact: true }).waitFor();
  }

  async says(words: string | RegExp): Promise<void> {
    await this.page.getByText(words).first().waitFor();
  }

  /** Cards that lie with a Hand. */
  lying(side: 'Player' | 'Banker'): Promise<(string | null)[]> {
    const cards = this.page.getByRole('region', { name: begins(`${side} Hand`) }).getByRole('img');
    return cards.evaluateAll((all) => all.map((card) => card.getAttribute('aria-label')));
  }

  /** The rows of the list in the books, by the heads of its columns. */
  async rows(): Promise<Record<string, string>[]> {
    const table = this.book.getByRole('table');
    await table.waitFor();
    return table.evaluate((it: HTMLTableElement) => {
      const heads = [...it.tHead!.rows[0]!.cells].map((cell) => cell.innerText.trim());
      return [...it.tBodies[0]!.rows].map((row) =>
        Object.fromEntries([...row.cells].map((cell, at) => [heads[at], cell.innerText.replace(/\s+/g, ' ').trim()])),
      );
    });
  }

  /** The settlement on the screen is that of the ledger: line by line, in the order of the boxes, to the cent. */
  async agrees(bets: Record<BetId, string>): Promise<SettledLine[]> {
    await this.stands('Between Rounds');
    const { lines } = events(await this.house.entries(this.table), 'round-settled').at(-1)!;
    const boxes = lines.map(({ box }) => box ?? 0);
    expect(boxes).toEqual(boxes.toSorted((a, b) => a - b));
    const takes = lines.some(({ commission }) => commission > 0);
    const or = (cents: number): string => (cents > 0 ? short(cents) : '–');
    const plays = ({ stake, playing }: SettledLine): string => (playing === stake ? '' : ` plays ${short(playing)}`);
    const expected = lines.map((line) => ({
      Box: `${line.box ?? '–'}`,
      Patron: `${line.patron}`,
      Bet: bets[line.bet],
      Stake: short(line.stake) + plays(line),
      Result: tidy(`${MARKS[line.verdict]} ${line.verdict} ${line.pays ?? ''}`),
      Winnings: or(line.winnings),
      ...(takes ? { Commission: or(line.commission) } : {}),
      'To patron': short(line.to_patron),
    }));
    await expect.poll(() => this.rows()).toEqual(expected);
    return lines;
  }

  // What is done.

  async signIn(person: Who): Promise<void> {
    await this.page.getByLabel('Staff number').fill(person);
    await this.page.getByLabel('Password').fill(this.house.password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    // Whoever works at tables is told what was done to their account.
    if (FLOOR.includes(PEOPLE[person])) await this.page.getByRole('button', { name: 'Continue' }).click();
  }

  /** The Dealer comes and brings a shoe. */
  async begin(): Promise<void> {
    await this.signIn('d-1');
    await this.next('Load a shoe');
    await this.cardSet('red-4', 'd-1');
    await this.send('Load a shoe');
  }

  /** A press that comes at once is taken for a second one of the step before. */
  async soon(step: string): Promise<void> {
    await this.step(step).waitFor();
    await this.page.waitForTimeout(300);
  }

  /** The next step is this one, and is done. */
  async next(step: string): Promise<void> {
    await this.soon(step);
    await this.step(step).click();
  }

  /** Nothing is on its way any more. */
  async settles(): Promise<void> {
    await this.page.getByRole('button', { name: /^Something is wrong/, disabled: false }).waitFor();
  }

  async deal(...cards: Card[]): Promise<void> {
    await this.page.getByRole('region', { name: 'The card' }).waitFor();
    for (const card of cards) {
      await this.settles();
      // The same card may lie there already.
      const alike = this.felt.getByRole('img', { name: named(card) });
      const before = await alike.count();
      await this.page.keyboard.type(card);
      await this.page.keyboard.press('Enter');
      await alike.nth(before).waitFor();
    }
    await this.settles();
  }

  /** A card scanner is a quick typist: eight milliseconds from key to key by the keyboard's own clock, and then Enter. */
  async scan(text: string): Promise<void> {
    await this.strokes([...text, 'Enter'], Date.now());
  }

  /** Keys of a scanner that began at a moment, the first of them so many keys later; the page may have been busy meanwhile. */
  async strokes(keys: string[], begun: number, from = 0): Promise<void> {
    const wire = await this.page.context().newCDPSession(this.page);
    for (const [at, key] of keys.entries()) {
      const enter = key === 'Enter' ? { windowsVirtualKeyCode: 13 } : {};
      const stroke = { key, timestamp: (begun + (from + at) * 8) / 1000, ...enter };
      await wire.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key === 'Enter' ? '\r' : key, ...stroke });
      await wire.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke });
    }
    await wire.detach();
  }

  /** Scans, so many milliseconds from the end of one to the beginning of the next: nobody waits for the page. */
  async scanAll(texts: string[], apart: number): Promise<void> {
    const wire = await this.page.context().newCDPSession(this.page);
    const begun = Date.now();
    const strokes = texts.flatMap((text, scan) =>
      [...text, 'Enter'].map((key, at) => ({ key, due: begun + scan * (apart + 16) + at * 8 })),
    );
    const sent: Promise<unknown>[] = [];
    for (const { key, due } of strokes) {
      await new Promise((later) => setTimeout(later, due - Date.now()));
      const enter = key === 'Enter' ? { windowsVirtualKeyCode: 13 } : {};
      const stroke = { key, text: key === 'Enter' ? '\r' : key, timestamp: due / 1000, ...enter };
      sent.push(wire.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke }));
    }
    await Promise.all(sent);
    await wire.detach();
  }

  /** A finger. */
  async touch(it: Locator): Promise<void> {
    const { x, y, width, height } = (await it.boundingBox())!;
    const wire = await this.page.context().newCDPSession(this.page);
    await wire.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await wire.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await wire.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await wire.detach();
  }

  async turnTo(page: 'Wagers' | 'Settlement' | 'Rounds' | 'Log'): Promise<void> {
    await this.page.getByRole('tab', { name: begins(page) }).click();
  }

  // Forms.

  /** Sends a form; it goes away when it was carried out. */
  async send(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name: begins(name) }).click();
    await this.dialog.waitFor({ state: 'hidden' });
  }

  async cardSet(set: string, shuffledBy: string): Promise<void> {
    await this.dialog.getByLabel('Card set').fill(set);
    await this.dialog.getByLabel('Shuffled by').fill(shuffledBy);
  }

  async exchange(set: string): Promise<void> {
    await this.next('Exchange the shoe');
    await this.cardSet(set, 'shuffler-1');
    await this.dialog.getByLabel('Reason').fill('by the rules');
    await this.send('Exchange the shoe');
  }

  async cards(...cards: Card[]): Promise<void> {
    await this.dialog.getByRole('textbox', { name: /type or scan a card$/ }).fill(cards.join(''));
  }

  /** Something is wrong: this, with what is known about it. */
  async report(kind: string, fill = NOTHING): Promise<void> {
    await this.page.getByRole('button', { name: /^Something is wrong/ }).click();
    await this.dialog.getByRole('button', { name: begins(kind) }).click();
    await this.dialog.getByRole('heading', { name: kind }).waitFor();
    await fill();
    await this.send('Report it');
  }

  /** Whoever decides gives a reason, and their own password. */
  async sign(person: Who, reason = 'as it was seen'): Promise<void> {
    const why = this.dialog.getByLabel('Reason');
    if ((await why.count()) > 0) await why.fill(reason);
    await this.dialog.getByLabel('Staff number').fill(person);
    await this.dialog.getByLabel('Password', { exact: true }).fill(this.house.password);
    // After a result was shown somebody else agrees.
    const second = this.dialog.getByLabel('Second person');
    if ((await second.count()) === 0) return;
    await second.fill(person === 'shift-1' ? 'sup-1' : 'shift-1');
    await this.dialog.getByLabel('Their password').fill(this.house.password);
  }

  /** A Pit Supervisor and the Dealer sign for the cards that are out (interpretation 31). */
  async signTogether(person: Who, dealer: Who): Promise<void> {
    await this.sign(person);
    await this.dialog.getByLabel('Second person').fill(dealer);
    await this.dialog.getByLabel('Their password').fill(this.house.password);
  }

  async rule(ruling: string, by: Who, fill = NOTHING): Promise<void> {
    await this.matters.getByRole('button', { name: begins(ruling) }).click();
    await fill();
    await this.sign(by);
    await this.send(ruling);
  }

  // For everybody.

  /** Nothing is cut off but what may be shortened with dots: it says in full what it is to whoever points at it. */
  async fits(): Promise<void> {
    await fits(this.page, 'never', '[title]');
  }

  /** Everything that is pressed is large enough for a finger. */
  async isLarge(): Promise<void> {
    const small = await this.page.evaluate(() => {
      const within = document.querySelector('dialog[open]') ?? document;
      const all = [...within.querySelectorAll<HTMLElement>('button, input, textarea, summary')];
      return all
        .filter((it) => it.checkVisibility())
        .map((it) => it.closest('label')?.getBoundingClientRect() ?? it.getBoundingClientRect())
        .filter(({ width, height }) => Math.min(width, height) < 47.5)
        .map(({ width, height }) => `${width}×${height}`);
    });
    expect(small).toEqual([]);
  }

  /**
   * Everybody can read this state of the screen, which `key` brings about: in every language, whoever they are. A large desk
   * has more room; one look at it is enough.
   */
  async everybody(state: string, names: string[], key?: string): Promise<void> {
    for (const language of ['zh-Hant', 'zh-Hans', 'en'] as Language[]) {
      await this.page.getByRole('button', { name: NAMES[language] }).click();
      if (key) await this.page.keyboard.press(key);
      if (key) await this.dialog.waitFor();
      await speaks(this.page, language, [this.table, 'Esc', ...names]);
      await this.fits();
      await this.isLarge();
      await picture(this.page, `console-${state}-${language}`);
      if (language === 'en') {
        await accessible(this.page);
        await this.page.setViewportSize(SIZES.full);
        await this.fits();
        await picture(this.page, `console-${state}-full`);
        await this.page.setViewportSize(SIZES.small);
      }
      if (key) await this.page.keyboard.press('Escape');
      if (key) await this.dialog.waitFor({ state: 'hidden' });
    }
  }
}
