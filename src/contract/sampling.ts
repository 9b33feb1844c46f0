/** How many subjects a run requests, and the seed of its draws. */

export const DEPTHS = ['quick', 'standard', 'thorough'] as const;

/** `quick` draws few subjects or none, `standard` a sample of each stratum, `thorough` every subject up to a bound. */
export type Depth = (typeof DEPTHS)[number];

/** The seed of draws without strata, as in version 0.1.0: a recording that states no seed was made with it. */
export const UNSTRATIFIED_SEED = 0;

/** The seed of the draw unless `--sample-seed` gives another: equal runs draw the same subjects. */
export const DEFAULT_SEED = 1;

/** The depth of a run and the seed of its draws. */
export interface Sampling {
  readonly depth: Depth;
  readonly seed: number;
}

export const DEFAULT_SAMPLING: Sampling = { depth: 'standard', seed: DEFAULT_SEED };
