import { beforeEach, expect, test } from 'vitest';
import { address, place } from './device';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/terminal');
});

test('table and credential come in the part of the address that no server sees, and go out of sight', () => {
  expect(place()).toBeNull();
  location.hash = '#table=etg-1&device=abc&kiosk';
  expect(place()).toEqual({ table: 'etg-1', device: 'abc', kiosk: true });
  expect(location.href).not.toContain('abc');
  expect(place(), 'a tab remembers').toEqual({ table: 'etg-1', device: 'abc', kiosk: true });
  sessionStorage.clear();
  expect(place(), 'a machine does not, unless it is told to').toBeNull();
});

test('a machine that does nothing else keeps them', () => {
  location.hash = '#table=etg-1&device=abc&keep';
  place();
  sessionStorage.clear();
  expect(place()?.device).toBe('abc');
});

test('addresses are read back', () => {
  location.hash = address('terminal', 'wu song&1', 'a=b').split('#')[1]!;
  expect(place()).toMatchObject({ table: 'wu song&1', device: 'a=b' });
});
