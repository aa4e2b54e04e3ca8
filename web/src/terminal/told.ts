// Notices and refusals in words: the same for the eye and for the ear.

import { denial, refusal } from '../lib/i18n/reasons';
import { rules } from '../lib/i18n/rules';
import { label, language } from '../lib/language.svelte';
import { short } from '../lib/money';
import type { BetId, BetView, PhaseWord } from '../lib/wire';
import type { Lay, Why } from './chips';
import type { Moved, Notice } from './notices';
import type { Hint } from './play.svelte';
import { words } from './words';

/** What names and amounts are called at a table. */
export interface Names {
  bets: readonly BetView[];
  currency: string;
}

export function betName(bet: BetId, { bets }: Names): string {
  const found = bets.find((it) => it.bet === bet);
  return found ? label(found.label) : bet;
}

/** Why something was not carried out. */
export function whyWords(why: Why, currency: string): string {
  if (why === 'not-sent') return words[language.now].notSent;
  return 'refused' in why ? refusal(why.refused, currency) : denial(why.denied);
}

/** Why a tap did nothing, or less than it meant. */
export function hintWords(hint: Hint, phase: PhaseWord, currency: string): string {
  const t = words[language.now];
  if (typeof hint === 'object') return hint.most > 0 ? t.fits.most(short(hint.most, currency)) : t.fits.none;
  if (hint === 'lost') return t.lostWords;
  if (hint === 'credits') return t.noCredits;
  return hint === 'chips' ? t.chipsTable : t.phase[phase];
}

/** Chips that are not on the felt: which, and why. */
export function refusalWords(lay: Lay, names: Names): { what: string; why: string } {
  const t = words[language.now];
  const bet = betName(lay.bet, names);
  return {
    what: lay.what === 'place' ? t.refusedPlace(bet, short(lay.amount, names.currency)) : t.refusedWithdraw(bet),
    why: lay.why ? whyWords(lay.why, names.currency) : '',
  };
}

function moved(it: Moved | null, amount: (it: number) => string): string[] {
  const t = words[language.now].notice;
  if (!it || (it.paid === 0 && it.taken === 0 && it.uncollected === 0)) return [t.unchanged];
  return [
    ...(it.paid > 0 ? [t.paid(amount(it.paid))] : []),
    ...(it.taken > 0 ? [t.taken(amount(it.taken))] : []),
    ...(it.uncollected > 0 ? [t.uncollected(amount(it.uncollected))] : []),
  ];
}

/** A notice, sentence by sentence. */
export function noticeWords(notice: Notice, names: Names): string[] {
  const t = words[language.now].notice;
  const amount = (it: number): string => short(it, names.currency);
  switch (notice.is) {
    case 'void': {
      const cause = rules[language.now].irregularity[notice.kind].name;
      const returned = notice.returned > 0 ? [t.voidReturned(amount(notice.returned))] : [];
      const undone = notice.moved ? moved(notice.moved, amount) : [];
      return [t.void(notice.round, cause, notice.cite), ...returned, ...undone];
    }
    case 'corrected':
      return [t.corrected(notice.round, notice.cite), ...moved(notice.moved, amount)];
    case 'adjusted':
      return [t.adjusted(notice.round, notice.cite), ...moved(notice.moved, amount)];
    case 'trimmed':
      return [t.trimmed(betName(notice.bet, names), amount(notice.amount), amount(notice.stake), notice.cite)];
    case 'in-part':
      return [t.inPart(betName(notice.bet, names), amount(notice.playing), notice.cite ?? '')];
    case 'late':
      return [t.late(betName(notice.bet, names), amount(notice.stake), notice.cite)];
    case 'amended':
      return [t.amended(betName(notice.bet, names), amount(notice.stake), notice.cite)];
    case 'chosen':
      if (notice.choice === 'take-back') return [t.tookBack(amount(notice.returned))];
      return [notice.silent ? t.silent : t.continued];
    case 'no-squeeze':
      return [t.squeezeDenied(notice.card)];
    case 'credited':
      return [t.credited(amount(notice.amount))];
    case 'case':
      return [t.caseOpened(notice.case, notice.note === null ? null : amount(notice.note))];
    case 'case-settled': {
      const { outcome } = notice;
      return [t.caseSettled[outcome.outcome](notice.case, 'amount' in outcome ? amount(outcome.amount) : '')];
    }
    case 'held':
      return [t.held(amount(notice.amount), notice.slip, notice.cite)];
    case 'payout-held':
      return [t.payoutHeld(amount(notice.amount), notice.slip, notice.cite)];
    case 'collected':
      return [t.collected(amount(notice.amount))];
    case 'disputed':
      return [t.disputed(notice.dispute)];
    case 'dispute-seen':
      return [t.disputeSeen(notice.dispute)];
    case 'dispute-closed':
      return [t.disputeClosed(notice.dispute, notice.words)];
    case 'interrupted':
      return [t.interrupted(notice.cite)];
    case 'resolved':
      return [notice.established ? t.concluded(notice.cite) : t.notConcluded(notice.cite)];
  }
}
