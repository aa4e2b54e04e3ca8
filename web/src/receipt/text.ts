// A receipt as text (docs/ledger.md), read strictly: one receipt has one text. Written from that description and independent
// of the server's own code.

/** One entry and its way up the tree. */
export interface Proven {
  volume: string;
  seq: number;
  /** The link of the entry before it. */
  before: Bytes;
  /** Its place in the tree, from 1. */
  leaf: number;
  /** The roots beside its way up, lowest first. */
  path: Bytes[];
  /** The entry itself, character by character as it was sealed. */
  json: string;
}

export interface Checkpoint {
  ledger: string;
  /** Milliseconds since 1970, UTC. */
  at: number;
  /** Entries in the tree. */
  size: number;
  root: Bytes;
  key: string;
  signature: Bytes;
  /** What the signature is over. */
  signed: string;
}

export interface Receipt {
  entries: Proven[];
  checkpoint: Checkpoint;
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** Text that is no receipt; where it stops being one. */
export class Malformed extends Error {
  constructor(readonly line: number) {
    super(`line ${line}`);
  }
}

/** Larger than any receipt of a Round, and small enough to be read at once. */
export const MOST_BYTES = 1 << 20;

export function fromHex(digits: string): Bytes {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function read(text: string): Receipt {
  // Every line ends with a line feed, the last one as well.
  const lines = text.split('\n');
  let at = 0;
  const take = (pattern: RegExp): string[] => {
    const found = pattern.exec(lines[at] ?? '');
    if (!found || at + 1 >= lines.length) throw new Malformed(at + 1);
    at += 1;
    return found.slice(1);
  };
  const isNext = (word: string): boolean => (lines[at] ?? '').startsWith(word);
  const number = (digits: string | undefined): number => {
    const value = Number(digits);
    if (!Number.isSafeInteger(value)) throw new Malformed(at);
    return value;
  };

  take(/^punto receipt 1$/);
  const entries: Proven[] = [];
  do {
    const [volume, seq, before] = take(/^entry (table\/\S+) (0|[1-9]\d*) ([0-9a-f]{64})$/);
    const entry = { volume: volume!, seq: number(seq), before: fromHex(before!) };
    const leaf = number(take(/^leaf (0|[1-9]\d*)$/)[0]);
    const path: Bytes[] = [];
    while (isNext('path ')) path.push(fromHex(take(/^path ([0-9a-f]{64})$/)[0]!));
    const json = take(/^bytes (\{.*\})$/)[0]!;
    const last = entries.at(-1);
    if (last && (last.volume !== entry.volume || last.seq >= entry.seq)) throw new Malformed(at);
    entries.push({ ...entry, leaf, path, json });
  } while (isNext('entry '));

  const from = at;
  take(/^punto checkpoint 1$/);
  const [ledger] = take(/^ledger ([0-9a-f]{64})$/);
  const moment = number(take(/^at (0|[1-9]\d*)$/)[0]);
  const size = number(take(/^size (0|[1-9]\d*)$/)[0]);
  const [root] = take(/^root ([0-9a-f]{64})$/);
  while (isNext('head ')) take(/^head (?:house|table\/\S+) (?:0|[1-9]\d*) [0-9a-f]{64}$/);
  const [key] = take(/^key ([0-9a-f]{64})$/);
  const signed = lines
    .slice(from, at)
    .map((line) => `${line}\n`)
    .join('');
  const [signature] = take(/^signature ([0-9a-f]{128})$/);
  // Nothing but the end of the last line.
  if (at !== lines.length - 1 || lines[at] !== '') throw new Malformed(at + 1);
  const checkpoint = {
    ledger: ledger!,
    at: moment,
    size,
    root: fromHex(root!),
    key: key!,
    signature: fromHex(signature!),
    signed,
  };
  return { entries, checkpoint };
}
