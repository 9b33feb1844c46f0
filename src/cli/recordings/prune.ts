/** `mdwi recordings prune`: removes unused entries and files from a recording. */

import { join } from 'node:path';
import { findPlannedRequests } from '../../commands/planned-requests.ts';
import { printable } from '../../exchange/printable.ts';
import { recordingOptionsOf } from '../../recording/format/recording-options.ts';
import { type Provenance, RecordingError } from '../../recording/format/schema.ts';
import { isOfSuites, type PlannedRequests } from '../../recording/verify/check-coverage.ts';
import { findPrunable } from '../../recording/verify/prune.ts';
import { readFolder } from '../../recording/verify/read-folder.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { UsageError } from '../../usage-error.ts';
import type { RecordingsValues } from '../usage/recordings.ts';
import { foldersOf, isFolder } from './folders.ts';

/** Removes what is unused from a recording, or shows it, and returns the exit code. */
export async function pruneRecording(name: string | undefined, values: RecordingsValues): Promise<number> {
  if (name === undefined) throw new UsageError('mdwi recordings prune NAME: the name of the recording is missing');
  if (values.yes && values['dry-run']) throw new UsageError('--yes and --dry-run: only one of them can be given');
  const dir = values.recordings ?? 'recordings';
  const folder = join(dir, name);
  if (!isFolder(folder)) foldersOf([name], dir);
  if (!isFolder(folder)) throw new UsageError(`${name} comes with the package and cannot be pruned`);
  const find = async () => {
    const contents = readFolder(folder);
    const used = values.unused ? await plannedEntries(name, contents.about, { ...values, recordings: dir }) : undefined;
    return findPrunable(contents, used);
  };
  try {
    const { pruneFolder } = await import('../../recording/verify/prune.ts');
    const found = values.yes ? await pruneFolder(folder, find) : await find();
    const nothing = found.entries === 0 && found.files.length === 0;
    for (const line of found.lines) process.stdout.write(`${printable(line)}\n`);
    const done = values.yes ? 'removed' : 'would be removed; --yes removes them';
    process.stdout.write(
      nothing
        ? `${printable(name)}: there is nothing to remove${values.unused ? '' : '; --unused finds entries that no rule requests'}\n`
        : `${printable(name)}: ${found.entries} entries and ${found.files.length} files (${(found.bytes / 1000).toFixed(1)} kB) ${done}\n`,
    );
    return EXIT.ok;
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
}

/** Returns the entries that the rules request. Throws RecordingError if these are not certain. */
async function plannedEntries(
  name: string,
  about: Provenance | undefined,
  values: RecordingsValues,
): Promise<PlannedRequests['used'] | undefined> {
  if (!about) return undefined;
  if (!isOfSuites(recordingOptionsOf(about)))
    throw new RecordingError(
      `${name} contains requests of other clients (mdwi gateway or import): entries that no rule requests are not unused`,
    );
  const planned = await findPlannedRequests(name, about, values);
  if ('findings' in planned) throw new RecordingError(planned.findings.map(({ says }) => says).join('; '));
  const [first] = planned.missed;
  if (first)
    throw new RecordingError(
      `${planned.missed.length} requests of the rules are not recorded, first ${first.request}; the requests that depend on them are unknown: record again first: ${first.record}`,
    );
  return planned.used;
}
