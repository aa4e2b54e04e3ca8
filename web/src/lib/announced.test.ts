import { expect, test } from 'vitest';
import { TABLE } from '../console/testing';
import { ahead } from './announced';

test('a table without an announcement has nothing ahead', () => {
  expect(ahead(TABLE)).toBeNull();
});

test('what was announced is displayed as it will be, and what was not named stays', () => {
  const range = { minimum: 20, maximum: 600 };
  const betting_box = { minimum: 5_000, differential: 100_000 };
  const table = { ...TABLE, announced: { betting_box, bets: { tie: range }, from: 1_767_226_424_907 } };
  const next = ahead(table);
  expect(next?.betting_box).toEqual(betting_box);
  expect(next?.bets.find(({ bet }) => bet === 'tie')?.range).toEqual(range);
  expect(next?.bets.find(({ bet }) => bet === 'player')?.range).toBeNull();
  expect(next?.announced).toBeNull();
});
