// A house for tests: the real binary on a ledger of its own, people, tables and devices set up by the public API, and a real
// browser. Nothing here is a stand-in for anything.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type {
  Command,
  DeviceKind,
  EnrolledDevice,
  Entries,
  Entry,
  Pending,
  Role,
  Ruling,
  Session,
  Settings,
} from '../src/lib/wire';
import { Line } from './line';
import { PUNTO, Server } from './server';

const PASSWORD = 'a sentence that is long enough';

/** Roles, and who has them. */
export const PEOPLE = {
  administrator: 'administrator',
  'd-1': 'dealer',
  'sup-1': 'pit-supervisor',
  'sup-2': 'pit-supervisor',
  'shift-1': 'shift-manager',
  'cash-1': 'cashier',
  'aud-1': 'auditor',
} as const satisfies Record<string, Role>;
export type Who = keyof typeof PEOPLE;

export class House {
  readonly folder = mkdtempSync(join(tmpdir(), 'punto-browser-'));
  readonly password = PASSWORD;
  url = '';
  #server: Server | null = null;
  #tokens = new Map<string, string>();

  /** Where screens come from beside the server's own address. */
  #origin: string | null = null;

  /** Founds a ledger, starts the server on it, hires everybody. */
  static async open(origin: string | null = null): Promise<House> {
    const house = new House();
    house.#origin = origin;
    execFileSync(PUNTO, ['ledger', 'found', house.ledger, '--kind', 'practice'], { stdio: 'ignore' });
    const invitation = await house.start();
    await house.#choose(invitation);
    for (const [person, role] of Object.entries(PEOPLE)) {
      if (role === 'administrator') continue;
      const hired = await house.ask<{ invitation: string }>(
        'POST',
        '/api/staff',
        { person, name: person, role },
        'administrator',
      );
      await house.#choose(hired.invitation);
    }
    return house;
  }

  get ledger(): string {
    return join(this.folder, 'floor');
  }

  /** Starts the server, again at the same place if it ran before. The invitation of the first Administrator, if there is one. */
  async start(): Promise<string> {
    const listen = this.url === '' ? '127.0.0.1:0' : this.url.replace('http://', '');
    const origin = this.#origin ? ['--origin', this.#origin] : [];
    this.#server = await Server.start([this.ledger, '--listen', listen, ...origin], this.folder);
    this.url = this.#server.url;
    return /invitation#([0-9a-f]+)/.exec(this.#server.said)?.[1] ?? '';
  }

  /** Ends the server: in order, which finishes Rounds first, or as a power cut does. Who was signed in is no longer. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.#server?.stop(signal);
    this.#server = null;
    this.#tokens.clear();
  }

  /** Nobody needs the ledger any more: no good ending. */
  async close(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #choose(invitation: string): Promise<void> {
    await this.ask('POST', '/api/password', { invitation, password: PASSWORD });
  }

  async ask<T = unknown>(method: string, path: string, body?: unknown, by?: Who): Promise<T> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (by) headers['authorization'] = `Bearer ${await this.token(by)}`;
    const answer = await fetch(this.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  async token(person: Who): Promise<string> {
    let token = this.#tokens.get(person);
    if (!token) {
      const session = await this.ask<Session>('POST', '/api/session', { person, password: PASSWORD, token: true });
      token = session.token!;
      this.#tokens.set(person, token);
    }
    return token;
  }

  /** Has an order of somebody wait, and signs it: they, and the second person that it names. */
  async signed(by: Who, table: string, command: Command, second: Who | null = null): Promise<Pending> {
    const asked = await this.ask<Pending>('POST', `/api/tables/${table}/pending`, { by, command }, by);
    for (const person of [by, ...(second ? [second] : [])]) {
      await this.ask('POST', '/api/approvals', { pending: asked.pending, person, password: PASSWORD }, person);
    }
    return asked;
  }

  /** Opens a table: live with real cards and credits unless the settings say otherwise. */
  async table(
    table: string,
    game: string,
    layout: string,
    more: Partial<Settings> = {},
    rulebook?: string,
  ): Promise<void> {
    const live: Partial<Settings> =
      game === 'ncb-etg'
        ? { other_bets: { minimum: 500, maximum: 200_000 } }
        : { betting_box: { minimum: 2_500, differential: 500_000 }, other_bets: { minimum: 500, maximum: 50_000 } };
    const settings = { table, game, layout, decks: 8, betting_seconds: 60, choice_seconds: 30, ...live, ...more };
    await this.ask('POST', '/api/tables', { settings, ...(rulebook ? { rulebook } : {}) }, 'administrator');
  }

  async enrol(device: string, kind: DeviceKind): Promise<string> {
    return (await this.ask<EnrolledDevice>('POST', '/api/devices', { device, kind }, 'administrator')).credential;
  }

  /** The address of a terminal, console or board, with everything it needs. */
  async screen(page: 'terminal' | 'console' | 'board', table: string, patron = 7): Promise<string> {
    const kind: DeviceKind =
      page === 'terminal'
        ? { terminal: { table, patron } }
        : page === 'console'
          ? { console: { table } }
          : { board: { table } };
    const device = await this.enrol(`${page}-${table}-${Math.random().toString(36).slice(2, 8)}`, kind);
    return `${this.url}/${page}#${new URLSearchParams({ table, device }).toString()}`;
  }

  /** A member of staff at a screen that is not a browser: the Cashier who sells credits, the Dealer of another table. */
  async staff(person: Who, table: string, screen: 'cage' | 'pit' | 'console'): Promise<Line> {
    const role = PEOPLE[person];
    const session = await this.token(person);
    const device =
      screen === 'console'
        ? await this.enrol(`desk-${Math.random().toString(36).slice(2, 8)}`, { console: { table } })
        : undefined;
    const by =
      role === 'cashier'
        ? ({ as: 'cashier', person } as const)
        : ({ as: 'staff', person, post: role as 'dealer' } as const);
    return Line.open(this.url, { table, screen, session, ...(device ? { device } : {}) }, by);
  }

  /** Rules on the first matter that waits at a table, signed in for on the spot; with a second person where one is needed. */
  async rule(by: Who, table: string, ruling: Ruling, second: Who | null = null): Promise<void> {
    const pit = await this.staff(by, table, 'pit');
    await pit.until(({ matters }) => (matters?.length ?? 0) > 0);
    const matter = pit.view.matters![0]!.matter;
    const command: Command = { do: 'rule', matter, ruling, reason: 'as it was seen', second };
    await pit.mustSigned(await this.signed(by, table, command, second));
    pit.close();
  }

  async buy(table: string, patron: number, amount: number): Promise<void> {
    const cage = await this.staff('cash-1', table, 'cage');
    await cage.must({ do: 'buy-credits', patron, amount });
    cage.close();
  }

  /** What the ledger says. */
  async entries(table: string): Promise<Entry[]> {
    return (await this.ask<Entries>('GET', `/api/tables/${table}/entries`, undefined, 'aud-1')).entries;
  }

  /** The auditor's word on the whole ledger, by the binary; the server must have been stopped. Its findings, none if all is well. */
  audit(): string {
    try {
      execFileSync(PUNTO, ['audit', this.ledger], { encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (failed) {
      return String((failed as { stdout?: string }).stdout ?? failed);
    }
  }
}
