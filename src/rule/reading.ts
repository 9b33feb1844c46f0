/** A reading: one response of a step, as the judge of a rule gets it. */
import type { Input, OperationKey } from '../contract/index.ts';
import type { ResponseHead } from '../exchange/types.ts';
import type { Inputs } from '../profile/template.ts';
import type { BodyBreach } from '../reading/check-body.ts';
import type { Signature } from '../reading/signature.ts';
import type { Observation } from '../reading/types.ts';
import type { FoldMap, FoldResults } from './fold.ts';

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
