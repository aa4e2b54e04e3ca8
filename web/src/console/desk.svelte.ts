// A console at work: its line, who is signed in at it, what it has seen, and giving orders, with or without somebody who
// answers for them on the spot.

import { Problem, approve, get } from '../lib/api';
import { Clock } from '../lib/clock.svelte';
import type { Place } from '../lib/device';
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
}

/** Whether an order was carried out; if not, why. */
export type Outcome = { done: true; seq: Seq } | { done: false; why: string };

/** So many events are kept to be read. */
const KEPT = 300;

/** So many Rounds are recalled. */
const RECALLED = 20;

export class Desk {
  readonly place: Place;
  readonly line: Line;
  readonly clock: Clock;

  session = $state.raw<Session>() as Session;
  /** The session is over; somebody must sign in before anything can be ordered. */
  ended = $state(false);
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

  #logged = 0;

  constructor(place: Place, session: Session, line?: Line) {
    this.place = place;
    this.session = session;
    this.line = line ?? new Line({ table: place.table, screen: 'console', device: place.device });
    this.clock = new Clock(this.line);
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
    this.line.close();
  }

  /** Somebody signed in again, or somebody else. */
  resume(session: Session): void {
    this.session = session;
    this.ended = false;
    this.line.again();
  }

  /** What the rule book says at this table, once. */
  async readRules(): Promise<void> {
    this.printed ??= await get<Printed>(`/api/tables/${this.place.table}/print`, { device: this.place.device });
  }

  /** The Rounds before. */
  async recall(): Promise<void> {
    const path = `/api/tables/${this.place.table}/rounds?limit=${RECALLED}`;
    this.rounds = await get<Recalled[]>(path, { device: this.place.device });
  }

  /** Gives an order, or opens what must be filled in before. */
  begin(kind: CommandKind, values: Values = {}): void {
    const command = plain(kind);
    if (command && this.may(kind)) void this.give(command);
    else if (this.view) this.task = orderTask(kind, this.view, this.signs(kind), { ...this.#own, ...values });
  }

  /** An order of the person who is signed in. */
  async give(command: Command): Promise<Outcome> {
    const by: Actor = { as: 'staff', person: this.session.person, post: this.post };
    return this.#outcome(await this.line.order(by, command, this.#round));
  }

  /** An order of somebody who gives their password for it now, and of a second person where one is needed. */
  async giveApproved(command: Command, first: Answerer, second: Answerer | null): Promise<Outcome> {
    try {
      const given = [await approve(first.person, first.password, this.session.csrf)];
      if (second) given.push(await approve(second.person, second.password, this.session.csrf));
      const [answers, agrees] = given;
      const post = answers ? postOf(answers.role) : null;
      if (!answers || !post) return this.#not(words[language.now].approval.notFloor);
      const by: Actor = { as: 'staff', person: answers.person, post };
      const ordered =
        agrees && (command.do === 'rule' || command.do === 'record-push')
          ? { ...command, second: agrees.person, second_post: postOf(agrees.role) }
          : agrees && command.do === 'confirm-cards'
            ? { ...command, second: agrees.person }
            : agrees && command.do === 'keep-unclaimed'
              ? { ...command, attendant: agrees.person }
              : command;
      const approvals = given.map(({ approval }) => approval);
      return this.#outcome(await this.line.order(by, ordered, this.#round, approvals));
    } catch (problem) {
      return this.#not(told(problem));
    }
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
    if ('denied' in answer) return this.#not(denial(answer.denied));
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

/** Why a password was not taken. */
function told(problem: unknown): string {
  const t = words[language.now].approval;
  if (!(problem instanceof Problem)) return t.unreachable;
  if (problem.status === 401) return t.wrong;
  return problem.status === 429 ? t.tooOften : problem.message;
}
