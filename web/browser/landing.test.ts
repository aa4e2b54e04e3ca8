// The root page: of a house, where it shows no door, and of a demonstration, where it shows all of them.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NAMES } from '../src/lib/language.svelte';
import { Demo } from './demo';
import { accessible, Eyes, fits, picture, SIZES, speaks } from './eyes';
import { House } from './house';

let eyes: Eyes;
let demo: Demo;

beforeAll(async () => {
  [demo, eyes] = await Promise.all([Demo.open(), Eyes.open()]);
});

afterEach(async () => {
  await eyes.rest();
});

afterAll(async () => {
  await eyes?.close();
  await demo?.close();
});

/** What is called the same everywhere. */
const NAMED = ['Punto', 'RWS', '/api/openapi.json', 'HTTP', 'The server', 'docs/server.md'];

test('a floor that is no demonstration shows that it is well, and no door', async () => {
  const house = await House.open();
  try {
    await house.table('ws-1', 'wu-song', 'A');
    const page = await eyes.look(house.url);
    await page.getByRole('heading', { name: 'This is the server of a house.' }).waitFor();
    await page.getByText('All tables take orders.').waitFor();
    await page.getByText('Practice: no real money').waitFor();
    await accessible(page);
    for (const language of ['zh-Hans', 'zh-Hant', 'en'] as const) {
      await page.getByRole('button', { name: NAMES[language] }).click();
      for (const size of ['phone', 'small'] as const) {
        await page.setViewportSize(SIZES[size]);
        await fits(page, 'down');
        await picture(page, `house-${size}-${language}`);
      }
      await speaks(page, language, NAMED);
    }
    // Whoever does not know a credential learns none here.
    expect(await page.locator('a').evaluateAll((it) => it.map((link) => link.getAttribute('href')))).toEqual(
      expect.not.arrayContaining([expect.stringContaining('device=')]),
    );
    expect(await page.getByText('ws-1').count()).toBe(0);
    // A house has no demonstration and says so; the browser notes that.
    await eyes.rest((it) => it === 'Failed to load resource: the server responded with a status of 404 (Not Found)');
  } finally {
    await house.close();
  }
});

test('a demonstration has doors for every table', async () => {
  const page = await eyes.look(demo.url);
  await page.getByRole('heading', { name: 'The floor' }).waitFor();
  const tables = ['da-hu-1', 'etg-1', 'practice-1', 'rws-1', 'wu-song-1'];
  expect(await page.locator('article h3').allTextContents()).toEqual(tables);
  for (const table of tables)
    for (const [door, name] of [
      ['terminal', 'Terminal'],
      ['console', 'Console'],
      ['board', 'Board'],
    ] as const) {
      const link = page.getByRole('link', { name: `${name} of table ${table}, in a new tab` });
      expect(new URL((await link.getAttribute('href'))!, demo.url).href).toBe(demo.screen(door, table));
    }
  // What is printed at the tables, and how the last Rounds went: as the server tells it.
  const card = page.locator('article', { hasText: 'da-hu-1' });
  await card.getByText('Da Hu Ying Xiong (Commission Baccarat)').waitFor();
  await card.getByText('Live table').waitFor();
  await card.getByRole('list', { name: 'The last Rounds of table da-hu-1' }).getByRole('listitem').first().waitFor();
  await page
    .locator('article', { hasText: 'practice-1' })
    .getByText('No Round yet: it waits for you to deal.')
    .waitFor();
  await accessible(page);

  const names = [...NAMED, ...tables, ...demo.guest.people.flatMap((it) => [it.password, it.person])];
  for (const language of ['zh-Hans', 'zh-Hant', 'en'] as const) {
    await page.getByRole('button', { name: NAMES[language] }).click();
    for (const size of ['phone', 'small'] as const) {
      await page.setViewportSize(SIZES[size]);
      await fits(page, 'down', 'code');
      await picture(page, `landing-${size}-${language}`);
    }
    await speaks(page, language, names);
  }
});

test('a visitor gets credits, takes a seat, and sees them there', async () => {
  const page = await eyes.look(demo.url);
  const card = page.locator('article', { hasText: 'etg-1' });
  const give = card.getByRole('button', { name: 'Give this terminal $1,000' });
  await give.click();
  await card.getByText('✓ $1,000 added to this terminal.').waitFor();
  await accessible(page);
  await give.click();

  const opened = page.context().waitForEvent('page');
  await card.getByRole('link', { name: 'Terminal of table etg-1, in a new tab' }).click();
  const terminal = await opened;
  eyes.listen(terminal);
  await terminal.getByText('$2,000.00', { exact: true }).first().waitFor();
  // Nobody who looks over the shoulder, or into the history, sees the credential.
  expect(new URL(terminal.url()).pathname).toBe('/terminal');
  expect(terminal.url()).not.toContain('device');
  await picture(terminal, 'landing-terminal');
});

test('the sign-ins of the demonstration can be copied, and let people in', async () => {
  const page = await eyes.look(demo.url);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const rows = page.getByRole('row').filter({ has: page.getByRole('button') });
  await rows.first().waitFor();
  expect((await rows.allInnerTexts()).map((it) => it.split(/\s+/)[0])).toEqual(
    demo.guest.people.map((it) => it.person),
  );
  const copy = page.getByRole('button', { name: 'Copy the password of d-5' });
  await copy.click();
  await expect.poll(() => copy.textContent()).toMatch(/Copied/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(demo.person('d-5').password);
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
  const answer = await fetch(`${demo.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person: 'd-5', password: copied, token: true }),
  });
  expect(answer.status).toBe(200);

  // Where a browser keeps the clipboard to itself, the password is marked to be copied by hand.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  const other = page.getByRole('button', { name: 'Copy the password of sup-1' });
  await other.click();
  await expect.poll(() => other.textContent()).toMatch(/Selected: press Ctrl\+C/);
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(demo.person('sup-1').password);
  await fits(page, 'down', 'code');
});
