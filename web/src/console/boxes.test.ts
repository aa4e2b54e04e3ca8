import { expect, it } from 'vitest';
import type { Flag, WagerView } from '../lib/wire';
import { byBox, isFlagged, sum, under } from './boxes';
import { TABLE } from './testing';

const wager = (patron: number, box: number | null, bet: string, stake: number): WagerView => ({
  patron,
  box,
  stance: 'seated',
  bet,
  stake,
  playing: stake,
});
const flags: Flag[] = [
  { flag: 'over-differential', side: 'banker', by: 159_000 },
  { flag: 'under-minimum', patron: 9, side: 'player', by: 1_500 },
];

it('a box has the totals of both sides; side bets stand outside', () => {
  const wagers = [
    wager(7, 1, 'banker', 200_000),
    wager(9, 1, 'player', 1_000),
    wager(9, 1, 'tie', 500),
    wager(8, 3, 'tie', 5),
  ];
  const [first, second] = byBox(wagers, TABLE.bets, [[1, flags]]);
  expect(first).toMatchObject({ box: 1, player: 1_000, banker: 200_000, flags });
  expect(first?.wagers).toHaveLength(3);
  expect(second).toMatchObject({ box: 3, player: 0, banker: 0, flags: [] });
  expect(sum(wagers)).toBe(201_505);
});

it('the electronic game has one group without a box', () => {
  expect(byBox([wager(1, null, 'player', 5), wager(2, null, 'banker', 6)], TABLE.bets, [])).toMatchObject([
    { box: null, player: 5, banker: 6 },
  ]);
});

it('a side bet outside its range flags its box', () => {
  const inside = wager(9, 1, 'tie', 500);
  expect(isFlagged([], [inside])).toBe(false);
  expect(isFlagged([], [inside, { ...inside, outside: { minimum: 10, maximum: 400 } }])).toBe(true);
  expect(isFlagged(flags, [])).toBe(true);
});

it('who is under the minimum, on which side and by how much', () => {
  expect(under(flags, wager(9, 1, 'player', 1_000), 'player')).toBe(1_500);
  expect(under(flags, wager(9, 1, 'banker', 1_000), 'banker')).toBeNull();
  expect(under(flags, wager(7, 1, 'player', 1_000), 'player')).toBeNull();
});
