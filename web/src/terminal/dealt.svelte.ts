// The cards to show: those of the Round in play, and after it those of the Round before until new ones come. A card that
// this patron may squeeze stays face down here until they have peeled it (3.9).

import { Landing } from '../lib/felt/landing.svelte';
import type { CardView, Event, Recalled, RoundNo, RoundResult, Side, View, Winner } from '../lib/wire';

/** What lies before the patron. */
export interface Shown {
  round: RoundNo;
  cards: CardView[];
  points: View['points'];
  result: RoundResult | null;
  winner: Winner | null;
  /** It is the Round before. */
  isPast: boolean;
  isVoid: boolean;
  /** So many of the cards lay there before this screen could see them dealt. */
  lay: number;
}

/** A card to be peeled, counted from 1 in drawing order. */
export interface ToPeel {
  card: number;
  seen: string;
  side: Side | null;
}

type Looked = Pick<View, 'round' | 'cards' | 'points' | 'result' | 'last'> & {
  own: { squeezes: number[] } | null;
};

/** A Round that is over. */
export type Past = Pick<Recalled, 'round' | 'cards' | 'result'>;

/** The Round before, as it is told by HTTP. */
type Recall = () => Promise<Past[]>;

export class Dealt {
  /** Cards that are on their way: verdict, totals, credits and roads wait for them. */
  readonly landing: Landing;
  #recall: Recall;
  /** What was there when this screen came. */
  #found = $state.raw<{ round: RoundNo; cards: number }>({ round: 0, cards: 0 });
  /** The totals before the cards that are on their way. */
  #points: View['points'] = null;
  /** The last Round of which this screen saw cards come. */
  #watched = $state.raw<RoundNo>(0);
  #round: RoundNo = 0;
  #view = $state.raw<Looked | null>(null);
  /** The cards of the Round in play, also after the view has put them away. */
  #cards: CardView[] = [];
  #past = $state.raw<Past | null>(null);
  #granted = $state.raw<{ round: RoundNo; cards: number[] }>({ round: 0, cards: [] });
  #peeled = $state.raw<readonly number[]>([]);

  constructor(recall: Recall, landing = new Landing()) {
    this.#recall = recall;
    this.landing = landing;
  }

  /** A view, and the events that brought it. */
  look(view: Looked, events: readonly Event[] = []): void {
    const isFirst = this.#view === null;
    const { own, round, last } = view;
    if (!this.landing.isOn) this.#points = this.#round === round ? (this.#lying?.points ?? null) : null;
    if (this.#round !== round) [this.#round, this.#cards] = [round, []];
    const lay = this.#cards.length;
    this.#view = view;
    if (own && own.squeezes.length > 0) {
      if (this.#granted.round !== round) this.#peeled = [];
      this.#granted = { round, cards: own.squeezes };
    }
    if (view.cards.length > 0) this.#cards = view.cards;
    else events.forEach((event) => this.#hear(event));
    const come = this.#cards.length - lay;
    if (isFirst) this.#found = { round, cards: this.#cards.length };
    else if (come > 0) {
      this.#watched = round;
      this.landing.come(come);
    }
    if (last && (this.#past?.round !== last.round || events.some((it) => it.event === 'round-corrected'))) {
      this.#remember(last);
    } else if (isFirst && !last && round > 1) void this.#ask();
  }

  /** The last cards of a Round may come in the same frame as its end, when the view has no cards any more. */
  #hear(event: Event): void {
    if (event.event === 'card-drawn')
      this.#cards = [...this.#cards, { card: event.covered ? 'covered' : event.card, side: event.side ?? null }];
    else if (event.event === 'cards-turned') {
      const shown = new Map(event.cards.map((card, at) => [card, event.shown[at]!]));
      this.#cards = this.#cards.map((it, at) => ({ ...it, card: shown.get(at + 1) ?? it.card }));
    }
  }

  /** Keeps the Round before. If its cards are not those that were seen, somebody has put them in order: they are recalled. */
  #remember({ round, result }: NonNullable<Looked['last']>): void {
    this.#past = { round, result, cards: this.#cards };
    const isSeen = !result || this.#cards.map((it) => it.card).join() === result.cards.join();
    if (!isSeen) void this.#ask();
  }

  async #ask(): Promise<void> {
    const [last] = await this.#recall().catch(() => []);
    if (last && last.round >= (this.#past?.round ?? 0)) this.#past = last;
  }

  peel(card: number): void {
    this.#peeled = [...this.#peeled, card];
  }

  peelAll(): void {
    this.#peeled = this.#granted.cards;
  }

  /** The next card that waits to be peeled. */
  get toPeel(): ToPeel | null {
    const lying = this.#lying;
    if (!lying || lying.round !== this.#granted.round) return null;
    const card = this.#granted.cards
      .filter((it) => !this.#peeled.includes(it))
      .find((it) => (lying.cards[it - 1]?.card ?? 'covered') !== 'covered');
    const it = card === undefined ? undefined : lying.cards[card - 1];
    return it && card !== undefined ? { card, seen: it.card, side: it.side } : null;
  }

  get shown(): Shown | null {
    const lying = this.#lying;
    if (lying && this.landing.isOn) {
      return { ...lying, points: this.#points, result: null, winner: null, isVoid: false };
    }
    if (!lying || !this.toPeel) return lying;
    const hidden = this.#granted.cards.filter((it) => !this.#peeled.includes(it));
    const cards = lying.cards.map((it, at) => (hidden.includes(at + 1) ? { ...it, card: 'covered' } : it));
    return { ...lying, cards, points: null, result: null, winner: null };
  }

  get #lying(): Shown | null {
    const view = this.#view;
    if (!view) return null;
    const { cards, points, round, result } = view;
    const past = this.#past;
    const lay = this.#found.round === round ? this.#found.cards : 0;
    if (cards.length > 0 || !past) {
      return { round, cards, points, result, winner: result?.winner ?? null, isPast: false, isVoid: false, lay };
    }
    const winner = past.result?.winner ?? null;
    const isVoid = past.result === null;
    // A Round that was over before this screen came lies there; nobody deals it again.
    const all = this.#watched === past.round ? (this.#found.round === past.round ? this.#found.cards : 0) : Infinity;
    return { ...past, points: past.result?.points ?? null, winner, isPast: true, isVoid, lay: all };
  }
}
