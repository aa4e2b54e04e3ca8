import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer, Command, RoundNo, WagerView } from '../lib/wire';
import { Bets, MERGE, type Seat } from './bets.svelte';
import { pile } from './chips';

/** A table that answers when it is told to. */
class Table {
  orders: { command: Command; round: RoundNo; answer: (answer: Answer) => void }[] = [];
  seat: Seat | null = null;
  bets = new Bets({
    order: (command, round) => new Promise((answer) => this.orders.push({ command, round, answer })),
    patron: () => 7,
    seat: () => this.seat,
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
  it('in quick succession are one order, which names its Round', () => {
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    vi.advanceTimersByTime(MERGE - 50);
    table.bets.tap({ bet: 'banker', amount: 500 }, 3);
    vi.advanceTimersByTime(MERGE - 50);
    expect(table.orders).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(table.orders.map(({ command, round }) => ({ command, round }))).toEqual([
      { command: { do: 'place-wager', patron: 7, bet: 'banker', stake: 1000 }, round: 3 },
    ]);
  });

  it('name the box on a live game', () => {
    table.seat = { box: 4, stance: 'standing' };
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    vi.advanceTimersByTime(MERGE);
    expect(table.orders[0]!.command).toMatchObject({ box: 4, stance: 'standing' });
  });

  it('are registered when the view says so', async () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    expect(pile(table.bets.lays, 'tie').stage).toBe('local');
    vi.advanceTimersByTime(MERGE);
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
    table.bets.lose();
    vi.advanceTimersByTime(MERGE * 2);
    expect(table.orders).toEqual([]);
    expect(table.bets.refusals).toMatchObject([{ why: 'not-sent' }]);
  });
});

describe('undo', () => {
  it('lifts a chip that was not sent', async () => {
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    table.bets.tap({ bet: 'tie', amount: 2500 }, 3);
    await table.bets.undo();
    vi.advanceTimersByTime(MERGE);
    expect(table.orders[0]!.command).toMatchObject({ do: 'place-wager', stake: 500 });
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
    table.bets.tap({ bet: 'tie', amount: 500 }, 3);
    void table.bets.clear([wager('banker', 2500)], 3);
    await vi.advanceTimersByTimeAsync(MERGE);
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
