/** What an oddity is: a legal behaviour that a careless suite would take for a violation. */
import type { ServerResponse } from 'node:http';
import type { Group, Operation } from '../../src/contract/index.ts';
import type { DialectName } from '../dialects/names.ts';
import type { DialectRequest, Reply } from '../dialects/types.ts';
import type { Hooks, ProfilePatch } from '../faults/types.ts';
import type { ModelAnswer } from '../model/types.ts';
import type { World } from '../model/world.ts';

/** What leaves an oddity legal: where the document is silent, in our words, or which corner of HTTP it stands in. */
export const READINGS = {
  windows:
    'windows are counted in weeks; when a data week ends, what “last year” is, base, unit and rounding: not shown',
  emptiness: 'a delta, a category, a filtered list may be empty; returns make sales negative',
  rows: 'names, types and order of what a row holds beside the document’s own words: not shown (section 2)',
  shapes: 'formats of bodies: not shown (section 2)',
  unknown: 'what an unknown or malformed value is answered: not shown (section 7)',
  extras: 'operations, methods, fields and headers beside the documented ones are not forbidden',
  jobs: 'states and transitions of jobs, and what an unknown job answers: not shown (sections 1 and 3)',
  catalogues: 'what Catalogues lists for an id, and what catalogues share: not shown (section 4.2)',
  relations: 'whether deltas lie within the bulk list, or category rows are sums of brand rows: not stated',
  filters: 'how a filter compares names, and the grain of its rows: not shown (section 4.4)',
  reload: 'data is reloaded weekly (section 8), and a run may fall into it',
  errors: 'status codes and error bodies: not shown (section 7)',
  limits: 'rate limits and time-outs: not shown (section 8)',
  statuses: 'HTTP: other 2xx statuses and redirects (RFC 9110, section 15)',
  headers: 'HTTP: header fields (RFC 9110, sections 5, 6 and 8)',
  codings: 'HTTP: content codings and framing (RFC 9110, section 8.4; RFC 9112, section 7)',
  connections: 'HTTP: connections and interim answers (RFC 9110, section 15.2; RFC 9112, section 9)',
} as const;
export type ReadingName = keyof typeof READINGS;

/** A request below the base path, before it is routed. */
export type UnroutedRequest = Omit<DialectRequest, 'operation' | 'upc'>;

export interface ReplyContext {
  readonly asked: UnroutedRequest;
  /** What the dialect was given to write. */
  readonly answer: ModelAnswer;
  /** Absent where no documented pair was asked for. */
  readonly operation?: Operation;
}

/** The hooks of faults and more: an oddity may keep state for the life of one server, and reach down to the wire. */
export interface OddityHooks extends Omit<Hooks, 'reply'> {
  /** Before anything is looked at: an answer in place of the right one, or nothing. Called once for every request. */
  before?(asked: UnroutedRequest, world: World): Reply | undefined;
  /** Every reply, those to paths that do not exist too. */
  finish?(reply: Reply, context: ReplyContext): Reply;
  /** Puts a reply on the wire; `send` does it the plain way. */
  send?(response: ServerResponse, reply: Reply, send: Send): Promise<void>;
}
export type Send = (response: ServerResponse, reply: Reply) => Promise<void>;

export interface Oddity {
  /** Stable for ever, kebab-case. */
  readonly name: string;
  readonly reading: ReadingName;
  /** What the server does, in one sentence. */
  readonly says: string;
  /** One set of hooks for each server, with state of its own. */
  readonly start: () => OddityHooks;
  /** The groups whose answers show it, where it is not all of them. */
  readonly groups?: readonly Group[];
  /** The dialects it can be spoken in, where it is not all of them. */
  readonly dialects?: readonly DialectName[];
  /** What an implementer who behaves so would write into the profile. */
  readonly profile?: ProfilePatch;
  /** How little may be left to prove where evidence is really gone; without it the dialect’s own outcome is due. */
  readonly leaves?: 'partial' | 'undetermined';
}
