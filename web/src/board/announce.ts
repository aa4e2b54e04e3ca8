// What a board says aloud. A language that turns, a result that calms down or a second that passes is no news.

import type { Winner } from '../lib/wire';
import { LAST_SECONDS, type Said } from './stage';

/** What may be news. */
export interface Moment {
  said: Said;
  /** Seconds until bets close; none while they are not open. */
  seconds: number | null;
  /** The result that has just come, and of which Round. */
  result: Winner | 'void' | null;
  round: number;
}

/** Seconds that are called. */
const CALLED: readonly number[] = [10, LAST_SECONDS];

/** What of a moment is news after the one before. */
export function news(before: Moment | null, now: Moment): Partial<Pick<Moment, 'said' | 'seconds' | 'result'>> | null {
  const isResult = now.result !== null && (now.result !== before?.result || now.round !== before.round);
  const isCalled = now.seconds !== null && CALLED.includes(now.seconds) && now.seconds !== before?.seconds;
  const isSaid = now.said !== before?.said;
  if (!isResult && !isCalled && !isSaid) return null;
  return {
    ...(isResult ? { result: now.result } : {}),
    ...(isSaid ? { said: now.said } : {}),
    ...(isCalled ? { seconds: now.seconds } : {}),
  };
}
