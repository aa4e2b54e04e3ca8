// A console at work: its line, who is signed in at it, what it has seen, and giving orders, with or without somebody who
// answers for them on the spot.

import { why } from '../lib/account/problems';
import { Problem, get, pending, propose, sign, withdraw } from '../lib/api';
import { Clock } from '../lib/clock.svelte';
import type { Place } from '../lib/device';
import { Held } from '../lib/held.svelte';
import { denial, refusal } from '../lib/i18n/reasons';
import { language } from '../lib/language.svelte';
import { Line } from '../lib/line.svelte';
import { sound } from '../lib/tone.svelte';
import type {
  Actor,
  Answer,
  Command,
  CommandKind,
  Event,
  Pending,
  Post,
  Printed,
  Recalled,
  RoundNo,
  Seq,
  Session,
  View,
} from '../lib/wire';
import { leastPost, onTheSpot, postOf } from './authority';
import { NOTHING, remember, type Memory } from './memory';
import { next } from './next';
import type { Values } from './order/fields';
import { plain } from './order/forms';
import { orderTask, type Task } from './order/task';
import { words } from './words';

/** An event, and when this screen was told of it. */
export interface Logged {
  n: number;
  at: number;
  event: Event;
}

/** Somebody who answers for an order. */
export interface Answerer {
  person: string;
  password: string;
  /** Of their second factor, if they have one and it is not their own session. */
  code: string;
}

/** Whether an order was carried out; if not, why. */
export type Outcome = { done: true; seq: Seq } | { done: false; why: string };

/** How often it is looked whether somebody has signed at another screen. */
const LOOK = 1_500;

/** So many events are kept to be read. */
const KEPT = 300;

/** So many Rounds are recalled. */
const RECALLED = 20;

export class Desk {
  readonly place: Place;
  readonly line: Line;
  readonly clock: Clock;
  /** Whether the house opens further Rounds. */
  readonly held: Held;

  session = $state.raw<Session>() as Session;
  /** The session is over; somebody must sign in before anything can be ordered. */
  ended = $state(false);
  /** Somebody has just signed in who has not been told yet what was done to their account. */
  hasNews = $state(false);
  /** What is being filled in. */
  task = $state.raw<Task | null>(null);
  /** Why the last order was not carried out. */
  refused = $state<string | null>(null);
  log = $state.raw<Logged[]>([]);
  memory = $state.raw<Memory>(NOTHING);
  printed = $state.raw<Printed | null>(null);
  rounds = $state.raw<Recalled[]>([]);

  /** What is to be done now. */
  step = $derived.by(() => (this.line.view ? next(this.line.view, this.clock.now) : null));

  /** Whose signatures, given at other screens, the order on its way waits for. */
  awaits = $state.raw<string[]>([]);

  #logged = 0;
  /** What was last put forward to be signed. */
  #asked: string | null = null;

  constructor(place: Place, session: Session, line?: Line) {
    this.place = place;
    this.session = session;
    this.line = line ?? new Line({ table: place.table, screen: 'console', device: place.device });
    this.clock = new Clock(this.line);
    this.held = new Held(this.line);
    this.line.onEvents((events) => this.#hear(events));
  }

  get view(): View | null {
    return this.line.view;
  }

  get post(): Post {
    return postOf(this.session.role) ?? 'dealer';
  }

  /** Whether an order would reach the table, and none is on its way. */
  get isReady(): boolean {
    return this.line.isOpen && this.line.waiting === 0 && !this.ended;
  }

  may(kind: CommandKind): boolean {
    return this.view?.possible.includes(kind) ?? false;
  }

  /** Whether the person signed in may order it, or somebody who comes and signs in for it. */
  offers(kind: CommandKind): boolean {
    return this.may(kind) || (this.view !== null && onTheSpot(this.view, kind, this.post));
  }

  /** From which post on somebody must give their password for an order; none if nobody must. */
  signs(kind: CommandKind): Post | null {
    if (!this.view || (!this.line.signed.includes(kind) && !onTheSpot(this.view, kind, this.post))) return null;
    return leastPost(this.view, kind) ?? this.post;
  }

  close(): void {
    this.clock.stop();
    this.held.stop();
    this.line.close();
  }

  /** Somebody signed in, with their own password or as a visitor of the demonstration. */
  signedIn(session: Session, isVisitor: boolean): void {
    this.session = session;
    this.hasNews = !isVisitor && (session.account ?? []).length > 0;
  }

  /** Somebody signed in again, or somebody else. */
  resume(session: Session, isVisitor: boolean): void {
    this.signedIn(session, isVisitor);
    this.ended = false;
    this.line.again();
  }

  /** What the rule book says at this table, once. */
  async readRules(): Promise<void> {
    this.printed ??= await get<Printed>(`/api/tables/${this.place.table}/print`);
  }

  /** The Rounds before. */
  async recall(): Promise<void> {
    const path = `/api/tables/${this.place.table}/rounds?limit=${RECALLED}`;
    this.rounds = await get<Recalled[]>(path);
  }

  /** Gives an order, or opens what must be filled in before. */
  begin(kind: CommandKind, values: Values = {}): void {
    const command = plain(kind);
    if (command && this.may(kind)) void this.give(command);
    else if (this.view)
      this.task = orderTask(kind, this.view, this.signs(kind), { ...this.#own, ...values }, this.line.kind);
  }

  /** An order of the person who is signed in. */
  async give(command: Command): Promise<Outcome> {
    const by: Actor = { as: 'staff', person: this.session.person, post: this.post };
    return this.#outcome(await this.line.order(by, command, this.#round));
  }

  /**
   * An order of somebody who signs for it, and of a second person where one is needed. The server holds it; whoever gives
   * a password signs here, whoever gives none signs at another screen, and is waited for.
   */
  async giveApproved(command: Command, first: Answerer, second: Answerer | null): Promise<Outcome> {
    const { csrf } = this.session;
    const named = second ? withSecond(command, second.person) : command;
    const given = { by: first.person, command: named, ...(this.#round ? { round: this.#round } : {}) };
    try {
      let asked = await propose(this.place.table, given, csrf);
      this.#asked = asked.pending;
      if (postOf(asked.signers[0]!.role) === null) return this.#not(words[language.now].approval.notFloor);
      for (const answerer of [first, ...(second ? [second] : [])]) {
        if (answerer.password !== '') asked = await sign(asked.pending, answerer, csrf);
      }
      while (lacking(asked).length > 0) {
        this.awaits = lacking(asked);
        await new Promise((later) => setTimeout(later, LOOK));
        if (this.#asked !== asked.pending) return { done: false, why: '' };
        asked = await pending(asked.pending);
      }
      const { by, command: signed, round } = asked.order!;
      return this.#outcome(await this.line.order(by, signed, round ?? null, asked.pending));
    } catch (problem) {
      return this.#not(told(problem));
    } finally {
      this.awaits = [];
    }
  }

  /** Nobody waits any longer for signatures. */
  giveUp(): void {
    if (this.awaits.length > 0 && this.#asked) void withdraw(this.#asked, this.session.csrf).catch(() => null);
    this.#asked = null;
  }

  /** What is known of whoever is signed in. */
  get #own(): Values {
    return { person: this.session.person, post: this.post };
  }

  /** Every order names the Round that is seen, so that a late one never lands in the next. */
  get #round(): RoundNo | null {
    return this.view?.round ?? null;
  }

  #outcome(answer: Answer): Outcome {
    if (typeof answer === 'string') return this.#not(answer);
    if ('refused' in answer) return this.#not(refusal(answer.refused, this.view?.table?.currency ?? 'SGD'));
    if ('denied' in answer) {
      if (answer.denied === 'no-further-round') void this.held.ask();
      return this.#not(denial(answer.denied));
    }
    this.refused = null;
    return { done: true, seq: 'done' in answer ? answer.done : answer.before };
  }

  /** Something was not taken: it is said, and heard. */
  say(why: string): void {
    this.refused = why;
    sound.no();
  }

  #not(why: string): Outcome {
    this.say(why);
    return { done: false, why };
  }

  #hear(events: Event[]): void {
    const at = this.line.now();
    const heard = events.map((event) => ({ n: (this.#logged += 1), at, event }));
    this.log = [...heard.reverse(), ...this.log].slice(0, KEPT);
    this.memory = events.reduce(remember, this.memory);
  }
}

/** The order with the second person that it names. */
function withSecond(command: Command, person: string): Command {
  switch (command.do) {
    case 'rule':
    case 'record-push':
    case 'amend-wager':
    case 'decide-held':
    case 'confirm-cards':
    case 'settle-case':
    case 'empty-acceptor':
    case 'uncover-float':
    case 'open-float':
    case 'close-float':
    case 'fill':
    case 'credit':
    case 'drop':
    case 'collect':
      return { ...command, second: person };
    case 'keep-unclaimed':
      return { ...command, attendant: person };
    default:
      return command;
  }
}

/** Who has not signed yet. */
const lacking = ({ signers }: Pending): string[] => signers.filter((it) => !it.signed).map((it) => it.name);

/** Why a password was not taken. */
function told(problem: unknown): string {
  const t = words[language.now].approval;
  if (!(problem instanceof Problem)) return why(problem);
  if (problem.code === 'pending-gone') return t.gone;
  if (problem.code === 'one-person') return t.onePerson;
  return problem.code === 'not-allowed' ? t.notTheirs : why(problem);
}
