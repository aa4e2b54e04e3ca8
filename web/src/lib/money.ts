// Amounts are whole minor units. They are only written here, never reckoned with.

import type { Money } from './wire';
import { language, type Language } from './language.svelte';

const formats = new Map<string, Intl.NumberFormat>();

function format(currency: string, locale: Language, cents: boolean): Intl.NumberFormat {
  const key = `${currency} ${locale} ${cents}`;
  let found = formats.get(key);
  if (!found) {
    const digits = cents ? {} : { minimumFractionDigits: 0, maximumFractionDigits: 2 };
    found = new Intl.NumberFormat(locale === 'en' ? 'en-SG' : locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      ...digits,
    });
    formats.set(key, found);
  }
  return found;
}

/** How many digits of a currency are minor units. */
export function digits(currency: string): number {
  return format(currency, 'en', true).resolvedOptions().maximumFractionDigits ?? 2;
}

/** The exact decimal of an amount, as text: floats would lose cents of very large amounts. */
export function decimal(amount: number, places: number): string {
  const text = String(Math.abs(amount)).padStart(places + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return places === 0 ? sign + text : `${sign}${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** `$1,250.00` */
export function money(amount: Money, currency: string, locale: Language = language.now): string {
  return format(currency, locale, true).format(decimal(amount, digits(currency)) as unknown as number);
}

/** `$1,250`, and cents only where there are any: for chips and limits. */
export function short(amount: Money, currency: string, locale: Language = language.now): string {
  const places = digits(currency);
  const whole = amount % 10 ** places === 0;
  const text = whole ? decimal(amount, places).split('.')[0]! : decimal(amount, places);
  return format(currency, locale, !whole).format(text as unknown as number);
}

/** What somebody typed, in minor units; none if it is no amount. */
export function parse(text: string, currency: string): Money | null {
  const places = digits(currency);
  const found = /^\s*(\d{1,13})(?:\.(\d+))?\s*$/.exec(text.replaceAll(',', ''));
  if (!found || (found[2] ?? '').length > places) return null;
  const amount = Number(found[1]! + (found[2] ?? '').padEnd(places, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}
