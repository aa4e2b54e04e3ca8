// Rulings on a matter: what each asks for, and the command that comes of it. Which may be given the table says.

import type { Card, Cards, Command, MatterView, Ruling, RulingWord, View } from '../../lib/wire';
import type { Field, Given, Values } from '../order/fields';
import type { Form } from '../order/forms';

/** The order in which rulings are offered: putting right before undoing. */
const ORDER: readonly RulingWord[] = [
  'reconstruct',
  'in-order',
  'correct',
  'continue',
  'as-they-lie',
  'void',
  'misread',
  'adjust',
  'stand',
];

/** What may be ruled, in that order. */
export const offered = ({ rulings }: MatterView): RulingWord[] => ORDER.filter((word) => rulings.includes(word));

/** Whether any of it puts the cards in an order, so that a proposal matters. */
export const ordersCards = ({ rulings }: MatterView): boolean =>
  rulings.some((word) => word === 'reconstruct' || word === 'in-order' || word === 'as-they-lie');

function fields(word: RulingWord, cards: Cards, names: boolean): Field[] {
  switch (word) {
    case 'misread':
      // Nobody says what a card of the software's own shoe is.
      return cards === 'real' ? [{ name: 'cardIs', kind: 'card', optional: true }] : [];
    case 'in-order':
    case 'as-they-lie':
      return [{ name: 'order', kind: 'order' }];
    case 'correct':
      return [{ name: 'cardsOut', kind: 'cards' }];
    case 'adjust':
      // What is owed the table computes; nobody says what the cards of the software's own shoe were.
      return [
        ...(names ? [] : [{ name: 'round', kind: 'whole', optional: true } as const]),
        ...(cards === 'real' ? [{ name: 'cardsRuled', kind: 'cards', optional: true } as const] : []),
      ];
    case 'void':
    case 'reconstruct':
    case 'continue':
    case 'stand':
      return [];
  }
}

function ruling(word: RulingWord, it: Given): Ruling {
  switch (word) {
    case 'misread':
      return { ruling: 'misread', card: it.textOr('cardIs') };
    case 'in-order':
    case 'as-they-lie':
      return { ruling: word, order: it.cards('order') };
    case 'correct':
      return { ruling: 'correct', cards: it.cards('cardsOut') };
    case 'adjust':
      return { ruling: 'adjust', round: it.wholeOr('round'), cards: it.cards('cardsRuled') };
    case 'void':
    case 'reconstruct':
    case 'continue':
    case 'stand':
      return { ruling: word };
  }
}

/** A Shift Manager or above may depart in a case from how the house reads its rules, and names the item. */
const DEPARTS: Field = { name: 'departs', kind: 'whole', optional: true };

/** What a ruling departs from, if it does. */
export const departure = (it: Given): { departs?: number } => {
  const departs = it.wholeOr('departs');
  return departs === null ? {} : { departs };
};

/** The form of a ruling. The second person is put in when they have signed in. */
export function rulingForm(matter: MatterView, word: RulingWord, cards: Cards = 'real'): Form {
  const replace: Field[] = matter.may_replace ? [{ name: 'replaceShoe', kind: 'yes' }] : [];
  return {
    fields: [...fields(word, cards, 'round' in matter.report), ...replace, { name: 'reason', kind: 'long' }, DEPARTS],
    make: (it): Command => ({
      do: 'rule',
      matter: matter.matter,
      ruling: ruling(word, it),
      reason: it.text('reason'),
      replace_shoe: it.yes('replaceShoe'),
      second: null,
      ...departure(it),
    }),
  };
}

/** Cards of which only the order is open: those that left the shoe together; all, where the matter names none. */
export const movable = ({ report, movable }: MatterView): Card[] | null =>
  report.irregularity === 'simultaneous-draw' || report.irregularity === 'excess-or-exposed-card' ? movable : null;

/** What the software proposes, as the fields of a form. */
export function proposed(matter: MatterView, word: RulingWord, view: View): Values {
  const { proposal } = matter;
  const drawn = proposal ? [...proposal.reconstructed, ...proposal.carried] : [];
  const lying = view.cards.map(({ card }) => card).filter((card) => card.length === 2);
  const shown = lying.length > 0 ? lying : (view.last?.result?.cards ?? []);
  return {
    order: word === 'as-they-lie' ? (proposal?.as_they_lie ?? []) : drawn,
    cardsOut: matter.report.irregularity === 'cards-in-dispute' ? matter.report.confirmed : shown,
  };
}
