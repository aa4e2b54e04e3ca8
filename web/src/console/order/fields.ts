// What an order asks for, field by field, and how what was typed is read. Whether it is right the table decides; here it
// is only complete or not.

import { parse } from '../../lib/money';
import type { Card, Money } from '../../lib/wire';

export type FieldKind =
  | 'text'
  | 'long'
  | 'amount'
  | 'whole'
  | 'patron'
  | 'box'
  | 'case-outcome'
  | 'bet'
  | 'post'
  | 'dispute'
  | 'shoe'
  | 'card'
  | 'keyed'
  | 'cards'
  | 'order'
  | 'hands'
  | 'places'
  | 'drawn'
  | 'yes'
  | 'keep'
  | 'held'
  | 'outcome'
  | 'about'
  | 'cause'
  | 'hand';

/** What a field is called; each has its words. */
export type FieldName =
  | 'about'
  | 'acceptor'
  | 'amount'
  | 'at'
  | 'bet'
  | 'betMaximum'
  | 'betMinimum'
  | 'box'
  | 'cardIs'
  | 'cardNo'
  | 'cards'
  | 'cardsOut'
  | 'cardsRuled'
  | 'cardSet'
  | 'cause'
  | 'case'
  | 'count'
  | 'counted'
  | 'departs'
  | 'differential'
  | 'digest'
  | 'discarded'
  | 'dispute'
  | 'extra'
  | 'foreign'
  | 'hand'
  | 'hands'
  | 'heldPayout'
  | 'keep'
  | 'keyed'
  | 'left'
  | 'minimum'
  | 'matter'
  | 'missing'
  | 'order'
  | 'orderKnown'
  | 'outcome'
  | 'patron'
  | 'places'
  | 'person'
  | 'post'
  | 'reason'
  | 'reference'
  | 'replaceShoe'
  | 'rightCard'
  | 'round'
  | 'shift'
  | 'shoe'
  | 'shown'
  | 'shuffledBy'
  | 'slip'
  | 'stake'
  | 'surveillance'
  | 'spokenInTime'
  | 'through'
  | 'matterNo'
  | 'words';

export interface Field {
  name: FieldName;
  kind: FieldKind;
  /** May be left empty. */
  optional?: boolean;
}

/** One value for each Hand. */
export interface Hands {
  player: Card[];
  banker: Card[];
  /** Cards that lie with neither Hand. */
  neither?: Card[];
  /** Those of all these that nobody had read. */
  unread?: Card[];
}

export type Value = string | boolean | Card[] | Hands;
export type Values = Partial<Record<FieldName, Value>>;

/** What an empty form holds. */
export function blank(kind: FieldKind): Value {
  switch (kind) {
    case 'cards':
    case 'drawn':
    case 'order':
      return [];
    case 'hands':
    case 'places':
      return { player: [], banker: [] };
    case 'yes':
      return false;
    default:
      return '';
  }
}

/** Whether a field can be read. */
export function isComplete(field: Field, given: Given): boolean {
  const { name, kind, optional = false } = field;
  const isEmpty = given.text(name) === '';
  switch (kind) {
    case 'amount':
      return isEmpty ? optional : given.amountOr(name) !== null;
    case 'whole':
    case 'patron':
      return isEmpty ? optional : given.wholeOr(name) !== null;
    case 'cards':
    case 'drawn':
    case 'order':
      return optional || given.cards(name).length > 0;
    case 'hands':
    case 'places': {
      const { player, banker, neither = [] } = given.hands(name);
      return player.length + banker.length + neither.length > 0;
    }
    case 'yes':
      return true;
    case 'text':
    case 'long':
    case 'box':
    case 'case-outcome':
    case 'bet':
    case 'post':
    case 'dispute':
    case 'shoe':
    case 'card':
    case 'keyed':
    case 'keep':
    case 'held':
    case 'outcome':
    case 'about':
    case 'cause':
    case 'hand':
      return optional || !isEmpty;
  }
}

/** What was typed, read. */
export class Given {
  constructor(
    readonly values: Values,
    readonly currency: string,
  ) {}

  text(name: FieldName): string {
    const value = this.values[name];
    return typeof value === 'string' ? value.trim() : '';
  }

  textOr(name: FieldName): string | null {
    return this.text(name) || null;
  }

  whole(name: FieldName): number {
    return this.wholeOr(name) ?? 0;
  }

  wholeOr(name: FieldName): number | null {
    const text = this.text(name);
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  }

  amount(name: FieldName): Money {
    return this.amountOr(name) ?? 0;
  }

  amountOr(name: FieldName): Money | null {
    return parse(this.text(name), this.currency);
  }

  cards(name: FieldName): Card[] {
    const value = this.values[name];
    return Array.isArray(value) ? value : [];
  }

  hands(name: FieldName): Hands {
    const value = this.values[name];
    return value && typeof value === 'object' && 'player' in value ? value : { player: [], banker: [] };
  }

  yes(name: FieldName): boolean {
    return this.values[name] === true;
  }
}
