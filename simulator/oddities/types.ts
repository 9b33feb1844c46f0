/** The type of an oddity: a legal behaviour that a careless suite treats as a violation. */
import type { ServerResponse } from 'node:http';
import type { Group, Operation } from '../../src/contract/index.ts';
import type { DialectName } from '../dialects/names.ts';
import type { DialectRequest, DialectResponse } from '../dialects/types.ts';
import type { Hooks, ProfilePatch } from '../faults/types.ts';
import type { ModelAnswer } from '../model/types.ts';
import type { World } from '../model/world.ts';

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

/** A request below the base path, before it is routed. */
export type UnroutedRequest = Omit<DialectRequest, 'operation' | 'upc'>;

export interface ReplyContext {
  readonly request: UnroutedRequest;
  /** The answer of the model, which the dialect wrote. */
  readonly answer: ModelAnswer;
  /** Absent when the request matches no documented operation. */
  readonly operation?: Operation;
}

/** The hooks of an oddity. They may store state for the lifetime of one server and control the bytes on the wire. */
export interface OddityHooks extends Omit<Hooks, 'reply'> {
  /** Called once for every request, before routing. A returned reply replaces the usual one. */
  before?(request: UnroutedRequest, world: World): DialectResponse | undefined;
  /** Changes every reply, including replies to unknown paths. */
  finish?(reply: DialectResponse, context: ReplyContext): DialectResponse;
  /** Applies a content coding to every reply, after all other hooks have changed its body. */
  encode?(reply: DialectResponse): DialectResponse;
  /** Sends a reply; `send` is the usual way. */
  send?(response: ServerResponse, reply: DialectResponse, send: Send): Promise<void>;
}
export type Send = (response: ServerResponse, reply: DialectResponse) => Promise<void>;

export interface Oddity {
  /** The id: kebab-case, never changed. */
  readonly name: string;
  readonly legalBasis: LegalBasis;
  /** What the server does, in one sentence. */
  readonly says: string;
  /** Creates the hooks of one server, with their own state. */
  readonly start: () => OddityHooks;
  /** The groups whose responses it changes. Default: all. */
  readonly groups?: readonly Group[];
  /** The dialects that support it. Default: all. */
  readonly dialects?: readonly DialectName[];
  /** The profile members with which an implementer states this behaviour. */
  readonly profile?: ProfilePatch;
  /** The weakest outcome allowed, when evidence is missing. Default: the outcome of the dialect. */
  readonly weakestOutcome?: 'partial' | 'undetermined';
  /** The weakest outcome allowed under the empty profile, if it is another. */
  readonly weakestOutcomeUnderEmptyProfile?: 'undetermined';
}
