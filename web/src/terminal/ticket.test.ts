import { describe, expect, it } from 'vitest';
import { ticketNo } from './ticket';

describe('ticketNo', () => {
  it('groups what was typed or scanned as it is printed', () => {
    const printed = '1234-5678-9012-3456-7890';
    for (const typed of ['12345678901234567890', ' 1234 5678 9012 3456 7890 ', printed]) {
      expect(ticketNo(typed)).toBe(printed);
    }
  });

  it('leaves the rest to the table to refuse', () => {
    expect(ticketNo(' 12a ')).toBe('12a');
  });
});
