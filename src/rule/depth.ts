/** The number of subjects of each draw at each depth. */
import type { Depth } from '../contract/index.ts';

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
  /** Nodes of the catalogue trees for which an operation of group B is requested, in all catalogues. */
  catalogueItems: { quick: 4, standard: 12, thorough: THOROUGH_BOUND },
  /** Groups and hierarchies of which the values of all levels are requested, where the profile states that they are a tree. */
  levelTrees: { quick: 1, standard: 3, thorough: THOROUGH_BOUND },
  /** POSTs that start a job of a kind. */
  jobStarters: { quick: 1, standard: 4, thorough: THOROUGH_BOUND },
  /** Other kinds of jobs whose ids a status operation gets. */
  otherJobKinds: { quick: 1, standard: 3, thorough: 6 },
  /** Jobs of a kind that run at the same time, whose statuses are compared. */
  jobPairs: { quick: 0, standard: 1, thorough: 1 },
  /** Catalogues whose refresh dates are listed and whose tree is walked. */
  catalogues: { quick: 2, standard: 12, thorough: THOROUGH_BOUND },
  /** Catalogues whose ids are sent with the id of another catalogue. */
  comparedCatalogues: { quick: 2, standard: 2, thorough: THOROUGH_BOUND },
  /** Items of a catalogue for which another catalogue is requested. */
  foreignItems: { quick: 1, standard: 3, thorough: THOROUGH_BOUND },
  /** Inputs of an operation that get an unknown value, one at a time. */
  unknownValues: { quick: 0, standard: 1, thorough: 10 },
  /** Filters of an operation that get an unknown name, one at a time. */
  unknownNames: { quick: 0, standard: 4, thorough: 10 },
  /** Filtered lists of which one is read in smaller pages. */
  pageSizes: { quick: 0, standard: 3, thorough: 10 },
  /** Windows of other than 1, 4 or 13 weeks. */
  otherWindows: { quick: 1, standard: 1, thorough: 2 },
  /** Lists that are read again in smaller pages. */
  smallPages: { quick: 0, standard: 2, thorough: 4 },
  /** Known UPCs from which malformed ones are built. */
  malformedFrom: { quick: 1, standard: 2, thorough: 4 },
  /** Equal requests of a list or of a drawn subject: odd, so that a server that alternates is seen. */
  equalCalls: { quick: 2, standard: 3, thorough: 5 },
  /** Products whose look-ups are repeated. */
  repeatedLookUps: { quick: 0, standard: 9, thorough: 200 },
  /** Values of each filter whose lists are repeated. */
  repeatedFilters: { quick: 0, standard: 3, thorough: 100 },
} as const satisfies { readonly [name: string]: { readonly [D in Depth]: number } };

export type DrawName = keyof typeof DRAWS;
