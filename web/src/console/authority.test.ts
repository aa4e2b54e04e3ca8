import { expect, it } from 'vitest';
import { leastPost, onTheSpot, postOf, reaches } from './authority';
import { menu } from './menu';
import { TABLE, view } from './testing';

it('posts rise from Dealer to Shift Manager; other roles have none', () => {
  expect(reaches('pit-manager', 'pit-supervisor')).toBe(true);
  expect(reaches('dealer', 'pit-supervisor')).toBe(false);
  expect(postOf('shift-manager')).toBe('shift-manager');
  expect(postOf('cashier')).toBeNull();
});

it('a higher post may come for what the table says it could order now', () => {
  expect(leastPost(view(), 'announce-closing')).toBe('pit-supervisor');
  expect(onTheSpot(view(), 'announce-closing', 'dealer')).toBe(true);
  expect(onTheSpot(view(), 'announce-closing', 'pit-manager')).toBe(false);
  expect(onTheSpot(view(), 'open-bets', 'dealer')).toBe(false);
  // Nobody can now.
  expect(leastPost(view(), 'close-table')).toBeNull();
  expect(onTheSpot(view(), 'close-table', 'dealer')).toBe(false);
});

it('the menu offers what is possible, by topic, and nothing else', () => {
  const topics = menu(view({ possible: ['open-bets', 'retire-shoe', 'draw-card', 'ask-squeeze'] }), 'dealer');
  const items = topics.flatMap(({ items }) => items);
  expect(items).toEqual([
    { kind: 'open-bets', signs: null },
    { kind: 'retire-shoe', signs: null },
    { kind: 'announce-closing', signs: 'pit-supervisor' },
    { kind: 'start-shift', signs: 'pit-manager' },
  ]);
  const faces = { table: { ...TABLE, faces: 'down' as const }, possible: ['ask-squeeze' as const] };
  expect(menu(view(faces), 'shift-manager')).toEqual([
    { topic: 'wagers', items: [{ kind: 'ask-squeeze', signs: null }] },
  ]);
});
