// The checked cases that the server's own roads are held to, drawn with the real components.

import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import checked from '../../../../crates/punto-table/tests/data/roads-cases.json';
import { language } from '../language.svelte';
import type { RoadsView } from '../wire';
import Ask from './Ask.svelte';
import BeadPlate from './BeadPlate.svelte';
import BigRoad from './BigRoad.svelte';
import Counters from './Counters.svelte';
import DerivedRoad from './DerivedRoad.svelte';
import Roads from './Roads.svelte';
import { DERIVED } from './words';

const { cases } = checked as unknown as { cases: { id: string; expected: RoadsView }[] };
const byId = (id: string): RoadsView => cases.find((it) => it.id === id)!.expected;

let drawn: ReturnType<typeof mount>[] = [];

/** Draws a component on an empty page. */
function draw<P extends Record<string, unknown>>(
  component: Parameters<typeof mount<P, object>>[0],
  props: P,
): HTMLElement {
  const target = document.body.appendChild(document.createElement('div'));
  drawn.push(mount(component, { target, props }));
  flushSync();
  return target;
}

afterEach(() => {
  drawn.forEach((it) => unmount(it));
  drawn = [];
  document.body.replaceChildren();
  language.use('en', false);
});

/** What each mark says of itself. */
const marks = (page: HTMLElement): Record<string, string>[] =>
  [...page.querySelectorAll<SVGElement>('g[data-col]')].map((mark) => ({ ...mark.dataset }) as Record<string, string>);

/** Where a mark is drawn, in cells. */
function cell(mark: Element): [number, number] {
  const [, x, y] = /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(mark.getAttribute('transform') ?? '')!;
  return [Number(x) / 10, Number(y) / 10];
}

const WIDE = 100;

describe.each(cases)('$id', ({ expected }) => {
  it('bead plate: every Round at its cell with its glyph, pairs and Natural', () => {
    const page = draw(BeadPlate, { beads: expected.bead, columns: WIDE });
    expect(marks(page)).toEqual(
      expected.bead.map(({ col, row, o, bp, pp, nat }) => ({
        col: `${col}`,
        row: `${row}`,
        o,
        bp: `${bp}`,
        pp: `${pp}`,
        nat: `${nat}`,
      })),
    );
    [...page.querySelectorAll('g[data-col]')].forEach((mark, at) => {
      const bead = expected.bead[at]!;
      expect(cell(mark)).toEqual([bead.col, bead.row]);
      expect(mark.querySelector('text')?.textContent).toBe(bead.o);
      expect(mark.querySelectorAll('circle.banker').length).toBe(bead.bp ? 1 : 0);
      expect(mark.querySelectorAll('circle.player').length).toBe(bead.pp ? 1 : 0);
      expect(mark.querySelectorAll('path.natural').length).toBe(bead.nat ? 1 : 0);
    });
  });

  it('big road: every win at its cell with its ties and pairs', () => {
    const page = draw(BigRoad, { road: expected.big_road, leadingTies: expected.leading_ties, columns: WIDE });
    const { cells } = expected.big_road;
    if (cells.length === 0) {
      const ties = expected.leading_ties;
      expect(marks(page)).toEqual(ties > 0 ? [{ col: '0', row: '0', o: 'T', ties: `${ties}` }] : []);
      return;
    }
    expect(marks(page)).toEqual(
      cells.map(({ col, row, o, ties, ties_before, bp, pp, nat }) => ({
        col: `${col}`,
        row: `${row}`,
        o,
        ties: `${ties + (ties_before ?? 0)}`,
        bp: `${bp}`,
        pp: `${pp}`,
        nat: `${nat}`,
      })),
    );
    [...page.querySelectorAll('g[data-col]')].forEach((mark, at) => {
      const win = cells[at]!;
      const ties = win.ties + (win.ties_before ?? 0);
      expect(cell(mark)).toEqual([win.col, win.row]);
      expect(mark.querySelectorAll('path.tie').length).toBe(ties > 0 ? 1 : 0);
      expect(mark.querySelector('text')?.textContent).toBe(ties > 1 ? `${ties}` : undefined);
    });
  });

  it.each(DERIVED)('%s: every mark at its cell, whole or broken', (road) => {
    const page = draw(DerivedRoad, { road, roads: expected, columns: WIDE });
    const { cells } = expected[road];
    expect(marks(page)).toEqual(
      cells.map(([col, row, colour]) => ({ col: `${col}`, row: `${row}`, colour, shape: road })),
    );
    expect([...page.querySelectorAll('g[data-col]')].map(cell)).toEqual(cells.map(([col, row]) => [col, row]));
  });

  it('ask panel: what each side would add, beside the grids', () => {
    const page = draw(Ask, { ask: expected.ask });
    for (const side of ['B', 'P'] as const)
      for (const road of DERIVED) {
        const asked = page.querySelector<SVGElement>(`[data-ask=${side}][data-road=${road}]`)!;
        expect(asked.dataset['colour']).toBe(expected.ask[road][side]);
        expect(asked.querySelectorAll('.streak').length).toBe(expected.ask[road][side] === '' ? 0 : 1);
      }
    expect(page.querySelectorAll('g[data-col]').length).toBe(0);
  });
});

describe('a road with more columns than fit', () => {
  const roads = byId('tail-collision');
  const columns = 3;

  it('loses the oldest whole columns and keeps all of the rest', () => {
    const page = draw(BigRoad, { road: roads.big_road, leadingTies: 0, columns });
    const { cells } = roads.big_road;
    const first = Math.max(...cells.map((it) => it.col)) - columns + 1;
    expect(first).toBeGreaterThan(0);
    expect(marks(page).map((it) => Number(it['col']))).toEqual(cells.map((it) => it.col).filter((col) => col >= first));
    const xs = [...page.querySelectorAll('g[data-col]')].map((mark) => cell(mark)[0]);
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBe(columns - 1);
  });
});

describe('marks without colour', () => {
  it('differ in shape where colours differ', () => {
    const shape = (road: (typeof DERIVED)[number], colour: 'r' | 'b'): string => {
      const page = draw(DerivedRoad, {
        road,
        roads: { ...byId('empty'), [road]: { seq: colour, cells: [[0, 0, colour]] } },
        columns: 1,
      });
      const mark = page.querySelector('.streak > *')!;
      return ['d', 'stroke-dasharray'].map((it) => mark.getAttribute(it)).join(' ');
    };
    for (const road of DERIVED) expect(shape(road, 'r')).not.toBe(shape(road, 'b'));
  });

  it('are whole rings for Banker and broken ones for Player on the big road', () => {
    const { big_road } = byId('mixed');
    const page = draw(BigRoad, { road: big_road, leadingTies: 0, columns: WIDE });
    const broken = [...page.querySelectorAll('circle.ring')].map((it) => it.hasAttribute('stroke-dasharray'));
    expect(broken).toEqual(big_road.cells.map((it) => it.o === 'P'));
    expect(new Set(broken).size).toBe(2);
  });

  it('on the bead plate are glyphs of the language', () => {
    language.use('zh-Hant', false);
    const beads = [...byId('mixed').bead, ...byId('only-ties').bead];
    const page = draw(BeadPlate, { beads: beads.map((bead, n) => ({ ...bead, n })), columns: WIDE });
    const glyphs = { B: '莊', P: '閒', T: '和' };
    expect([...page.querySelectorAll('text')].map((it) => it.textContent)).toEqual(beads.map((it) => glyphs[it.o]));
  });
});

describe('all together', () => {
  it('has five roads and the ask panel', () => {
    const page = draw(Roads, { roads: byId('mixed') });
    expect([...page.querySelectorAll('figcaption')].map((it) => it.firstChild?.textContent?.trim())).toEqual([
      'Bead plate',
      'Big road',
      'Big eye boy',
      'Small road',
      'Cockroach pig',
    ]);
    expect(page.querySelectorAll('[data-ask]').length).toBe(6);
  });

  it('counts', () => {
    const page = draw(Counters, {
      counters: { wins: { player: 21, banker: 22 }, ties: 3, pairs: { player: 4, banker: 5 }, naturals: 6 },
    });
    const said = [...page.querySelectorAll('dl > div')].map((it) => it.textContent?.replace(/\s+/g, ' ').trim());
    expect(said).toEqual(['B Banker 22', 'P Player 21', 'T Tie 3', 'Banker Pair 5', 'Player Pair 4', 'Natural 6']);
  });
});
