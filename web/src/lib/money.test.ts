import { expect, test } from 'vitest';
import { decimal, money, parse, short } from './money';

test('amounts are written by language and never lose a cent', () => {
  expect(money(125_000, 'SGD', 'en')).toBe('$1,250.00');
  expect(money(125_000, 'SGD', 'zh-Hans')).toContain('1,250.00');
  expect(money(1, 'SGD', 'en')).toBe('$0.01');
  expect(money(-50, 'SGD', 'en')).toBe('-$0.50');
  expect(money(Number.MAX_SAFE_INTEGER, 'SGD', 'en')).toBe('$90,071,992,547,409.91');
  expect(money(1_000, 'JPY', 'en')).toBe('¥1,000');
});

test('chips and limits have cents only where there are any', () => {
  expect(short(2_500, 'SGD', 'en')).toBe('$25');
  expect(short(2_550, 'SGD', 'en')).toBe('$25.50');
  expect(short(500_000_000, 'SGD', 'en')).toBe('$5,000,000');
});

test('decimals are exact', () => {
  expect(decimal(5, 2)).toBe('0.05');
  expect(decimal(0, 2)).toBe('0.00');
  expect(decimal(-1_234, 2)).toBe('-12.34');
  expect(decimal(7, 0)).toBe('7');
});

test('what is typed is an amount, or nothing', () => {
  expect(parse('1,250.5', 'SGD')).toBe(125_050);
  expect(parse(' 25 ', 'SGD')).toBe(2_500);
  expect(parse('0.01', 'SGD')).toBe(1);
  for (const no of ['', '-1', '1e3', '1.234', 'x', '99999999999999', '1..2']) expect(parse(no, 'SGD'), no).toBeNull();
});
