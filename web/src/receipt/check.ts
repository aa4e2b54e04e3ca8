// Checks a receipt with nothing but the public key of the house: no server is asked.

import type { Entry } from '../lib/wire';
import { fromHex, Malformed, MOST_BYTES, read, toHex, type Receipt } from './text';
import { fingerprintOf, rootOf } from './tree';

/** What is checked, in this order. Everything after the first thing that does not hold is not looked at. */
export const STEPS = ['malformed', 'other-key', 'not-signed', 'not-there'] as const;
export type Step = (typeof STEPS)[number];

/** A receipt that can be read. */
export interface Opened {
  receipt: Receipt;
  entries: Entry[];
  fingerprint: string;
}

export type Verdict =
  | { verdict: 'good'; opened: Opened }
  | { verdict: 'malformed'; line: number }
  /** Nobody said which key the house has, so that nothing is proven. */
  | { verdict: 'no-key'; opened: Opened }
  | { verdict: 'other-key' | 'not-signed'; opened: Opened }
  | { verdict: 'not-there'; opened: Opened; seq: number }
  /** This browser does not know the signature scheme. */
  | { verdict: 'no-ed25519'; opened: Opened };

/** What somebody typed as the key: all of it or its fingerprint, with spaces where they like. None where it is neither. */
export function keyTyped(text: string): string | null {
  const digits = text.toLowerCase().replaceAll(/[\s:-]/g, '');
  return /^([0-9a-f]{64}|[0-9a-f]{32})$/.test(digits) ? digits : null;
}

/** Whether this page can check anything: browsers keep cryptography from pages that came over an open line. */
export const canCheck = (): boolean => globalThis.isSecureContext !== false && globalThis.crypto?.subtle !== undefined;

/** The text of a file; none where it is not the UTF-8 of a text. */
function decode(bytes: Uint8Array): string | null {
  if (bytes.length > MOST_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function open(text: string): Promise<Opened> {
  const receipt = read(text);
  const entries = receipt.entries.map(({ json, seq }) => {
    // What is shown is what was hashed: JSON that says a thing twice, or otherwise than it is written, is not shown.
    let entry: Entry;
    try {
      entry = JSON.parse(json) as Entry;
    } catch {
      throw new Malformed(1);
    }
    if (JSON.stringify(entry) !== json || entry.seq !== seq) throw new Malformed(1);
    return entry;
  });
  const fingerprint = toHex(await fingerprintOf(fromHex(receipt.checkpoint.key)));
  return { receipt, entries, fingerprint };
}

/** Judges a receipt; `key` is what the patron has from elsewhere, as `keyTyped` gives it. */
export async function check(bytes: Uint8Array, key: string | null): Promise<Verdict> {
  const text = decode(bytes);
  if (text === null) return { verdict: 'malformed', line: 1 };
  let opened: Opened;
  try {
    opened = await open(text);
  } catch (error) {
    if (error instanceof Malformed) return { verdict: 'malformed', line: error.line };
    throw error;
  }
  const { receipt, fingerprint } = opened;
  const { checkpoint } = receipt;
  if (key === null) return { verdict: 'no-key', opened };
  if (key !== checkpoint.key && key !== fingerprint) return { verdict: 'other-key', opened };

  let isSigned: boolean;
  try {
    const publicKey = await crypto.subtle.importKey('raw', fromHex(checkpoint.key), 'Ed25519', false, ['verify']);
    const signed = new TextEncoder().encode(checkpoint.signed);
    isSigned = await crypto.subtle.verify('Ed25519', publicKey, checkpoint.signature, signed);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return { verdict: 'no-ed25519', opened };
    // A key that is no point of the curve signs nothing.
    isSigned = false;
  }
  if (!isSigned) return { verdict: 'not-signed', opened };

  const root = toHex(checkpoint.root);
  for (const entry of receipt.entries) {
    const leadsTo = await rootOf(entry, checkpoint.size);
    if (!leadsTo || toHex(leadsTo) !== root) return { verdict: 'not-there', opened, seq: entry.seq };
  }
  return { verdict: 'good', opened };
}
