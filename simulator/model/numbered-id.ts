/** An id that ends in a number: `numberedId('job-1', 7, 6)` is `job-1-000007`. */
export const numberedId = (prefix: string, at: number, width: number): string =>
  `${prefix}-${String(at).padStart(width, '0')}`;
