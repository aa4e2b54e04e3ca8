// Reports of irregularities: which kinds can be reported at this table, in which order a Dealer looks for them, and what
// each asks for.

import type { Card, Command, IrregularityKind, Printed, Recalled, Report, Side, TableView, View } from '../../lib/wire';
import type { Field, Given, Values } from '../order/fields';
import type { Form } from '../order/forms';

export const GROUPS = ['dealing', 'cards', 'result', 'bets', 'other'] as const;
export type Group = (typeof GROUPS)[number];

/** Kinds that people report. The software finds the others by itself. */
export type Reportable = Report['irregularity'];

const KINDS: Record<Group, readonly Reportable[]> = {
  dealing: ['excess-or-exposed-card', 'wrong-side', 'simultaneous-draw', 'face-up', 'other-dealing-error'],
  cards: ['foreign-card', 'shortage-or-excess', 'wrong-number-of-cards', 'not-shuffled'],
  result: ['wrong-result', 'late-discovery'],
  bets: ['late-bet', 'bet-placed-in-error', 'walk-away'],
  other: ['technical-interruption', 'uncovered'],
};

/** Reports about the Round in play; without one there is nothing to report. */
const IN_ROUND: readonly Reportable[] = [
  'technical-interruption',
  'late-bet',
  'wrong-side',
  'simultaneous-draw',
  'face-up',
  'other-dealing-error',
];

/** Whether a kind can be reported at this table at all, and now. */
function isOffered(kind: Reportable, table: TableView, view: View): boolean {
  const inRound = view.phase !== 'between';
  if (IN_ROUND.includes(kind) && !inRound) return false;
  // While a card waits to be read, nothing but an interruption can be reported.
  if (view.phase === 'unread') return kind === 'technical-interruption';
  switch (kind) {
    case 'face-up':
      return table.faces === 'down' && view.cards.length > 0;
    case 'simultaneous-draw':
      // Only the house knows the cards of its own shoe.
      return table.cards === 'real';
    case 'excess-or-exposed-card':
      return table.cards === 'real' || view.cards.length > 0;
    case 'wrong-side':
      return view.cards.length > 0;
    case 'wrong-number-of-cards':
      return inRound ? view.cards.length > 0 : Boolean(view.last?.result);
    case 'late-bet':
      return view.phase !== 'betting';
    case 'wrong-result':
      return view.phase !== 'betting' && view.round > 0;
    case 'late-discovery':
      return view.round > 1;
    default:
      return true;
  }
}

/** What can be reported, by topic, as far as this game has a paragraph for it. */
export function guide(printed: Printed, view: View): { group: Group; kinds: Reportable[] }[] {
  const { table } = view;
  if (!table) return [];
  const named = new Set<IrregularityKind>(printed.irregularities.map(({ kind }) => kind));
  const offered = (kind: Reportable): boolean => named.has(kind) && isOffered(kind, table, view);
  return GROUPS.map((group) => ({ group, kinds: KINDS[group].filter(offered) })).filter(
    ({ kinds }) => kinds.length > 0,
  );
}

const report = (it: Report): Command => ({ do: 'report', report: it });
const words: Field = { name: 'words', kind: 'long' };
const patron: Field = { name: 'patron', kind: 'patron' };
const round: Field = { name: 'round', kind: 'whole' };
const hands: Field = { name: 'hands', kind: 'hands' };

/** What a report asks for at this table. */
export function reportForm(kind: Reportable, { table }: View): Form {
  const real = table?.cards === 'real';
  switch (kind) {
    case 'technical-interruption':
    case 'shoe-exhausted':
    case 'not-shuffled':
      return { fields: [], make: () => report({ irregularity: kind }) };
    case 'foreign-card':
      return {
        fields: [{ name: 'foreign', kind: 'text' }],
        make: (it) => report({ irregularity: kind, card: it.text('foreign') }),
      };
    case 'shortage-or-excess':
      return {
        fields: [
          { name: 'missing', kind: 'cards', optional: true },
          { name: 'extra', kind: 'cards', optional: true },
        ],
        make: (it) => report({ irregularity: kind, missing: it.cards('missing'), extra: it.cards('extra') }),
      };
    case 'wrong-number-of-cards':
    case 'wrong-side':
      return { fields: [hands], make: (it) => report({ irregularity: kind, hands: it.hands('hands') }) };
    case 'late-bet': {
      const box: Field[] = table?.boxes ? [{ name: 'box', kind: 'box', optional: true }] : [];
      return {
        fields: [patron, ...box, { name: 'bet', kind: 'bet' }, { name: 'stake', kind: 'amount' }],
        make: (it) => report(lateBet(it)),
      };
    }
    case 'excess-or-exposed-card':
      return {
        fields: real ? [{ name: 'cards', kind: 'cards', optional: true }] : [],
        make: (it) => report({ irregularity: kind, cards: it.cards('cards') }),
      };
    case 'face-up':
      return { fields: [], make: () => report({ irregularity: kind }) };
    case 'simultaneous-draw':
      return {
        fields: [
          { name: 'cards', kind: 'cards' },
          { name: 'orderKnown', kind: 'yes' },
        ],
        make: (it) => report({ irregularity: kind, cards: it.cards('cards'), order_known: it.yes('orderKnown') }),
      };
    case 'other-dealing-error':
    case 'uncovered':
      return { fields: [words], make: (it) => report({ irregularity: kind, words: it.text('words') }) };
    case 'late-discovery':
    case 'wrong-result':
      return {
        fields: [round, words],
        make: (it) => report({ irregularity: kind, round: it.whole('round'), words: it.text('words') }),
      };
    case 'bet-placed-in-error':
      return {
        fields: [patron, words],
        make: (it) => report({ irregularity: kind, patron: it.whole('patron'), words: it.text('words') }),
      };
    case 'walk-away':
      return { fields: [patron], make: (it) => report({ irregularity: kind, patron: it.whole('patron') }) };
  }
}

const lateBet = (it: Given): Report => ({
  irregularity: 'late-bet',
  patron: it.whole('patron'),
  bet: it.text('bet'),
  stake: it.amount('stake'),
  box: it.wholeOr('box'),
});

/** What is known already when a report is begun; between Rounds about the one just played. */
export function known(kind: Reportable, view: View, last: Recalled | null): Values {
  const lying = view.cards.length > 0 ? view.cards : last?.round === view.round ? last.cards : [];
  const cards = lying.filter(({ card }) => card.length === 2);
  const of = (side: Side): Card[] => cards.filter((it) => it.side === side).map(({ card }) => card);
  // What lies with neither Hand yet is put to the first; whoever reports moves it.
  const loose = cards.filter(({ side }) => side === null).map(({ card }) => card);
  const roundBefore = kind === 'late-discovery' ? view.round - 1 : view.round;
  return { hands: { player: [...of('player'), ...loose], banker: of('banker') }, round: String(roundBefore) };
}
