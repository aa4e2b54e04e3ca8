import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Last } from './last.svelte';

const PLACE = { table: 'etg 1', device: 'secret', kiosk: false };

/** Answers that come when the test says so. */
let answers: ((status: number, body: unknown) => void)[] = [];
let asked: [string, RequestInit][] = [];

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  asked = [];
  vi.stubGlobal('fetch', (path: string, how: RequestInit) => {
    asked.push([path, how]);
    return new Promise<Response>((answer) =>
      answers.push((status, body) => answer(new Response(JSON.stringify(body), { status }))),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the Round before', () => {
  it('is asked of the record, by the device', async () => {
    const last = new Last(PLACE);
    const done = last.refresh();
    answers[0]!(200, [{ round: 7 }]);
    await done;
    expect(asked[0]![0]).toBe('/api/tables/etg%201/rounds?limit=1');
    expect((asked[0]![1].headers as Record<string, string>)['authorization']).toBe('Bearer secret');
    expect(last.round?.round).toBe(7);
  });

  it('is none before the first', async () => {
    const last = new Last(PLACE);
    const done = last.refresh();
    answers[0]!(200, []);
    await done;
    expect(last.round).toBeNull();
  });

  it('is never an older one that was answered late', async () => {
    const last = new Last(PLACE);
    const [early, late] = [last.refresh(), last.refresh()];
    answers[1]!(200, [{ round: 8 }]);
    await late;
    answers[0]!(200, [{ round: 7 }]);
    await early;
    expect(last.round?.round).toBe(8);
  });

  it('stays as it was while the record cannot be read, and is asked for again', async () => {
    const last = new Last(PLACE);
    const first = last.refresh();
    answers[0]!(200, [{ round: 7 }]);
    await first;
    const second = last.refresh();
    answers[1]!(503, { error: { code: 'x', words: 'no' } });
    await second;
    expect(last.round?.round).toBe(7);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(asked).toHaveLength(3);
    last.stop();
  });

  it('is no longer asked for when nobody looks', async () => {
    const last = new Last(PLACE);
    const done = last.refresh();
    last.stop();
    answers[0]!(503, {});
    await done;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
  });
});
