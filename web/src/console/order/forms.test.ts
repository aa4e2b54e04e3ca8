import { describe, expect, it } from 'vitest';
import { TABLE, view } from '../testing';
import { Given, isComplete, type Values } from './fields';
import { formOf, lacking, ofWager, plain, start } from './forms';
import type { CommandKind } from '../../lib/wire';

const given = (values: Values): Given => new Given(values, 'SGD');
const make = (kind: CommandKind, values: Values, different = {}) => formOf(kind, view(different))!.make(given(values));

describe('orders', () => {
  it('that need nothing said are given at once', () => {
    expect(plain('open-bets')).toEqual({ do: 'open-bets' });
    expect(plain('load-shoe')).toBeNull();
    // What cannot be taken back is asked for.
    expect(plain('close-table')).toBeNull();
    expect(formOf('close-table', view())?.fields).toEqual([]);
  });

  it('become commands', () => {
    expect(make('load-shoe', { cardSet: ' blue-7 ', shuffledBy: 'shuffler-2' })).toEqual({
      do: 'load-shoe',
      card_set: 'blue-7',
      shuffled_by: 'shuffler-2',
    });
    expect(make('fill', { amount: '1,000.50', slip: 'F-17' })).toEqual({ do: 'fill', amount: 100_050, slip: 'F-17' });
    expect(make('cut-cards', { at: '200' })).toEqual({ do: 'cut-cards', at: 200 });
    expect(make('rule-carried-cards', { keep: 'discard', reason: 'they decide' })).toEqual({
      do: 'rule-carried-cards',
      keep: false,
      reason: 'they decide',
    });
  });

  it('say what became of a note or a ticket', () => {
    const settled = (outcome: string, amount = '') =>
      make('settle-case', { case: '3', outcome, amount, reason: 'seen in the box' });
    const said = { do: 'settle-case', case: 3, reason: 'seen in the box' };
    expect(settled('credited', '10')).toEqual({ ...said, outcome: { outcome: 'credited', amount: 1_000 } });
    expect(settled('paid', '10')).toEqual({ ...said, outcome: { outcome: 'paid', amount: 1_000 } });
    expect(settled('handed-over', '10')).toEqual({ ...said, outcome: { outcome: 'handed-over' } });
    expect(settled('nothing')).toEqual({ ...said, outcome: { outcome: 'nothing' } });
  });

  it('ask for the first card where the burn goes by it', () => {
    const shoe = { ...view().shoe!, burn_due: 'by-first-card' as const };
    expect(formOf('burn-cards', view({ shoe }))?.fields.map(({ name }) => name)).toEqual(['shown', 'count']);
    expect(formOf('burn-cards', view())?.fields.map(({ name }) => name)).toEqual(['count']);
    expect(make('burn-cards', { shown: '7d', count: '8' }, { shoe })).toEqual({
      do: 'burn-cards',
      count: 8,
      shown: '7d',
    });
  });

  it('name the box where the layout has boxes', () => {
    const values = { patron: '7', box: '2', bet: 'banker', stake: '25' };
    expect(make('place-wager', values)).toEqual({
      do: 'place-wager',
      patron: 7,
      box: 2,
      bet: 'banker',
      stake: 2_500,
    });
    const table = { ...TABLE, boxes: null };
    expect(make('place-wager', { patron: '7', bet: 'banker', stake: '25' }, { table })).toEqual({
      do: 'place-wager',
      patron: 7,
      bet: 'banker',
      stake: 2_500,
    });
  });

  it('begin with a wager that is there', () => {
    const wager = { patron: 7, box: 2, stance: 'seated', bet: 'banker', stake: 2_550, playing: 2_550 } as const;
    expect(ofWager(wager, 'SGD')).toEqual({ patron: '7', box: '2', bet: 'banker', stake: '25.50' });
    const form = formOf('record-chips', view())!;
    expect(start(form, ofWager({ ...wager, stake: 2_500 }, 'SGD')).stake).toBe('25');
  });
});

describe('what was typed', () => {
  it('is complete, or the field is named', () => {
    const form = formOf('fill', view())!;
    expect(lacking(form, given({ amount: 'ten', slip: 'F-1' })).map(({ name }) => name)).toEqual(['amount']);
    expect(lacking(form, given({ amount: '10', slip: ' ' })).map(({ name }) => name)).toEqual(['slip']);
    expect(lacking(form, given({ amount: '10', slip: 'F-1' }))).toEqual([]);
  });

  it('may be nothing where nothing is an answer', () => {
    const optional = { name: 'amount', kind: 'amount', optional: true } as const;
    expect(isComplete(optional, given({}))).toBe(true);
    expect(isComplete(optional, given({ amount: 'x' }))).toBe(false);
    // Chips that are gone are a stake of nothing.
    expect(isComplete({ name: 'stake', kind: 'amount' }, given({ stake: '0' }))).toBe(true);
  });
});
