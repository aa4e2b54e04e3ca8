import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableNews } from './table.svelte';

let asked: [string, string | undefined][] = [];
let isDown = false;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  isDown = false;
  vi.stubGlobal('fetch', (path: string, { headers }: RequestInit) => {
    asked.push([path, (headers as Record<string, string>)['authorization']]);
    if (isDown) return Promise.reject(new Error('down'));
    const body = path.endsWith('/print') ? { game: 'wu-song' } : [{ round: 3 }, { round: 2 }];
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const PLACE = { table: 'wu-song-1', doors: { terminal: 'a', board: 'b' }, patron: 900 };

describe('news of a table', () => {
  it('come by the credential of its board, the oldest Round first', async () => {
    const news = new TableNews(PLACE);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([
      ['/api/tables/wu-song-1/print', 'Bearer b'],
      ['/api/tables/wu-song-1/rounds?limit=12', 'Bearer b'],
    ]);
    expect(news.printed?.game).toBe('wu-song');
    expect(news.rounds?.map((it) => it.round)).toEqual([2, 3]);
    news.stop();
  });

  it('come again, what is printed only once', async () => {
    const news = new TableNews(PLACE);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(asked.map(([path]) => path.split('/').at(-1))).toEqual(['print', 'rounds?limit=12', 'rounds?limit=12']);
    news.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(3);
  });

  it('stay as they were while the server cannot be reached', async () => {
    const news = new TableNews(PLACE);
    await vi.advanceTimersByTimeAsync(0);
    isDown = true;
    await vi.advanceTimersByTimeAsync(8_000);
    expect(news.rounds).toHaveLength(2);
    news.stop();
  });
});
