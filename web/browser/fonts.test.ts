// Every text of every screen is drawn by a face that the screen brings, on a machine that has no such fonts; and a first
// view loads no more of them than it needs.

import type { CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { Language } from '../src/lib/language.svelte';
import { Demo } from './demo';
import { Eyes, loaded } from './eyes';

let demo: Demo;
let eyes: Eyes;

beforeAll(async () => {
  [demo, eyes] = await Promise.all([Demo.open(20), Eyes.open()]);
});

afterAll(async () => {
  await eyes?.close();
  await demo?.close();
});

const isOfFonts = (complaint: string): boolean => /Failed to load resource/.test(complaint);
afterEach(() => eyes.rest(isOfFonts));

interface Node {
  nodeId: number;
  nodeType: number;
  nodeName: string;
  nodeValue: string;
  children?: Node[];
}

/** Which texts are drawn by a face of the machine. */
async function strange(page: Page): Promise<string[]> {
  await page.evaluate(loaded);
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument', { depth: -1 });
  const found: string[] = [];
  for (const { nodeId, text } of texts(root)) {
    const fonts = await facesOf(session, nodeId);
    const others = fonts.filter((it) => !it.isCustomFont);
    if (others.length > 0) found.push(`${text.slice(0, 60)}: ${others.map((it) => it.familyName).join(', ')}`);
  }
  await session.detach();
  return found;
}

/** Elements that have words of their own. */
function texts(node: Node): { nodeId: number; text: string }[] {
  if (['HEAD', 'SCRIPT', 'STYLE'].includes(node.nodeName)) return [];
  const children = node.children ?? [];
  const own = children.filter((it) => it.nodeType === 3).map((it) => it.nodeValue.trim());
  const text = own.join(' ').trim();
  return [...(text === '' ? [] : [{ nodeId: node.nodeId, text }]), ...children.flatMap(texts)];
}

async function facesOf(session: CDPSession, nodeId: number): Promise<{ familyName: string; isCustomFont: boolean }[]> {
  try {
    return (await session.send('CSS.getPlatformFontsForNode', { nodeId })).fonts;
  } catch {
    // A floor at play: what is not there any more is not looked at.
    return [];
  }
}

/** Fonts by their names, as they are asked for: `sc-base`. */
function requests(page: Page): Set<string> {
  const asked = new Set<string>();
  page.on('request', (it) => {
    const name = /\/([a-z-]+)-[\w-]{8}\.woff2$/.exec(it.url())?.[1];
    if (name) asked.add(name);
  });
  return asked;
}

const LANGUAGES: readonly Language[] = ['en', 'zh-Hans', 'zh-Hant'];
const SCREENS = ['landing', 'terminal', 'console', 'board'] as const;

async function open(screen: (typeof SCREENS)[number], language: Language): Promise<{ page: Page; asked: Set<string> }> {
  const page = await eyes.blank(language);
  const asked = requests(page);
  const address = {
    landing: () => demo.url,
    terminal: () => demo.screen('terminal', 'etg-1'),
    console: () => demo.screen('console', 'practice-1'),
    board: () => demo.screen('board', 'wu-song-1'),
  }[screen]();
  await eyes.show(page, address, language);
  if (screen === 'console') {
    const { person, password } = demo.person('d-5');
    await page.locator('input').first().fill(person);
    await page.locator('input[type="password"]').fill(password);
    await page.locator('form button.primary, form button[type="submit"]').first().click();
    await page.locator('input[type="password"]').waitFor({ state: 'hidden' });
  }
  if (screen === 'terminal') await page.locator('.spot').first().waitFor();
  if (screen === 'landing') await page.getByRole('listitem').nth(5).waitFor();
  return { page, asked };
}

const BASE: Record<Language, RegExp> = {
  en: /^(text|display|signs|felt)-base$/,
  'zh-Hans': /^(text|display|signs|felt|sc)-base$/,
  'zh-Hant': /^(text|display|signs|felt|tc)-base$/,
};

test.each(LANGUAGES)(
  '%s: shipped faces draw every screen, and a first view loads base files of its own',
  async (language) => {
    for (const screen of SCREENS) {
      const { page, asked } = await open(screen, language);
      expect(await strange(page), screen).toEqual([]);
      expect(asked, screen).toContain('text-base');
      if (language !== 'en') expect(asked, screen).toContain(language === 'zh-Hans' ? 'sc-base' : 'tc-base');
      expect(
        [...asked].filter((it) => !BASE[language].test(it)),
        screen,
      ).toEqual([]);
      await page.context().close();
    }
  },
);

test('without its fonts a screen would be found out', async () => {
  const page = await eyes.blank('zh-Hans');
  await page.route('**/*.woff2', (route) => route.abort());
  await eyes.show(page, demo.url, 'zh-Hans');
  expect(await strange(page)).not.toEqual([]);
});

test('what somebody types loads the margin', async () => {
  const page = await eyes.blank('en');
  const asked = requests(page);
  await eyes.show(page, demo.screen('console', 'practice-1'), 'en');
  expect([...asked].filter((it) => it.includes('margin'))).toEqual([]);
  await page.locator('input').first().fill('Łukasz 鑫');
  await expect.poll(() => [...asked].sort()).toEqual(expect.arrayContaining(['tc-margin', 'text-margin']));
});

test('fonts may be kept for ever, and are not compressed twice', async () => {
  const page = await eyes.blank('en');
  const [answer] = await Promise.all([
    page.waitForResponse((it) => it.url().includes('text-base')),
    eyes.show(page, demo.url, 'en'),
  ]);
  const { 'content-type': kind, 'content-encoding': encoding, 'cache-control': kept } = await answer.allHeaders();
  expect({ kind, encoding, kept }).toEqual({
    kind: 'font/woff2',
    encoding: undefined,
    kept: 'public, max-age=31536000, immutable',
  });
});
