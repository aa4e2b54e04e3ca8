import { describe, expect, it } from 'vitest';
import type { IrregularityKind, Printed } from '../../lib/wire';
import { Given, type Values } from '../order/fields';
import { FLOOR, TABLE, view } from '../testing';
import { decides, guide, known, reportForm, type Reportable } from './reports';

const KINDS: IrregularityKind[] = [
  'over-differential',
  'walk-away',
  'technical-interruption',
  'foreign-card',
  'shortage-or-excess',
  'wrong-number-of-cards',
  'shoe-exhausted',
  'not-shuffled',
  'late-bet',
  'excess-or-exposed-card',
  'wrong-side',
  'face-up',
  'simultaneous-draw',
  'other-dealing-error',
  'late-discovery',
  'bet-placed-in-error',
  'wrong-result',
  'uncovered',
];
const printed = {
  irregularities: KINDS.map((kind) => ({
    kind,
    cite: '5',
    remedy: 'void',
    decides: null,
    decides_in_time: null,
    second_person: false,
    discretion: null,
  })),
} as unknown as Printed;
const cards = [
  { card: '2s', side: 'player' as const },
  { card: '4d', side: null },
  { card: 'foreign:joker', side: 'banker' as const },
];

describe('the guide', () => {
  it('offers what the table says can be reported, by topic', () => {
    const reportable: IrregularityKind[] = ['late-bet', 'foreign-card', 'simultaneous-draw'];
    expect(guide(printed, view({ floor: { ...FLOOR, reportable } }))).toEqual([
      { group: 'dealing', kinds: ['simultaneous-draw'] },
      { group: 'cards', kinds: ['foreign-card'] },
      { group: 'bets', kinds: ['late-bet'] },
    ]);
  });

  it('offers nothing that this game has no paragraph for', () => {
    const few = { irregularities: printed.irregularities.slice(0, 2) } as Printed;
    const floor = { ...FLOOR, reportable: KINDS };
    expect(guide(few, view({ floor })).flatMap(({ kinds }) => kinds)).toEqual(['walk-away']);
  });

  it('does not ask for cards that only the house can know', () => {
    const table = { ...TABLE, cards: 'software' as const };
    expect(reportForm('excess-or-exposed-card', view({ table })).fields).toEqual([]);
    expect(reportForm('excess-or-exposed-card', view()).fields).toHaveLength(1);
  });
});

it('who decides is what is printed, in time or at all', () => {
  const of = (different: object) => decides({ ...printed.irregularities[0]!, ...different });
  expect(of({})).toBe('The rules decide at once');
  expect(of({ decides: 'shift-manager' })).toMatch(/Shift Manager.* decides$/);
  expect(of({ decides: 'shift-manager', decides_in_time: 'pit-supervisor' })).toMatch(/^Pit Supervisor.* until/);
});

describe('a report', () => {
  const make = (kind: Reportable, values: Values) => reportForm(kind, view()).make(new Given(values, 'SGD'));

  it('says what is known', () => {
    expect(make('simultaneous-draw', { cards: ['3c', 'Kh'], orderKnown: true })).toEqual({
      do: 'report',
      report: { irregularity: 'simultaneous-draw', cards: ['3c', 'Kh'], places: [], order_known: true },
    });
    expect(make('late-bet', { patron: '7', bet: 'tie', stake: '50', box: '' })).toEqual({
      do: 'report',
      report: { irregularity: 'late-bet', patron: 7, bet: 'tie', stake: 5_000, box: null },
    });
    expect(make('wrong-result', { round: '4', words: 'a seven' })).toEqual({
      do: 'report',
      report: { irregularity: 'wrong-result', round: 4, words: 'a seven' },
    });
  });

  it('says how many cards were seen in the device', () => {
    expect(make('shoe-exhausted', { left: '1' })).toEqual({
      do: 'report',
      report: { irregularity: 'shoe-exhausted', left: 1 },
    });
  });

  it('begins with the Hands as they lie, every card of the set among them', () => {
    expect(known('wrong-side', view({ cards }), null).hands).toEqual({ player: ['2s', '4d'], banker: [] });
  });

  it('places every card where a number is wrong', () => {
    expect(known('wrong-number-of-cards', view({ cards }), null).hands).toEqual({
      player: ['2s'],
      banker: [],
      neither: ['4d'],
    });
    const hands = { player: ['2s'], banker: ['9d'], neither: ['4d'], unread: ['4d'] };
    expect(make('wrong-number-of-cards', { hands })).toEqual({
      do: 'report',
      report: {
        irregularity: 'wrong-number-of-cards',
        hands: { player: ['2s'], banker: ['9d'] },
        neither: ['4d'],
        unread: ['4d'],
      },
    });
  });

  it('is about the Round just played where none is in play, and about the one before where it is late', () => {
    const last = { round: 4, cards: [{ card: '9h', side: 'banker' as const }] } as never;
    expect(known('wrong-number-of-cards', view(), last).hands).toEqual({ player: [], banker: ['9h'], neither: [] });
    expect(known('wrong-result', view(), null).round).toBe('4');
    expect(known('late-discovery', view(), null).round).toBe('3');
  });
});
