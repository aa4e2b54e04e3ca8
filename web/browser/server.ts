// The real binary, serving.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export const PUNTO = resolve(process.env.PUNTO ?? '../target/debug/punto');

export class Server {
  readonly url: string;

  private constructor(
    readonly child: ChildProcess,
    /** What it said while it opened. */
    readonly said: string,
  ) {
    this.url = /http:\/\/[\d.]+:\d+/.exec(said)![0];
  }

  /** Starts it and waits until it is open. It does not outlive the test run, however that ends. */
  static async start(args: string[], cwd: string): Promise<Server> {
    if (!existsSync(PUNTO)) throw new Error(`there is no ${PUNTO}; build it, or say where it is in PUNTO`);
    const child = spawn(PUNTO, ['serve', ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (): boolean => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    // A test run is ended by a signal, which by itself is no exit.
    if (process.listenerCount('SIGTERM') === 0) process.once('SIGTERM', () => process.exit());
    let said = '';
    await new Promise<void>((done, failed) => {
      const hear = (chunk: Buffer): void => {
        said += chunk.toString();
        // The address and the note come by two ways, in either order.
        if (/http:\/\/[\d.]+:\d+/.test(said) && said.includes('Ctrl-C closes the floor')) done();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => failed(new Error(`the server ended with ${code}: ${said}`)));
    });
    return new Server(child, said);
  }

  /** Ends it: in order, which finishes Rounds first and takes a while, or as a power cut does. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((done) => this.child.once('exit', done));
    this.child.kill(signal);
    await gone;
  }
}
