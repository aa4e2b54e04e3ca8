// What the console knows from events alone, because the view does not have it: who answered what, what the last void or
// correction did, who shuffled. It lasts as long as this screen is open.

import type { Change, Choice, Cite, Event, IrregularityKind, PatronNo, Person, Return, RoundNo } from '../lib/wire';

export interface Memory {
  /** What patrons answered who were asked in this Round. */
  choices: { patron: PatronNo; choice: Choice; silent: boolean }[];
  /** How the last interruption was resolved, and by which bets. */
  interruption: { established: boolean; because: string[]; cite: Cite } | null;
  voided: { round: RoundNo; kind: IrregularityKind; cite: Cite; returns: Return[]; changes: Change[] } | null;
  corrected: { round: RoundNo; cite: Cite; changes: Change[] } | null;
  /** Who shuffled the cards in use; none if nobody did, or if this screen did not see it. */
  shuffledBy: Person | null;
}

export const NOTHING: Memory = {
  choices: [],
  interruption: null,
  voided: null,
  corrected: null,
  shuffledBy: null,
};

export function remember(memory: Memory, it: Event): Memory {
  switch (it.event) {
    case 'bets-opened':
      return { ...memory, choices: [], interruption: null, voided: null, corrected: null };
    case 'choice-offered':
      return { ...memory, choices: [] };
    case 'choice-made': {
      const { patron, choice, silent } = it;
      return { ...memory, choices: [...memory.choices, { patron, choice, silent }] };
    }
    case 'interruption-resolved': {
      const { established, because, cite } = it;
      return { ...memory, interruption: { established, because, cite } };
    }
    case 'round-voided': {
      const { round, kind, cite, returns, changes } = it;
      return { ...memory, choices: [], voided: { round, kind, cite, returns, changes } };
    }
    case 'round-corrected':
      return { ...memory, corrected: { round: it.round, cite: it.cite, changes: it.changes } };
    case 'shoe-loaded':
      return { ...memory, shuffledBy: it.shuffled_by ?? null };
    default:
      return memory;
  }
}
