import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Line } from '../lib/line.svelte';
import type { Answer, Event, Session, View } from '../lib/wire';
import { Desk } from './desk.svelte';
import { Entry, type Around } from './entry.svelte';
import { view } from './testing';

const SESSION: Session = {
  person: 'd-1',
  name: 'Mei',
  role: 'dealer',
  session: 's',
  csrf: 'token',
  until: 0,
  idle: 0,
  factor: { enrolled: false, must_enrol: false },
};

/** A line that says nothing and remembers what was ordered. */
function desk(different: Partial<View> = {}, answer: Answer = { done: 2 }) {
  const ordered: unknown[][] = [];
  let tell: (events: Event[]) => void = () => undefined;
  const line = {
    view: view(different),
    isOpen: true,
    signed: ['rule'],
    waiting: 0,
    now: () => 1_000,
    onEvents: (listener: typeof tell) => void (tell = listener),
    order: (...order: unknown[]) => {
      ordered.push(order);
      return Promise.resolve(answer);
    },
    close: () => undefined,
    again: vi.fn(),
  };
  const made = new Desk({ table: 'T1', device: 'secret', kiosk: false }, SESSION, line as unknown as Line);
  return { desk: made, ordered, line, tell: (...events: Event[]) => tell(events) };
}

/** A server that holds what is put forward, and takes these people's passwords. */
function signing(roles: Record<string, string>, later: string[] = []) {
  const asked: unknown[] = [];
  let held: Record<string, unknown> & { signers: { person: string; signed: boolean }[] } = { signers: [] };
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body?: string }) => {
    const said = JSON.parse(body ?? '{}') as { by: string; person: string; command: { second?: string | null } };
    asked.push([method, path, said.person ?? said.by]);
    const answer = (status: number, told: unknown) => Promise.resolve(new Response(JSON.stringify(told), { status }));
    if (path.endsWith('/pending')) {
      const people = [said.by, ...(said.command.second ? [said.command.second] : [])];
      const signers = people.map((person) => ({ person, name: person, role: roles[person], signed: false }));
      const by = { as: 'staff', person: said.by, post: roles[said.by] };
      held = { pending: 'p-1', digest: '', until: 0, asked_by: 'd-1', signers, order: { ...said, table: 'T1', by } };
      return answer(201, held);
    }
    // Whoever signs at another screen does so before the server is asked again.
    const signer = method === 'GET' ? later.shift() : said.person;
    if (method !== 'GET' && !roles[said.person]) return answer(401, { error: {} });
    held = { ...held, signers: held.signers.map((it) => (it.person === signer ? { ...it, signed: true } : it)) };
    return answer(201, held);
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe('orders', () => {
  it('are by whoever is signed in, and name the Round that they saw', async () => {
    const { desk: it_, ordered } = desk();
    expect(await it_.give({ do: 'open-bets' })).toEqual({ done: true, seq: 2 });
    await it_.give({ do: 'choose', patron: 7, choice: 'continue' });
    const by = { as: 'staff', person: 'd-1', post: 'dealer' };
    expect(ordered).toEqual([
      [by, { do: 'open-bets' }, 4],
      [by, { do: 'choose', patron: 7, choice: 'continue' }, 4],
    ]);
    it_.close();
  });

  it('that are refused say why, until one is carried out', async () => {
    const { desk: it_ } = desk({}, { refused: { reason: 'not-burnt', count: 8, cite: '2.2' } });
    const outcome = await it_.give({ do: 'open-bets' });
    expect(outcome.done).toBe(false);
    expect(it_.refused).toContain('8');
    it_.close();
  });

  it('are given at once if nothing is to be said, and otherwise asked for', () => {
    const { desk: it_, ordered } = desk();
    it_.begin('open-bets');
    expect(ordered).toHaveLength(1);
    it_.begin('take-post');
    expect(ordered).toHaveLength(1);
    expect(it_.task?.values).toMatchObject({ person: 'd-1', post: 'dealer' });
    it_.close();
  });
});

it('says who must give their password for an order', () => {
  const { desk: it_ } = desk({ least: [...view().least!, ['rule', 'pit-supervisor']] });
  expect(it_.signs('open-bets')).toBeNull();
  expect(it_.signs('announce-closing')).toBe('pit-supervisor');
  expect(it_.signs('rule')).toBe('pit-supervisor');
  it_.session = { ...SESSION, role: 'shift-manager' };
  expect(it_.signs('announce-closing')).toBeNull();
  expect(it_.signs('rule')).toBe('pit-supervisor');
  // Nobody can order it now.
  expect(it_.offers('close-table')).toBe(false);
  it_.close();
});

describe('somebody who answers on the spot', () => {
  const rule = {
    do: 'rule',
    matter: 1,
    ruling: { ruling: 'void' },
    reason: 'a joker',
    replace_shoe: false,
    second: null,
  } as const;

  it('signs what the server holds, and the order is given exactly so', async () => {
    const asked = signing({ 'sup-1': 'pit-supervisor' });
    const { desk: it_, ordered } = desk();
    expect(await it_.giveApproved(rule, { person: 'sup-1', password: 'p', code: '' }, null)).toEqual({
      done: true,
      seq: 2,
    });
    expect(asked).toEqual([
      ['POST', '/api/tables/T1/pending', 'sup-1'],
      ['POST', '/api/approvals', 'sup-1'],
    ]);
    expect(ordered).toEqual([[{ as: 'staff', person: 'sup-1', post: 'pit-supervisor' }, rule, 4, 'p-1']]);
    it_.close();
  });

  it('is joined by a second person, who is named in the ruling', async () => {
    const asked = signing({ 'shift-1': 'shift-manager', 'sup-1': 'pit-supervisor' });
    const { desk: it_, ordered } = desk();
    await it_.giveApproved(
      rule,
      { person: 'shift-1', password: 'p', code: '' },
      { person: 'sup-1', password: 'q', code: '' },
    );
    expect(ordered[0]?.[1]).toMatchObject({ second: 'sup-1' });
    expect(asked.slice(1)).toEqual([
      ['POST', '/api/approvals', 'shift-1'],
      ['POST', '/api/approvals', 'sup-1'],
    ]);
    it_.close();
  });

  it('may sign at another screen, and is waited for', async () => {
    vi.useFakeTimers();
    signing({ 'shift-1': 'shift-manager', 'sup-1': 'pit-supervisor' }, ['nobody', 'sup-1']);
    const { desk: it_, ordered } = desk();
    const given = it_.giveApproved(
      rule,
      { person: 'shift-1', password: 'p', code: '' },
      { person: 'sup-1', password: '', code: '' },
    );
    await vi.advanceTimersByTimeAsync(1_600);
    expect([it_.awaits, ordered]).toEqual([['sup-1'], []]);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(await given).toEqual({ done: true, seq: 2 });
    expect(it_.awaits).toEqual([]);
    it_.close();
    vi.useRealTimers();
  });

  it('gives nothing with a wrong password, or without a post', async () => {
    signing({});
    const { desk: it_, ordered } = desk();
    expect((await it_.giveApproved(rule, { person: 'sup-1', password: 'x', code: '' }, null)).done).toBe(false);
    signing({ 'cash-1': 'cashier' });
    expect((await it_.giveApproved(rule, { person: 'cash-1', password: 'p', code: '' }, null)).done).toBe(false);
    expect(ordered).toEqual([]);
    it_.close();
  });
});

it('keeps what it heard, newest first', () => {
  const { desk: it_, tell } = desk();
  tell({ event: 'play-resumed' }, { event: 'shift-started', name: 'night' });
  expect(it_.log.map(({ event }) => event.event)).toEqual(['shift-started', 'play-resumed']);
  it_.close();
});

it('says hello again when somebody has signed in again', () => {
  const { desk: it_, line } = desk();
  it_.ended = true;
  it_.resume({ ...SESSION, person: 'sup-1', role: 'pit-supervisor' }, false);
  expect(line.again).toHaveBeenCalledOnce();
  expect([it_.ended, it_.post]).toEqual([false, 'pit-supervisor']);
  it_.close();
});

it('has news for whoever signed in themselves and whose account was changed, at every sign-in', () => {
  const { desk: it_ } = desk();
  const changed: Session = { ...SESSION, account: [{ entry: 3, at: 0, by: 'ann', what: 'password-chosen' }] };
  expect(it_.hasNews).toBe(false);
  for (const _ of ['today', 'tomorrow']) {
    it_.signedIn(changed, false);
    expect(it_.hasNews).toBe(true);
  }
  it_.signedIn(changed, true);
  expect(it_.hasNews, 'a visitor of the demonstration').toBe(false);
  it_.signedIn(SESSION, false);
  expect(it_.hasNews, 'nothing was done').toBe(false);
  it_.close();
});

it('asks why the house opens no further Round when that is the answer', async () => {
  const asked = vi.fn(() => Promise.resolve(new Response(JSON.stringify({ no_further_round: ['register-tampered'] }))));
  vi.stubGlobal('fetch', asked);
  const { desk: it_ } = desk({}, { denied: 'no-further-round' });
  await it_.give({ do: 'open-bets' });
  expect(it_.refused).toContain('no further Round');
  await vi.waitFor(() => expect(it_.held.holds).toEqual(['register-tampered']));
  it_.close();
});

describe('a card', () => {
  const dealing: Partial<View> = { phase: 'dealing', possible: ['draw-card'], next: 'player' };
  const nobody: Around = { asks: () => null, says: () => undefined, isFree: () => true };

  it('is chosen by its keys and recorded by Enter', async () => {
    const { desk: it_, ordered } = desk(dealing);
    const entry = new Entry(it_, nobody);
    entry.strike('9', 0);
    entry.strike('h', 200);
    expect(entry.chosen).toBe('9h');
    expect(entry.strike('Enter', 400)).toEqual({ is: 'card', card: '9h', source: 'keyed' });
    await entry.record('9h', 'keyed');
    expect(ordered[0]?.[1]).toEqual({ do: 'draw-card', card: '9h', source: 'keyed' });
    expect([entry.chosen, entry.queue]).toEqual([null, []]);
    it_.close();
  });

  it('is recorded by a second tap, on the side where it was put', async () => {
    const { desk: it_, ordered } = desk(dealing);
    const entry = new Entry(it_, nobody);
    entry.otherSide = true;
    entry.pick('Td');
    expect(ordered).toHaveLength(0);
    entry.pick('Td');
    await Promise.resolve();
    expect(ordered[0]?.[1]).toEqual({ do: 'draw-card', card: 'Td', source: 'keyed', to: 'banker' });
    it_.close();
  });

  it('waits in the order in which it came while another is on its way', async () => {
    const { desk: it_, ordered, line } = desk(dealing);
    const entry = new Entry(it_, nobody);
    line.waiting = 1;
    const all = Promise.all([entry.record('9h', 'keyed'), entry.record('Ks', 'read'), entry.record('2c', 'keyed')]);
    expect(entry.queue.map(({ card, is }) => [card, is])).toEqual([
      ['9h', 'waiting'],
      ['Ks', 'waiting'],
      ['2c', 'waiting'],
    ]);
    line.waiting = 0;
    await all;
    expect(ordered.map(([, command]) => (command as { card: string }).card)).toEqual(['9h', 'Ks', '2c']);
    it_.close();
  });

  it('that has not left this screen can be taken back', async () => {
    const { desk: it_, ordered, line } = desk(dealing);
    const entry = new Entry(it_, nobody);
    line.waiting = 1;
    const all = Promise.all([entry.record('9h', 'keyed'), entry.record('Ks', 'keyed')]);
    expect(entry.takeBack()).toBe(true);
    line.waiting = 0;
    await all;
    expect([ordered.length, entry.queue, entry.takeBack()]).toEqual([1, [], false]);
    it_.close();
  });

  it('that is half typed is not touched by another Round', () => {
    const { desk: it_ } = desk(dealing);
    const entry = new Entry(it_, nobody);
    entry.strike('9', 0);
    entry.commence();
    expect(entry.strike('h', 200)).toEqual({ is: 'typed', card: '9h' });
    it_.close();
  });

  it('that was refused stays to be seen, and those after it wait', async () => {
    const { desk: it_, ordered } = desk(dealing, { refused: { reason: 'no-shoe' } });
    const entry = new Entry(it_, nobody);
    void entry.record('9h', 'keyed');
    await entry.record('Ks', 'read');
    expect(entry.queue.map(({ card, is }) => [card, is])).toEqual([
      ['9h', 'refused'],
      ['Ks', 'waiting'],
    ]);
    expect([ordered.length, it_.refused === null]).toEqual([1, false]);
    it_.close();
  });

  it('is asked about where none is due, not passed over', async () => {
    const { desk: it_, ordered } = desk({ possible: ['draw-card'] });
    const asked: string[] = [];
    const asks = (card: string) => Promise.resolve(asked.push(card) === 2);
    const entry = new Entry(it_, { ...nobody, asks });
    await entry.record('9h', 'read');
    expect([entry.isAwaited, ordered.length]).toEqual([false, 0]);
    await entry.record('Ks', 'keyed');
    expect(asked).toEqual(['9h', 'Ks']);
    expect(ordered[0]?.[1]).toEqual({ do: 'draw-card', card: 'Ks', source: 'keyed' });
    it_.close();
  });

  it('says so where nothing can take it', async () => {
    const { desk: it_ } = desk();
    const said: string[] = [];
    const entry = new Entry(it_, { ...nobody, says: (card) => void said.push(card) });
    await entry.record('9h', 'keyed');
    expect([said, entry.queue.map(({ is }) => is)]).toEqual([['9h'], ['refused']]);
    entry.putAway(1);
    expect(entry.queue).toEqual([]);
    it_.close();
  });
});
