// A house as the rules want it, with real money behind it: two Administrators with second factors, and two people for everything
// that gives power. The real binary; everything by the public API.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type {
  DeviceKind,
  EnrolledDevice,
  FactorOffer,
  PasswordChosen,
  Pending,
  RecoveryCodes,
  Role,
  Session,
} from '../src/lib/wire';
import { codeOf } from './app';
import { PUNTO, Server } from './server';

const ANN = 'ann';
const BEN = 'ben';

/** An electronic table whose cards are software's. */
const ELECTRONIC = {
  game: 'ncb-etg',
  layout: 'terminal',
  decks: 8,
  cards: 'software',
  posts: 'held',
  betting_seconds: 10,
  other_bets: { minimum: 100, maximum: 10_000_000 },
};

/** The two halves of a device's credential. */
export interface Halves {
  credential: string;
  code: string;
}

export class Founded {
  readonly folder = mkdtempSync(join(tmpdir(), 'punto-founded-'));
  readonly password = 'a sentence that is long enough';
  url = '';
  #server: Server | null = null;
  #tokens = new Map<string, string>();
  /** Recovery codes that were not used: those of an app are good once in half a minute. */
  #codes = new Map<string, string[]>();
  #origin: string;

  private constructor(origin: string) {
    this.#origin = origin;
  }

  /** Founds a house whose screens may also come from `origin`. */
  static async open(origin: string): Promise<Founded> {
    const house = new Founded(origin);
    execFileSync(PUNTO, ['ledger', 'found', house.#ledger, '--kind', 'house'], { stdio: 'ignore' });
    const said = await house.start();
    for (const [, invitation] of said.matchAll(/\/invitation#([0-9a-f]+)/g))
      await house.#choose({ invitation: invitation! });
    return house;
  }

  get #ledger(): string {
    return join(this.folder, 'house.punto');
  }

  /** Starts the server, again at the same place if it ran before; what it said. */
  async start(): Promise<string> {
    const listen = this.url === '' ? '127.0.0.1:0' : this.url.replace('http://', '');
    const people = ['--administrator', ANN, '--administrator', BEN];
    const args = [this.#ledger, '--listen', listen, '--origin', this.#origin, ...people];
    this.#server = await Server.start(args, this.folder);
    this.url = this.#server.url;
    return this.#server.said;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#server?.stop(signal);
    this.#server = null;
  }

  /** Neither Administrator can come in any more: somebody at the host appoints two others. The server must have been stopped. */
  restoreAdministrators(): void {
    const how = ['--reason', 'both left the house'];
    execFileSync(PUNTO, ['ledger', 'restore-administrators', this.#ledger, ...how], { stdio: 'ignore' });
  }

  async close(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  async ask<T>(method: string, path: string, body?: unknown, by?: string): Promise<T> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (by) headers['authorization'] = `Bearer ${await this.#token(by)}`;
    const answer = await fetch(this.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** One that was not used yet. */
  recoveryCode(person: string): string {
    return this.#codes.get(person)!.pop()!;
  }

  async #token(person: string): Promise<string> {
    const known = this.#tokens.get(person);
    if (known) return known;
    const code = this.#codes.get(person)?.pop();
    const asked = { person, password: this.password, token: true, ...(code ? { code } : {}) };
    const { token } = await this.ask<Session>('POST', '/api/session', asked);
    this.#tokens.set(person, token!);
    return token!;
  }

  async #choose(link: { invitation: string; code?: string }): Promise<void> {
    const chosen = await this.ask<PasswordChosen>('POST', '/api/password', { ...link, password: this.password });
    if (chosen.must_enrol) await this.enrolFactor(chosen.person);
  }

  /** Somebody sets up a second factor. */
  async enrolFactor(person: string): Promise<void> {
    const offer = await this.ask<FactorOffer>('POST', '/api/factor/offer', { password: this.password }, person);
    const told = await this.ask<RecoveryCodes>('POST', '/api/factor', { code: codeOf(offer.secret) }, person);
    this.#codes.set(person, told.codes);
  }

  /** Ann has something wait for Ben, who signs it; under which name it can be carried out. */
  async agree(path: string, body: object): Promise<{ pending: string }> {
    const { pending } = await this.ask<Pending>('POST', path, { ...body, second: BEN, reason: 'as planned' }, ANN);
    await this.ask('POST', '/api/approvals', { pending, person: BEN, password: this.password }, BEN);
    return { pending };
  }

  async hire(person: string, role: Role): Promise<void> {
    const pending = await this.agree('/api/staffing', { what: { hire: { person, name: person, role } } });
    const { invitation } = await this.ask<{ invitation: string }>('POST', '/api/staffing/record', pending, ANN);
    const codes = await this.ask<{ person: string; code: string }[]>('GET', '/api/staffing/codes', undefined, BEN);
    await this.#choose({ invitation, code: codes.find((it) => it.person === person)!.code });
  }

  async enrol(device: string, kind: DeviceKind): Promise<Halves> {
    const pending = await this.agree('/api/enrolments', { device, kind });
    const { credential } = await this.ask<EnrolledDevice>('POST', '/api/enrolments/record', pending, ANN);
    const codes = await this.ask<{ device: string; code: string }[]>('GET', '/api/enrolments/codes', undefined, BEN);
    return { credential, code: codes.find((it) => it.device === device)!.code };
  }

  /** Approves the rules of the electronic game and opens a table of it. */
  async openTable(table: string): Promise<void> {
    const settings = { table, ...ELECTRONIC };
    const { rules } = await this.ask<{ rules: { game: string; version: string; digest: string }[] }>(
      'GET',
      '/api/rules',
      undefined,
      ANN,
    );
    const { game, version, digest } = rules.find((it) => it.game === settings.game)!;
    const approval = {
      ...{ game, version, digest, authority: 'the regulator', reference: 'GRA-1', operator: 'the house' },
      ...{ document: 'the rules', in_force: '2024-01-01T00:00:00+08:00', compared: 'all of it', second: BEN },
      software_cards: true,
    };
    const asked = await this.ask<Pending>('POST', '/api/rules/approvals', approval, ANN);
    await this.ask('POST', '/api/approvals', { pending: asked.pending, person: BEN, password: this.password }, BEN);
    await this.ask('POST', '/api/rules/record', { pending: asked.pending }, ANN);

    const rulebook = execFileSync(PUNTO, ['rulebook', 'show', settings.game, '--source'], { encoding: 'utf8' });
    const command = { do: 'open-table', settings, rulebook, second: BEN };
    const held = await this.ask<Pending>('POST', `/api/tables/${table}/pending`, { by: ANN, command }, ANN);
    for (const person of [ANN, BEN]) {
      const signed = { pending: held.pending, person, password: this.password };
      await this.ask('POST', '/api/approvals', signed, person);
    }
    await this.ask('POST', '/api/tables', { settings, rulebook, second: BEN, pending: held.pending }, ANN);
  }
}
