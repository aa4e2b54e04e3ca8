// What is said aloud, for those who do not see the screen: bets open, ten seconds, five seconds, closed. The table's clock
// and phase decide; each is said once in a Round.

import type { PhaseWord, RoundNo } from '../lib/wire';

/** As much of a moment as is told by the clock. */
export interface Moment {
  round: RoundNo;
  phase: PhaseWord;
  /** Until bets close; none where nothing closes by itself. */
  seconds: number | null;
}

export type Call = 'opened' | 'ten' | 'five' | 'closed';

/** What the time between two moments brought. */
export function call(before: Moment | null, now: Moment): Call | null {
  const wasBetting = before?.phase === 'betting' && before.round === now.round;
  if (now.phase !== 'betting') return wasBetting ? 'closed' : null;
  if (!wasBetting) return 'opened';
  const passed = (mark: number): boolean =>
    now.seconds !== null && now.seconds > 0 && now.seconds <= mark && (before.seconds ?? Infinity) > mark;
  return passed(5) ? 'five' : passed(10) ? 'ten' : null;
}
