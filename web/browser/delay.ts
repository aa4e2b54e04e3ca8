// A line that takes its time: it passes on every byte in both directions, in order, later. It knows nothing of what is said.

import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

export class Delay {
  /** Milliseconds each way. */
  each = 0;
  /** Up to so many more, by chance. */
  jitter = 0;
  readonly url: string;
  /** The server behind it. */
  to = '';
  #server: Server;
  #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<Delay> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const delay = new Delay(server);
    server.on('connection', (from) => {
      const { hostname, port } = new URL(delay.to);
      const to = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      delay.#pass(from, to);
      delay.#pass(to, from);
    });
    return delay;
  }

  /** An address of the server, by way of this line. */
  at(address: string): string {
    const { origin } = new URL(address);
    return address.replace(origin, this.url);
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    let last = 0;
    /** Nothing overtakes what was said before it. */
    const later = (then: () => void): void => {
      last = Math.max(last, performance.now() + this.each + Math.random() * this.jitter);
      setTimeout(then, last - performance.now());
    };
    from.setNoDelay(true);
    from.on('data', (said: Buffer) => later(() => to.writable && to.write(said)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => this.#sockets.delete(from));
  }

  async close(): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    this.#sockets.forEach((it) => it.destroy());
    await closed;
  }
}
