import { describe, expect, it } from 'vitest';
import type { Answer, Command, Guest, Hello } from '../lib/wire';
import { Acceptor, beside } from './acceptor.svelte';

const PLACE = { table: 'etg-1', device: 'credential-t', kiosk: false };
const GUEST: Guest = {
  people: [],
  devices: [
    { device: 'vt-1', kind: { terminal: { table: 'etg-1', patron: 900, box: null } }, credential: 'credential-t' },
    { device: 'va-0', kind: { acceptor: { table: 'ws-1', patron: 900 } }, credential: 'another-table' },
    { device: 'va-1', kind: { acceptor: { table: 'etg-1', patron: 901 } }, credential: 'another-patron' },
    { device: 'va-2', kind: { acceptor: { table: 'etg-1', patron: 900 } }, credential: 'credential-a' },
  ],
};

function wire(answer: Answer | 'refused') {
  const seen = { hellos: [] as Hello[], orders: [] as [unknown, Command][], closed: 0 };
  const open = (hello: Hello) => {
    seen.hellos.push(hello);
    return {
      link: answer === 'refused' ? ('refused' as const) : ('open' as const),
      order: (by: unknown, command: Command): Promise<Answer> => {
        seen.orders.push([by, command]);
        return answer === 'refused' ? new Promise(() => {}) : Promise.resolve(answer);
      },
      close: () => void (seen.closed += 1),
    };
  };
  return { seen, open };
}

async function acceptor(told: Guest | null, answer: Answer | 'refused') {
  const { seen, open } = wire(answer);
  const found = new Acceptor(PLACE, () => Promise.resolve(told), open);
  await Promise.resolve();
  await Promise.resolve();
  return { found, seen };
}

describe('the acceptor of a demonstration', () => {
  it('is the one of the same terminal, and there is none anywhere else', () => {
    expect(beside(GUEST, PLACE)).toEqual({ id: 'va-2', credential: 'credential-a', patron: 900 });
    expect(beside(GUEST, { ...PLACE, device: 'credential-of-a-house' })).toBeNull();
    expect(beside(GUEST, { ...PLACE, table: 'ws-1' })).toBeNull();
    expect(beside(null, PLACE)).toBeNull();
  });

  it('says what it took as the device that it is', async () => {
    const { found, seen } = await acceptor(GUEST, { done: 7 });
    expect(found.isThere).toBe(true);
    expect(await found.insert(5_000)).toBe(true);
    expect(seen.hellos).toEqual([{ table: 'etg-1', screen: 'acceptor', device: 'credential-a' }]);
    expect(seen.orders).toEqual([
      [
        { as: 'acceptor', acceptor: 'va-2', patron: 900 },
        { do: 'accept-note', patron: 900, amount: 5_000 },
      ],
    ]);
    expect(seen.closed).toBe(1);
  });

  it('reports a note that was not credited', async () => {
    const { found, seen } = await acceptor(GUEST, { done: 8 });
    expect(await found.jam(10_000, 'jammed')).toBe(true);
    expect(seen.orders[0]![1]).toEqual({
      do: 'report-case',
      patron: 900,
      report: { case: 'note-not-credited', acceptor: 'va-2', amount: 10_000, words: 'jammed' },
    });
  });

  it('gives back what is refused, and says why', async () => {
    const refusal = { refused: { reason: 'table-interrupted' } } as const;
    const { found } = await acceptor(GUEST, refusal);
    expect(await found.insert(1_000)).toBe(false);
    expect(found.refused).toEqual(refusal);
    const silent = await acceptor(GUEST, 'refused');
    expect(await silent.found.insert(1_000)).toBe(false);
    expect(silent.found.refused).toBe('not-sent');
  });

  it('is not there in a house', async () => {
    const { found, seen } = await acceptor(null, { done: 1 });
    expect(found.isThere).toBe(false);
    expect(await found.insert(1_000)).toBe(false);
    expect(seen.orders).toEqual([]);
  });
});
