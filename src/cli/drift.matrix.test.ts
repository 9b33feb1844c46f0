import { afterAll, expect, test } from 'vitest';
import { openSide } from '../commands/drift-sides.ts';
import { loadProfile } from '../profile/load.ts';
import { compareTraffic } from '../recording/drift/compare-traffic.ts';
import type { RecordedTraffic } from '../recording/drift/recorded-requests.ts';
import { newFolder } from '../resources.test.support.ts';
import { isOther, LISTS, recordService } from './drift.test.support.ts';

const recordings = newFolder(afterAll);

test.each(['hypermedia', 'tabular', 'terse', 'xml'])(
  'another world is other data, and nothing else: %s',
  async (dialect) => {
    const [first, second] = [`${dialect}-1`, `${dialect}-2`];
    const operations = LISTS.slice(0, 3);
    await recordService(recordings, first, { dialect, operations });
    await recordService(recordings, second, { dialect, operations, seed: 2 });
    const opened = [first, second].map((name) => openSide(name, recordings, { safety: 'all' }));
    const [was, is] = (await Promise.all(opened)).map(({ traffic }) => traffic);
    const { data } = await loadProfile(dialect);
    const { differences, responses } = await compareTraffic(was as RecordedTraffic, is as RecordedTraffic, data);
    expect(differences.filter(isOther)).toEqual([]);
    expect(differences.length).toBeGreaterThan(3);
    expect(responses).toBeGreaterThan(50);
    expect((await compareTraffic(was as RecordedTraffic, was as RecordedTraffic, data)).differences).toEqual([]);
  },
);
