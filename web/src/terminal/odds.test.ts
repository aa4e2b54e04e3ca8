import { describe, expect, it } from 'vitest';
import type { PrintedRow } from '../lib/wire';
import { oddsOf } from './odds';

const rows = (...odds: (string | null)[]): PrintedRow[] =>
  odds.map((it) => ({ when: [], odds: it, commission: null, cite: '4.1', label: null }));

describe('oddsOf', () => {
  it('prints one price as felts do', () => {
    expect(oddsOf(rows(null, '11 to 1'), 'en')).toBe('11 to 1');
    expect(oddsOf(rows('0.95 to 1'), 'en')).toBe('0.95 to 1');
    expect(oddsOf(rows('11 to 1'), 'zh-Hant')).toBe('1 賠 11');
  });

  it('prints several prices shortly, the highest first, each once', () => {
    expect(oddsOf(rows('12 to 1', '20 to 1', '12 to 1'), 'en')).toBe('20:1 / 12:1');
    expect(oddsOf(rows(null, '1 to 2', '1 to 1'), 'zh-Hans')).toBe('1:1 / 1:2');
  });

  it('prints nothing where nothing is known', () => {
    expect(oddsOf([], 'en')).toBe('');
  });
});
