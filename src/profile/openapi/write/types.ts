/** The exchanges that a description takes its examples and schemas from. */
import type { OperationKey } from '../../../contract/index.ts';

/** A request that the simulator of a profile received, and its response. */
export interface SampleExchange {
  readonly operation: OperationKey;
  /** Whether the request is valid and every value in it exists. */
  readonly isValid: boolean;
  /** Whether a 2xx response is a refusal by the conditions of the profile. */
  readonly isRefusal: boolean;
  /** How many inputs the request states. */
  readonly inputs: number;
  /** The query as sent. */
  readonly query: URLSearchParams;
  readonly path: string;
  readonly requestBody: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; undefined if it is binary. */
  readonly text: string | undefined;
  /** The body as selectors read it; undefined if it has no structure. */
  readonly document?: unknown;
}
