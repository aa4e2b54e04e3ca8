// Fetching a receipt of one's own bets in a Round. The house signs its record every few seconds, and nothing is proven before.

import { Problem } from '../lib/api';
import { pack } from '../lib/receipt-link';
import type { RoundNo, RoundReceipt } from '../lib/wire';

/** How often it is asked again while no checkpoint signs for it, and how many milliseconds lie between. */
const TIMES = 12;
const BETWEEN = 1_000;

/** A link that a code can hold so that a phone still reads it. */
const LONGEST_LINK = 1_840;

export type WhyNot = 'others' | 'tooLong' | 'notNow';

/** Asks until there is one; `waits` is told as soon as it takes a while. */
export async function fetchReceipt(
  ask: () => Promise<RoundReceipt>,
  waits: () => void,
  pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms)),
): Promise<RoundReceipt | WhyNot> {
  for (let time = 0; time < TIMES; time += 1) {
    try {
      return await ask();
    } catch (problem) {
      if (!(problem instanceof Problem)) return 'notNow';
      if (problem.code === 'names-others') return 'others';
      if (problem.code === 'too-long-ago') return 'tooLong';
      if (problem.code !== 'not-yet-signed') return 'notNow';
      waits();
      await pause(BETWEEN);
    }
  }
  return 'notNow';
}

/** The name of the file. */
export const fileName = (table: string, round: RoundNo): string => `punto-receipt-${table}-${round}.txt`;

/** The link that a code holds; none where it is too long to be scanned, or a phone could not check anything at this address. */
export async function linkTo(receipt: string, origin: string, isSecure: boolean): Promise<string | null> {
  if (!isSecure) return null;
  const link = `${origin}/receipt#r=${await pack(receipt)}`;
  return link.length <= LONGEST_LINK ? link : null;
}
