// A patron at a table: the line, their chips, the cards, what they must be told. It draws nothing and decides nothing.

import { untrack } from 'svelte';
import { get } from '../lib/api';
import { Clock, secondsUntil } from '../lib/clock.svelte';
import type { Place } from '../lib/device';
import { Held } from '../lib/held.svelte';
import { Line } from '../lib/line.svelte';
import type {
  BetId,
  BetView,
  BoxNo,
  Choice,
  Command,
  CommandKind,
  Event,
  Money,
  PatronNo,
  Printed,
  Recalled,
  RoundNo,
  SettledLine,
  View,
  WagerView,
} from '../lib/wire';
import { Acceptor } from './acceptor.svelte';
import { Bets, why, type Stake } from './bets.svelte';
import { pile, type Why } from './chips';
import { Dealt } from './dealt.svelte';
import { Memory, type Played } from './memory';
import { post, putAway, type Posted } from './notices';
import { Till } from './till.svelte';
import * as totals from './totals';
import { firstChip } from './tray';

/** What lies over the felt. */
export type Panel = 'rules' | 'recall' | 'roads' | 'money' | 'box';

/** Why a tap did nothing. */
export type Hint = 'lost' | 'credits' | 'chips' | 'phase' | { most: Money };

export class Play {
  readonly place: Place;
  readonly line: Line;
  readonly clock: Clock;
  /** Whether the house opens further Rounds. */
  readonly held: Held;
  readonly bets: Bets;
  readonly dealt: Dealt;
  readonly till: Till;
  /** Only in a demonstration: the machine beside the screen. */
  readonly acceptor: Acceptor;

  /** The layout with its odds; none before it has come. */
  printed = $state.raw<Printed | null>(null);
  posted = $state.raw<readonly Posted[]>([]);
  totals = $state.raw(totals.NOTHING);
  box = $state.raw<BoxNo | null>(null);
  /** The chip in hand. */
  chip = $state<Money>(0);
  panel = $state<Panel | null>(null);
  /** The view as it was before the cards that are on their way: what they lead to is not told before they lie there. */
  told = $state.raw<View | null>(null);
  /** The last Round that this patron had bets in, as it was settled. */
  outcome = $state.raw<{ round: RoundNo; lines: SettledLine[] } | null>(null);
  /** The line came back: these are the bets that are registered. */
  back = $state.raw<WagerView[] | null>(null);
  hint = $state<Hint | null>(null);

  #memory: Memory;
  #played = $state.raw<Played | null>(null);
  #waiting: Stake | null = null;
  #link = 'connecting';
  #hintEnds: ReturnType<typeof setTimeout> | undefined;
  #stop: () => void;

  constructor(place: Place) {
    this.place = place;
    this.#memory = new Memory(place.table);
    const kept = this.#memory.read();
    this.box = kept.box;
    this.#played = kept.played;
    this.line = new Line({ table: place.table, screen: 'terminal', device: place.device });
    this.clock = new Clock(this.line);
    this.held = new Held(this.line);
    this.dealt = new Dealt(() => this.read<Recalled[]>('rounds?limit=1'));
    this.bets = new Bets({
      order: (command, round) => this.#order(command, round),
      patron: () => this.patron,
      box: () => (this.view?.table?.boxes ? this.box : null),
      least: (bet) => this.#least(bet),
      left: () => {
        const { phase, closes_at } = this.view ?? {};
        return phase === 'betting' && closes_at ? closes_at - this.line.now() : Infinity;
      },
    });
    this.till = new Till(
      (command) => this.#ask(command),
      () => this.patron,
      this.#memory,
    );
    this.acceptor = new Acceptor(place);
    const deaf = this.line.onEvents((events) => this.#hear(events));
    const dry = this.line.onPrinted((ticket) =>
      this.till.give({ ...ticket, currency: this.currency, table: this.place.table }),
    );
    const blind = $effect.root(() => {
      $effect(() => {
        const view = this.line.view;
        if (view) untrack(() => this.#look(view));
      });
      $effect(() => {
        const view = this.line.view;
        if (view && !this.dealt.landing.isOn) untrack(() => this.#tellOf(view));
      });
      $effect(() => {
        const link = this.line.link;
        untrack(() => this.#linked(link));
      });
    });
    this.#stop = () => (deaf(), dry(), blind());
    void this.#readPrint();
    void this.#recallOutcome();
  }

  close(): void {
    this.#stop();
    this.dealt.landing.stop();
    this.clock.stop();
    this.held.stop();
    this.line.close();
  }

  get view(): View | null {
    return this.line.view;
  }

  get patron(): PatronNo {
    return this.view?.own?.patron ?? 0;
  }

  get currency(): string {
    return this.view?.table?.currency ?? 'SGD';
  }

  /** Seconds until bets or choices close, by the server's clock. */
  get seconds(): number | null {
    const until = this.view?.closes_at;
    return until ? secondsUntil(until, this.clock.now) : null;
  }

  /** Whether the table would take this order now. */
  may(kind: CommandKind): boolean {
    const { view } = this;
    return this.line.isOpen && !!view && view.possible.includes(kind) && !view.own?.lacks.includes(kind);
  }

  bet(id: BetId): BetView | undefined {
    return this.view?.table?.bets.find((it) => it.bet === id);
  }

  /** What stands on a bet. */
  registered(bet: BetId): WagerView[] {
    return this.view?.own?.wagers.filter((it) => it.bet === bet) ?? [];
  }

  /** The bets of the last Round, if they can be placed again now. */
  get again(): Stake[] | null {
    const { view } = this;
    const isFree = view?.own?.wagers.length === 0 && this.bets.coming === 0;
    const isPast = this.#played !== null && this.#played.round < (view?.round ?? 0);
    return isFree && isPast && this.may('place-wager') ? this.#played!.stakes : null;
  }

  tap(bet: BetId): void {
    const { view } = this;
    if (!view) return;
    if (!this.may('place-wager')) return this.#tell(this.#whyNot(view));
    // What does not fit is not laid, and that is said; what the table makes of the rest is its own to say.
    const most = this.#fits(bet, view);
    if (most < this.chip) this.#tell(this.#free <= 0 ? 'credits' : { most });
    const stake = { bet, amount: Math.min(this.chip, most) };
    if (stake.amount <= 0) return;
    if (view.table?.boxes && this.box === null) {
      this.#waiting = stake;
      this.panel = 'box';
    } else this.bets.tap(stake, view.round);
  }

  rebet(): void {
    if (!this.again || !this.view) return;
    if (this.view.table?.boxes && this.box === null) this.panel = 'box';
    else this.bets.place(this.again, this.view.round);
  }

  double(): void {
    const stakes = this.view?.own?.wagers.map(({ bet, stake }) => ({ bet, amount: stake })) ?? [];
    if (this.view && stakes.length > 0) this.bets.place(stakes, this.view.round);
  }

  clear(): void {
    if (this.view?.own) void this.bets.clear(this.view.own.wagers, this.view.round);
  }

  /** Bets at a box from now on; a chip that waited for it is laid. */
  betAt(box: BoxNo): void {
    this.box = box;
    this.#memory.keep({ box });
    this.panel = null;
    const stake = this.#waiting;
    this.#waiting = null;
    if (stake) this.tap(stake.bet);
  }

  leavePanel(): void {
    this.panel = null;
    this.till.refused = null;
    this.acceptor.refused = null;
    this.#waiting = null;
  }

  putAway(n: number): void {
    this.posted = putAway(this.posted, n);
  }

  async askSqueeze(card: number): Promise<Why | null> {
    return this.#ask({ do: 'ask-squeeze', patron: this.patron, card });
  }

  async choose(choice: Choice): Promise<Why | null> {
    return this.#ask({ do: 'choose', patron: this.patron, choice });
  }

  /** Disputes the Round in play or the last one; why not, if not. */
  async dispute(round: RoundNo, words: string): Promise<Why | null> {
    return this.#ask({ do: 'open-dispute', patron: this.patron, round, words });
  }

  /** A ticket was put before the reader: what is wrong with it is said where tickets are. */
  async scan(number: string): Promise<void> {
    const isTaken = this.may('redeem-ticket') && (await this.till.redeem(number));
    if (!isTaken) this.panel = 'money';
  }

  /** What the server tells by HTTP about this table. */
  read<T>(what: string): Promise<T> {
    return get<T>(`/api/tables/${encodeURIComponent(this.place.table)}/${what}`, { device: this.place.device });
  }

  async #ask(command: Command): Promise<Why | null> {
    return why(await this.#order(command, command.do === 'choose' ? (this.view?.round ?? null) : null));
  }

  #order(command: Command, round: RoundNo | null): ReturnType<Line['order']> {
    return this.line.order({ as: 'patron', patron: this.patron }, command, round);
  }

  async #readPrint(): Promise<void> {
    try {
      this.printed = await this.read<Printed>('print');
    } catch {
      // Without the print the felt has no odds on it; the line says what else is wrong.
      setTimeout(() => void this.#readPrint(), 5_000);
    }
  }

  /** What this patron bet last and how it ended, where the screen was not there to see it. */
  async #recallOutcome(): Promise<void> {
    const rounds = await this.read<Recalled[]>('rounds?limit=5').catch(() => []);
    const last = rounds.find((it) => it.lines.length > 0);
    if (!last || this.outcome) return;
    this.outcome = { round: last.round, lines: last.lines };
    const stakes = last.wagers.map(({ bet, stake }) => ({ bet, amount: stake }));
    if ((this.#played?.round ?? 0) < last.round) this.#remember({ round: last.round, stakes });
  }

  #look(view: View): void {
    this.dealt.look(view);
    this.bets.look(view);
    const { own, table } = view;
    if (table && this.chip === 0) this.chip = firstChip(table);
    if (own && own.wagers.length > 0) {
      const stakes = own.wagers.map(({ bet, stake }) => ({ bet, amount: stake }));
      // What lies there when bets close is what was bet.
      if (view.phase !== 'betting') this.#remember({ round: view.round, stakes });
      // Bets stand at a box: that is where this patron is, whatever the tab remembers.
      const box = own.wagers[0]?.box ?? null;
      if (box !== null && !own.wagers.some((it) => it.box === this.box)) this.box = box;
    }
    // Whoever sits at a box bets there, unless they choose another.
    if (this.box === null && own?.seat) this.box = own.seat;
  }

  /** Nothing is on its way: what the cards led to is told. */
  #tellOf(view: View): void {
    this.told = view;
    const { last } = view;
    if (last && last.lines.length > 0) this.outcome = { round: last.round, lines: last.lines };
  }

  #hear(events: readonly Event[]): void {
    const { view, patron } = this;
    if (!view) return;
    this.dealt.look(view, events);
    this.posted = post(this.posted, events, patron);
    this.totals = totals.add(this.totals, events, patron);
    for (const event of events) {
      if (event.event === 'bets-opened') this.back = null;
      if (event.event === 'cashed-out' && event.patron === patron) this.panel = null;
    }
  }

  #linked(link: string): void {
    if (this.#link === 'open' && link !== 'open') this.bets.lose();
    if (this.#link === 'lost' && link === 'open') {
      this.back = this.view?.own?.wagers ?? null;
      this.hint = null;
    }
    this.#link = link;
  }

  #remember(played: Played): void {
    if (JSON.stringify(played) === JSON.stringify(this.#played)) return;
    this.#played = played;
    this.#memory.keep({ played });
  }

  /** Credits that no chip lies for yet. */
  get #free(): Money {
    return (this.view?.own?.credits ?? 0) - this.bets.coming;
  }

  /** What more fits on a bet by the view: its range and the credits, in whole units. */
  #fits(bet: BetId, { table }: View): Money {
    const here = this.registered(bet).filter((it) => it.box === null || it.box === this.box);
    const lies = here.reduce((sum, it) => sum + it.stake, 0) + pile(this.bets.lays, bet).coming;
    const room = (this.bet(bet)?.range?.maximum ?? Infinity) - lies;
    const unit = table?.unit ?? 1;
    return Math.max(0, Math.floor(Math.min(room, this.#free) / unit) * unit);
  }

  /** The least that a bet takes; nothing where it stands already. */
  #least(id: BetId): Money {
    const bet = this.bet(id);
    if (!bet || this.registered(id).length > 0) return 0;
    return bet.range?.minimum ?? (bet.side ? (this.view?.table?.betting_box?.minimum ?? 0) : 0);
  }

  #whyNot(view: View): Hint {
    if (!this.line.isOpen) return 'lost';
    if (view.table?.money === 'chips') return 'chips';
    return view.phase === 'betting' && view.own?.lacks.includes('place-wager') ? 'credits' : 'phase';
  }

  #tell(hint: Hint): void {
    this.hint = hint;
    clearTimeout(this.#hintEnds);
    this.#hintEnds = setTimeout(() => (this.hint = null), 4_000);
  }
}
