import { expect, it } from 'vitest';
import { needsApproval, onTheSpot, postOf, reaches } from './authority';
import { menu } from './menu';
import { TABLE, view } from './testing';

const chips = { ...TABLE, money: 'chips' as const, limits: 'observed' as const };

it('posts rise from Dealer to Shift Manager; other roles have none', () => {
  expect(reaches('pit-manager', 'pit-supervisor')).toBe(true);
  expect(reaches('dealer', 'pit-supervisor')).toBe(false);
  expect(postOf('shift-manager')).toBe('shift-manager');
  expect(postOf('cashier')).toBeNull();
});

it('a ruling takes a password whoever is signed in, other orders only above their post', () => {
  expect(needsApproval('rule', view({ possible: ['rule'] }), 'shift-manager')).toBe(true);
  expect(needsApproval('amend-wager', view({ possible: ['amend-wager'] }), 'pit-manager')).toBe(true);
  expect(needsApproval('announce-closing', view(), 'dealer')).toBe(true);
  expect(needsApproval('announce-closing', view({ possible: ['announce-closing'] }), 'pit-supervisor')).toBe(false);
  expect(needsApproval('open-bets', view(), 'dealer')).toBe(false);
});

it('a higher post may come for what the moment allows', () => {
  expect(onTheSpot(view(), 'dealer')).toEqual(['announce-closing', 'start-shift']);
  expect(onTheSpot(view({ table: chips }), 'dealer')).toContain('open-float');
  expect(onTheSpot(view({ table: chips, float: 10 }), 'dealer')).toEqual(
    expect.arrayContaining(['fill', 'credit', 'close-float']),
  );
  expect(onTheSpot(view({ table: chips, phase: 'dealing' }), 'dealer')).toContain('amend-wager');
  const out = { table: chips, phase: 'dealing' as const, cards: [{ card: '2s', side: 'player' as const }] };
  expect(onTheSpot(view(out), 'dealer')).not.toContain('amend-wager');
  expect(onTheSpot(view({ phase: 'interrupted' }), 'dealer')).toEqual([]);
  // Whoever has the post is told by the table what is possible.
  expect(onTheSpot(view(), 'shift-manager')).toEqual([]);
});

it('the menu offers what is possible, by topic, and nothing else', () => {
  const topics = menu(view({ possible: ['open-bets', 'retire-shoe', 'draw-card', 'ask-squeeze'] }), 'dealer');
  const items = topics.flatMap(({ items }) => items);
  expect(items.filter(({ spot }) => !spot).map(({ kind }) => kind)).toEqual(['open-bets', 'retire-shoe']);
  expect(items.filter(({ spot }) => spot).map(({ kind }) => kind)).toEqual(['announce-closing', 'start-shift']);
  const down = menu(view({ table: { ...TABLE, faces: 'down' }, possible: ['ask-squeeze'] }), 'shift-manager');
  expect(down).toEqual([{ topic: 'wagers', items: [{ kind: 'ask-squeeze', spot: false }] }]);
});
