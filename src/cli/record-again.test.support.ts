import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startReplay } from '../../simulator/replay/replay.ts';
import { RULES } from '../../suites/index.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { openGateway } from '../commands/open-gateway.ts';
import { withoutWaiting } from '../commands/start-simulator.ts';
import { loadProfile } from '../profile/load.ts';
import type { HarEntry } from '../recording/format/schema.ts';
import { parseHar, parseProvenance } from '../recording/format/schema.ts';
import { openRecording } from '../recording/store/open-recording.ts';
import { newFolder } from '../resources.test.support.ts';
import type { Run, Selection } from '../run/types.ts';
import { startVolatileService, type VolatileService } from './volatile-service.test.support.ts';

const PROVENANCE = 'provenance.json';

/** Everything in a recording but the provenance, by name. */
export function filesOf(dir: string): Record<string, string> {
  const folder = join(dir, 'it');
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== PROVENANCE)
      .map((each) => join(each.parentPath, each.name))
      .sort()
      .map((file) => [file.slice(folder.length), readFileSync(file, 'latin1')]),
  );
}

export function entriesOf(files: Record<string, string>): HarEntry[] {
  const [, text = ''] = Object.entries(files).find(([name]) => name.endsWith('recording.har')) ?? [];
  return parseHar(Buffer.from(text, 'latin1').toString('utf8'), 'it').log.entries;
}

export const masksOf = (dir: string): string[] =>
  parseProvenance(readFileSync(join(dir, 'it', PROVENANCE), 'utf8'), 'p').masks.map(
    ({ operation, where }) => `${operation} ${where}`,
  );

/** Not those of every operation, whose requests lead nowhere: the law of recordings and the gateway try them. */
const OF_GROUPS = RULES.filter(({ id }) => !id.startsWith('every.'));

const verdictsOf = ({ results }: Run): string[] =>
  results.map(({ rule, operation, verdict }) => `${rule} ${operation} ${verdict}`).sort();

export async function recordOnce(
  upstream: string,
  dir: string,
  { dialect = 'reference', groups }: { readonly dialect?: string; readonly groups: Selection['groups'] },
): Promise<Run> {
  const profile = await loadProfile(dialect);
  const values = { name: 'it', recordings: dir };
  const gateway = await openGateway(values, { upstream, profile, source: 'live', sendsTwice: true });
  const run = await judgeTarget({
    base: gateway.url,
    profile,
    selection: { safety: 'all', groups },
    rules: OF_GROUPS,
    wait: withoutWaiting,
  });
  await gateway.close();
  return run;
}

export type UnchangedCase = VolatileService & { readonly groups: Selection['groups'] };

/** Records an unchanged service twice: no byte changes, and the replay is judged like the service. */
export async function expectUnchanged(options: UnchangedCase): Promise<void> {
  const dir = newFolder();
  const first = await recordOnce(await startVolatileService(options), dir, options);
  const before = filesOf(dir);
  const second = await recordOnce(await startVolatileService(options), dir, options);
  expect(verdictsOf(second)).toEqual(verdictsOf(first));
  const after = filesOf(dir);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual([]);

  const replay = await startReplay({ recording: openRecording(dir, 'it') });
  onTestFinished(() => replay.close());
  const profile = await loadProfile(options.dialect as string);
  const selection = { safety: 'all', groups: options.groups } as const;
  const offline = await judgeTarget({ base: replay.url, profile, selection, rules: OF_GROUPS, wait: withoutWaiting });
  expect(verdictsOf(offline)).toEqual(verdictsOf(second));
}
