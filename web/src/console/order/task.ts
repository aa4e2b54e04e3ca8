// Something to be filled in before an order is given: an order, a report or a ruling. The dialog is the same for all.

import type { rules } from '../../lib/i18n/rules';
import type {
  CommandKind,
  IrregularityKind,
  LedgerKind,
  MatterView,
  Post,
  Printed,
  PrintedIrregularity,
  Recalled,
  RulingWord,
  View,
} from '../../lib/wire';
import { movable, proposed, rulingForm } from '../matter/rulings';
import { known, reportForm, type Reportable } from '../report/reports';
import { leastPost, reaches } from '../authority';
import type { Given, Values } from './fields';
import { formOf, isAfterCard, start, type Form } from './forms';

export interface Task {
  /** What it is, for its title and its explanation. */
  about:
    | { is: 'order'; kind: CommandKind }
    | { is: 'report'; kind: IrregularityKind; printed: PrintedIrregularity | null }
    | { is: 'ruling'; matter: MatterView; word: RulingWord };
  form: Form;
  values: Values;
  /** From which post on it is given, where somebody must give their password; none where nobody must. */
  approval: Post | null;
  /** The same, where it depends on what is filled in. */
  approvalOf?: (given: Given) => Post | null;
  /** Whether a second person must sign in as well. */
  second: boolean;
  /** The same, where it depends on what is filled in. */
  secondOf?: (given: Given) => boolean;
  /** Cards that may change places, if not all. */
  movable: string[] | null;
}

const task = (about: Task['about'], form: Form, values: Values): Task => ({
  about,
  form,
  values: start(form, values),
  approval: null,
  second: false,
  movable: null,
});

/** Orders of the floor that take a second person in a house. */
const TAKES_TWO: ReadonlySet<CommandKind> = new Set(['open-float', 'close-float', 'fill', 'credit', 'drop', 'collect']);

/** An order with a form; none if it has none. */
export function orderTask(
  kind: CommandKind,
  view: View,
  approval: Post | null,
  values: Values = {},
  ledger: LedgerKind = 'house',
): Task | null {
  const form = formOf(kind, view);
  if (!form) return null;
  const due = view.shoe?.burn_due;
  const count = due && due !== 'by-first-card' ? String(due.fixed) : '';
  const cardsOut = view.cards.map(({ card }) => card).filter((card) => card.length === 2);
  const keyed = String(view.floor?.correctable.at(-1)?.[0] ?? '');
  const made = { ...task({ is: 'order', kind }, form, { count, cardsOut, keyed, ...values }), approval };
  if (kind === 'amend-wager') return { ...made, second: isAfterCard(view) };
  if (kind === 'record-push') {
    // Until the next Round commences a Pit Supervisor records it; afterwards the Shift Manager, with a second person.
    const isLate = (given: Given): boolean => view.last?.round !== given.whole('round');
    return { ...made, approvalOf: (given) => (isLate(given) ? 'shift-manager' : approval), secondOf: isLate };
  }
  // Nobody decides alone about a payout that is held.
  if (kind === 'decide-held') return { ...made, approval: approval ?? 'shift-manager', second: true };
  // The attendant at the terminal signs with whoever sets credits aside or touches an acceptor.
  if (kind === 'keep-unclaimed' || kind === 'settle-case' || kind === 'empty-acceptor' || kind === 'uncover-float')
    return { ...made, approval: approval ?? 'pit-supervisor', second: true };
  // In a house chips do not move on one person's word.
  if (ledger === 'house' && TAKES_TWO.has(kind))
    return { ...made, approval: approval ?? leastPost(view, kind) ?? 'pit-supervisor', second: true };
  return kind === 'correct-card' ? { ...made, approvalOf: (given) => corrects(view, given, approval) } : made;
}

/** The last card is often the Dealer's own to correct; for another somebody signs. */
function corrects(view: View, given: Given, approval: Post | null): Post | null {
  const least = view.floor?.correctable.find(([at]) => at === given.whole('keyed'))?.[1];
  const may = leastPost(view, 'correct-card') ?? 'dealer';
  return least && !reaches(may, least) ? least : approval;
}

/** Whether it is about the cards that are out, which the Dealer confirms with somebody. */
export const isOfTheCards = ({ about }: Task): boolean => about.is === 'order' && about.kind === 'confirm-cards';

/** Who answers for what is filled in: from which post on, and whether somebody else signs with them. */
export function signatures(task: Task, given: Given, view: View | null): Pick<Task, 'approval' | 'second'> {
  const second = task.secondOf?.(given) ?? task.second;
  const approval = task.approvalOf ? task.approvalOf(given) : task.approval;
  if (!isOfTheCards(task) || !view) return { approval, second };
  // Once a card is out, a Pit Supervisor or above confirms with the Dealer (interpretation 31).
  const isOut = given.cards('cardsOut').length > view.cards.length || leastPost(view, 'confirm-cards') !== 'dealer';
  return isOut ? { approval: approval ?? 'pit-supervisor', second: true } : { approval, second };
}

export function reportTask(kind: Reportable, view: View, printed: Printed | null, last: Recalled | null): Task {
  const found = printed?.irregularities.find((it) => it.kind === kind);
  return task({ is: 'report', kind, printed: found ?? null }, reportForm(kind, view), known(kind, view, last));
}

export function rulingTask(matter: MatterView, word: RulingWord, view: View): Task {
  const form = rulingForm(matter, word, view.table?.cards);
  const of = task({ is: 'ruling', matter, word }, form, proposed(matter, word, view));
  const approvalOf = (given: Given): Post | null =>
    given.wholeOr('departs') === null || matter.decides === 'duty-manager' ? matter.decides : 'shift-manager';
  const second = matter.take_two.includes(word);
  return { ...of, approval: matter.decides, approvalOf, second, movable: movable(matter) };
}

type Words = (typeof rules)[keyof typeof rules];

/** What the dialog is headed. */
export function title({ about }: Task, r: Words): string {
  switch (about.is) {
    case 'order':
      return r.command[about.kind];
    case 'report':
      return r.irregularity[about.kind].name;
    case 'ruling':
      return r.ruling[about.word].name;
  }
}

/** What is said below it. */
export function explanation({ about }: Task, r: Words): string | null {
  switch (about.is) {
    case 'order':
      return null;
    case 'report':
      return r.irregularity[about.kind].when;
    case 'ruling':
      return r.ruling[about.word].follows;
  }
}
