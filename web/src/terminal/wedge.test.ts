import { describe, expect, it } from 'vitest';
import { Wedge } from './wedge';

const NUMBER = '12345678901234567890';

function type(text: string, pause: number, wedge = new Wedge()): string | null {
  let now = 1000;
  for (const key of text) {
    now += pause;
    wedge.key(key, now);
  }
  return wedge.key('Enter', now + pause);
}

describe('Wedge', () => {
  it('takes what a reader types', () => {
    expect(type(NUMBER, 5)).toBe(NUMBER);
    expect(type('1234-5678-9012-3456-7890', 5)).toBe('1234-5678-9012-3456-7890');
  });

  it('leaves alone what people type', () => {
    expect(type(NUMBER, 120)).toBeNull();
    expect(type('123', 5)).toBeNull();
  });

  it('begins anew after anything else', () => {
    expect(type(`12a${NUMBER}`, 5)).toBe(NUMBER);
  });
});
