import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { doubtsHistory, Held } from './held.svelte';
import type { Line } from './line.svelte';
import type { Health, PhaseWord } from './wire';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function at(phase: PhaseWord, told: Partial<Health> | null) {
  const line = { link: 'open', view: { phase } } as unknown as Line;
  const ask = vi.fn(() => (told ? Promise.resolve(told as Health) : Promise.reject(new Error('lost'))));
  return { line, ask, held: new Held(line, ask) };
}

it('asks while the table is between Rounds, and not while one is played', async () => {
  const { line, ask, held } = at('betting', { no_further_round: ['history-contested'], clock_ahead: 5 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ask).not.toHaveBeenCalled();
  line.view = { ...line.view!, phase: 'between' };
  await vi.advanceTimersByTimeAsync(6_000);
  expect(held.holds).toEqual(['history-contested']);
  expect(held.clockAhead).toBe(5);
  held.stop();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('hears that the cause is gone, also when a Round has opened', async () => {
  const { line, ask, held } = at('between', { no_further_round: ['register-tampered'] });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(held.holds).toEqual(['register-tampered']);
  line.view = { ...line.view!, phase: 'betting' };
  ask.mockResolvedValue({} as Health);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(held.holds).toEqual([]);
  held.stop();
});

it('keeps what it knows while the server does not answer, and does not ask on a lost line', async () => {
  const { line, ask, held } = at('between', { no_further_round: ['history-unwitnessed'] });
  await held.ask();
  ask.mockRejectedValue(new Error('lost'));
  await held.ask();
  expect(held.holds).toEqual(['history-unwitnessed']);
  line.link = 'lost';
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ask).toHaveBeenCalledTimes(2);
  held.stop();
});

it('knows which causes keep money back', () => {
  expect(doubtsHistory(['history-unwitnessed'])).toBe(true);
  expect(doubtsHistory(['register-tampered', 'history-contested'])).toBe(true);
  expect(doubtsHistory(['register-tampered'])).toBe(false);
  expect(doubtsHistory([])).toBe(false);
});
