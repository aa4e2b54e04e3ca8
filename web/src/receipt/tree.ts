// The tree over all entries of a ledger (RFC 6962), climbed from one leaf with the roots beside its way.

import type { Bytes, Proven } from './text';

const utf8 = new TextEncoder();

async function sha256(...parts: Uint8Array[]): Promise<Bytes> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', all));
}

/** Eight bytes, the most significant first. */
function eightBytes(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** The leaf of an entry: the name of its volume, its number and the chain of the volume up to it. */
async function leafOf(entry: Proven): Promise<Bytes> {
  const link = await sha256(entry.before, utf8.encode(entry.json));
  const nothing = Uint8Array.of(0);
  return sha256(nothing, utf8.encode(entry.volume), nothing, eightBytes(entry.seq), link);
}

/** The root that an entry leads to in a tree of this size; none where the proof does not fit its place (RFC 9162, 2.1.3.2). */
export async function rootOf(entry: Proven, size: number): Promise<Bytes | null> {
  if (entry.seq < 1 || entry.leaf < 1 || entry.leaf > size) return null;
  let place = entry.leaf - 1;
  let last = size - 1;
  let root = await leafOf(entry);
  const half = (value: number): number => Math.floor(value / 2);
  for (const beside of entry.path) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      root = await sha256(Uint8Array.of(1), beside, root);
      // A node without a brother goes up as it is.
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      root = await sha256(Uint8Array.of(1), root, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : null;
}

/** Enough of the digest of a key to tell it from every other; what a house prints where a whole key is too long. */
export async function fingerprintOf(key: Bytes): Promise<Bytes> {
  return (await sha256(key)).slice(0, 16);
}
