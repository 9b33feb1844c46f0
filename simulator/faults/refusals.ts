/** Faults of a service that reports errors in the body of a 200: a condition of the profile tells them from successes (section 7). */
import { DIALECT_NAMES } from '../dialects/names.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { onAnswer } from './hooks.ts';
import type { Fault, Hooks } from './types.ts';

/** What the implementer states about refusals. */
const STATED = {
  refusal: [
    { at: '$.code', is: 'NOT_FOUND', like: 404 },
    { at: '$.code', is: 'BAD_REQUEST', like: 400 },
    { at: '$.status', is: 'ERROR' },
  ],
} as const;

const refusal = (code: string): DialectResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ status: 'ERROR', code, message: 'the request is refused' }),
});

/** The dialects that report errors by status: the profile of `statistics` states refusals of its own. */
const dialects = DIALECT_NAMES.filter((name) => name !== 'statistics');

/** Sends the errors of an operation as refusals with this code. */
const errorsAs = (code: string, operations: readonly string[]): NonNullable<Hooks['reply']> => {
  return (reply, { operation }) => (reply.status >= 400 && operations.includes(operation) ? refusal(code) : reply);
};

export const REFUSAL_FAULTS = [
  {
    name: 'lookup-refuses-some',
    statement: 'C.lookup',
    says: 'One in four products of the bulk list gets a refusal in a 200 from the look-up.',
    profile: STATED,
    dialects,
    hooks: {
      ...onAnswer('product', (answer) =>
        Number(answer.product.upc) % 4 === 0 ? { kind: 'unknown', input: 'upc', value: answer.product.upc } : answer,
      ),
      reply: errorsAs('SHELF_LOCKED', ['products']),
    },
  },
  {
    name: 'lookup-unknown-refused-as-malformed',
    statement: 'C.lookup',
    says: 'An unknown UPC gets a refusal in a 200 of another kind than the profile states.',
    profile: { ...STATED, statuses: { unknown: [404] } },
    dialects,
    hooks: { reply: errorsAs('BAD_REQUEST', ['products']) },
  },
  {
    name: 'delta-window-refused',
    statement: 'C.delta-windows',
    says: 'The 13-week delta gets a refusal in a 200.',
    profile: STATED,
    dialects,
    hooks: {
      answer: (answer, { operation, query }) =>
        operation.name === 'updateProducts' && query.window === 13
          ? { kind: 'rejected', reason: 'malformed', input: 'window', detail: 'this window is not available' }
          : answer,
      reply: errorsAs('BAD_REQUEST', ['updateProducts']),
    },
  },
  {
    name: 'job-status-refused',
    statement: 'A.job-status',
    says: 'The status of a drive job that was just started gets a refusal in a 200.',
    profile: STATED,
    dialects,
    hooks: {
      ...onAnswer('jobStatus', (answer) =>
        answer.jobKind === 'drive' ? { kind: 'unknown', input: 'jobId', value: answer.jobId } : answer,
      ),
      reply: errorsAs('NOT_FOUND', ['getDriveJobStatus']),
    },
  },
  {
    name: 'refusal-not-of-its-schema',
    statement: 'operation.served',
    group: 'C',
    says: 'A refusal in a 200 lacks a member that the schema for refusals requires.',
    profile: {
      ...STATED,
      operations: {
        'GET /PLATFORMAPI/prodRef/v1/products/{upc}': {
          response: { schemas: { refusal: { type: 'object', required: ['traceId'] } } },
        },
      },
    },
    dialects,
    hooks: { reply: errorsAs('NOT_FOUND', ['products']) },
  },
  {
    name: 'errors-of-dimensions-in-html',
    statement: 'operation.served',
    group: 'B',
    says: 'LogicalDimensions refuses an unknown catalogue with an HTML page, although the profile states a schema of its errors.',
    profile: {
      operations: {
        'POST /data-access/v1/Catalogue/LogicalDimensions': { response: { schemas: { '4XX': { type: 'object' } } } },
      },
    },
    dialects: ['reference', 'hypermedia'],
    hooks: {
      reply: (reply, { operation }) =>
        reply.status >= 400 && operation === 'logicalDimensions'
          ? { ...reply, headers: { 'content-type': 'text/html' }, body: '<h1>Error</h1>' }
          : reply,
    },
  },
] as const satisfies readonly Fault[];
