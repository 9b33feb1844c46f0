/** Decides whether a difference between two samples is significant. */

/** A new form counts as breaking only if the first recording would have shown it with at least this probability. */
export const MAX_CHANCE_NEW = 0.5;
/** A path that only some rows had counts as gone only if the probability of chance is at most this. */
export const MAX_CHANCE_GONE = 0.01;

/** The probability that a sample of `among` rows misses something that a share `rate` of all rows has. */
export const chanceOfMissing = (rate: number, sampleSize: number): number => (1 - rate) ** sampleSize;
