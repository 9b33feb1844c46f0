/** How many subjects a run requests: the depth of a run, and the size of each draw at each depth. */

export const DEPTHS = ['quick', 'standard', 'thorough'] as const;

/** `quick` draws few subjects or none, `standard` a sample of each stratum, `thorough` every subject up to a bound. */
export type Depth = (typeof DEPTHS)[number];

/** The most subjects of one draw at depth `thorough`, unless `limits.maxSubjects` of the profile states another number. */
export const THOROUGH_BOUND = 10_000;

/**
 * The number of subjects of each draw. A rule with a draw of 0 is untested and its reason names the depth. A draw of
 * `thorough` is never greater than the bound.
 */
export const DRAWS = {
  /** Products of the bulk list that the look-up requests. */
  lookUps: { quick: 8, standard: 24, thorough: THOROUGH_BOUND },
  /** Rows of strata that a sample takes in addition. */
  strata: { quick: 4, standard: 20, thorough: 200 },
  /** Products of the delta that the look-up requests. */
  deltaLookUps: { quick: 2, standard: 6, thorough: THOROUGH_BOUND },
  /** Categories that filter the bulk list. */
  categoryFilters: { quick: 4, standard: 40, thorough: THOROUGH_BOUND },
  /** Values of each filter of group D. */
  salesFilters: { quick: 4, standard: 25, thorough: THOROUGH_BOUND },
  /** Values of each pair of filters of group D. */
  filterPairs: { quick: 1, standard: 3, thorough: 12 },
  /** Items of a list of group B for which the operation below it is requested. */
  catalogueItems: { quick: 3, standard: 12, thorough: THOROUGH_BOUND },
  /** Known UPCs from which malformed ones are built. */
  malformedFrom: { quick: 1, standard: 2, thorough: 4 },
} as const satisfies { readonly [name: string]: { readonly [D in Depth]: number } };

export type DrawName = keyof typeof DRAWS;

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
