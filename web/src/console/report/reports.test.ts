import { describe, expect, it } from 'vitest';
import type { IrregularityKind, Printed, View } from '../../lib/wire';
import { Given, type Values } from '../order/fields';
import { TABLE, view } from '../testing';
import { guide, known, reportForm, type Reportable } from './reports';

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
    second_person: false,
    discretion: null,
  })),
} as unknown as Printed;
const offered = (different: Partial<View>): Reportable[] =>
  guide(printed, view(different)).flatMap(({ kinds }) => kinds);
const cards = [
  { card: '2s', side: 'player' as const },
  { card: '4d', side: null },
  { card: 'foreign:joker', side: 'banker' as const },
];

describe('the guide', () => {
  it('offers what can be reported about the Round in play', () => {
    const dealing = offered({ phase: 'dealing', cards });
    expect(dealing).toEqual(expect.arrayContaining(['late-bet', 'wrong-side', 'simultaneous-draw', 'foreign-card']));
    // The software finds these by itself.
    expect(dealing).not.toContain('over-differential');
    expect(dealing).not.toContain('shoe-exhausted');
    // Cards are dealt face up here.
    expect(dealing).not.toContain('face-up');
    expect(offered({ phase: 'dealing', cards, table: { ...TABLE, faces: 'down' } })).toContain('face-up');
  });

  it('offers between Rounds what reaches back', () => {
    const between = offered({});
    expect(between).toEqual(expect.arrayContaining(['excess-or-exposed-card', 'wrong-result', 'not-shuffled']));
    expect(between).not.toContain('late-bet');
    expect(between).not.toContain('technical-interruption');
  });

  it('offers while bets are open no late bet, and while a card is unread only an interruption', () => {
    expect(offered({ phase: 'betting' })).not.toContain('late-bet');
    expect(offered({ phase: 'unread', cards })).toEqual(['technical-interruption']);
  });

  it('offers nothing that this game has no paragraph for', () => {
    const few = { irregularities: printed.irregularities.slice(0, 2) } as Printed;
    expect(guide(few, view()).flatMap(({ kinds }) => kinds)).toEqual(['walk-away']);
  });

  it('does not ask for cards that only the house can know', () => {
    const table = { ...TABLE, cards: 'software' as const };
    expect(offered({ phase: 'dealing', cards, table })).not.toContain('simultaneous-draw');
    expect(reportForm('excess-or-exposed-card', view({ table })).fields).toEqual([]);
    expect(reportForm('excess-or-exposed-card', view()).fields).toHaveLength(1);
  });
});

describe('a report', () => {
  const make = (kind: Reportable, values: Values) => reportForm(kind, view()).make(new Given(values, 'SGD'));

  it('says what is known', () => {
    expect(make('simultaneous-draw', { cards: ['3c', 'Kh'], orderKnown: true })).toEqual({
      do: 'report',
      report: { irregularity: 'simultaneous-draw', cards: ['3c', 'Kh'], order_known: true },
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

  it('begins with the Hands as they lie, every card of the set among them', () => {
    expect(known('wrong-side', view({ cards }), null).hands).toEqual({ player: ['2s', '4d'], banker: [] });
  });

  it('is about the Round just played where none is in play, and about the one before where it is late', () => {
    const last = { round: 4, cards: [{ card: '9h', side: 'banker' as const }] } as never;
    expect(known('wrong-number-of-cards', view(), last).hands).toEqual({ player: [], banker: ['9h'] });
    expect(known('wrong-result', view(), null).round).toBe('4');
    expect(known('late-discovery', view(), null).round).toBe('3');
  });
});
