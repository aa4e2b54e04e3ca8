import { language } from '../lib/language.svelte';
import { words } from './words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Roughly how long, in the largest unit of which there are two: `90 minutes`, `47 hours`, `3650 days`. */
export function duration(ms: number): string {
  const t = words[language.now].duration;
  if (ms >= 2 * DAY) return t.days(Math.floor(ms / DAY));
  if (ms >= 2 * HOUR) return t.hours(Math.floor(ms / HOUR));
  return t.minutes(Math.max(1, Math.floor(ms / MINUTE)));
}
