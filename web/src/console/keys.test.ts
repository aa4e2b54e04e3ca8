import { describe, expect, it } from 'vitest';
import { NO_STROKES, cardOf, cardsOf, strike, type Struck } from './keys';

/** Strikes keys, each so many milliseconds after the one before; what the last one led to. */
function type(keys: string[], gap: number): Struck {
  let [strokes, struck]: [typeof NO_STROKES, Struck] = [NO_STROKES, { is: 'nothing' }];
  keys.forEach((key, i) => ([strokes, struck] = strike(strokes, key, 1_000 + i * gap)));
  return struck;
}

describe('a card by its name', () => {
  it('is read in every way it is written', () => {
    const ways = ['As', 'AS', 'as', 'A♠', 'A♠\uFE0F', ' As '];
    expect(ways.map(cardOf)).toEqual(Array(6).fill('As'));
    expect(['Td', '10d', '10D', 'T♦', '10♦'].map(cardOf)).toEqual(Array(5).fill('Td'));
  });

  it('is no card where rank or suit is none', () => {
    expect(['', '1s', '11s', 'A', 'Ax', 'joker', 'Asd', '0h'].map(cardOf)).toEqual(Array(8).fill(null));
  });

  it('may be several', () => {
    expect(cardsOf('9h Td,10s A♠')).toEqual(['9h', 'Td', 'Ts', 'As']);
    expect(cardsOf('9hTd10sAs')).toEqual(['9h', 'Td', 'Ts', 'As']);
    expect(cardsOf('')).toEqual([]);
    expect(cardsOf('9h joker')).toBeNull();
    expect(cardsOf('9')).toBeNull();
  });
});

describe('a person at the keyboard', () => {
  it('types rank and suit, sees the card, and gives it with Enter', () => {
    expect(type(['9'], 200)).toEqual({ is: 'typed', card: null });
    expect(type(['9', 'h'], 200)).toEqual({ is: 'typed', card: '9h' });
    expect(type(['9', 'h', 'Enter'], 200)).toEqual({ is: 'card', card: '9h', source: 'keyed' });
    expect(type(['1', '0', 'd', 'Enter'], 200)).toEqual({ is: 'card', card: 'Td', source: 'keyed' });
  });

  it('begins anew with another rank', () => {
    expect(type(['9', 'h', 'K', 's', 'Enter'], 200)).toEqual({ is: 'card', card: 'Ks', source: 'keyed' });
    expect(type(['9', '8', 'c', 'Enter'], 200)).toEqual({ is: 'card', card: '8c', source: 'keyed' });
  });

  it('takes it back', () => {
    expect(type(['9', 'h', 'Escape', 'Enter'], 200)).toEqual({ is: 'nothing' });
    expect(type(['Escape'], 200)).toEqual({ is: 'nothing' });
  });

  it('gives no card with half of one', () => {
    expect(type(['9', 'Enter'], 200)).toEqual({ is: 'half', text: '9' });
    expect(type(['Enter'], 200)).toEqual({ is: 'nothing' });
  });

  it('uses other keys for other things', () => {
    expect(type(['w'], 200)).toEqual({ is: 'nothing' });
    expect(type(['9', 'w'], 200)).toEqual({ is: 'nothing' });
    expect(type(['ArrowLeft'], 200)).toEqual({ is: 'nothing' });
    expect(type(['s'], 200)).toEqual({ is: 'nothing' });
  });

  it('is forgotten after a while', () => {
    expect(type(['9', 'h'], 5_000)).toEqual({ is: 'nothing' });
  });
});

describe('a scanner', () => {
  it('is known by its speed', () => {
    expect(type(['A', 'S', 'Enter'], 5)).toEqual({ is: 'card', card: 'As', source: 'read' });
    expect(type(['A', '♠', 'Enter'], 5)).toEqual({ is: 'card', card: 'As', source: 'read' });
    expect(type(['1', '0', 'h', 'Enter'], 12)).toEqual({ is: 'card', card: 'Th', source: 'read' });
  });

  it('may read what is no card, and none of its keys is anything else', () => {
    expect(type(['J', 'o'], 5).is).toBe('typed');
    expect(type([...'JOKER', 'Enter'], 5)).toEqual({ is: 'stray', text: 'JOKER' });
  });

  it('is not a person who strikes Enter later', () => {
    let [strokes] = strike(NO_STROKES, 'A', 0);
    [strokes] = strike(strokes, 's', 10);
    expect(strike(strokes, 'Enter', 900)[1]).toEqual({ is: 'card', card: 'As', source: 'keyed' });
  });
});
