// A real browser, looking at one screen after another.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect } from 'vitest';

export { speaks } from './speaks';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing but one plain font: what screens show comes from the fonts that they bring. */
const FONTS = resolve(import.meta.dirname, 'fonts.conf');

/** Sizes that must work: a terminal landscape and portrait, small and old ones, a phone. */
export const SIZES = {
  full: { width: 1920, height: 1080 },
  tall: { width: 1080, height: 1920 },
  small: { width: 1366, height: 768 },
  old: { width: 1024, height: 768 },
  tablet: { width: 768, height: 1024 },
  low: { width: 960, height: 540 },
  phone: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof SIZES;

/** Sizes of pages that people read by themselves: on a telephone, a tablet, a small and a large desk. */
export const PAGE_SIZES = {
  phone: SIZES.phone,
  tablet: SIZES.tablet,
  flat: { width: 1024, height: 600 },
  full: SIZES.full,
} as const;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export class Eyes {
  /** What the browser's console said that it should not have. */
  readonly complaints: string[] = [];
  #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<Eyes> {
    const executablePath = process.env.CHROMIUM ?? CHROMIUM.find(existsSync);
    if (!executablePath) throw new Error('there is no chromium; install it, or say where it is in CHROMIUM');
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ];
    return new Eyes(await chromium.launch({ executablePath, args, env: { ...process.env, FONTCONFIG_FILE: FONTS } }));
  }

  /** A screen: a tab of its own, in a browser that knows nothing yet. */
  async look(address: string, size: Size = 'small', language = 'en'): Promise<Page> {
    const page = await this.blank(language, size);
    await this.show(page, address, language);
    return page;
  }

  /** A tab with nothing in it yet. */
  async blank(
    language = 'en',
    size: Size = 'small',
    reducedMotion: 'reduce' | 'no-preference' = 'reduce',
  ): Promise<Page> {
    const context: BrowserContext = await this.#browser.newContext({
      viewport: SIZES[size],
      locale: language,
      reducedMotion,
    });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    this.listen(page);
    return page;
  }

  async show(page: Page, address: string, language: string): Promise<void> {
    const url = new URL(address);
    // An address that turns through languages has its own.
    if (!url.searchParams.has('rotate')) url.searchParams.set('lang', language);
    await page.goto(url.href);
    await page.evaluate(loaded);
  }

  /** Closes all screens. What the browser complained about meanwhile must be nothing. */
  async rest(isNothing: (complaint: string) => boolean = () => false): Promise<void> {
    await Promise.all(this.#browser.contexts().map((it) => it.close()));
    expect(this.complaints.splice(0).filter((it) => !isNothing(it))).toEqual([]);
  }

  /** Every error and every warning of the page counts. */
  listen(page: Page): void {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** Waits until the fonts of what is shown are there; it runs in the page. */
export async function loaded(): Promise<void> {
  await document.fonts.ready;
}

/** WCAG 2.2 AA, as far as a program can tell. Of what is `dimmed` on purpose no contrast is asked. */
export async function accessible(page: Page, dimmed = '.unseen'): Promise<void> {
  // The policy of the page lets no script in; a debugger may.
  await page.evaluate(AXE);
  expect(await page.evaluate(violations, dimmed)).toEqual([]);
}

/** What breaks a rule; it runs in the page. */
async function violations(dimmed: string): Promise<string[]> {
  interface Found {
    id: string;
    nodes: { html: string }[];
  }
  const { axe } = globalThis as unknown as {
    axe: { run(where: unknown, how: object): Promise<{ violations: Found[] }> };
  };
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const rules = { 'color-contrast': { enabled: false } };
  const found = (await axe.run(document, { runOnly: tags, rules })).violations;

  // Nobody can tell the contrast on a gradient at once: the felt becomes its lightest colour, then its darkest.
  const gradients = [...document.querySelectorAll<HTMLElement>('*')].flatMap((it) => {
    const stops = getComputedStyle(it).backgroundImage.match(/(rgba?|color)\([^)]*\)/g);
    return stops ? [{ it, stops, style: it.getAttribute('style') }] : [];
  });
  for (const end of [0, -1]) {
    for (const { it, stops } of gradients) it.style.background = stops.at(end)!;
    const where = { include: [['html']], exclude: [[dimmed]] };
    found.push(...(await axe.run(where, { runOnly: { type: 'rule', values: ['color-contrast'] } })).violations);
  }
  for (const { it, style } of gradients) {
    if (style === null) it.removeAttribute('style');
    else it.setAttribute('style', style);
  }
  return found.map((it) => `${it.id}: ${it.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/**
 * Nothing is cut off: no text is outside of the box that it stands in or of the screen, no word is broken, and the page
 * does not scroll sideways. What is out of sight on purpose (`.unseen`) does not count, nor what is `shortened` with dots
 * where it may be.
 */
export async function fits(page: Page, scrolls: 'never' | 'down' = 'never', shortened = '.unseen'): Promise<void> {
  const cut = async (): Promise<string[]> => {
    await page.evaluate(loaded);
    return page.evaluate(cutOff, { scrolls, shortened });
  };
  // What measures itself does so a moment after the screen has changed.
  await expect.poll(cut, { timeout: 2_000, interval: 50 }).toEqual([]);
}

/** What is cut off; it runs in the page. */
function cutOff({ scrolls, shortened }: { scrolls: 'never' | 'down'; shortened: string }): string[] {
  const out = new Set<string>();
  const told = (it: Element, why: string): Set<string> =>
    out.add(`${why}: ${it.tagName}.${it.getAttribute('class') ?? ''}: ${it.textContent?.trim().slice(0, 60)}`);
  const isSeen = (it: Element): boolean =>
    it.checkVisibility() && !it.closest(`.unseen, ${shortened}`) && it.textContent?.trim() !== '';
  const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';

  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!isSeen(element)) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    if (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) told(element, 'too wide');
    if (hides(overflowY) && element.scrollHeight > element.clientHeight + 1) told(element, 'too high');
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const text = texts.currentNode;
    let box = text.parentElement!;
    if (text.textContent?.trim() === '' || box.closest('svg') || !isSeen(box)) continue;
    while (/^(inline|contents)$/.test(getComputedStyle(box).display)) box = box.parentElement!;
    const within = box.getBoundingClientRect();
    range.selectNodeContents(text);
    for (const { left, right, bottom } of range.getClientRects()) {
      if (left < within.left - 1 || right > within.right + 1) told(box, 'beside its box');
      if (left < -1 || right > innerWidth + 1) told(box, 'beside the screen');
      if (scrolls === 'never' && bottom > innerHeight + 1) told(box, 'below the screen');
    }
    for (const { index, 0: word } of text.textContent!.matchAll(/[A-Za-z]{3,}/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) told(box, `broken at ${word}`);
    }
  }

  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth) told(document.documentElement, 'scrolls sideways');
  if (scrolls === 'never' && scrollHeight > innerHeight + 1) told(document.documentElement, 'scrolls down');
  return [...out];
}

/** Everything that is pressed is large enough for a finger (WCAG 2.5.5: 44 px); a label belongs to its field. */
export async function large(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')];
    return all
      .filter((it) => it.checkVisibility())
      .map((it) => ({ it, box: (it.closest('label') ?? it).getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < 43.5)
      .map(({ it, box }) => `${it.tagName} ${it.textContent?.trim()} ${box.width}×${box.height}`);
  });
  expect(small).toEqual([]);
}

/** A picture to look at, where PICTURES says. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.evaluate(loaded);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
