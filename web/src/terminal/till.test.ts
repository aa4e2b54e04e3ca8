import { beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../lib/wire';
import type { Why } from './chips';
import { Memory } from './memory';
import { Till } from './till.svelte';

const paper = { ticket: 'etg-1/17', number: '1234-5678', amount: 500, currency: 'SGD', expires: 9, table: 'etg-1' };

let orders: Command[];
let answer: Why | null;
const open = (): Till =>
  new Till(
    (command) => (orders.push(command), Promise.resolve(answer)),
    () => 7,
    new Memory('etg-1', sessionStorage),
  );

beforeEach(() => {
  sessionStorage.clear();
  orders = [];
  answer = null;
});

describe('Till', () => {
  it('redeems a number as tickets are numbered', async () => {
    expect(await open().redeem('1234 5678')).toBe(true);
    expect(orders).toEqual([{ do: 'redeem-ticket', patron: 7, ticket: '1234-5678' }]);
  });

  it('says why a ticket was not taken, until another one is', async () => {
    const till = open();
    answer = { refused: { reason: 'ticket-paid' } };
    expect(await till.redeem('1234')).toBe(false);
    expect(till.refused).toEqual(answer);
    answer = null;
    await till.redeem('5678');
    expect(till.refused).toBeNull();
  });

  it('keeps the ticket it gave out, also for a page that is loaded anew', () => {
    const till = open();
    till.give(paper);
    expect(till.paper).toEqual(paper);
    till.paper = null;
    expect(open().last).toEqual(paper);
  });
});
