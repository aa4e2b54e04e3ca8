import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Line } from './line.svelte';
import type { Answer, Said, Told, View } from './wire';

/** The other end of the line. */
class Socket {
  static all: Socket[] = [];
  readyState = 1;
  said: Said[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;

  constructor() {
    Socket.all.push(this);
    queueMicrotask(() => this.onopen?.());
  }
  send(text: string): void {
    this.said.push(JSON.parse(text) as Said);
  }
  close(): void {
    this.readyState = 3;
  }
  tell(told: Told): void {
    this.onmessage?.({ data: JSON.stringify(told) });
  }
  break(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  orders(): number[] {
    return this.said.flatMap((it) => ('order' in it ? [it.order.id.n] : []));
  }
}

const view = (seq: number): View => ({ seq, now: 5_000, round: 3, phase: 'betting' }) as unknown as View;
const patron = { as: 'patron', patron: 7 } as const;
const bet = { do: 'place-wager', patron: 7, bet: 'banker', stake: 500 } as const;
let clock = 0;

function open(): Line {
  return new Line({ table: 'T1', screen: 'terminal', device: 'x' }, 'ws://t', {
    open: () => new Socket() as unknown as WebSocket,
    now: () => clock,
  });
}

async function welcome(last = 0, seq = 10): Promise<Socket> {
  await vi.advanceTimersByTimeAsync(0);
  const socket = Socket.all.at(-1)!;
  socket.tell({
    welcome: {
      table: 'T1',
      screen: 'terminal',
      device: 't-7',
      last,
      now: 5_000,
      kind: 'house',
      status: { is: 'running' },
    },
  });
  socket.tell({ view: view(seq) });
  return socket;
}

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  clock = 1_000;
});
afterEach(() => void vi.useRealTimers());

test('frames put parts of the view in place, and bring the server’s clock', async () => {
  const line = open();
  const socket = await welcome();
  expect(line.link).toBe('open');
  expect(line.now()).toBe(5_000);
  const heard: string[] = [];
  line.onEvents((events) => heard.push(...events.map((it) => it.event)));
  socket.tell({ frame: { seq: 11, now: 6_000, events: [{ event: 'table-closed' }], view: { phase: 'closed' } } });
  expect(line.view).toMatchObject({ seq: 11, phase: 'closed', round: 3 });
  expect(heard).toEqual(['table-closed']);
  clock += 500;
  expect(line.now()).toBe(6_500);
});

test('orders go on above what the table knows, and are answered by their number', async () => {
  const line = open();
  const early = line.order(patron, bet, 3);
  const socket = await welcome(41);
  const late = line.order(patron, bet, 3);
  expect(socket.orders()).toEqual([42, 43]);
  expect(line.waiting).toBe(2);
  const refused: Answer = { refused: { reason: 'bets-closed' } };
  socket.tell({ reply: { to: { device: 't-7', n: 43 }, answer: refused } });
  socket.tell({ reply: { to: { device: 't-7', n: 42 }, answer: { done: 11 } } });
  expect(await early).toEqual({ done: 11 });
  expect(await late).toEqual(refused);
  expect(line.waiting).toBe(0);
});

test('a line that breaks comes back where it was, and says what has no answer again under the same number', async () => {
  const line = open();
  const first = await welcome();
  const answer = line.order(patron, bet, 3);
  first.break();
  expect(line.link).toBe('lost');
  expect(line.isOpen).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  const second = await welcome(1, 12);
  expect(second.said[0]).toEqual({ hello: { table: 'T1', screen: 'terminal', device: 'x', after: 10 } });
  expect(second.orders()).toEqual([1]);
  second.tell({ reply: { to: { device: 't-7', n: 1 }, answer: { before: 11 } } });
  expect(await answer).toEqual({ before: 11 });
});

test('busy is no answer: the same order a little later', async () => {
  const line = open();
  const socket = await welcome();
  const answer = line.order(patron, bet, 3);
  socket.tell({ reply: { to: { device: 't-7', n: 1 }, answer: 'busy' } });
  await vi.advanceTimersByTimeAsync(500);
  expect(socket.orders()).toEqual([1, 1]);
  socket.tell({ reply: { to: { device: 't-7', n: 1 }, answer: { done: 12 } } });
  expect(await answer).toEqual({ done: 12 });
});

test('a line that says nothing is lost, also if nobody hung up', async () => {
  const line = open();
  await welcome();
  for (let i = 0; i < 4; i += 1) {
    clock += 4_000;
    await vi.advanceTimersByTimeAsync(4_000);
  }
  expect(line.link).not.toBe('open');
  expect(Socket.all.length).toBeGreaterThan(1);
});

test('who is not wanted does not try again', async () => {
  const line = open();
  await vi.advanceTimersByTimeAsync(0);
  const socket = Socket.all.at(-1)!;
  socket.tell({ goodbye: 'not-signed-in' });
  socket.break();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(line.link).toBe('refused');
  expect(Socket.all.length).toBe(1);
  line.again({ session: 's' });
  await welcome();
  expect(line.link).toBe('open');
});
