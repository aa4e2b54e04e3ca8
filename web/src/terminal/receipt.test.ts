// @vitest-environment node
import { expect, test } from 'vitest';

import { Problem } from '../lib/api';
import { unpack } from '../lib/receipt-link';
import { fetchReceipt, linkTo } from './receipt';

const made = { receipt: 'punto receipt 1\n', withheld: 0 };
const refused = (code: string): Problem => new Problem(409, code, code);

test('it is asked again while no checkpoint signs for it, and not for ever', async () => {
  let asked = 0;
  let waited = 0;
  const ask = (after: number) => async (): Promise<typeof made> => {
    asked += 1;
    if (asked <= after) throw refused('not-yet-signed');
    return made;
  };
  const wait = async (): Promise<void> => void (waited += 1);
  expect(await fetchReceipt(ask(5), () => {}, wait)).toBe(made);
  expect([asked, waited]).toEqual([6, 5]);
  asked = 0;
  expect(await fetchReceipt(ask(Infinity), () => {}, wait)).toBe('notNow');
  expect(asked).toBe(12);
});

test('what will not change is not asked again', async () => {
  for (const [code, why] of [
    ['names-others', 'others'],
    ['too-long-ago', 'tooLong'],
    ['too-often', 'notNow'],
    ['not-found', 'notNow'],
  ] as const) {
    let asked = 0;
    const ask = async (): Promise<never> => {
      asked += 1;
      throw refused(code);
    };
    expect([await fetchReceipt(ask, () => {}), asked]).toEqual([why, 1]);
  }
  expect(
    await fetchReceipt(
      () => Promise.reject(new TypeError('no network')),
      () => {},
    ),
  ).toBe('notNow');
});

test('a link holds the receipt behind its #, where a phone can check it and a code can hold it', async () => {
  const link = (await linkTo(made.receipt, 'https://floor.example', true))!;
  expect(new URL(link).pathname + new URL(link).search).toBe('/receipt');
  const packed = new URLSearchParams(new URL(link).hash.slice(1)).get('r')!;
  expect(new TextDecoder().decode((await unpack(packed))!)).toBe(made.receipt);
  expect(await linkTo(made.receipt, 'http://floor.example', false)).toBeNull();
  const noise = Array.from(crypto.getRandomValues(new Uint8Array(4_000)), (it) => it.toString(16)).join('');
  expect(await linkTo(noise, 'https://floor.example', true)).toBeNull();
});
