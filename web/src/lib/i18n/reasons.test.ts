import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGES, language } from '../language.svelte';
import type { Denial, Rejection } from '../wire';
import wire from '../wire.ts?raw';
import { denial, refusal } from './reasons';

/** The closed list, as the text of the wire has it. */
const DENIALS = [...wire.match(/export type Denial =\n([\s\S]*?);\n\n/)![1]!.matchAll(/\| "([a-z-]+)"/g)].map(
  ([, it]) => it as Denial,
);

/** Every reason with figures, from the text of the wire. */
function reasons(): Rejection[] {
  const figures = {
    last: 9,
    least: 1500,
    most: 40000,
    current: 3,
    round: 3,
    matter: 2,
    patron: 7,
    count: 1,
    left: 5,
    dispute: 3,
  };
  const given: Record<string, unknown> = {
    ...figures,
    boxes: 6,
    box: 3,
    unit: 20,
    credits: 100,
    bet: 'tiger',
    why: 'no',
    case: 2,
    acceptor: 'acceptor-3',
  };
  return [...wire.matchAll(/\| \{ reason: "([a-z-]+)"([^}]*)\}/g)].map(([, reason, fields]) => {
    const named = [...(fields ?? '').matchAll(/(\w+):/g)].map(([, name]) => [name, given[name!]]);
    const it = { reason, ...Object.fromEntries(named) } as Rejection;
    return it.reason === 'not-permitted' ? { ...it, least: 'pit-supervisor' } : it;
  });
}

afterEach(() => language.use('en', false));

describe('refusal', () => {
  it('has words for every reason of the wire, in every language', () => {
    const all = reasons();
    expect(all.length).toBeGreaterThan(85);
    for (const tongue of LANGUAGES) {
      language.use(tongue, false);
      for (const it of all) {
        const words = refusal(it, 'SGD');
        expect(words, `${tongue} ${it.reason}`).not.toBe(it.reason);
        expect(words, `${tongue} ${it.reason}`).not.toMatch(/undefined|NaN|null/);
        expect(/\p{Script=Han}/u.test(words), `${tongue} ${it.reason}: ${words}`).toBe(tongue !== 'en');
      }
    }
  });

  it('names what would be accepted, and the paragraph', () => {
    const words = refusal({ reason: 'over-maximum', most: 40_000, cite: '3.4' }, 'SGD');
    expect(words).toBe('Over the maximum: at most $400 more would be accepted. (§ 3.4)');
    language.use('zh-Hant', false);
    expect(refusal({ reason: 'over-maximum', most: 40_000, cite: '3.4' }, 'SGD')).toBe(
      '超過最高限額：最多可再下 $400。（規則 3.4）',
    );
  });

  it('does not offer an amount of nothing', () => {
    expect(refusal({ reason: 'over-differential', most: 0 }, 'SGD')).not.toContain('$0');
    expect(refusal({ reason: 'over-maximum', most: 0 }, 'SGD')).not.toContain('$0');
  });

  it('tells a reason that it does not know by its word', () => {
    expect(refusal({ reason: 'too-loud' } as unknown as Rejection, 'SGD')).toBe('too-loud');
  });
});

describe('denial', () => {
  it('has words for each of the closed list, in every language and differently', () => {
    expect(DENIALS.length).toBeGreaterThanOrEqual(9);
    for (const tongue of LANGUAGES) {
      language.use(tongue, false);
      const all = DENIALS.map(denial);
      expect(new Set(all).size).toBe(DENIALS.length);
      for (const words of all) expect(/\p{Script=Han}/u.test(words), `${tongue}: ${words}`).toBe(tongue !== 'en');
    }
  });

  it('says whom to tell, or what to do, where whoever ordered can do something', () => {
    for (const it of DENIALS.filter((it) => it !== 'not-your-device' && it !== 'not-you')) {
      expect(denial(it).split('. ').length, `${it}: ${denial(it)}`).toBeGreaterThan(1);
    }
  });
});
