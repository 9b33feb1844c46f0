import { expect } from 'vitest';
import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const profile = { operations: { [DELTA]: { statuses: { missing: [400], unauthorized: [419] } } } };
const list: FakeResponse = { rows: [{ upc: '042100000177' }] };

judgeCases('every.missing-inputs', { subject: DELTA, profile }, [
  ['another error', { own: list, without: { status: 422 } }, 'fail'],
  ['a denial', { own: list, without: { status: 419 } }, 'untested'],
  ['no response', { own: list, without: { status: null } }, 'untested'],
  ['the valid request fails, too', { own: { status: 400 } }, 'untested'],
  ['no such request, as in a recording', { own: list }, 'untested'],
]);

const LEVELS = 'POST /data-access/v1/Catalogue/Group/Levels';
const oneDimension = { json: { dimension: 'product' } };
judgeCases(
  'every.missing-inputs',
  { subject: LEVELS, profile: { operations: { [LEVELS]: { request: oneDimension, statuses: { missing: [400] } } } } },
  [
    ['a constant in place of a dimension', { own: {}, without: { status: 400 }, below: { status: 400 } }, 'pass'],
    [
      'a catalogue without a group',
      { own: {}, without: { status: 400 }, below: { inputs: { catalogueId: 'A' } } },
      'fail',
      { findings: [{ kind: 'missing-input-accepted', expected: expect.stringContaining('without group, as') }] },
    ],
  ],
);

const START = 'POST /webservices/drive';
judgeCases(
  'every.missing-inputs',
  { subject: START, profile: { operations: { [START]: { statuses: { missing: [400] } } } } },
  [
    ['an empty body is refused', { own: { status: 202 }, without: { status: 400 } }, 'pass'],
    [
      'an empty body starts a job',
      { own: { status: 202 }, without: { status: 202 } },
      'fail',
      { findings: [{ expected: expect.stringContaining('without the members of its body') }] },
    ],
  ],
);
