/** What the suites would ask of a recording and what they would not, against what it holds. */
import { fromHarEntry } from '../format/entry.ts';
import { flagValues, type RecordingCommand } from '../format/recording-options.ts';
import { entryName, type RecordingProblem } from './finding.ts';
import type { FolderOnDisk } from './read-folder.ts';

/** What an offline run over the recording asked. */
export interface PlannedRequests {
  /** Keys that were asked and answered, of the main lane. */
  readonly used: ReadonlySet<string>;
  /** Requests that were not recorded, each once, and the command that records it. */
  readonly missed: readonly { readonly request: string; readonly record: string }[];
}

/** Requests no step of the suites asked, by lane. */
export function unusedKeys({ lanes }: Pick<FolderOnDisk, 'lanes'>, used: ReadonlySet<string>, lane: string) {
  const unused = new Map<string, { readonly file: string; readonly answers: number }>();
  for (const { file, har } of lanes) {
    if (har.log._recordingName !== lane) continue;
    for (const entry of har.log.entries) {
      const { key } = fromHarEntry(entry);
      if (!used.has(key)) unused.set(key, { file, answers: (unused.get(key)?.answers ?? 0) + 1 });
    }
  }
  return unused;
}

/** Whether everything in it was asked by the suites, and nothing by other clients. */
export const isOfSuites = (makings: readonly RecordingCommand[]): boolean =>
  makings.every(({ command }) => command === 'record');

export function checkCoverage(
  onDisk: Pick<FolderOnDisk, 'lanes'>,
  makings: readonly RecordingCommand[],
  { used, missed }: PlannedRequests,
  lane: string,
): RecordingProblem[] {
  // After a request that is not recorded others would come: what is not asked then may be asked all the same.
  const unused = missed.length > 0 ? [] : [...unusedKeys(onDisk, used, lane)];
  const filters = makings.flatMap((each) => [...flagValues(each, 'group'), ...flagValues(each, 'operation')]);
  const scope = filters.length > 0 ? ` (of ${filters.join(', ')})` : '';
  return [
    ...missed.map(
      ({ request, record }): RecordingProblem => ({
        kind: 'not recorded',
        entry: request,
        says: `the suites ask it${scope}, and it is not recorded`,
        advice: record,
      }),
    ),
    ...(missed.length > 0
      ? [{ kind: 'set', says: 'which entries no step asks cannot be told while requests are missing' } as const]
      : []),
    ...unused.map(
      ([key, { file, answers }]): RecordingProblem => ({
        kind: isOfSuites(makings) ? 'unused' : 'asked by clients',
        file,
        entry: entryName(key),
        says: `no step of the suites asks it${scope}${answers > 1 ? ` (${answers} answers)` : ''}`,
        ...(isOfSuites(makings) && { advice: 'mdwi recordings prune --unused removes it' }),
      }),
    ),
  ];
}
