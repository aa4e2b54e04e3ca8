// Orders that ask for something before they are given: their fields, and the command that comes of them.

import type {
  BoxNo,
  Card,
  CaseOutcome,
  Cause,
  Command,
  CommandKind,
  Composition,
  DisputeAbout,
  Post,
  Side,
  View,
  WagerView,
} from '../../lib/wire';
import { decimal, digits } from '../../lib/money';
import { Given, blank, isComplete, type Field, type Values } from './fields';

export interface Form {
  fields: Field[];
  make: (given: Given) => Command;
}

const text = (name: Field['name'], optional = false): Field => ({ name, kind: 'text', optional });
const reason: Field = { name: 'reason', kind: 'long' };
const patron: Field = { name: 'patron', kind: 'patron' };
const bet: Field = { name: 'bet', kind: 'bet' };
const amount: Field = { name: 'amount', kind: 'amount' };
const stake: Field = { name: 'stake', kind: 'amount' };

/** The box, where the layout has boxes. Who is Seated there is a matter of who sits there. */
const place = (view: View): Field[] => (view.table?.boxes ? [{ name: 'box', kind: 'box' }] : []);

const box = (it: Given): BoxNo | null => it.wholeOr('box');

/** What became of a note or ticket; an amount goes with what is credited or paid. */
function outcome(it: Given): CaseOutcome {
  const word = it.text('outcome') as CaseOutcome['outcome'];
  return word === 'credited' || word === 'paid' ? { outcome: word, amount: it.amount('amount') } : { outcome: word };
}

/** How many of each card there are. */
function counted(cards: Card[]): Composition {
  const counts: Composition = {};
  for (const card of cards) counts[card] = (counts[card] ?? 0) + 1;
  return counts;
}

/** Whether a card of the Round that can still be amended is out: then it takes a recording and a second person. */
export const isAfterCard = (view: View): boolean => view.phase === 'between' || view.cards.length > 0;

/** Other limits: of a box, of one bet, or of every bet with limits of its own. What is left empty stays as it is. */
function changeLimits(view: View): Form {
  const now = view.table?.betting_box ?? null;
  const optional = (name: Field['name']): Field => ({ name, kind: 'amount', optional: true });
  return {
    fields: [
      ...(now ? [optional('minimum'), optional('differential')] : []),
      { ...bet, optional: true },
      optional('betMinimum'),
      optional('betMaximum'),
    ],
    make: (it) => {
      const [minimum, differential] = [it.amountOr('minimum'), it.amountOr('differential')];
      const isBox = now !== null && (minimum !== null || differential !== null);
      const of = view.table?.bets.find((one) => one.bet === it.text('bet') && one.range)?.range;
      const [least, most] = [it.amountOr('betMinimum'), it.amountOr('betMaximum')];
      const range = { minimum: least ?? of?.minimum ?? 0, maximum: most ?? of?.maximum ?? 0 };
      const isRange = least !== null || most !== null;
      return {
        do: 'change-limits',
        ...(isBox
          ? { betting_box: { minimum: minimum ?? now.minimum, differential: differential ?? now.differential } }
          : {}),
        ...(isRange && it.text('bet') ? { bets: { [it.text('bet')]: range } } : {}),
        ...(isRange && !it.text('bet') ? { other_bets: range } : {}),
      };
    },
  };
}

/** Orders that need nothing said. */
const PLAIN: Partial<Record<CommandKind, Command>> = {
  'open-bets': { do: 'open-bets' },
  'close-bets': { do: 'close-bets' },
  'turn-cards': { do: 'turn-cards' },
  'confirm-result': { do: 'confirm-result' },
  'close-choices': { do: 'close-choices' },
};

/** The command of an order that needs nothing said; none if it asks for something, or to be sure. */
export const plain = (kind: CommandKind): Command | null => PLAIN[kind] ?? null;

/** The form of an order at this table; none for orders that have no place in a form. */
export function formOf(kind: CommandKind, view: View): Form | null {
  switch (kind) {
    case 'change-limits':
      return changeLimits(view);
    case 'announce-closing':
      return { fields: [], make: () => ({ do: 'announce-closing' }) };
    case 'close-table':
      return { fields: [], make: () => ({ do: 'close-table' }) };
    case 'load-shoe':
      return {
        fields: [text('cardSet'), text('shuffledBy')],
        make: (it) => ({ do: 'load-shoe', card_set: it.text('cardSet'), shuffled_by: it.textOr('shuffledBy') }),
      };
    case 'exchange-shoe':
      return {
        fields: [text('cardSet'), text('shuffledBy'), reason],
        make: (it) => ({
          do: 'exchange-shoe',
          card_set: it.text('cardSet'),
          shuffled_by: it.textOr('shuffledBy'),
          reason: it.text('reason'),
        }),
      };
    case 'retire-shoe':
      return { fields: [reason], make: (it) => ({ do: 'retire-shoe', reason: it.text('reason') }) };
    case 'inspect-cards':
      return {
        fields: [
          { name: 'missing', kind: 'cards', optional: true },
          { name: 'extra', kind: 'cards', optional: true },
        ],
        make: (it) => ({ do: 'inspect-cards', missing: it.cards('missing'), extra: it.cards('extra') }),
      };
    case 'cut-cards':
      return {
        fields: [{ name: 'at', kind: 'whole' }],
        make: (it) => ({ do: 'cut-cards', at: it.whole('at') }),
      };
    case 'burn-cards': {
      const turns = view.shoe?.burn_due === 'by-first-card';
      const shown: Field[] = turns ? [{ name: 'shown', kind: 'card' }] : [];
      return {
        fields: [...shown, { name: 'count', kind: 'whole' }],
        make: (it) => ({ do: 'burn-cards', count: it.whole('count'), shown: it.textOr('shown') }),
      };
    }
    case 'reconcile-shoe':
      return {
        fields: [
          { name: 'shoe', kind: 'shoe' },
          { name: 'left', kind: 'cards', optional: true },
          { name: 'discarded', kind: 'cards', optional: true },
        ],
        make: (it) => ({
          do: 'reconcile-shoe',
          shoe: it.whole('shoe'),
          left: counted(it.cards('left')),
          discarded: counted(it.cards('discarded')),
        }),
      };
    case 'rule-carried-cards':
      return {
        fields: [{ name: 'keep', kind: 'keep' }, reason],
        make: (it) => ({ do: 'rule-carried-cards', keep: it.text('keep') === 'keep', reason: it.text('reason') }),
      };
    case 'correct-card':
      return {
        fields: [
          { name: 'keyed', kind: 'keyed' },
          { name: 'rightCard', kind: 'card' },
        ],
        make: (it) => ({
          do: 'correct-card',
          at: it.whole('keyed'),
          was: view.cards[it.whole('keyed') - 1]?.card ?? '',
          card: it.text('rightCard'),
        }),
      };
    case 'confirm-cards':
      return {
        fields: [{ name: 'cardsOut', kind: 'cards', optional: true }],
        make: (it) => ({ do: 'confirm-cards', cards: it.cards('cardsOut') }),
      };
    case 'record-chips':
      return {
        fields: [patron, ...place(view), bet, stake],
        make: (it) => ({
          do: 'record-chips',
          patron: it.whole('patron'),
          box: it.whole('box'),
          bet: it.text('bet'),
          stake: it.amount('stake'),
        }),
      };
    case 'place-wager':
      return {
        fields: [patron, ...place(view), bet, stake],
        make: (it) => ({
          do: 'place-wager',
          patron: it.whole('patron'),
          bet: it.text('bet'),
          stake: it.amount('stake'),
          ...(box(it) === null ? {} : { box: box(it) }),
        }),
      };
    case 'withdraw-wager':
      return {
        fields: [patron, ...place(view), bet, { name: 'amount', kind: 'amount', optional: true }],
        make: (it) => ({
          do: 'withdraw-wager',
          patron: it.whole('patron'),
          bet: it.text('bet'),
          amount: it.amountOr('amount'),
          box: box(it),
        }),
      };
    case 'amend-wager':
      return {
        fields: [
          patron,
          ...place(view),
          bet,
          stake,
          reason,
          ...(isAfterCard(view) ? [{ name: 'surveillance', kind: 'long' } as const] : []),
        ],
        make: (it) => ({
          do: 'amend-wager',
          patron: it.whole('patron'),
          box: it.whole('box'),
          bet: it.text('bet'),
          stake: it.amount('stake'),
          reason: it.text('reason'),
          ...(isAfterCard(view) ? { surveillance: it.text('surveillance') } : {}),
        }),
      };
    case 'ask-squeeze':
      return {
        fields: [patron, { name: 'cardNo', kind: 'whole' }],
        make: (it) => ({ do: 'ask-squeeze', patron: it.whole('patron'), card: it.whole('cardNo') }),
      };
    case 'record-push':
      return {
        fields: [
          { name: 'round', kind: 'whole' },
          { name: 'patron', kind: 'patron' },
          { name: 'counted', kind: 'amount' },
          { name: 'surveillance', kind: 'long' },
        ],
        make: (it) => ({
          do: 'record-push',
          round: it.whole('round'),
          patron: it.whole('patron'),
          counted: it.amount('counted'),
          surveillance: it.text('surveillance'),
        }),
      };
    case 'hold-payout':
      return {
        fields: [patron, text('reference')],
        make: (it) => ({ do: 'hold-payout', patron: it.whole('patron'), reference: it.text('reference') }),
      };
    case 'decide-held':
      return {
        fields: [{ name: 'heldPayout', kind: 'held' }, { name: 'outcome', kind: 'outcome' }, text('reference')],
        make: (it) => ({
          do: 'decide-held',
          slip: it.whole('heldPayout'),
          outcome: it.text('outcome') === 'released' ? 'released' : 'forfeited',
          reference: it.text('reference'),
        }),
      };
    case 'report-case':
      return {
        fields: [
          patron,
          text('acceptor'),
          { name: 'amount', kind: 'amount', optional: true },
          { name: 'words', kind: 'long' },
        ],
        make: (it) => ({
          do: 'report-case',
          patron: it.whole('patron'),
          report: {
            case: 'note-not-credited',
            acceptor: it.text('acceptor'),
            amount: it.amountOr('amount'),
            words: it.text('words'),
          },
        }),
      };
    case 'settle-case':
      return {
        fields: [
          { name: 'case', kind: 'whole' },
          { name: 'outcome', kind: 'case-outcome' },
          { name: 'amount', kind: 'amount', optional: true },
          reason,
        ],
        make: (it) => ({
          do: 'settle-case',
          case: it.whole('case'),
          outcome: outcome(it),
          reason: it.text('reason'),
        }),
      };
    case 'empty-acceptor':
      return {
        fields: [text('acceptor')],
        make: (it) => ({ do: 'empty-acceptor', acceptor: it.text('acceptor') }),
      };
    case 'extend-hold':
      return {
        fields: [{ name: 'matter', kind: 'whole' }, reason],
        make: (it) => ({ do: 'extend-hold', matter: it.whole('matter'), reason: it.text('reason') }),
      };
    case 'keep-unclaimed':
      return { fields: [patron], make: (it) => ({ do: 'keep-unclaimed', patron: it.whole('patron') }) };
    case 'review-set-aside':
      return {
        fields: [{ name: 'slip', kind: 'whole' }, reason],
        make: (it) => ({ do: 'review-set-aside', slip: it.whole('slip'), reason: it.text('reason') }),
      };
    case 'collect':
      return {
        fields: [patron, amount],
        make: (it) => ({ do: 'collect', patron: it.whole('patron'), amount: it.amount('amount') }),
      };
    case 'open-float':
      return { fields: [amount], make: (it) => ({ do: 'open-float', amount: it.amount('amount') }) };
    case 'close-float':
      return {
        fields: [{ name: 'counted', kind: 'amount' }],
        make: (it) => ({ do: 'close-float', counted: it.amount('counted') }),
      };
    case 'fill':
    case 'credit':
      return {
        fields: [amount, text('slip')],
        make: (it) => ({ do: kind, amount: it.amount('amount'), slip: it.text('slip') }),
      };
    case 'drop':
      return { fields: [amount], make: (it) => ({ do: 'drop', amount: it.amount('amount') }) };
    case 'open-dispute':
      return {
        fields: [
          { name: 'words', kind: 'long' },
          { name: 'about', kind: 'about', optional: true },
          { ...patron, optional: true },
          { name: 'round', kind: 'whole', optional: true },
          ...place(view)
            .filter(({ name }) => name === 'box')
            .map((field) => ({ ...field, optional: true })),
        ],
        make: (it) => ({
          do: 'open-dispute',
          ...(it.text('about') ? { about: it.text('about') as DisputeAbout } : {}),
          ...(box(it) === null ? {} : { box: box(it) }),
          words: it.text('words'),
          patron: it.wholeOr('patron'),
          round: it.wholeOr('round'),
        }),
      };
    case 'bundle-dispute':
      return {
        fields: [{ name: 'dispute', kind: 'dispute' }, text('digest')],
        make: (it) => ({ do: 'bundle-dispute', dispute: it.whole('dispute'), digest: it.text('digest') }),
      };
    case 'see-dispute':
      return {
        fields: [
          { name: 'dispute', kind: 'dispute' },
          { name: 'spokenInTime', kind: 'long', optional: true },
        ],
        make: (it) => {
          const reference = it.text('spokenInTime').trim();
          return {
            do: 'see-dispute',
            dispute: it.whole('dispute'),
            ...(reference ? { surveillance: reference } : {}),
          };
        },
      };
    case 'close-dispute':
      return {
        fields: [
          { name: 'dispute', kind: 'dispute' },
          { name: 'words', kind: 'long' },
          { name: 'matterNo', kind: 'whole', optional: true },
        ],
        make: (it) => {
          const matter = it.wholeOr('matterNo');
          return {
            do: 'close-dispute',
            dispute: it.whole('dispute'),
            words: it.text('words'),
            ...(matter === null ? {} : { matter }),
          };
        },
      };
    case 'hand-cards':
      return {
        fields: [{ name: 'hand', kind: 'hand' }, patron],
        make: (it) => ({ do: 'hand-cards', side: it.text('hand') as Side, patron: it.whole('patron') }),
      };
    case 'cover-float':
      return {
        fields: [{ name: 'cause', kind: 'cause' }],
        make: (it) => ({ do: 'cover-float', cause: it.text('cause') as Cause }),
      };
    case 'uncover-float':
      return { fields: [], make: () => ({ do: 'uncover-float' }) };
    case 'take-seat':
      return {
        fields: [
          { name: 'box', kind: 'box' },
          { ...patron, optional: true },
        ],
        make: (it) => ({ do: 'take-seat', box: it.whole('box'), patron: it.wholeOr('patron') }),
      };
    case 'leave-seat':
      return { fields: [{ name: 'box', kind: 'box' }], make: (it) => ({ do: 'leave-seat', box: it.whole('box') }) };
    case 'take-post':
    case 'leave-post':
      return {
        fields: [text('person'), { name: 'post', kind: 'post' }],
        make: (it) => ({ do: kind, person: it.text('person'), post: it.text('post') as Post }),
      };
    case 'start-shift':
      return { fields: [text('shift')], make: (it) => ({ do: 'start-shift', name: it.text('shift') }) };
    default:
      return null;
  }
}

/** What a form holds at first: nothing, or what is known already. */
export function start({ fields }: Form, known: Values = {}): Values {
  return Object.fromEntries(fields.map(({ name, kind }) => [name, known[name] ?? blank(kind)]));
}

/** Fields that cannot be read yet. */
export const lacking = ({ fields }: Form, given: Given): Field[] => fields.filter((field) => !isComplete(field, given));

/** A wager, as the fields of a form. */
export function ofWager({ patron, box, bet, stake }: WagerView, currency: string): Values {
  return {
    patron: String(patron),
    box: box === null ? '' : String(box),
    bet,
    stake: decimal(stake, digits(currency)).replace(/\.0+$/, ''),
  };
}
