/** What users of a release have, of one service: `releases.matrix.test.ts` judges all of them. */
import { expect, test } from 'vitest';
import { expectRecordingsAsBefore, SERVICES } from './releases.test.support.ts';

// It has waivers, whose fingerprints must still match, and a history.
const [service = ''] = SERVICES.filter((each) => each.endsWith('/tinplate-faulty'));

test('no gate turns red, no proof is lost, and an old history is continued', async () => {
  expect(service).not.toBe('');
  await expectRecordingsAsBefore(service);
});
