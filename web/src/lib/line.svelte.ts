// A screen's line to its table: one socket, kept open. It puts frames in their place, numbers orders, says them again
// after a break, and knows the server's clock. It decides nothing.

import type {
  Actor,
  Answer,
  Command,
  CommandKind,
  Event,
  Goodbye,
  Hello,
  LedgerKind,
  Order,
  PrintedTicket,
  RoundNo,
  Said,
  Seq,
  Status,
  Told,
  View,
} from './wire';

/** How the line does. */
export type Link =
  /** Nothing has been seen yet. */
  | 'connecting'
  /** What is shown is what stands. */
  | 'open'
  /** The server cannot be reached; what is shown may be old. */
  | 'lost'
  /** The server wants nothing of this screen; trying again would not help. */
  | 'refused';

/** An order on its way. */
interface Pending {
  said: Said;
  answer: (answer: Answer) => void;
}

/** What a line may be given in tests. */
export interface Surroundings {
  open: (url: string) => WebSocket;
  now: () => number;
}

const REAL: Surroundings = { open: (url) => new WebSocket(url), now: () => performance.timeOrigin + performance.now() };

/** Asks for the time this often; a line that stays silent for longer than `SILENCE` is taken for lost. */
const PING = 4_000;
const SILENCE = 9_000;

/** How long to wait before trying again: a little at first. */
const FIRST_PAUSE = 250;
const LAST_PAUSE = 4_000;

/** Reasons to hang up after which the same hello would be answered in the same way. */
const FINAL: readonly Goodbye[] = ['not-signed-in', 'not-allowed', 'no-such-table', 'replaced'];

export class Line {
  /** Everything that this screen may see; none before the first view. */
  view = $state.raw<View | null>(null);
  link = $state<Link>('connecting');
  status = $state.raw<Status>({ is: 'running' });
  goodbye = $state<Goodbye | null>(null);
  kind = $state<LedgerKind>('house');
  /** Administrators were restored at the host, and none of them has looked into it. */
  restored = $state(false);
  /** Orders that take a password on the spot, whoever gives them. */
  signed = $state.raw<CommandKind[]>([]);
  /** The device in whose name orders are given. */
  device = $state<string | null>(null);
  /** Orders that have no answer yet. */
  waiting = $state(0);

  #hello: Hello;
  #url: string;
  #world: Surroundings;
  #socket: WebSocket | null = null;
  #listeners = new Set<(events: Event[], seq: Seq) => void>();
  #printers = new Set<(ticket: PrintedTicket) => void>();
  #pending = new Map<number, Pending>();
  #unsaid: { make: (n: number) => Said; answer: (answer: Answer) => void }[] = [];
  #n = 0;
  #seq: Seq | null = null;
  /** The server's clock less ours. */
  #ahead = 0;
  #pause = FIRST_PAUSE;
  #heard = 0;
  #pings = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #closed = false;

  constructor(hello: Hello, url = socketUrl(), world: Surroundings = REAL) {
    this.#hello = hello;
    this.#url = url;
    this.#world = world;
    this.#connect();
  }

  /** The server's clock, as well as it is known. */
  now(): number {
    return this.#world.now() + this.#ahead;
  }

  /** Whether orders would reach the table. */
  get isOpen(): boolean {
    const { is } = this.status;
    return this.link === 'open' && (is === 'running' || is === 'no-shoe' || is === 'closing');
  }

  /** Hears what happens, from now on. The answer ends it. */
  onEvents(listener: (events: Event[], seq: Seq) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Is handed the tickets that this screen's orders issue. The answer ends it. */
  onPrinted(printer: (ticket: PrintedTicket) => void): () => void {
    this.#printers.add(printer);
    return () => this.#printers.delete(printer);
  }

  /**
   * Gives an order. The promise is kept when it is durable or refused, however often the line breaks in between: an order
   * has one number and is said again until it has an answer. `pending`: under which name it waited for its signatures.
   */
  order(by: Actor, command: Command, round?: RoundNo | null, pending: string | null = null): Promise<Answer> {
    return new Promise((answer) => {
      const make = (n: number): Said => {
        const order: Order = { id: { device: this.device ?? '', n }, by, at: 0, command, ...(round ? { round } : {}) };
        return pending === null ? { order } : { approved: { order, pending } };
      };
      this.waiting += 1;
      if (this.device === null) this.#unsaid.push({ make, answer });
      else this.#give(make, answer);
    });
  }

  /** Hangs up for good. */
  close(): void {
    this.#closed = true;
    this.#timers.forEach(clearTimeout);
    this.#socket?.close();
  }

  /** Says hello again, as somebody else or after a refusal. */
  again(hello: Partial<Hello> = {}): void {
    this.#hello = { ...this.#hello, ...hello };
    this.#timers.forEach(clearTimeout);
    this.#drop();
    this.link = 'connecting';
    this.#connect();
  }

  #give(make: (n: number) => Said, answer: (answer: Answer) => void): void {
    this.#n += 1;
    const said = make(this.#n);
    this.#pending.set(this.#n, { said, answer });
    if (this.link === 'open') this.#say(said);
  }

  #connect(): void {
    if (this.#closed) return;
    this.goodbye = null;
    const socket = this.#world.open(this.#url);
    this.#socket = socket;
    this.#heard = this.#world.now();
    socket.onopen = () => {
      const hello = this.#seq === null ? this.#hello : { ...this.#hello, after: this.#seq };
      this.#say({ hello });
    };
    socket.onmessage = (message: MessageEvent<string>) => this.#hear(JSON.parse(message.data) as Told);
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
    this.#later(PING, () => this.#look(socket));
  }

  #say(said: Said): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(said));
  }

  /** Is anybody there? */
  #look(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    if (this.#world.now() - this.#heard > SILENCE) return this.#lose();
    this.#pings += 1;
    this.#say({ ping: this.#pings });
    this.#later(PING, () => this.#look(socket));
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    }
  }

  #lose(): void {
    this.#drop();
    if (this.#closed || this.link === 'refused') return;
    this.link = this.view === null ? 'connecting' : 'lost';
    // Not all screens of a floor at the same moment.
    const pause = this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LAST_PAUSE);
    this.#later(pause, () => this.#connect());
  }

  #later(pause: number, then: () => void): void {
    this.#timers = this.#timers.slice(-4);
    this.#timers.push(setTimeout(then, pause));
  }

  #hear(told: Told): void {
    const heard = this.#world.now();
    this.#heard = heard;
    if ('welcome' in told) {
      const { welcome } = told;
      this.#ahead = welcome.now - heard;
      this.kind = welcome.kind;
      this.restored = welcome.restored !== undefined;
      this.signed = welcome.signed ?? [];
      this.status = welcome.status;
      this.device = welcome.device;
      this.#n = Math.max(this.#n, welcome.last);
    } else if ('view' in told) {
      this.view = told.view;
      this.#seq = told.view.seq;
      this.#opened();
    } else if ('frame' in told) {
      const { frame } = told;
      this.#ahead = frame.now - heard;
      this.#seq = frame.seq;
      if (this.view) this.view = { ...this.view, ...frame.view, seq: frame.seq, now: frame.now };
      this.#listeners.forEach((listener) => listener(frame.events, frame.seq));
    } else if ('reply' in told) {
      const { to, answer, printed } = told.reply;
      if (printed) this.#printers.forEach((printer) => printer(printed));
      this.#answered(to.n, answer);
    } else if ('status' in told) {
      this.status = told.status;
    } else if ('pong' in told) {
      this.#ahead = told.pong.now - heard;
    } else {
      this.goodbye = told.goodbye;
      if (FINAL.includes(told.goodbye)) this.link = 'refused';
    }
  }

  /** Everything is known again: what has no answer is said again, with the same number. */
  #opened(): void {
    if (this.link === 'open') return;
    this.link = 'open';
    this.#pause = FIRST_PAUSE;
    [...this.#pending.values()].forEach(({ said }) => this.#say(said));
    const unsaid = this.#unsaid;
    this.#unsaid = [];
    unsaid.forEach(({ make, answer }) => this.#give(make, answer));
  }

  #answered(n: number, answer: Answer): void {
    const pending = this.#pending.get(n);
    if (!pending) return;
    // Nothing is known yet: the same order, a little later.
    if (answer === 'busy' || answer === 'unknown') {
      this.#later(400, () => {
        if (this.#pending.has(n) && this.link === 'open') this.#say(pending.said);
      });
      return;
    }
    this.#pending.delete(n);
    this.waiting -= 1;
    pending.answer(answer);
  }
}

/** Where the socket of this page's server is. */
export function socketUrl(page: Location = location): string {
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/api/socket`;
}
