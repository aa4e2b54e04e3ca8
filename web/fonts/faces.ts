// The shipped faces, read from the CSS that names them.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Face {
  family: string;
  file: string;
  bytes: number;
  /** Loaded by a first view, or only where a character of it is shown. */
  isBase: boolean;
  has: (character: string) => boolean;
}

const FOLDER = import.meta.dirname;

export function faces(): Face[] {
  const css = readFileSync(join(FOLDER, 'fonts.css'), 'utf8');
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].map(([, rule]) => {
    const read = (what: RegExp): string => what.exec(rule ?? '')?.[1] ?? '';
    const file = read(/url\('\.\/([^']+)'\)/);
    const runs = read(/unicode-range:([^;]*)/)
      .split(',')
      .map((it) => it.trim().slice(2).split('-'))
      .map(([from, to]) => [parseInt(from!, 16), parseInt(to ?? from!, 16)] as const);
    return {
      family: read(/font-family: '([^']+)'/),
      file,
      bytes: statSync(join(FOLDER, file)).size,
      isBase: /-base\.woff2$/.test(file),
      has: (character) =>
        runs.some(([from, to]) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to),
    };
  });
}
