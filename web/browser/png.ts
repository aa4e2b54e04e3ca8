// Makes pictures small: a PNG of at most 256 colours, which is enough for screens and a quarter of the bytes.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const COLOURS = 256;

/** Red, green, blue, and how many pixels have it. */
type Colour = [number, number, number, number];

export function compact(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const colours = new Map<number, Colour>();
  for (let at = 0; at < pixels.length; at += 3) {
    const [r, g, b] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    const found = colours.get((r << 16) | (g << 8) | b);
    if (found) found[3] += 1;
    else colours.set((r << 16) | (g << 8) | b, [r, g, b, 1]);
  }
  const palette = choose([...colours.values()]);
  const places = new Map([...colours].map(([key, colour]) => [key, nearest(palette, colour)]));
  // A line begins with its filter; none is best for places in a palette.
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at += 1) {
    const key = (pixels[at * 3]! << 16) | (pixels[at * 3 + 1]! << 8) | pixels[at * 3 + 2]!;
    lines[at + Math.floor(at / width) + 1] = places.get(key)!;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Boxes of colours are halved at the middle of their longest side, those first in which most pixels differ most. */
function choose(all: Colour[]): [number, number, number][] {
  const boxes = [box(all)];
  while (boxes.length < COLOURS) {
    const worst = boxes.reduce((worst, it) => (it.weight > worst.weight ? it : worst));
    if (worst.weight === 0) break;
    const sorted = worst.colours.sort((a, b) => a[worst.side]! - b[worst.side]!);
    const middle = (sorted[0]![worst.side]! + sorted.at(-1)![worst.side]!) / 2;
    const half = sorted.findIndex((it) => it[worst.side]! > middle);
    boxes.splice(boxes.indexOf(worst), 1, box(sorted.slice(0, half)), box(sorted.slice(half)));
  }
  return boxes.map(({ colours }) => {
    const total = colours.reduce((sum, it) => sum + it[3], 0);
    const mean = (side: number): number => Math.round(colours.reduce((sum, it) => sum + it[side]! * it[3], 0) / total);
    return [mean(0), mean(1), mean(2)];
  });
}

function box(colours: Colour[]): { colours: Colour[]; side: 0 | 1 | 2; weight: number } {
  const range = (side: number): number => {
    const values = colours.map((it) => it[side]!);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  };
  const ranges = [range(0), range(1), range(2)];
  const longest = Math.max(...ranges);
  const pixels = colours.reduce((sum, it) => sum + it[3], 0);
  return { colours, side: ranges.indexOf(longest) as 0 | 1 | 2, weight: longest ** 2 * Math.sqrt(pixels) };
}

function nearest(palette: [number, number, number][], [r, g, b]: Colour): number {
  let [best, least] = [0, Infinity];
  palette.forEach(([pr, pg, pb], at) => {
    const distance = (pr - r) ** 2 + (pg - g) ** 2 + (pb - b) ** 2;
    if (distance < least) [best, least] = [at, distance];
  });
  return best;
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Reads what a browser writes: eight bits a channel, not interlaced. Transparency is left out. */
function decode(png: Buffer): { width: number; height: number; pixels: Uint8Array } {
  const [width, height, kind] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]];
  if (png[24] !== 8 || (kind !== 2 && kind !== 6) || png[28] !== 0) throw new Error('another kind of PNG');
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(data));
  const step = kind === 6 ? 4 : 3;
  const pixels = new Uint8Array(width * height * 3);
  let above = new Uint8Array(width * step);
  for (let y = 0; y < height; y += 1) {
    const start = y * (width * step + 1);
    const line = Uint8Array.from(raw.subarray(start + 1, start + 1 + width * step));
    for (let x = 0; x < line.length; x += 1) {
      const [a, b, c] = [line[x - step] ?? 0, above[x]!, above[x - step] ?? 0];
      line[x]! += unfilter(raw[start]!, a, b, c);
      if (x % step < 3) pixels[(y * width + Math.floor(x / step)) * 3 + (x % step)] = line[x]!;
    }
    above = line;
  }
  return { width, height, pixels };
}

/** What a filter took away: left, above, their mean, or whichever of three is the best guess (Paeth). */
function unfilter(filter: number, a: number, b: number, c: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return a;
  if (filter === 2) return b;
  if (filter === 3) return (a + b) >> 1;
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
}
