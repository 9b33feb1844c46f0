import { expect, test } from 'vitest';
import type { OperationKey } from '../../contract/index.ts';
import type { Answer } from '../ask.ts';
import { bindResponse } from './bind.ts';

const DRIVE = 'POST /webservices/drive';
const STATUS = 'GET /webservices/getDriveJobStatus';

function fieldsOf(operation: OperationKey, document: unknown, location?: string, suggested = new Map()) {
  const headers = location === undefined ? [] : [['Location', location] as const];
  const text = JSON.stringify(document);
  const head = { status: 202, headers };
  const answer = { operation, request: {}, inputs: {}, url: '', isSuccess: true, media: 'json', document, text, head };
  const context = { operation, known: new Map(), meanings: new Map(), suggested };
  return bindResponse([answer as unknown as Answer], context, { forms: new Map() })?.response;
}

test('the id of a job is found in the only element of a ticket, also where a description suggests it', () => {
  const document = { Ticket: [{ Id: [{ '#text': 'job-1' }] }] };
  for (const suggested of [new Map(), new Map([['jobId', '@.Id[0]']])])
    expect(fieldsOf(DRIVE, document, undefined, suggested)).toMatchObject({
      rows: '$.Ticket[*]',
      fields: { jobId: '@.Id[0]' },
    });
});

test('the id of a job is the last segment of a Location, or all of it', () => {
  expect(fieldsOf(DRIVE, {}, '/jobs/4711')).toMatchObject({
    fields: { jobId: { at: '$response.header.Location', match: '/([^/?]+)(?:[?].*)?$' } },
  });
  expect(fieldsOf(DRIVE, {}, 'job-4711')).toMatchObject({ fields: { jobId: '$response.header.Location' } });
});

test('the code of a state is the state', () => {
  expect(fieldsOf(STATUS, { state: { code: 'QUEUED' } })).toMatchObject({ fields: { state: '@.state.code' } });
});
