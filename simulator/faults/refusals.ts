/** Faults of a service that reports errors in the body of a 200: a condition of the profile tells them from successes (section 7). */
import type { OperationName } from '../../src/contract/index.ts';
import { asUnknownJob, refusing, when } from '../deviations/changes.ts';
import { onJob, onOperations, stating } from '../deviations/places.ts';
import { jsonResponse, onReplyOf } from '../deviations/replies.ts';
import { DIALECT_NAMES } from '../dialects/names.ts';
import { inA, inB, inC } from './fault.ts';
import { isOneInFour, missing } from './lookup.ts';

/** What the implementer states about refusals. */
const STATED = {
  refusal: [
    { at: '$.code', is: 'NOT_FOUND', like: 404 },
    { at: '$.code', is: 'BAD_REQUEST', like: 400 },
    { at: '$.status', is: 'ERROR' },
  ],
} as const;

/** The dialects that report errors by status: the profile of `statistics` states refusals of its own. */
const dialects = DIALECT_NAMES.filter((name) => name !== 'statistics');

/** Sends the errors of an operation as refusals with this code. */
const errorsAs = (code: string, name: OperationName) =>
  onReplyOf(name, (reply) =>
    reply.status >= 400 ? jsonResponse(200, { status: 'ERROR', code, message: 'the request is refused' }) : reply,
  );

export const REFUSAL_FAULTS = [
  inC('lookup-refuses-some', 'C.lookup', {
    says: 'One in four products of the bulk list gets a refusal in a 200 from the look-up.',
    profile: STATED,
    dialects,
    hooks: {
      ...missing(isOneInFour),
      ...errorsAs('SHELF_LOCKED', 'products'),
    },
  }),
  inC('lookup-unknown-refused-as-malformed', 'C.lookup', {
    says: 'An unknown UPC gets a refusal in a 200 of another kind than the profile states.',
    profile: { ...STATED, statuses: { unknown: [404] } },
    dialects,
    hooks: errorsAs('BAD_REQUEST', 'products'),
  }),
  inC('delta-window-refused', 'C.delta-windows', {
    says: 'The 13-week delta gets a refusal in a 200.',
    profile: STATED,
    dialects,
    hooks: {
      ...onOperations(
        ['updateProducts'],
        when(({ query }) => query.window === 13, refusing('this window is not available', 'window')),
      ),
      ...errorsAs('BAD_REQUEST', 'updateProducts'),
    },
  }),
  inA('job-status-refused', 'A.job-status', {
    says: 'The status of a drive job that was just started gets a refusal in a 200.',
    profile: STATED,
    dialects,
    hooks: { ...onJob('jobStatus', 'drive', asUnknownJob), ...errorsAs('NOT_FOUND', 'getDriveJobStatus') },
  }),
  inC('refusal-not-of-its-schema', 'operation.served', {
    says: 'A refusal in a 200 lacks a member that the schema for refusals requires.',
    profile: {
      ...STATED,
      ...stating(['products'], { response: { schemas: { refusal: { type: 'object', required: ['traceId'] } } } }),
    },
    dialects,
    hooks: errorsAs('NOT_FOUND', 'products'),
  }),
  inB('errors-of-dimensions-in-html', 'operation.served', {
    says: 'LogicalDimensions refuses an unknown catalogue with an HTML page, although the profile states a schema of its errors.',
    profile: stating(['logicalDimensions'], { response: { schemas: { '4XX': { type: 'object' } } } }),
    dialects: ['reference', 'hypermedia'],
    hooks: onReplyOf('logicalDimensions', (reply) =>
      reply.status >= 400 ? { ...reply, headers: { 'content-type': 'text/html' }, body: '<h1>Error</h1>' } : reply,
    ),
  }),
];
