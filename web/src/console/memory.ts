// What the console knows from events alone, because the view does not have it: who was asked to choose, who wants to
// squeeze, open disputes, what the last void or correction did. It lasts as long as this screen is open.

import type {
  Change,
  Choice,
  Cite,
  DisputeNo,
  Event,
  IrregularityKind,
  PatronNo,
  Person,
  Post,
  Return,
  RoundNo,
} from '../lib/wire';

export interface Memory {
  /** Who was asked in this Round, and what they answered; none if this screen did not see the question. */
  choices: { asked: PatronNo[]; made: { patron: PatronNo; choice: Choice; silent: boolean }[] } | null;
  /** Squeezes that nobody has answered. */
  squeezes: { patron: PatronNo; card: number }[];
  disputes: { dispute: DisputeNo; words: string; patron: PatronNo | null; round: RoundNo | null }[];
  posts: { person: Person; post: Post }[];
  shift: string | null;
  /** How the last interruption was resolved, and by which bets. */
  interruption: { established: boolean; because: string[]; cite: Cite } | null;
  voided: { round: RoundNo; kind: IrregularityKind; cite: Cite; returns: Return[]; changes: Change[] } | null;
  corrected: { round: RoundNo; cite: Cite; changes: Change[] } | null;
  /** Who shuffled the cards in use; none if nobody did, or if this screen did not see it. */
  shuffledBy: Person | null;
}

export const NOTHING: Memory = {
  choices: null,
  squeezes: [],
  disputes: [],
  posts: [],
  shift: null,
  interruption: null,
  voided: null,
  corrected: null,
  shuffledBy: null,
};

export function remember(memory: Memory, it: Event): Memory {
  switch (it.event) {
    case 'bets-opened':
      return { ...memory, choices: null, squeezes: [], interruption: null, voided: null, corrected: null };
    case 'choice-offered':
      return { ...memory, choices: { asked: it.patrons, made: [] } };
    case 'choice-made': {
      const { patron, choice, silent } = it;
      const { asked, made } = memory.choices ?? { asked: [patron], made: [] };
      return { ...memory, choices: { asked, made: [...made, { patron, choice, silent }] } };
    }
    case 'squeeze-asked':
      return { ...memory, squeezes: [...memory.squeezes, { patron: it.patron, card: it.card }] };
    case 'squeeze-answered': {
      const others = memory.squeezes.filter(({ patron, card }) => patron !== it.patron || card !== it.card);
      return { ...memory, squeezes: others };
    }
    case 'dispute-opened': {
      const { dispute, words, patron = null, round = null } = it;
      return { ...memory, disputes: [...memory.disputes, { dispute, words, patron, round }] };
    }
    case 'dispute-closed':
      return { ...memory, disputes: memory.disputes.filter(({ dispute }) => dispute !== it.dispute) };
    case 'post-taken': {
      const others = memory.posts.filter(({ person }) => person !== it.person);
      return { ...memory, posts: [...others, { person: it.person, post: it.post }] };
    }
    case 'post-left':
      return { ...memory, posts: memory.posts.filter(({ person }) => person !== it.person) };
    case 'shift-started':
      return { ...memory, shift: it.name };
    case 'interruption-resolved': {
      const { established, because, cite } = it;
      return { ...memory, interruption: { established, because, cite } };
    }
    case 'round-voided': {
      const { round, kind, cite, returns, changes } = it;
      return { ...memory, choices: null, squeezes: [], voided: { round, kind, cite, returns, changes } };
    }
    case 'round-corrected':
      return { ...memory, corrected: { round: it.round, cite: it.cite, changes: it.changes } };
    case 'shoe-loaded':
      return { ...memory, shuffledBy: it.shuffled_by ?? null };
    default:
      return memory;
  }
}

/** Squeezes that can still be answered: of cards that have not left the shoe. */
export const openSqueezes = ({ squeezes }: Memory, cardsOut: number): Memory['squeezes'] =>
  squeezes.filter(({ card }) => card > cardsOut);
