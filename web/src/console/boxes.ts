// Wagers by betting box, with the totals of both sides and what breaks a limit there.

import type { BetId, BetView, BoxNo, Flag, Money, Side, WagerView } from '../lib/wire';

export interface Box {
  /** None on the electronic game. */
  box: BoxNo | null;
  wagers: WagerView[];
  player: Money;
  banker: Money;
  flags: Flag[];
}

export const sum = (wagers: WagerView[]): Money => wagers.reduce((all, { stake }) => all + stake, 0);

/** Wagers by box, in the order in which they come. */
export function byBox(wagers: WagerView[], bets: BetView[], flags: [BoxNo, Flag[]][]): Box[] {
  const sides = new Map<BetId, Side | null>(bets.map(({ bet, side }) => [bet, side]));
  const boxes = [...new Set(wagers.map(({ box }) => box))];
  return boxes.map((box) => {
    const here = wagers.filter((it) => it.box === box);
    const on = (side: Side): Money => sum(here.filter(({ bet }) => sides.get(bet) === side));
    const found = flags.find(([flagged]) => flagged === box);
    return { box, wagers: here, player: on('player'), banker: on('banker'), flags: found?.[1] ?? [] };
  });
}

/** Whether anything in a box breaks a limit. */
export const isFlagged = (flags: Flag[], wagers: WagerView[]): boolean =>
  flags.length > 0 || wagers.some(({ outside, odd }) => outside || odd);

/** By how much a wager is under the minimum; none if it is not. */
export function under(flags: Flag[], { patron }: WagerView, side: Side | null): Money | null {
  const found = flags.find((it) => it.flag === 'under-minimum' && it.patron === patron && it.side === side);
  return found?.by ?? null;
}
