/** When what a sample does not show is news. */

/** What a client never met may be told as broken only if the first recording, had it been so then, had likely shown it. */
export const LIKELY = 0.5;
/** What some rows had and none has any more is gone only if that is so unlikely to be chance. */
export const UNLIKELY = 0.01;

/** How likely it is that `among` draws show nothing of what stands in `rate` of all. */
export const missChance = (rate: number, among: number): number => (1 - rate) ** among;
