// Rings are whole or broken, so that nobody needs their colour.

/** A ring of a hundred parts in two halves, with a gap on either side. */
export const BROKEN = { 'stroke-dasharray': '39 11', 'stroke-dashoffset': '-5.5' };
