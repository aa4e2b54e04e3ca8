import { expect, it } from 'vitest';
import type { MatterView, RulingWord } from '../../lib/wire';
import { Given, type Values } from '../order/fields';
import { rulingTask } from '../order/task';
import { view } from '../testing';
import { movable, offered, proposed, rulingForm } from './rulings';

const matter = (different: Partial<MatterView> = {}): MatterView => ({
  matter: 3,
  kind: 'simultaneous-draw',
  report: { irregularity: 'simultaneous-draw', cards: ['3c', 'Kh'], order_known: false },
  round: 4,
  holds: true,
  cite: '5.11',
  decides: 'pit-supervisor',
  second_person: false,
  discretion: null,
  proposed: null,
  established: false,
  because: [],
  proposal: { reconstructed: ['2s', '4d', '3c'], carried: ['Kh'], as_they_lie: null },
  movable: ['3c', 'Kh'],
  rulings: ['void', 'in-order', 'as-they-lie'],
  money_until: null,
  take_two: [],
  may_replace: true,
  ...different,
});
const make = (word: RulingWord, values: Values, of = matter()) => rulingForm(of, word).make(new Given(values, 'SGD'));

it('rulings come in one order, putting right before undoing', () => {
  expect(offered(matter())).toEqual(['in-order', 'as-they-lie', 'void']);
  expect(offered(matter({ rulings: ['misread', 'void'] }))).toEqual(['void', 'misread']);
});

it('an order begins with the cards as they were drawn, and only those drawn together may move', () => {
  expect(proposed(matter(), 'in-order', view()).order).toEqual(['2s', '4d', '3c', 'Kh']);
  expect(movable(matter())).toEqual(['3c', 'Kh']);
  expect(movable(matter({ report: { irregularity: 'uncovered', words: 'spilled' } }))).toBeNull();
});

it('Hands stay as they lie in the order that the table found', () => {
  const proposal = { reconstructed: ['2s'], carried: [], as_they_lie: ['4d', '2s'] };
  expect(proposed(matter({ proposal }), 'as-they-lie', view()).order).toEqual(['4d', '2s']);
});

it('a ruling says what, why, and whether the shoe is replaced', () => {
  expect(make('in-order', { order: ['2s', '4d', 'Kh', '3c'], reason: ' it lay on top ', replaceShoe: true })).toEqual({
    do: 'rule',
    matter: 3,
    ruling: { ruling: 'in-order', order: ['2s', '4d', 'Kh', '3c'] },
    reason: 'it lay on top',
    replace_shoe: true,
    second: null,
  });
  expect(make('continue', { reason: 'r', departs: '25' })).toMatchObject({ departs: 25 });
  expect(make('misread', { reason: 'stained' })).toMatchObject({ ruling: { ruling: 'misread', card: null } });
  expect(make('correct', { cardsOut: ['2s'], reason: 'r' })).toMatchObject({
    ruling: { ruling: 'correct', cards: ['2s'] },
  });
});

it('always asks for a reason, and for replacement only where it may be had', () => {
  const names = (of: MatterView) => rulingForm(of, 'void').fields.map(({ name }) => name);
  expect(names(matter())).toEqual(['replaceShoe', 'reason', 'departs']);
  expect(names(matter({ may_replace: false }))).toEqual(['reason', 'departs']);
});

it('does not ask what a card of a software shoe is', () => {
  const names = (cards: 'real' | 'software') => rulingForm(matter(), 'misread', cards).fields.map(({ name }) => name);
  expect(names('real')).toContain('cardIs');
  expect(names('software')).not.toContain('cardIs');
});

it('is signed for by whoever decides, and by two where the table says so', () => {
  expect(rulingTask(matter(), 'in-order', view())).toMatchObject({ approval: 'pit-supervisor', second: false });
  expect(rulingTask(matter({ take_two: ['adjust'] }), 'adjust', view()).second).toBe(true);
  expect(rulingTask(matter({ take_two: ['adjust'] }), 'stand', view()).second).toBe(false);
});

it('a correction begins with the cards that were settled', () => {
  const result = {
    cards: ['2s', '4d', '6c', '4h'],
    points: { player: 8, banker: 8 },
    winner: 'tie' as const,
    natural: true,
    pairs: { player: false, banker: true },
  };
  const of = matter({ kind: 'wrong-result', proposal: null, rulings: ['correct', 'stand'] });
  expect(proposed(of, 'correct', view({ last: { round: 4, result, lines: [] } })).cardsOut).toEqual(result.cards);
});
