/** The judge of windows of other than 1, 4 or 13 weeks. */
import { UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { judgeCases } from '../judging.test.support.ts';

const listed = { inputs: { window: 4 } };
const first = (status: number | null) => ({ inputs: { window: 2 }, status });
const second = (status: number | null) => ({ inputs: { window: 3 }, status });

judgeCases(
  'C.malformed-window',
  { profile: { operations: { [UPDATE_PRODUCTS]: { statuses: { malformed: [400] } } } } },
  [
    ['refused as stated', { listed, first: first(400) }, 'pass', { evidence: { exchanges: 1 } }],
    ['refused as stated the second time', { listed, first: first(200), second: second(400) }, 'pass'],
    [
      'both accepted',
      { listed, first: first(200), second: second(200) },
      'fail',
      { findings: [{ kind: 'other-window-accepted', exchange: '#first-0' }, { exchange: '#second-0' }] },
    ],
    ['both refused with another status', { listed, first: first(404), second: second(404) }, 'fail'],
    ['one accepted, and no second request', { listed, first: first(200) }, 'inconclusive'],
    [
      'one accepted, and no response for the other',
      { listed, first: first(200), second: second(null) },
      'inconclusive',
    ],
    ['an overload proves nothing', { listed, first: first(503) }, 'untested'],
    ['a denial proves nothing', { listed, first: first(403) }, 'untested'],
    ['a redirect proves nothing', { listed, first: first(302) }, 'untested'],
    ['no response', { listed, first: first(null) }, 'untested'],
    ['the delta of 4 weeks fails, too', { listed: { ...listed, status: 400 }, first: first(400) }, 'untested'],
  ],
);
