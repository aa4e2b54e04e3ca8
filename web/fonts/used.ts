// Which characters the screens can show before anybody types one: those of every literal and template under web/src and of
// the rule books, by language, and what dates and amounts are written with. Comments do not count.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import ts from 'typescript';

export type Script = 'en' | 'zh-Hans' | 'zh-Hant';
export const SCRIPTS: readonly Script[] = ['en', 'zh-Hans', 'zh-Hant'];
export type Used = Record<Script, Map<string, string>>;

const ROOT = resolve(import.meta.dirname, '../..');
const RULEBOOKS = ['rulebooks', 'docs/examples'];
/** What every language names in its own script: the switch between them. */
const SHARED = ['NAMES'];
/** Currencies whose signs the first view has; those of others are in the margin. */
const CURRENCIES = ['SGD', 'HKD', 'MOP', 'CNY', 'USD', 'AUD', 'EUR', 'GBP', 'JPY', 'MYR', 'TWD'];

/** What anybody may write. */
const ASCII = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, at) => 0x20 + at));

/** Every character, by the language that shows it, with one place where it is written. */
export function used(): Used {
  const found: Used = { en: new Map(), 'zh-Hans': new Map(), 'zh-Hant': new Map() };
  const add = (text: string, place: string, script: Script | null): void => {
    for (const character of text) {
      if (character < ' ') continue;
      for (const it of script ? [script] : SCRIPTS) if (!found[it].has(character)) found[it].set(character, place);
    }
  };

  for (const file of files('web/src', /\.(ts|svelte)$/)) {
    if (/\.test\.ts$|\/(wire|testing)\.ts$/.test(file)) continue;
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (file.endsWith('.ts')) literals(file, text, add);
    else component(file, text, add);
  }
  for (const folder of RULEBOOKS) {
    for (const file of files(folder, /\.toml$/)) labels(file, readFileSync(join(ROOT, file), 'utf8'), add);
  }
  add(ASCII, 'names and free text', null);
  for (const script of SCRIPTS) add(formatted(script), 'dates and amounts', script);
  return found;
}

type Add = (text: string, place: string, script: Script | null) => void;

function files(folder: string, kind: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => kind.test(name))
    .map((name) => join(folder, name))
    .sort();
}

/** Strings of TypeScript; comments are not among them. */
function literals(file: string, text: string, add: Add): void {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      add(node.text, file, languageOf(node));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** The language of a string, by what it stands in: a parameter of `catalogue`, a key, a variable, a file; else none. */
function languageOf(literal: ts.Node): Script | null {
  let script: Script | null = null;
  for (let node = literal; node.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isCallExpression(parent) && parent.expression.getText() === 'catalogue') {
      script ??= SCRIPTS[parent.arguments.indexOf(node as ts.Expression)] ?? null;
    }
    if (ts.isPropertyAssignment(parent)) script ??= SCRIPTS.find((it) => it === unquoted(parent.name)) ?? null;
    if (ts.isVariableDeclaration(parent)) {
      const name = parent.name.getText();
      if (SHARED.includes(name)) return null;
      script ??= named(name);
    }
  }
  return script ?? named(literal.getSourceFile().fileName.replace(/^.*\/|\.ts$/g, ''));
}

/** `hans`, `SUIT_HANT`, `HANS_SIDE`: the language that a variable or a file is named after. */
function named(name: string): Script | null {
  if (/hans/i.test(name)) return 'zh-Hans';
  if (/hant/i.test(name)) return 'zh-Hant';
  return null;
}

const unquoted = (name: ts.Node): string => name.getText().replaceAll(/['"]/g, '');

/** A component's scripts as TypeScript; of its markup everything but comments and style. */
function component(file: string, text: string, add: Add): void {
  const script = /<script\b[^>]*>([\s\S]*?)<\/script>/g;
  for (const [, inside] of text.matchAll(script)) literals(file, inside ?? '', add);
  const markup = text.replaceAll(script, '').replaceAll(/<style>[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '');
  add(markup, file, null);
}

/** Names in a rule book. English felts print the original bets in Chinese as well, so that those belong to every screen. */
function labels(file: string, text: string, add: Add): void {
  for (const block of text.replaceAll(/^\s*#.*$/gm, '').split('[[bet]]')) {
    const isOriginal = /^original\s*=/m.test(block);
    for (const [, script, name] of block.matchAll(/\b(en|zh-Hans|zh-Hant)\s*=\s*"([^"]*)"/g)) {
      add(name ?? '', file, isOriginal ? null : (script as Script));
    }
  }
}

function formatted(script: Script): string {
  const months = Array.from({ length: 12 }, (_, month) => new Date(2026, month, 28, 14, 5, 6));
  const times = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' } as const;
  const money = CURRENCIES.map((currency) =>
    (-1234.5).toLocaleString(script, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  );
  return [...months.map((it) => it.toLocaleString(script, times)), ...money, (0.0125).toLocaleString(script)].join('');
}
