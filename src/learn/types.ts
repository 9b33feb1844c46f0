/** What `mdwi profile learn` finds out about a service: bindings with their evidence, and what it leaves to a person. */
import type { NetworkOptions } from '../client/agents.ts';
import type { Exchange } from '../exchange/types.ts';
import type { Description } from '../profile/openapi/description.ts';
import type { ResponseSchemas } from '../profile/openapi/schemas.ts';
import type { PlainObject } from '../profile/plain-object.ts';
import type { Profile } from '../profile/schema.ts';
import type { ReceivedCredential } from '../secrets/received.ts';

/** A key of a profile, as its steps from the root: `['operations', 'GET /…', 'response', 'rows']`. */
export type ProfilePath = readonly PropertyKey[];

/** A key whose value the evidence decides. */
export interface Settled {
  readonly path: ProfilePath;
  /** A few words: `400 of 400, look-up of 5`. May contain text of the service. */
  readonly evidence: string;
}

/** A key for which several values are possible. */
export interface Question {
  readonly path: ProfilePath;
  /** Other keys that the same answer decides, each with its values in the order of the rivals. */
  readonly also?: readonly { readonly path: ProfilePath; readonly values: readonly unknown[] }[];
  /** The possible values, the likeliest first, each with an example from a response. */
  readonly rivals: readonly { readonly value: unknown; readonly evidence: string; readonly example?: unknown }[];
}

/** A key that the evidence leaves open. */
export interface Open {
  readonly path: ProfilePath;
  readonly why: string;
}

/** A statement about what the service will always do: only a person makes it. */
export interface SeenPromise {
  readonly path: ProfilePath;
  readonly value: unknown;
  /** `400 of 400, 3 calls` */
  readonly seen: string;
}

/** A binding that is settled although a few values do not fit it: probably a defect of the service. */
export interface LikelyDefect {
  readonly path: ProfilePath;
  readonly sentence: string;
}

/**
 * What the responses show about a key of the start. `confirmed`: with the evidence; `doubt`: probably wrong;
 * `unverified`: no response shows it.
 */
export interface DeclaredVerdict {
  readonly kind: 'confirmed' | 'doubt' | 'unverified';
  readonly path: ProfilePath;
  /** May contain text of the service. */
  readonly sentence: string;
}

export interface LearnOptions {
  readonly base: string;
  /** What is known beforehand, as an author writes it: at least the name, usually the credentials. It is taken as it is. */
  readonly start: PlainObject;
  /** The start as it is loaded, with its schemas; absent: `start` is loaded. */
  readonly profile?: Profile | undefined;
  readonly description?: Description | undefined;
  readonly network?: Partial<NetworkOptions>;
  /** Recorded exchanges below the base address: they answer in place of the service, and nothing is sent. */
  readonly recorded?: readonly Exchange[] | undefined;
  /** The largest class of operations that are sent; default `read`. */
  readonly safety?: 'read' | 'job';
  /** Default 150 with a description, 300 without. */
  readonly maxRequests?: number | undefined;
  /** Bytes of response bodies that are read in all; default 256 MiB. */
  readonly maxBytes?: number;
  readonly requestsPerSecond?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each request, with the number of requests so far. */
  readonly onProgress?: ((requests: number, operation: string) => void) | undefined;
  /** Waits, in ms; a server with a fixed clock needs no real pause. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

export interface Learned {
  /** The start with everything that is settled. It contains no promise that the start does not contain. */
  readonly profile: PlainObject;
  /** The schemas of the description that the responses match, for the file that `schemas` names; absent: there are none. */
  readonly schemas?: ResponseSchemas | undefined;
  /** What the responses show of operations, also where the start states something else. */
  readonly seen: PlainObject;
  readonly settled: readonly Settled[];
  /** At most ten, the most useful first. */
  readonly questions: readonly Question[];
  readonly open: readonly Open[];
  readonly promises: readonly SeenPromise[];
  readonly defects: readonly LikelyDefect[];
  /** What the responses show about the keys of the start. */
  readonly verdicts: readonly DeclaredVerdict[];
  /** Operations that answered at least one request with a 2xx. */
  readonly answered: readonly string[];
  readonly requests: number;
  readonly bytes: number;
  /** Whether the limit of requests, the limit of bytes or a signal ended it. */
  readonly isLimitReached: boolean;
  /** Credentials that the service issued. */
  readonly received: readonly ReceivedCredential[];
}
