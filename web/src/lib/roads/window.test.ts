import { describe, expect, it } from 'vitest';
import { firstColumn, fit } from './window';

describe('columns that fit', () => {
  it('are as wide as rows are high', () => {
    expect(fit(600, 60)).toBe(60);
    expect(fit(609, 60)).toBe(60);
    expect(fit(610, 60)).toBe(61);
  });

  it('survive the rounding of a browser', () => {
    expect(fit(479.7, 240)).toBe(12);
  });

  it('are whole squares', () => {
    expect(fit(590, 60, 2)).toBe(58);
    expect(fit(600, 60, 2)).toBe(60);
  });

  it('are none without a box, and one in the narrowest', () => {
    expect(fit(0, 100)).toBe(0);
    expect(fit(100, 0)).toBe(0);
    expect(fit(1, 600)).toBe(1);
  });
});

describe('the first column', () => {
  it('is the oldest while all fit', () => {
    expect(firstColumn([], 10)).toBe(0);
    expect(firstColumn([0, 1, 9], 10)).toBe(0);
  });

  it('moves by whole columns when there are more', () => {
    expect(firstColumn([0, 1, 10], 10)).toBe(1);
    expect(firstColumn([0, 25], 10)).toBe(16);
  });

  it('moves by whole squares', () => {
    expect(firstColumn([10], 10, 2)).toBe(2);
    expect(firstColumn([11], 10, 2)).toBe(2);
    expect(firstColumn([9], 10, 2)).toBe(0);
  });

  it('follows the mark farthest right, which a tail may have left behind', () => {
    expect(firstColumn([0, 1, 12, 3], 10)).toBe(3);
  });
});
