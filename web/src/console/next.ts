// The one next step of a table: what whoever stands at the console would do now. It is read off the phase and what the
// table says is possible; whether an order is in place the table decides.

import type { CommandKind, MatterNo, Side, View } from '../lib/wire';
import { leastPost } from './authority';

/** What is waited for where nobody at this table has anything to do. */
export type Wait =
  /** The table is closed. */
  | 'closed'
  /** The software opens and closes bets. */
  | 'clock'
  /** The software draws the cards. */
  | 'house'
  /** Patrons have time to choose. */
  | 'choices'
  /** A limit is broken and shown to be. */
  | 'limits'
  /** Nothing can be ordered by the person signed in. */
  | 'nothing';

export type Step =
  /** An order, with a form where it needs one. */
  | { is: 'order'; kind: CommandKind }
  /** A card is to be keyed or scanned. */
  | { is: 'card'; kind: 'draw-card' | 'read-card' }
  /** Somebody must rule. */
  | { is: 'ruling'; matter: MatterNo }
  | { is: 'wait'; for: Wait };

const order = (kind: CommandKind): Step => ({ is: 'order', kind });
const wait = (it: Wait): Step => ({ is: 'wait', for: it });

/** The next step; `now` is the server's clock. */
export function next(view: View, now: number): Step {
  const may = (kind: CommandKind): boolean => view.possible.includes(kind);
  const held = view.matters?.find((it) => it.holds);
  const disputed = view.matters?.find(({ report }) => report.irregularity === 'cards-in-dispute');
  // Nobody is at the table until the float is uncovered (interpretation 51).
  if (view.floor?.float_covered) {
    return leastPost(view, 'uncover-float') !== null ? order('uncover-float') : wait('nothing');
  }
  switch (view.phase) {
    case 'closed':
      return wait('closed');
    case 'between':
      return held ? { is: 'ruling', matter: held.matter } : between(view, may, now);
    case 'betting':
      return view.table?.mode === 'electronic'
        ? wait('clock')
        : may('close-bets')
          ? order('close-bets')
          : wait(may('reject-excess') || may('advise') ? 'limits' : 'nothing');
    case 'dealing':
      // In a Round only where a ruling had the cards replaced.
      if (may('exchange-shoe')) return order('exchange-shoe');
      return may('draw-card') ? { is: 'card', kind: 'draw-card' } : wait('house');
    case 'unread':
      return may('read-card') ? { is: 'card', kind: 'read-card' } : wait('nothing');
    case 'held': {
      const matter = held ?? view.matters?.[0];
      return matter ? { is: 'ruling', matter: matter.matter } : wait('nothing');
    }
    case 'choosing': {
      const isOver = view.closes_at !== null && now >= view.closes_at;
      return isOver && may('close-choices') ? order('close-choices') : wait('choices');
    }
    case 'confirming':
      if (may('turn-cards')) return order('turn-cards');
      return may('confirm-result') ? order('confirm-result') : wait('house');
    case 'interrupted':
      // Somebody comes to sign for the cards; where they are in dispute, for the ruling (interpretation 31).
      if (disputed) return { is: 'ruling', matter: disputed.matter };
      return leastPost(view, 'confirm-cards') !== null ? order('confirm-cards') : wait('nothing');
  }
}

/** What is done when the Round announced as the last is over. */
const AFTER_THE_LAST: readonly CommandKind[] = [
  'settle-case',
  'empty-acceptor',
  'retire-shoe',
  'close-float',
  'close-table',
];

function between(view: View, may: (kind: CommandKind) => boolean, now: number): Step {
  const { table, shoe, closing } = view;
  // Somebody can, and if need be comes to sign for it.
  const can = (kind: CommandKind): boolean => leastPost(view, kind) !== null;
  // A dispute that was raised in time comes before the next Round (interpretation 43).
  const waits = (view.floor?.disputes ?? []).flatMap((it) => it.waits ?? []);
  if (waits.some((it) => it.for === 'decided') && can('close-dispute')) return order('close-dispute');
  if (waits.some((it) => it.for === 'seen' && now < it.until) && can('see-dispute')) return order('see-dispute');
  if (closing !== null && view.round >= closing) {
    const kind = AFTER_THE_LAST.find(can);
    return kind ? order(kind) : wait('nothing');
  }
  if (!shoe) return may('load-shoe') ? order('load-shoe') : wait('nothing');
  if (can('open-float')) return order('open-float');
  if (shoe.must_exchange !== null || shoe.cut_card_out) return order('exchange-shoe');
  if (shoe.burn_due !== null && may('burn-cards')) return order('burn-cards');
  if (may('open-bets'))
    return table?.mode === 'electronic' && table.cards === 'software' ? wait('clock') : order('open-bets');
  // Carried cards that already decide a bet (interpretation 24).
  if (can('rule-carried-cards')) return order('rule-carried-cards');
  // What is left: cards that nobody shuffled, or too few of them.
  return may('exchange-shoe') ? order('exchange-shoe') : wait('nothing');
}

/** Whose card is next and which of theirs it is; none where no card is due. */
export function nextCard(view: View): { side: Side; nth: number } | null {
  const side = view.next;
  if (side === null) return null;
  return { side, nth: view.cards.filter((it) => it.side === side).length + 1 };
}
