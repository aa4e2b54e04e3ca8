import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer, Command, Hello } from '../lib/wire';
import { Cage } from './cage';

const CASHIER = { person: 'cash-1', password: 'secret', role: 'cashier' } as const;

let asked: { method: string; path: string; body: unknown; headers: Record<string, string> }[] = [];
let signIns: Response[] = [];

beforeEach(() => {
  asked = [];
  signIns = [];
  vi.stubGlobal('fetch', (path: string, { method, body, headers }: RequestInit) => {
    asked.push({
      method: method!,
      path,
      body: body ? JSON.parse(body as string) : null,
      headers: headers as Record<string, string>,
    });
    return Promise.resolve(signIns.shift() ?? new Response(JSON.stringify({ token: 'token-1' })));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A line that answers so, or is refused, or stays silent. */
function wire(answer: Answer | 'refused' | 'silent') {
  const seen = { hellos: [] as Hello[], orders: [] as [unknown, Command][], closed: 0 };
  const open = (hello: Hello) => {
    seen.hellos.push(hello);
    return {
      link: answer === 'refused' ? ('refused' as const) : ('open' as const),
      order: (by: unknown, command: Command): Promise<Answer> => {
        seen.orders.push([by, command]);
        return answer === 'refused' || answer === 'silent' ? new Promise(() => {}) : Promise.resolve(answer);
      },
      close: () => void (seen.closed += 1),
    };
  };
  return { seen, open };
}

describe('the cage', () => {
  it('signs the Cashier in by token and sells credits at the table', async () => {
    const { seen, open } = wire({ done: 12 });
    const answer = await new Cage(CASHIER, open).give('etg-1', 900, 100_000);
    expect(answer).toEqual({ done: 12 });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/session',
      body: { person: 'cash-1', password: 'secret', token: true },
    });
    expect(seen.hellos).toEqual([{ table: 'etg-1', screen: 'cage', session: 'token-1' }]);
    expect(seen.orders).toEqual([
      [
        { as: 'cashier', person: 'cash-1' },
        { do: 'buy-credits', patron: 900, amount: 100_000 },
      ],
    ]);
    expect(seen.closed).toBe(1);
  });

  it('signs in once for several sales, and out at the end', async () => {
    const { open } = wire({ done: 12 });
    const cage = new Cage(CASHIER, open);
    await cage.give('etg-1', 900, 100);
    await cage.give('rws-1', 900, 100);
    await cage.leave();
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(asked[1]!.headers['authorization']).toBe('Bearer token-1');
  });

  it('hands on a refusal of the table', async () => {
    const { open } = wire({ refused: { reason: 'wrong-money' } });
    expect(await new Cage(CASHIER, open).give('etg-1', 900, 100)).toEqual({ refused: { reason: 'wrong-money' } });
  });

  it('tries the sign-in again after it failed', async () => {
    const { open } = wire({ done: 1 });
    const cage = new Cage(CASHIER, open);
    signIns.push(new Response('{}', { status: 429 }));
    await expect(cage.give('etg-1', 900, 100)).rejects.toThrow();
    expect(await cage.give('etg-1', 900, 100)).toEqual({ done: 1 });
  });

  it('fails where the server hangs up, and signs in anew next time', async () => {
    const { seen, open } = wire('refused');
    const cage = new Cage(CASHIER, open);
    await expect(cage.give('etg-1', 900, 100)).rejects.toThrow('refused');
    await expect(cage.give('etg-1', 900, 100)).rejects.toThrow('refused');
    expect(asked).toHaveLength(2);
    expect(seen.closed).toBe(2);
  });

  it('does not wait for ever', async () => {
    vi.useFakeTimers();
    const { seen, open } = wire('silent');
    const given = new Cage(CASHIER, open).give('etg-1', 900, 100);
    const failed = expect(given).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(10_200);
    await failed;
    expect(seen.closed).toBe(1);
  });
});
