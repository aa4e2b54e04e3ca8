// What a patron must be told beside what the screen shows by itself. A void and a correction that touch their bets stay
// until they say that they have seen it; the rest stays until it is put away or the next Round commences.

import type {
  BetId,
  BoxNo,
  CaseNo,
  CaseOutcome,
  Change,
  Choice,
  Cite,
  DisputeNo,
  Event,
  IrregularityKind,
  Money,
  PatronNo,
  RoundNo,
} from '../lib/wire';

/** What changed on the patron's account. */
export interface Moved {
  paid: Money;
  taken: Money;
  uncollected: Money;
}

export type Notice =
  | { is: 'void'; round: RoundNo; kind: IrregularityKind; cite: Cite; returned: Money; moved: Moved | null }
  | { is: 'corrected'; round: RoundNo; cite: Cite; moved: Moved | null }
  | { is: 'adjusted'; round: RoundNo; cite: Cite; moved: Moved }
  | { is: 'trimmed'; bet: BetId; box: BoxNo; amount: Money; stake: Money; cite: Cite }
  | { is: 'in-part'; bet: BetId; playing: Money; cite: Cite | null }
  | { is: 'late'; bet: BetId; stake: Money; cite: Cite }
  | { is: 'amended'; bet: BetId; stake: Money; cite: Cite }
  | { is: 'chosen'; choice: Choice; silent: boolean; returned: Money }
  | { is: 'no-squeeze'; card: number }
  | { is: 'credited'; amount: Money }
  | { is: 'collected'; amount: Money; owed: Money }
  | { is: 'disputed'; dispute: DisputeNo }
  | { is: 'dispute-seen'; dispute: DisputeNo }
  | { is: 'dispute-closed'; dispute: DisputeNo; words: string }
  | { is: 'case'; case: CaseNo; note: Money | null }
  | { is: 'case-settled'; case: CaseNo; outcome: CaseOutcome }
  | { is: 'held'; amount: Money; slip: number; cite: Cite }
  | { is: 'payout-held'; amount: Money; slip: number; cite: Cite }
  | { is: 'interrupted'; cite: Cite }
  | { is: 'resolved'; established: boolean; cite: Cite };

/** A notice on the screen. */
export type Posted = Notice & { n: number };

const sum = (amounts: number[]): Money => amounts.reduce((total, it) => total + it, 0);

function moved(changes: readonly Change[], patron: PatronNo): Moved | null {
  const own = changes.filter((it) => it.patron === patron);
  if (own.length === 0) return null;
  return {
    paid: sum(own.map((it) => it.paid)),
    taken: sum(own.map((it) => it.taken)),
    uncollected: sum(own.map((it) => it.uncollected)),
  };
}

/** What an event tells this patron. */
export function noticesOf(event: Event, patron: PatronNo): Notice[] {
  const returned = (returns: readonly { patron: PatronNo; amount: Money }[]): Money =>
    sum(returns.filter((it) => it.patron === patron).map((it) => it.amount));
  switch (event.event) {
    case 'round-voided': {
      const { round, kind, cite } = event;
      const { returns, changes } = event;
      return [{ is: 'void', round, kind, cite, returned: returned(returns), moved: moved(changes, patron) }];
    }
    case 'round-corrected':
      return [{ is: 'corrected', round: event.round, cite: event.cite, moved: moved(event.changes, patron) }];
    case 'adjusted': {
      const own = moved(event.changes, patron);
      return own ? [{ is: 'adjusted', round: event.round, cite: event.cite, moved: own }] : [];
    }
    case 'wager-trimmed':
    case 'wager-returned':
      return event.patron === patron
        ? [
            {
              is: 'trimmed',
              bet: event.bet,
              box: event.box,
              amount: event.amount,
              stake: event.stake,
              cite: event.cite,
            },
          ]
        : [];
    case 'bets-closed':
      return event.parts
        .filter((it) => it.patron === patron)
        .map(({ bet, playing }) => ({ is: 'in-part', bet, playing, cite: event.parts_cite ?? null }));
    case 'late-bet-refused':
      return event.patron === patron ? [{ is: 'late', bet: event.bet, stake: event.stake, cite: event.cite }] : [];
    case 'wager-amended':
      return event.patron === patron ? [{ is: 'amended', bet: event.bet, stake: event.stake, cite: event.cite }] : [];
    case 'choice-made':
      return event.patron === patron
        ? [{ is: 'chosen', choice: event.choice, silent: event.silent, returned: returned(event.returns) }]
        : [];
    case 'squeeze-answered':
      // What was granted is marked beside the cards.
      return event.patron === patron && !event.granted ? [{ is: 'no-squeeze', card: event.card }] : [];
    case 'credits-bought':
    case 'note-accepted':
    case 'ticket-redeemed':
      return event.patron === patron ? [{ is: 'credited', amount: event.amount }] : [];
    case 'case-opened': {
      const note = event.report.case === 'note-not-credited' ? (event.report.amount ?? null) : null;
      return event.patron === patron ? [{ is: 'case', case: event.case, note }] : [];
    }
    case 'case-settled':
      return event.patron === patron ? [{ is: 'case-settled', case: event.case, outcome: event.outcome }] : [];
    case 'cash-out-held':
      return event.patron === patron ? [{ is: 'held', amount: event.amount, slip: event.slip, cite: event.cite }] : [];
    case 'payout-held':
      return event.patron === patron
        ? [{ is: 'payout-held', amount: event.amount, slip: event.slip, cite: event.cite }]
        : [];
    case 'collected':
      return event.patron === patron ? [{ is: 'collected', amount: event.amount, owed: event.owed }] : [];
    case 'dispute-opened':
      return event.patron === patron ? [{ is: 'disputed', dispute: event.dispute }] : [];
    case 'dispute-seen':
      return event.patron === patron ? [{ is: 'dispute-seen', dispute: event.dispute }] : [];
    case 'dispute-closed':
      return event.patron === patron ? [{ is: 'dispute-closed', dispute: event.dispute, words: event.words }] : [];
    case 'table-interrupted':
      return [{ is: 'interrupted', cite: event.cite }];
    case 'interruption-resolved':
      return [{ is: 'resolved', established: event.established, cite: event.cite }];
    default:
      return [];
  }
}

/** Whether the patron must say that they have seen it: it touched their money. */
export function mustBeSeen(notice: Notice): boolean {
  return (
    (notice.is === 'void' && (notice.returned > 0 || notice.moved !== null)) ||
    (notice.is === 'corrected' && notice.moved !== null) ||
    notice.is === 'adjusted' ||
    notice.is === 'held' ||
    notice.is === 'payout-held'
  );
}

/** Puts notices up. Everybody is told of a void or a correction, and then a patron of their own part: it is one notice. */
export function post(posted: readonly Posted[], events: readonly Event[], patron: PatronNo): readonly Posted[] {
  let all = posted;
  for (const event of events) {
    // A case stays until somebody has settled it, however many Rounds that takes.
    if (event.event === 'bets-opened') all = all.filter((it) => mustBeSeen(it) || it.is === 'case');
    if (event.event === 'case-settled') all = all.filter((it) => it.is !== 'case' || it.case !== event.case);
    // What had to be decided is decided.
    if (event.event === 'interruption-resolved') all = all.filter((it) => it.is !== 'interrupted');
    for (const notice of noticesOf(event, patron)) all = put(all, notice);
  }
  return all;
}

let posts = 0;

function put(posted: readonly Posted[], notice: Notice): readonly Posted[] {
  const same = posted.find(
    (it) => 'round' in it && 'round' in notice && it.is === notice.is && it.round === notice.round,
  );
  // What everybody is told has nothing of one's own in it, in whatever order the two come.
  if (same && mustBeSeen(same) && !mustBeSeen(notice)) return posted;
  posts += 1;
  return [...posted.filter((it) => it !== same), { ...notice, n: posts }];
}

export const putAway = (posted: readonly Posted[], n: number): readonly Posted[] => posted.filter((it) => it.n !== n);
