/** The type of an oddity: a legal behaviour that a careless suite treats as a violation. */
import type { Group } from '../../src/contract/index.ts';
import { type Deviation, type DeviationRow, deviationOf } from '../deviations/types.ts';

/** Why an oddity is legal: what the document leaves open, or the part of HTTP that allows it. */
export const LEGAL_BASES = {
  windows:
    'windows are counted in weeks; when a data week ends, what “last year” is, base, unit and rounding: not shown',
  emptiness: 'a delta, a category or a filtered list may be empty; returns may make sales negative',
  rows: 'names, types and order of the fields of a row that the document does not name: not shown (section 2)',
  shapes: 'formats of bodies: not shown (section 2)',
  unknown: 'responses to unknown and malformed values: not shown (section 7)',
  extras: 'undocumented operations, methods, fields and headers are not forbidden',
  jobs: 'states and transitions of jobs, and responses for unknown jobs: not shown (sections 1 and 3)',
  catalogues: 'the result of Catalogues for an id, and the data that catalogues share: not shown (section 4.2)',
  relations: 'whether deltas are part of the bulk list, and whether category rows are sums of brand rows: not stated',
  filters: 'how a filter compares names, and the granularity of its rows: not shown (section 4.4)',
  reload: 'data is reloaded weekly (section 8), possibly during a run',
  errors: 'status codes and error bodies: not shown (section 7)',
  limits: 'rate limits and time-outs: not shown (section 8)',
  statuses: 'HTTP: other 2xx statuses and redirects (RFC 9110, section 15)',
  headers: 'HTTP: header fields (RFC 9110, sections 5, 6 and 8)',
  codings: 'HTTP: content codings and framing (RFC 9110, section 8.4; RFC 9112, section 7)',
  connections: 'HTTP: connections and interim responses (RFC 9110, section 15.2; RFC 9112, section 9)',
} as const;
export type LegalBasis = keyof typeof LEGAL_BASES;

interface Weakness {
  /** The weakest outcome allowed, when evidence is missing. Default: the outcome of the dialect. */
  readonly weakestOutcome?: 'partial' | 'undetermined';
  /** The weakest outcome allowed under the empty profile, if it is another. */
  readonly weakestOutcomeUnderEmptyProfile?: 'undetermined';
}

export interface Oddity extends Deviation, Weakness {
  readonly legalBasis: LegalBasis;
  /** The groups whose responses it changes. Default: all. */
  readonly groups?: readonly Group[];
}

/** The letters of the groups whose responses an oddity changes. */
type Groups = 'all' | Group | 'AB' | 'BC' | 'CD';

/** Makes oddities with the same weakest outcome. */
const oddityWith =
  (weakness: Weakness) =>
  (name: string, legalBasis: LegalBasis, groups: Groups, row: DeviationRow & Weakness): Oddity => ({
    ...weakness,
    ...deviationOf(name, row),
    legalBasis,
    ...(groups !== 'all' && { groups: [...groups] as Group[] }),
  });

export const oddity = oddityWith({});
/** An oddity that may leave a run partial. */
export const partialOddity = oddityWith({ weakestOutcome: 'partial' });
/** An oddity that may leave a run undetermined. */
export const undeterminedOddity = oddityWith({ weakestOutcome: 'undetermined' });

/** What an implementer writes whose lists are not all reloaded at once. */
export const ONE_AFTER_ANOTHER = { dataWeek: { oneReload: false } } as const;
