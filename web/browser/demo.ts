// A demonstration for tests and pictures: a floor with its own Dealers and patrons, quicker than in life.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { DemoDevice, DemoSignIn, Guest, Session } from '../src/lib/wire';
import { Line } from './line';
import { Server } from './server';

type Page = 'terminal' | 'console' | 'board';

export class Demo {
  private constructor(
    readonly folder: string,
    readonly server: Server,
    /** Its people with their passwords, and devices that nobody else sits at. */
    readonly guest: Guest,
  ) {}

  static async open(pace = 20, seed = 1): Promise<Demo> {
    const folder = mkdtempSync(join(tmpdir(), 'punto-demo-'));
    const args = ['--demo', '--listen', '127.0.0.1:0', '--pace', String(pace), '--seed', String(seed)];
    const server = await Server.start(args, folder);
    // Its people come in one after the other; until all are there, there is no such page.
    for (;;) {
      const answer = await fetch(`${server.url}/api/demo`);
      if (answer.ok) return new Demo(folder, server, (await answer.json()) as Guest);
      await setTimeout(100);
    }
  }

  get url(): string {
    return this.server.url;
  }

  /** The credential of a visitor's device. */
  device(page: Page, table: string): string {
    const isIt = ({ kind }: DemoDevice): boolean =>
      Object.entries(kind).some(([it, at]) => it === page && at.table === table);
    const found = this.guest.devices.find(isIt);
    if (!found) throw new Error(`the demonstration has no ${page} at ${table}`);
    return found.credential;
  }

  /** The address of a visitor's screen. */
  screen(page: Page, table: string): string {
    return `${this.url}/${page}#${new URLSearchParams({ table, device: this.device(page, table) }).toString()}`;
  }

  person(person: string): DemoSignIn {
    const found = this.guest.people.find((it) => it.person === person);
    if (!found) throw new Error(`nobody is called ${person}`);
    return found;
  }

  /** A Dealer at the visitor's console of a table, or a Cashier: at a screen that is not a browser. */
  async staff(who: string, table: string, screen: 'console' | 'cage'): Promise<Line> {
    const { person, password } = this.person(who);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ person, password, token: true });
    const signedIn = await fetch(`${this.url}/api/session`, { method: 'POST', headers, body });
    const { token } = (await signedIn.json()) as Session;
    return screen === 'cage'
      ? Line.open(this.url, { table, screen, session: token! }, { as: 'cashier', person })
      : Line.open(
          this.url,
          { table, screen, session: token!, device: this.device('console', table) },
          { as: 'staff', person, post: 'dealer' },
        );
  }

  async close(): Promise<void> {
    await this.server.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
