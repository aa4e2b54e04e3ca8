// Which columns of a road are on the screen. Where marks lie is the server's word; here columns are only left out.

/** Every road has six rows. */
export const ROWS = 6;

/** How many whole columns, by the `square`, fit into a box of this size. A browser's rounding is no reason to lose one. */
export function fit(width: number, height: number, square = 1): number {
  if (width <= 0 || height <= 0) return 0;
  return Math.max(1, Math.floor((width / (height / ROWS) + 0.05) / square)) * square;
}

/**
 * The first column that is shown: when there are more than fit, the oldest whole ones drop out on the left. Derived roads
 * print `square` columns between two lines; these go together, so that lines and marks do not part.
 */
export function firstColumn(cols: readonly number[], fits: number, square = 1): number {
  const over = cols.reduce((last, col) => Math.max(last, col), -1) + 1 - fits;
  return over <= 0 ? 0 : Math.ceil(over / square) * square;
}
