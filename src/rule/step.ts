/** A step: a request that a rule needs. */

import { type Field, type Input, LIMITS, type OperationKey, UPDATE_PRODUCTS } from '../contract/index.ts';
import type { Variant } from '../exchange/request.ts';
import type { ResponseHead } from '../exchange/types.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import type { BodyBreach } from '../reading/check-body.ts';
import type { Signature } from '../reading/signature.ts';
import type { Observation, Row } from '../reading/types.ts';
import type { FoldMap, FoldResults } from './fold.ts';

/** The source of an input of a step. */
export type InputSource = { readonly value: InputValue } | { readonly example: Input; readonly nth?: number };

/** Runs a step once per row that an earlier step collected. */
export interface Each {
  /** The step that supplies the rows, or several. */
  readonly from: string | readonly string[];
  /** The fold with the rows; absent: the values that are read once per response. */
  readonly fold?: string;
  /** Field of the chosen row → input of this step. */
  readonly as: { readonly [F in Field]?: Input };
  readonly max: number;
  /** What the rows are, in the plural, for the coverage of the rule, e.g. `products`. */
  readonly of?: string;
  /** The fold of the earlier step whose `size` is the number of all rows; default: the rows of `fold`. */
  readonly counted?: string;
  /** Selects and sorts the rows, best first. Of more than `max` rows, half are the first of these, and half are drawn. */
  readonly choose?: (rows: readonly Row[]) => readonly Row[];
  /**
   * Replaces `choose` and the inputs by `as`: returns the inputs of the requests, best first. Observed traffic is matched
   * by `as` only.
   * @param of the readings of each of these steps
   */
  readonly select?: (sources: readonly Reading[], of: ReadingsOf) => readonly Inputs[];
  /** Steps of several rules with equal keys draw equal requests from equal sources; `plan` counts them once. */
  readonly key?: string;
}

/** The readings of a step of the same rule, by its name; empty if the rule has no such step. */
export type ReadingsOf = (step: string) => readonly Reading[];

/** Sends the request of a step again until its condition holds. */
export interface Poll {
  /** Whether no further request is necessary. */
  readonly isDone: (readings: readonly Reading[], of: ReadingsOf) => boolean;
  /** The pause before each further request, in ms; a longer Retry-After is obeyed. */
  readonly intervalMs: number;
  /** The sum of the pauses after which the last reading is `exhausted`, in ms; 0: one request only. */
  readonly limitMs: number;
}

/** The names of the steps that supply the rows. */
export const sourceNames = ({ from }: Each): readonly string[] => (typeof from === 'string' ? [from] : from);

export interface Step<F extends FoldMap = FoldMap> {
  readonly operation: OperationKey;
  readonly inputs?: { readonly [I in Input]?: InputSource };
  readonly each?: Each;
  readonly folds?: F;
  readonly variant?: Variant;
  /** Equal requests are sent once, unless their steps have different repetition numbers; default 0. */
  readonly repetition?: number;
  /**
   * Which responses the rule can judge: `content` a readable 2xx body (anything else is inconclusive), `complete` the
   * same read to its end, `response` any response except blocking statuses, `any` every response and failure.
   */
  readonly accepts: 'content' | 'complete' | 'response' | 'any';
  /** Whether redirects are followed; default true. */
  readonly follow?: boolean;
  /** It runs when no other step of the run is left. */
  readonly last?: true;
  /** Steps that run before this one although it takes no value from them. */
  readonly after?: readonly string[];
  /**
   * Its readings are those of all valid requests of its operation in the run, of any rule. In recorded traffic of clients
   * each page is a reading, or, for `lists`, each list from its first page to the last observed one. `withUnknown`: also
   * those of requests that may name what does not exist.
   */
  readonly fromAllRules?: true | 'lists' | 'withUnknown';
  /**
   * The requests may name what does not exist, and a response for something else is legal: the rules about all valid
   * requests (`fromAllRules`) leave them out.
   */
  readonly mayBeUnknown?: true;
  /**
   * For recorded traffic of clients: which requests to the operation match in addition to the one of the probe. The judge
   * must then be correct for any such request. Absent: only requests with exactly these inputs match.
   */
  readonly alsoMatches?: (inputs: Inputs) => boolean;
  /** This step may have no reading: in older recordings and in traffic of clients, or because `when` does not hold. */
  readonly optional?: true;
  /** Sends one request after another until a condition holds; only for steps with one request per run. */
  readonly poll?: Poll;
  /** Whether the step is necessary after those of `each` and `after`; default: always. Not evaluated for recorded traffic of clients. */
  readonly when?: (of: ReadingsOf) => boolean;
  /** Delay before this step when a failed rule is repeated, in ms: a new resource may not be visible at once. */
  readonly repeatDelayMs?: number;
}

export type Steps = { readonly [name: string]: Step };

/** For `alsoMatches`: matches every request. */
export const anything = (): boolean => true;

/** For `alsoMatches`: matches requests without filters. */
export const unfiltered = (inputs: Inputs): boolean => Object.keys(inputs).length === 0;

/** The inputs of the requests without filters, by the names of their steps: of a delta, those of each window. */
export const plainInputs = (operation: OperationKey): { readonly [name: string]: NonNullable<Step['inputs']> } =>
  operation === UPDATE_PRODUCTS
    ? Object.fromEntries(LIMITS.deltaWeeks.map((weeks) => [`delta${weeks}`, { window: { value: weeks } }]))
    : { list: {} };

/** Infers the fold types of a step literal. */
export function step<F extends FoldMap>(literal: Step<F>): Step<F> {
  return literal;
}

/** One response of a step, as the judge gets it. */
export interface Reading<F extends FoldMap = FoldMap> {
  /** The id of the exchange in findings and reports, e.g. `#12`. */
  readonly exchange: string;
  readonly operation: OperationKey;
  readonly inputs: Inputs;
  /** Inputs that the request does not contain. */
  readonly notSent?: readonly Input[];
  /** The codes that the request contains in place of inputs. */
  readonly sentCodes?: Inputs;
  /** The content codings that the request accepts (Accept-Encoding); absent: any. */
  readonly acceptEncoding?: string;
  /** Absent if no HTTP response was received. */
  readonly head?: ResponseHead;
  readonly failure?: string;
  /** The condition of a `poll` did not hold until its limit. */
  readonly exhausted?: true;
  /** The source cannot give this response or some of its pages: a recording lacks them, or they are not shown in-process. */
  readonly unavailable?: true;
  /** The content of a 2xx body, or of the part before its problem. */
  readonly observation?: Observation;
  /** The result of schema validation; absent if the profile states no schema for the operation. */
  readonly schema?: SchemaReading;
  readonly signature?: Signature;
  readonly folds: FoldResults<F>;
}

/** The validation of a response and its further pages against the schema stated for their status. */
export interface SchemaReading {
  /** Number of responses and pages with a schema for their status. */
  readonly responses: number;
  /** Number of validated values: bodies, rows, lines. */
  readonly checked: number;
  readonly breaches: readonly (BodyBreach & {
    readonly schema: string;
    /** The key of the schema: `200`, `2XX`, `default`. */
    readonly stated: string;
    /** The page, if it is not the first. */
    readonly page?: number;
  })[];
  /** Why a part could not be validated. */
  readonly unchecked?: string;
}
