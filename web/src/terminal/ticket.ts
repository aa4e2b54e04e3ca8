// Tickets as people and readers handle them.

import type { Money, TicketNo, Timestamp } from '../lib/wire';

/** A ticket that this terminal gave out. */
export interface Paper {
  /** Its serial, which pays nobody. */
  ticket: TicketNo;
  /** Its number: whoever has it can cash it. */
  number: string;
  amount: Money;
  currency: string;
  expires: Timestamp;
  table: string;
}

/** A number as somebody typed or scanned it, as tickets are numbered: digits in groups of four. */
export function ticketNo(typed: string): TicketNo {
  const digits = typed.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) ? digits.replace(/(\d{4})(?=\d)/g, '$1-') : typed.trim();
}
