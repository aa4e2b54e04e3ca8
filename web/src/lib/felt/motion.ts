// How cards move: out of the shoe, and over. Motion explains and never delays: whoever wants none gets none.

import { cubicOut } from 'svelte/easing';
import { prefersReducedMotion } from 'svelte/motion';
import type { TransitionConfig } from 'svelte/transition';

/** Cards that come together are laid one after the other. */
export const BETWEEN_CARDS = 260;

/** How long one card is on its way. */
const ON_ITS_WAY = 340;

/** How long it takes until the last of so many cards lies in its place. */
export const landing = (cards: number): number =>
  cards > 0 && !prefersReducedMotion.current ? (cards - 1) * BETWEEN_CARDS + ON_ITS_WAY : 0;

/** From the shoe at the upper right to its place, the `n`th of those that came together. */
export function deal(_card: Element, { n = 0, lay = false }: { n?: number; lay?: boolean }): TransitionConfig {
  // A card that lay there before is not dealt again.
  if (prefersReducedMotion.current || lay) return { duration: 0 };
  return {
    delay: Math.max(0, n) * BETWEEN_CARDS,
    duration: ON_ITS_WAY,
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${u * 14}rem, ${u * -7}rem) rotate(${u * 40}deg); opacity: ${Math.min(1, t * 3)}`,
  };
}

/** From its back to its face. */
export function turn(_card: Element): TransitionConfig {
  if (prefersReducedMotion.current) return { duration: 0 };
  return { duration: 300, easing: cubicOut, css: (_t, u) => `transform: perspective(40rem) rotateY(${u * 90}deg)` };
}
