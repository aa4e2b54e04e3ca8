import { expect, it } from 'vitest';
import { parse } from './link';

const LINK = '#screen=terminal&table=T1&device=half&keep&kiosk';

it('puts both halves of the credential together, however the code was copied', () => {
  for (const code of ['0f1e2d', '0F1E-2D', ' 0f1e 2d ']) expect(parse(LINK)?.credential(code)).toBe('half.0f1e2d');
});

it('opens the screen for good, as the link says', () => {
  const to = parse(LINK)!.address('0f1e');
  expect(to.split('#')[0]).toBe('/terminal');
  const said = new URLSearchParams(to.split('#')[1]);
  expect(Object.fromEntries(said)).toEqual({ table: 'T1', device: 'half.0f1e', keep: '', kiosk: '' });
});

it('is nothing if a part is missing, or if it leads to a page that is no screen of a table', () => {
  for (const hash of ['', '#', '#screen=terminal&table=T1', '#screen=terminal&device=x', '#table=T1&device=x'])
    expect(parse(hash)).toBeNull();
  expect(parse('#screen=//elsewhere.example&table=T1&device=x')).toBeNull();
  expect(parse('#screen=account&table=T1&device=x')).toBeNull();
});
