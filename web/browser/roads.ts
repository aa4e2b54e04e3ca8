// Whether a board shows the roads that the server tells, as somebody sees them.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import type { Card, RoadsView, View } from '../src/lib/wire';

/** A shoe with everything that a road can show: Ties, two in a row, pairs, Naturals, third cards, a tail. */
export const SHOE: Card[][] = [
  ['2h', '9d', '3c', 'Ks'], // Banker, a Natural
  ['4h', '5c', '3d', '2s'], // Tie on 7
  ['4s', '2d', '4d', '3h'], // Player, a Natural and a pair
  ['7c', '6h', 'Kd', 'Ts'], // Player
  ['3s', '6c', '3h', 'Qd'], // Tie on 6, Player Pair
  ['9c', '8d', '9s', 'Jh'], // Tie on 8, Player Pair
  ['2c', '6s', '3d', 'Kc', 'Tc'], // Banker
  ['Ah', '7h', 'As', 'Qs', '4c'], // Banker, Player Pair
  ['Kh', '3c', '5s', 'Ad', '2h', '4d'], // Banker
  ['6d', '4h', 'Kc', '4c'], // Banker, a Natural and a pair
  ['5c', '7s', 'Ac', 'Tc'], // Banker
  ['Qh', '5d', '6c', '2c'], // Banker, the sixth
  ['Js', '8c', '7d', 'Kd'], // Banker: a tail
  ['9h', 'Th', 'Jd', '6s'], // Player
  ['6h', '7c', 'Jc', 'Jd'], // Banker
  ['7h', '6d', 'Qc', 'Qd'], // Player
  ['8s', '5h', 'Kh', 'Ks'], // Player
  ['2d', '9s', '3s', 'Kd'], // Banker
];

interface Mark {
  is: Record<string, string>;
  /** The cell in which it is seen. */
  at: [number, number];
  glyph: string;
  pairs: [banker: number, player: number];
  naturals: number;
}

/** The marks of a road as somebody sees them. */
function drawn(page: Page, road: string): Promise<Mark[]> {
  return page.locator(`figure.${road} g[data-col]`).evaluateAll((marks) =>
    marks.map((it) => {
      const mark = it as SVGGElement;
      // The middle of what is drawn at the mark's place, by the six rows of the paper.
      const paper = mark.ownerSVGElement!.getScreenCTM()!;
      const own = mark.getScreenCTM()!;
      const [x, y] = [(own.e - paper.e) / paper.a / 10, (own.f - paper.f) / paper.d / 10];
      return {
        is: { ...mark.dataset } as Record<string, string>,
        at: [Math.round(x), Math.round(y)] as [number, number],
        glyph: mark.querySelector('text')?.textContent ?? '',
        pairs: [mark.querySelectorAll('.banker').length, mark.querySelectorAll('.player').length] as [number, number],
        naturals: mark.querySelectorAll('.natural').length,
      };
    }),
  );
}

const had = (it: { bp: boolean; pp: boolean; nat: boolean }) => ({
  pairs: [Number(it.bp), Number(it.pp)] as [number, number],
  naturals: Number(it.nat),
});

/** What the server says that is to be seen. */
function told(roads: RoadsView): Record<string, Mark[]> {
  const text = (it: object): Record<string, string> =>
    Object.fromEntries(Object.entries(it).map(([key, value]) => [key, String(value)]));
  const derived = (road: 'big_eye_boy' | 'small_road' | 'cockroach_pig'): Mark[] =>
    roads[road].cells.map(([col, row, colour]) => ({
      is: text({ col, row, colour, shape: road }),
      at: [col, row],
      glyph: '',
      pairs: [0, 0],
      naturals: 0,
    }));
  return {
    bead: roads.bead.map(({ col, row, o, bp, pp, nat }) => ({
      is: text({ col, row, o, bp, pp, nat }),
      at: [col, row],
      glyph: o,
      ...had({ bp, pp, nat }),
    })),
    big: roads.big_road.cells.map(({ col, row, o, ties, ties_before, bp, pp, nat }) => ({
      is: text({ col, row, o, ties: ties + (ties_before ?? 0), bp, pp, nat }),
      at: [col, row],
      glyph: ties + (ties_before ?? 0) > 1 ? String(ties + (ties_before ?? 0)) : '',
      ...had({ bp, pp, nat }),
    })),
    big_eye_boy: derived('big_eye_boy'),
    small_road: derived('small_road'),
    cockroach_pig: derived('cockroach_pig'),
  };
}

/** The board shows the roads, the ask panel and the counters that the server tells. */
export async function agrees(page: Page, { roads, counters, round }: View): Promise<void> {
  await page.locator('header').getByText(`Round ${round}`).waitFor();
  await page.getByRole('heading', { name: `Last Round Round ${round}` }).waitFor();
  // The paper measures itself a moment after it came; the words above may be there before the marks.
  for (const [road, marks] of Object.entries(told(roads)))
    await expect.poll(() => drawn(page, road), { message: road, timeout: 5_000 }).toEqual(marks);
  const asked = await page
    .locator('svg[data-ask]')
    .evaluateAll((it) => it.map(({ dataset: d }) => [d['ask'], d['road'], d['colour']]));
  const answers = (['B', 'P'] as const).flatMap((side) =>
    (['big_eye_boy', 'small_road', 'cockroach_pig'] as const).map((road) => [side, road, roads.ask[road][side]]),
  );
  expect(asked).toEqual(answers);
  const counted = await page
    .locator('.counters dl > div')
    .evaluateAll((rows) =>
      rows.map((it) => [it.querySelector('dt span')?.textContent, it.querySelector('dd')?.textContent]),
    );
  expect(counted).toEqual([
    ['Banker', `${counters.wins.banker}`],
    ['Player', `${counters.wins.player}`],
    ['Tie', `${counters.ties}`],
    ['Banker Pair', `${counters.pairs.banker}`],
    ['Player Pair', `${counters.pairs.player}`],
    ['Natural', `${counters.naturals}`],
  ]);
}
