// How the bets of a layout are arranged. Where the printed felt survives it is drawn row by row (RWS Appendix A); where
// its picture is lost: side bets above, Tie and pairs between, Player and Banker large below. Any layout of any rule book
// finds a place.

import type { BetId, BetView, Printed, Side } from '../lib/wire';

/** Bets that lie together. A bet may be printed twice. */
export interface Block {
  /** A bet of the family that the block is headed by: "Player Wins On". */
  family: BetId | null;
  rows: BetId[][];
}

/** What lies side by side. */
export interface Band {
  size: 'main' | 'between' | 'side';
  blocks: Block[];
}

/** The number that a bet of a family ends with: `player-wins-on-7` is 7 of `player-wins-on`. */
export function member(bet: BetId): { family: string; number: string } | null {
  const found = /^(.+)-(\d+)$/.exec(bet);
  return found ? { family: found[1]!, number: found[2]! } : null;
}

/** A run of a family's bets is a family from this many on. */
const FAMILY = 3;

function families(bets: readonly BetId[]): Map<string, BetId[]> {
  const found = new Map<string, BetId[]>();
  for (const bet of bets) {
    const family = member(bet)?.family;
    if (family) found.set(family, [...(found.get(family) ?? []), bet]);
  }
  return new Map([...found].filter(([, members]) => members.length >= FAMILY));
}

/** The felt of a layout. */
export function arrange(bets: readonly BetView[], printed: Printed['felt']): Band[] {
  const offered = bets.map((it) => it.bet);
  const mains = new Map(bets.map((it) => [it.bet, it.side]));
  const onPrint = new Set(printed?.flat());
  const isIts = onPrint.size === offered.length && offered.every((bet) => onPrint.has(bet));
  if (printed && isIts) return asPrinted(printed, mains);
  return byKind(offered, mains);
}

/** Rows that split into the same families, side by side, are blocks below one heading. */
function asPrinted(rows: readonly BetId[][], mains: Map<BetId, Side | null>): Band[] {
  const known = families(rows.flat());
  const bands: Band[] = [];
  for (const row of rows) {
    const parts = runs(row, known);
    const size = row.every((bet) => mains.get(bet)) ? 'main' : 'side';
    const last = bands.at(-1);
    const joins = last && last.size === 'side' && size === 'side' && last.blocks.length === parts.length;
    if (joins) last.blocks.forEach((block, at) => block.rows.push(parts[at]!.bets));
    else bands.push({ size, blocks: parts.map(({ family, bets }) => ({ family, rows: [bets] })) });
  }
  return bands;
}

/** A row cut where the family changes. */
function runs(row: readonly BetId[], known: Map<string, BetId[]>): { family: BetId | null; bets: BetId[] }[] {
  const parts: { name: string | null; family: BetId | null; bets: BetId[] }[] = [];
  for (const bet of row) {
    const name = member(bet)?.family ?? null;
    const own = name !== null && known.has(name) ? name : null;
    const last = parts.at(-1);
    if (last && last.name === own) last.bets.push(bet);
    else parts.push({ name: own, family: own === null ? null : bet, bets: [bet] });
  }
  return parts;
}

const TIES: readonly BetId[] = ['tie', 'any-tie'];
const PAIRS: readonly BetId[] = ['player-pair', 'banker-pair'];

function byKind(offered: readonly BetId[], mains: Map<BetId, Side | null>): Band[] {
  const groups = families(offered);
  const inFamily = new Set([...groups.values()].flat());
  const ties = TIES.filter((bet) => offered.includes(bet));
  const pairs = PAIRS.filter((bet) => offered.includes(bet));
  const between =
    pairs.length > 0 ? ['player-pair', ...ties, 'banker-pair'].filter((bet) => offered.includes(bet)) : [];
  // Player lies left, as its cards do; a Tie without pairs beside it lies between the two.
  const originals = (side: Side): BetId[] => offered.filter((bet) => mains.get(bet) === side);
  const main = [...originals('player'), ...(pairs.length > 0 ? [] : ties), ...originals('banker')];
  const sides = offered.filter((bet) => !inFamily.has(bet) && !between.includes(bet) && !main.includes(bet));
  const bands: Band[] = [...groups.values()].map((members) => ({
    size: 'side',
    blocks: [{ family: members[0]!, rows: [members] }],
  }));
  if (sides.length > 0) bands.push({ size: 'side', blocks: [{ family: null, rows: inRows(sides) }] });
  if (between.length > 0) bands.push({ size: 'between', blocks: [{ family: null, rows: [between] }] });
  if (main.length > 0) bands.push({ size: 'main', blocks: [{ family: null, rows: [main] }] });
  return bands;
}

/** At most seven in a row, and rows as even as they can be. */
function inRows(bets: readonly BetId[], most = 7): BetId[][] {
  const rows = Math.ceil(bets.length / most);
  const each = Math.ceil(bets.length / rows);
  return Array.from({ length: rows }, (_, at) => bets.slice(at * each, (at + 1) * each));
}

/** The name of a bet of a family in two parts, the heading and what stands below it: "Player Wins On" and "7". */
export function parts(name: string, bet: BetId): [heading: string, print: string] {
  const number = member(bet)?.number ?? '';
  const at = name.lastIndexOf(number);
  return at < 0 ? [name, number] : [name.slice(0, at).trim(), name.slice(at)];
}
