import { Problem } from '../lib/api';
import { language } from '../lib/language.svelte';
import { words } from './words';

/** Why something was not done. What the server says in words of its own is shown as it is. */
export function why(problem: unknown): string {
  const t = words[language.now];
  if (!(problem instanceof Problem)) return t.unreachable;
  if (problem.status === 401) return t.wrong;
  return problem.status === 429 ? t.tooOften : problem.message;
}
