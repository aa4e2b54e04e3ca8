// Reports of irregularities: which kinds can be reported at this table, in which order a Dealer looks for them, and what
// each asks for.

import { rules } from '../../lib/i18n/rules';
import { language } from '../../lib/language.svelte';
import type {
  Card,
  Cause,
  Command,
  IrregularityKind,
  Printed,
  PrintedIrregularity,
  Recalled,
  Report,
  Side,
  View,
} from '../../lib/wire';
import type { Field, Given, Values } from '../order/fields';
import type { Form } from '../order/forms';
import { words } from '../words';

export const GROUPS = ['dealing', 'cards', 'result', 'bets', 'other'] as const;
export type Group = (typeof GROUPS)[number];

/** Kinds that people report. The software finds the others by itself. */
export type Reportable = Exclude<Report['irregularity'], 'cards-in-dispute'>;

const KINDS: Record<Group, readonly Reportable[]> = {
  dealing: ['excess-or-exposed-card', 'wrong-side', 'simultaneous-draw', 'face-up', 'other-dealing-error'],
  cards: ['foreign-card', 'shortage-or-excess', 'wrong-number-of-cards', 'shoe-exhausted', 'not-shuffled'],
  result: ['wrong-result', 'late-discovery'],
  bets: ['late-bet', 'bet-placed-in-error', 'walk-away'],
  other: ['technical-interruption', 'uncovered'],
};

/** What can be reported, by topic, as far as this game has a paragraph for it. */
export function guide(printed: Printed, view: View): { group: Group; kinds: Reportable[] }[] {
  const named = new Set<IrregularityKind>(printed.irregularities.map(({ kind }) => kind));
  const offered = (kind: Reportable): boolean => named.has(kind) && Boolean(view.floor?.reportable.includes(kind));
  return GROUPS.map((group) => ({ group, kinds: KINDS[group].filter(offered) })).filter(
    ({ kinds }) => kinds.length > 0,
  );
}

/** Who decides it, in words. */
export function decides(found: PrintedIrregularity | null): string {
  const [t, r] = [words[language.now].guide, rules[language.now]];
  if (found?.decides_in_time) return t.inTime(r.orAbove[found.decides_in_time]);
  return found?.decides ? t.decides(r.orAbove[found.decides]) : t.byTheRules;
}

const report = (it: Report): Command => ({ do: 'report', report: it });
const inWords: Field = { name: 'words', kind: 'long' };
const patron: Field = { name: 'patron', kind: 'patron' };
const round: Field = { name: 'round', kind: 'whole' };
const hands: Field = { name: 'hands', kind: 'hands' };

/** What a report asks for at this table. */
export function reportForm(kind: Reportable, { table, cards: lying }: View): Form {
  const real = table?.cards === 'real';
  switch (kind) {
    case 'technical-interruption':
      return {
        fields: [{ name: 'cause', kind: 'cause', optional: true }],
        make: (it) =>
          report({ irregularity: kind, ...(it.text('cause') === '' ? {} : { cause: it.text('cause') as Cause }) }),
      };
    case 'not-shuffled':
      return { fields: [], make: () => report({ irregularity: kind }) };
    case 'shoe-exhausted':
      return {
        fields: [{ name: 'left', kind: 'whole' }],
        make: (it) => report({ irregularity: kind, left: it.whole('left') }),
      };
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
      return {
        fields: [{ name: 'hands', kind: 'places' }],
        make: (it) => {
          const { player, banker, neither = [], unread = [] } = it.hands('hands');
          return report({ irregularity: kind, hands: { player, banker }, neither, unread });
        },
      };
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
          ...(lying.length > 1 ? [{ name: 'places', kind: 'drawn', optional: true } as const] : []),
          { name: 'cards', kind: 'cards', optional: lying.length > 1 },
          { name: 'orderKnown', kind: 'yes' },
        ],
        make: (it) =>
          report({
            irregularity: kind,
            cards: it.cards('cards'),
            places: it
              .cards('places')
              .map(Number)
              .sort((a, b) => a - b),
            order_known: it.yes('orderKnown'),
          }),
      };
    case 'other-dealing-error':
    case 'uncovered':
      return { fields: [inWords], make: (it) => report({ irregularity: kind, words: it.text('words') }) };
    case 'late-discovery':
    case 'wrong-result':
      return {
        fields: [round, inWords],
        make: (it) => report({ irregularity: kind, round: it.whole('round'), words: it.text('words') }),
      };
    case 'bet-placed-in-error':
      return {
        fields: [patron, inWords, { name: 'through', kind: 'text', optional: true }],
        make: (it) => {
          const through = it.text('through').trim();
          return report({
            irregularity: kind,
            patron: it.whole('patron'),
            words: it.text('words'),
            ...(through ? { through } : {}),
          });
        },
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
  if (kind === 'wrong-number-of-cards') {
    // Every card of the record has its place; what is left over after settlement lies beside the Hands.
    const neither = view.cards.length > 0 ? loose : [...loose, ...view.carried];
    return { hands: { player: of('player'), banker: of('banker'), neither } };
  }
  const roundBefore = kind === 'late-discovery' ? view.round - 1 : view.round;
  return { hands: { player: [...of('player'), ...loose], banker: of('banker') }, round: String(roundBefore) };
}
