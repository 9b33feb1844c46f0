/** Compares the requests that the suites send with the requests that a recording holds. */
import { fromHarEntry } from '../format/entry.ts';
import { flagValues, type RecordingCommand } from '../format/recording-options.ts';
import { entryName, problem, type RecordingProblem } from './finding.ts';
import type { FolderOnDisk } from './read-folder.ts';

/** The requests of an offline run over the recording. */
export interface PlannedRequests {
  /** Keys that were requested and found, in the main lane. */
  readonly used: ReadonlySet<string>;
  /** Requests that are not recorded, without duplicates, and the command that records each. */
  readonly missed: readonly { readonly request: string; readonly record: string }[];
}

/** The keys of a lane that no step of the suites requested. */
export function unusedKeys({ lanes }: Pick<FolderOnDisk, 'lanes'>, used: ReadonlySet<string>, lane: string) {
  const unused = new Map<string, { readonly file: string; readonly responses: number }>();
  for (const { file, har } of lanes) {
    if (har.log._recordingName !== lane) continue;
    for (const entry of har.log.entries) {
      const { key } = fromHarEntry(entry);
      if (!used.has(key)) unused.set(key, { file, responses: (unused.get(key)?.responses ?? 0) + 1 });
    }
  }
  return unused;
}

/** Whether all of the recording was requested by the suites, and nothing by other clients. */
export const isOfSuites = (commands: readonly RecordingCommand[]): boolean =>
  commands.every(({ command }) => command === 'record');

export function checkCoverage(
  onDisk: Pick<FolderOnDisk, 'lanes'>,
  commands: readonly RecordingCommand[],
  { used, missed }: PlannedRequests,
  lane: string,
): RecordingProblem[] {
  // A missing response stops further requests, so an entry that was not requested may still be used.
  const unused = missed.length > 0 ? [] : [...unusedKeys(onDisk, used, lane)];
  const filters = commands.flatMap((each) => [...flagValues(each, 'group'), ...flagValues(each, 'operation')]);
  const scope = filters.length > 0 ? ` (of ${filters.join(', ')})` : '';
  return [
    ...missed.map(({ request, record }) =>
      problem('not recorded', `the suites request it${scope}, but it is not recorded`, { entry: request }, record),
    ),
    ...(missed.length > 0 ? [problem('set', 'unused entries cannot be determined while requests are missing')] : []),
    ...unused.map(([key, { file, responses }]) =>
      problem(
        isOfSuites(commands) ? 'unused' : 'asked by clients',
        `no step of the suites requests it${scope}${responses > 1 ? ` (${responses} responses)` : ''}`,
        { file, entry: entryName(key) },
      ),
    ),
  ];
}
