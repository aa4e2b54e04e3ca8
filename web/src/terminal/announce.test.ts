import { describe, expect, it } from 'vitest';
import { call, type Call, type Moment } from './announce';

/** What is said while a Round goes by. */
function said(...moments: Moment[]): Call[] {
  const pairs = moments.map((now, at) => call(moments[at - 1] ?? null, now));
  return pairs.filter((it) => it !== null);
}
const at = (seconds: number | null, phase: Moment['phase'] = 'betting', round = 3): Moment => ({
  round,
  phase,
  seconds,
});

describe('call', () => {
  it('says open, ten, five and closed, each once', () => {
    const seconds = Array.from({ length: 16 }, (_, second) => at(15 - second));
    expect(said(...seconds, at(null, 'dealing'), at(null, 'dealing'))).toEqual(['opened', 'ten', 'five', 'closed']);
  });

  it('says the last mark only where time was skipped', () => {
    expect(said(at(15), at(4))).toEqual(['opened', 'five']);
  });

  it('says opened again for the next Round', () => {
    expect(said(at(3), at(null, 'between'), at(15, 'betting', 4))).toEqual(['opened', 'closed', 'opened']);
  });

  it('says no seconds where the Dealer closes and the time is over', () => {
    expect(said(at(12), at(0), at(0))).toEqual(['opened']);
  });
});
