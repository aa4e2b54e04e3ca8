import { expect, it } from 'vitest';
import { moved, withUnread } from './places';

it('a tap moves a card to the next place, and round again', () => {
  const lying = { player: ['2s'], banker: ['9d'] };
  const once = moved(lying, 'player', 0);
  expect(once).toEqual({ player: [], banker: ['9d', '2s'] });
  const twice = moved(once, 'banker', 1);
  expect(twice).toEqual({ player: [], banker: ['9d'], neither: ['2s'] });
  expect(moved(twice, 'neither', 0)).toEqual({ player: ['2s'], banker: ['9d'], neither: [] });
  expect(moved(lying, 'neither', 0)).toEqual(lying);
});

it('a card that nobody had read lies somewhere too, and goes with its name', () => {
  const added = withUnread({ player: ['2s'], banker: ['9d'] }, ['Kh']);
  expect(added).toEqual({ player: ['2s'], banker: ['9d'], neither: ['Kh'], unread: ['Kh'] });
  const placed = moved(added, 'neither', 0);
  expect(withUnread(placed, [])).toEqual({ player: ['2s'], banker: ['9d'], neither: [], unread: [] });
});
