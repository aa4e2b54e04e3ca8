// @vitest-environment node
// The page's own check, with the receipts that the server's code is tested with (crates/punto-record/tests/receipt.rs).

import { describe, expect, it } from 'vitest';

import vectors from '../../../crates/punto-record/tests/data/receipts.json';
import { check, keyTyped } from './check';
import { toHex } from './text';
import { fingerprintOf } from './tree';
import { pack, unpack } from '../lib/receipt-link';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const good = vectors.filter((it) => it.verdict === 'good');

describe('a receipt', () => {
  it.each(vectors)('$name: $verdict', async ({ key, verdict, receipt }) => {
    expect((await check(bytes(receipt), keyTyped(key))).verdict).toBe(verdict);
  });

  it('is not good with any bit changed', async () => {
    const { receipt, key } = good.toSorted((a, b) => a.receipt.length - b.receipt.length)[0]!;
    const original = bytes(receipt);
    let read = 0;
    for (let at = 0; at < original.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = original.slice();
        changed[at]! ^= 1 << bit;
        const { verdict } = await check(changed, key);
        if (verdict === 'good') throw new Error(`byte ${at}, bit ${bit}`);
        if (verdict !== 'malformed') read += 1;
      }
    }
    expect(read).toBeGreaterThan(2_000);
  }, 120_000);

  it('is not good with any byte left out', async () => {
    const { receipt, key } = good[0]!;
    const original = bytes(receipt);
    for (let at = 0; at < original.length; at += 1) {
      const { verdict } = await check(Uint8Array.from([...original.slice(0, at), ...original.slice(at + 1)]), key);
      if (verdict === 'good') throw new Error(`byte ${at}`);
    }
  }, 120_000);

  it('proves nothing without a key, and says which key to look for', async () => {
    const { receipt, key } = good[0]!;
    const judged = await check(bytes(receipt), null);
    expect(judged.verdict).toBe('no-key');
    const fingerprint = toHex(await fingerprintOf(Uint8Array.from(key.match(/../g)!, (it) => Number.parseInt(it, 16))));
    expect(judged).toMatchObject({ opened: { fingerprint } });
    expect((await check(bytes(receipt), fingerprint)).verdict).toBe('good');
    expect(
      (
        await check(
          bytes(receipt),
          fingerprint.replace(/.$/, (it) => (it === '0' ? '1' : '0')),
        )
      ).verdict,
    ).toBe('other-key');
  });

  it('is not text in another encoding, with a mark before it, or endless', async () => {
    const { receipt, key } = good[0]!;
    const verdict = async (it: Uint8Array): Promise<string> => (await check(it, key)).verdict;
    expect(await verdict(bytes(`\u{feff}${receipt}`))).toBe('malformed');
    expect(await verdict(Uint8Array.from([0xff, ...bytes(receipt)]))).toBe('malformed');
    expect(await verdict(new Uint8Array((1 << 20) + 1))).toBe('malformed');
    expect(await verdict(new Uint8Array())).toBe('malformed');
  });

  it('travels in a link and comes out as it was', async () => {
    for (const { receipt } of good) expect(await unpack(await pack(receipt))).toEqual(bytes(receipt));
    expect(await unpack('not a receipt')).toBeNull();
    // Small in the link and endless outside of it.
    expect(await unpack(await pack('0'.repeat(1 << 22)))).toBeNull();
  });
});

describe('a key', () => {
  it('is taken with spaces and capital letters, whole or as its fingerprint, and not otherwise', () => {
    const key = good[0]!.key;
    expect(keyTyped(` ${key.toUpperCase().replaceAll(/(.{4})/g, '$1 ')}\n`)).toBe(key);
    expect(keyTyped(key.slice(0, 32))).toBe(key.slice(0, 32));
    for (const wrong of ['', key.slice(1), `${key}0`, key.replace(/^./, 'g')]) expect(keyTyped(wrong)).toBeNull();
  });
});
