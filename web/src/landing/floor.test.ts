import { describe, expect, it } from 'vitest';
import type { Guest } from '../lib/wire';
import { lastOf, places } from './floor';

describe('places', () => {
  it('gather the doors of each table and who sits at its terminal', () => {
    expect(
      places([
        { device: 'vt-1', kind: { terminal: { table: 'etg-1', patron: 900 } }, credential: 'a' },
        { device: 'vb-1', kind: { board: { table: 'etg-1' } }, credential: 'b' },
        { device: 'vb-2', kind: { board: { table: 'rws-1' } }, credential: 'c' },
        { device: 'vc-1', kind: { console: { table: 'etg-1' } }, credential: 'd' },
      ]),
    ).toEqual([
      { table: 'etg-1', doors: { terminal: 'a', board: 'b', console: 'd' }, patron: 900 },
      { table: 'rws-1', doors: { board: 'c' }, patron: null },
    ]);
  });

  it('leave out what has no screen', () => {
    expect(places([{ device: 'r', kind: { reader: { table: 'etg-1' } }, credential: 'a' }])).toEqual([]);
  });

  it('keep the first of two of a kind', () => {
    const device = (patron: number, credential: string) => ({
      device: credential,
      kind: { terminal: { table: 'etg-1', patron } },
      credential,
    });
    expect(places([device(900, 'a'), device(901, 'b')])).toEqual([
      { table: 'etg-1', doors: { terminal: 'a' }, patron: 900 },
    ]);
  });
});

describe('whom to sign in as', () => {
  const guest: Guest = {
    people: [
      { person: 'd-1', password: 'x', role: 'dealer' },
      { person: 'd-5', password: 'y', role: 'dealer' },
      { person: 'sup-1', password: 'z', role: 'pit-supervisor' },
    ],
    devices: [],
  };

  it('is the last of a role, or nobody', () => {
    expect(lastOf(guest, 'dealer')?.person).toBe('d-5');
    expect(lastOf(guest, 'cashier')).toBeUndefined();
  });
});
