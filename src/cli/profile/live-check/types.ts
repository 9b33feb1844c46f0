/** What `mdwi profile check --base-url` receives, and what it reports. */
import type { OperationKey } from '../../../contract/index.ts';
import type { Failure } from '../../../exchange/types.ts';
import type { Inputs } from '../../../profile/template.ts';
import type { Observation, Row } from '../../../reading/types.ts';
import type { SchemaReading } from '../../../rule/index.ts';

/** The location in the profile of the values that a request contains: a binding of another operation, or examples. */
export type ValueSource = readonly PropertyKey[];

/** The responses to one request: one, or the first pages of a list. */
export interface Received {
  readonly operation: OperationKey;
  readonly inputs: Inputs;
  /** Where the value of the last input comes from, if another operation or an example provides it. */
  readonly source?: ValueSource;
  /** A look-up of a UPC that must not exist. */
  readonly mustBeUnknown?: true;
  /** The status; of a refusal in a 2xx, that which it is like. */
  readonly status?: number;
  /** Why there is no response. */
  readonly failure?: Failure;
  /** A part of the rows, spread over the whole list. */
  readonly rows: readonly Row[];
  readonly observation?: Observation;
  /** Whether all pages were read. */
  readonly isComplete: boolean;
  /** The profile declares the response, a 2xx, to be a refusal. */
  readonly isRefusal?: true;
  /** The first violation of a schema of the profile. */
  readonly breach?: SchemaReading['breaches'][number];
  /** The beginning of the first body, as selectors see it. */
  readonly document?: unknown;
  /** The status on the wire of a refusal in a 2xx. */
  readonly sentStatus?: number;
  /** The day of the response, by its Date header: days since 1970-01-01. */
  readonly day?: number;
  /** The latest possible day of a past date: the day of the response by its header, or by our clock if that is later. */
  readonly latestDay: number;
}

/** A response that could be read and is no error. */
export interface ReadResponse extends Received {
  readonly observation: Observation;
}

/** `doubt`: the profile is probably wrong. `unverified`: no response shows it. `unbound`: an opening that responses seem to fill. */
export const REMARK_KINDS = ['doubt', 'unverified', 'unbound'] as const;
export type RemarkKind = (typeof REMARK_KINDS)[number];

/** One sentence about a key of the profile. */
export interface Remark {
  readonly kind: RemarkKind | 'unread';
  readonly path: readonly PropertyKey[];
  /** What was seen and what to do; it may contain text of the service. */
  readonly sentence: string;
  /** The rules that the opening would add. */
  readonly rules?: readonly string[];
}
