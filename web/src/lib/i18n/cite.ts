// How a paragraph is cited; what follows from a reading of the rules cites that interpretation (docs/interpretations.md).

import type { Language } from '../language.svelte';

const SIGN: Record<Language, string> = { en: '§', 'zh-Hans': '规则', 'zh-Hant': '規則' };
const READING: Record<Language, string> = { en: 'Interpretation', 'zh-Hans': '解释', 'zh-Hant': '解釋' };

/** `§ 5.5, 5.5.1`, or `Interpretation 23`. */
export function cited(language: Language, cite: string): string {
  const reading = /^interpretation (\d+)$/.exec(cite);
  return reading ? `${READING[language]} ${reading[1]}` : `${SIGN[language]} ${cite}`;
}
