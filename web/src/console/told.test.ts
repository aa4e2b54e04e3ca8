import { afterEach, expect, it } from 'vitest';
import { language } from '../lib/language.svelte';
import type { Event } from '../lib/wire';
import { TABLE } from './testing';
import { cardName, tell } from './told';

afterEach(() => language.use('en', false));

const registered: Event = {
  event: 'wager-registered',
  patron: 7,
  bet: 'banker',
  amount: 50_000,
  stake: 50_000,
  box: 2,
};

it('says what happened in the words of the table', () => {
  expect(tell(registered, TABLE)).toBe('Patron 7, box 2: Banker $500.');
  language.use('zh-Hans', false);
  expect(tell(registered, TABLE)).toBe('客人 7，2 号位：庄 $500。');
  language.use('zh-Hant', false);
  expect(tell(registered, TABLE)).toBe('客人 7，2 號位：莊 $500。');
});

it('names the bets that establish an outcome, the paragraph of a void and what goes back', () => {
  const resolved: Event = { event: 'interruption-resolved', established: true, because: ['tie'], cite: '5.4.1' };
  expect(tell(resolved, TABLE)).toBe('An outcome was established: Tie. The Round is concluded (5.4.1).');
  const returns = [
    { patron: 7, bet: 'banker', amount: 500 },
    { patron: 8, bet: 'tie', amount: 250 },
  ];
  const voided: Event = { event: 'round-voided', round: 4, kind: 'foreign-card', cite: '5.5.1', returns, changes: [] };
  expect(tell(voided, TABLE)).toBe('Round 4 void: Foreign card (5.5.1). $7.50 goes back.');
});

it('writes cards as people do, and says what is none', () => {
  expect(['Td', 'As', 'foreign:joker'].map((it) => cardName(it))).toEqual(['10♦', 'A♠', 'joker']);
  expect(cardName('covered')).toBe('a card face down');
});

it('does not keep back an event of a newer server', () => {
  expect(tell({ event: 'moon-rose' } as unknown as Event, TABLE)).toBe('moon-rose');
});
