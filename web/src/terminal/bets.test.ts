import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer, BoxNo, Command, RoundNo, WagerView } from '../lib/wire';
import { Bets, GATHER, LAST, MERGE } from './bets.svelte';
import { pile } from './chips';

/** A table that answers when it is told to. */
class Table {
  orders: { command: Command; round: RoundNo; answer: (answer: Answer) => void }[] = [];
  box: BoxNo | null = null;
  least = 0;
  left = Infinity;
  bets = new Bets({
    order: (command, round) => new Promise((answer) => this.orders.push({ command, round, answer })),
    patron: () => 7,
    box: () => this.box,
    least: () => this.least,
    left: () => this.left,
  });

  async answer(at: number, answer: Answer): Promise<void> {
    this.orders[at]!.answer(answer);
    await vi.advanceTimersByTimeAsync(0);
  }
}

const wager = (bet: string, stake: number): WagerView => ({
  patron: 7,
  box: null,
  stance: null,
  bet,
  stake,
  playing: stake,
});

let table: Table;
beforeEach(() => {
  vi.useFakeTimers();
  table = new Table();
  table.bets.look({ seq: 10, round: 3 });
});
afterEach(() => vi.useRealTimers());

describe('taps', () => {
  const stakes = (): unknown[] => table.orders.map(({ command }) => (command as { stake: number }).stake);

  it('leave at once, the first of them, with the Round it is for', () => {
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    expect(table.orders.map(({ command, round }) => ({ command, round }))).toEqual([
      { command: { do: 'place-wager', patron: 7, bet: 'banker', stake: 500 }, round: 3 },
    ]);
  });

  it('are one order while the first is on its way, and leave with its answer', async () => {
    for (let tap = 0; tap < 4; tap += 1) table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    expect(stakes()).toEqual([500]);
    await table.answer(0, { done: 12 });
    expect(stakes()).toEqual([500, 1500]);
  });

  it('leave after a moment though no answer comes, however steadily one goes on tapping', () => {
    for (let tap = 0; tap < 20; tap += 1) {
      table.bets.tap({ bet: 'banker', amount: 500 }, 3);
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(MERGE);
    expect(stakes().reduce<number>((sum, it) => sum + Number(it), 0)).toBe(20 * 500);
    expect(table.bets.lays.every((it) => it.stage === 'sent')).toBe(true);
  });

  it('leave before bets close', () => {
    table.left = LAST + 60;
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    vi.advanceTimersByTime(60);
    expect(stakes()).toEqual([500, 500]);
    table.left = LAST - 1;
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    expect(stakes()).toEqual([500, 500, 500]);
  });

  it('gather for a moment to the least that the bet takes', () => {
    table.least = 1500;
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    expect(stakes()).toEqual([]);
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    expect(stakes()).toEqual([1500]);
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    vi.advanceTimersByTime(GATHER);
    expect(stakes()).toEqual([1500, 500]);
  });

  it('name the box on a live game', () => {
    table.box = 4;
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    vi.advanceTimersByTime(MERGE);
    expect(table.orders[0]!.command).toMatchObject({ box: 4 });
  });

  it('are registered when the view says so', async () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    expect(pile(table.bets.lays, 'tie').stage).toBe('sent');
    await table.answer(0, { done: 12 });
    table.bets.look({ seq: 12, round: 3 });
    expect(table.bets.lays).toEqual([]);
    expect(table.bets.canUndo).toBe(true);
  });

  it('that are refused cannot be undone, and say why', async () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    vi.advanceTimersByTime(MERGE);
    await table.answer(0, { refused: { reason: 'bets-closed', cite: '3.7' } });
    expect(table.bets.canUndo).toBe(false);
    expect(table.bets.refusals).toMatchObject([{ bet: 'tie', why: { refused: { reason: 'bets-closed' } } }]);
  });

  it('are not sent after the line was lost', () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    table.bets.lose();
    vi.advanceTimersByTime(MERGE * 2);
    expect(stakes()).toEqual([500]);
    expect(table.bets.refusals).toMatchObject([{ why: 'not-sent' }]);
  });
});

describe('undo', () => {
  it('lifts a chip that was not sent', async () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    table.bets.tap({ bet: 'tie', amount: 2500 }, 3);
    await table.bets.undo();
    vi.advanceTimersByTime(MERGE);
    expect(table.orders.map((it) => it.command)).toMatchObject([{ stake: 500 }, { stake: 500 }]);
  });

  it('withdraws a chip once its order has an answer', async () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    vi.advanceTimersByTime(MERGE);
    void table.bets.undo();
    await vi.advanceTimersByTimeAsync(0);
    expect(table.orders).toHaveLength(1);
    await table.answer(0, { done: 12 });
    expect(table.orders[1]!.command).toEqual({ do: 'withdraw-wager', patron: 7, bet: 'tie', amount: 500 });
    expect(table.bets.canUndo).toBe(false);
  });

  it('takes a rebet back whole', async () => {
    table.bets.place(
      [
        { bet: 'tie', amount: 500 },
        { bet: 'banker', amount: 2500 },
      ],
      3,
    );
    expect(table.orders).toHaveLength(2);
    await table.answer(0, { done: 12 });
    await table.answer(1, { done: 13 });
    await Promise.race([table.bets.undo(), vi.advanceTimersByTimeAsync(0)]);
    expect(table.orders.slice(2).map((it) => it.command)).toMatchObject([
      { do: 'withdraw-wager', bet: 'tie', amount: 500 },
      { do: 'withdraw-wager', bet: 'banker', amount: 2500 },
    ]);
  });

  it('does not reach back into an earlier Round', () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    table.bets.look({ seq: 20, round: 4 });
    expect(table.bets.canUndo).toBe(false);
  });

  it('says why chips could not be taken back', async () => {
    table.bets.place([{ bet: 'tie', amount: 500 }], 3);
    await table.answer(0, { done: 12 });
    void table.bets.undo();
    await vi.advanceTimersByTimeAsync(0);
    await table.answer(1, { refused: { reason: 'bets-closed' } });
    expect(table.bets.refusals).toMatchObject([{ what: 'withdraw', bet: 'tie', amount: 500 }]);
    expect(pile(table.bets.lays, 'tie').refused).toBe(0);
  });
});

describe('clear', () => {
  it('drops what was not sent and withdraws what is registered', async () => {
    table.least = 1000;
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    void table.bets.clear([wager('banker', 2500)], 3);
    await vi.advanceTimersByTimeAsync(GATHER);
    expect(table.orders.map((it) => it.command)).toEqual([
      { do: 'withdraw-wager', patron: 7, bet: 'banker', amount: null },
    ]);
    expect(table.bets.lays).toEqual([]);
  });

  it('waits for what is on its way', async () => {
    table.bets.place([{ bet: 'tie', amount: 500 }], 3);
    void table.bets.clear([], 3);
    await vi.advanceTimersByTimeAsync(0);
    expect(table.orders).toHaveLength(1);
    await table.answer(0, { done: 12 });
    expect(table.orders[1]!.command).toMatchObject({ do: 'withdraw-wager', bet: 'tie', amount: null });
  });
});
