/** `mdwi import`: makes a recording from a HAR file of a browser or a proxy. */

import { parseScrubbedKinds, profileSourceOf } from '../commands/open-gateway.ts';
import { baseUrlOf } from '../commands/selection.ts';
import { operationFinder } from '../exchange/operation-finder.ts';
import { printable } from '../exchange/printable.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { nameProblem } from '../recording/format/names.ts';
import { matchingOf } from '../recording/format/profile-matching.ts';
import { RecordingError } from '../recording/format/schema.ts';
import { formatSkipped, type SkipReason } from '../recording/import/exported-members.ts';
import { readHarTraffic, scanHar, splitBase } from '../recording/import/har-traffic.ts';
import { recordEntries, type StoredEntry, type StoreTarget, storeEntry } from '../recording/import/write-entries.ts';
import { openRecorder } from '../recording/record/open-recorder.ts';
import { LeakError } from '../recording/record/quarantine.ts';
import { EXIT } from '../run/exit-codes.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import { Protection } from '../secrets/hide-in-exchange.ts';
import { FigureScrubber } from '../secrets/scrub/figures.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { type Command, needed, parse } from './parse-flags.ts';
import { failRecording, scrubFlags } from './recording-flags.ts';
import { IMPORT_FLAGS } from './usage/recordings.ts';

export const importHar: Command = async (args) => {
  const { values, positionals } = parse(args, IMPORT_FLAGS, 1);
  const file = needed(positionals[0], 'mdwi import FILE.har --name NAME: the name of the file is missing');
  const name = needed(values.name, '--name NAME is needed: the name of the recording');
  const problem = nameProblem('recording', name);
  if (problem) throw new UsageError(problem);
  const baseUrl = values['base-url'] === undefined ? undefined : baseUrlOf(values['base-url']);
  const profile = await loadProfile(values.profile ?? 'empty');
  let summary: string;
  try {
    summary = await importFile(file, { ...values, name }, profile, baseUrl);
  } catch (error) {
    if (error instanceof LeakError) return failRecording('import', error);
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
  process.stdout.write(summary);
  return EXIT.ok;
};

interface ImportValues {
  readonly name: string;
  readonly recordings?: string | undefined;
  readonly secret?: string[] | undefined;
  readonly scrub?: string[] | undefined;
}

/** Imports one file and returns a summary of what was imported and what was skipped. Throws RecordingError. */
async function importFile(file: string, values: ImportValues, profile: Profile, baseUrl?: string): Promise<string> {
  const overview = await scanHar([file], profile, baseUrl);
  const { base, otherBases } = overview;
  const { origin, basePath } = splitBase(base);
  const scrubbed = parseScrubbedKinds(values);
  const protection = new Protection(protectionOf(profile, values.secret));
  const hide = (text: string): string => protection.url(text, { side: 'request' });
  const matching = matchingOf(profile);
  const recorder = await openRecorder({
    dir: values.recordings ?? 'recordings',
    name: values.name,
    provenance: {
      suite: version(),
      source: 'import',
      upstream: hide(origin),
      basePath: hide(basePath),
      profile: profile.data.name,
      profileSource: await profileSourceOf(profile),
      made: [{ command: 'import', flags: scrubFlags(values.scrub) }],
      matching,
    },
    protection,
    scrubbed,
  });
  const target: StoreTarget = {
    ...{ recorder, protection, matching, base: origin, operationOf: operationFinder(basePath) },
    ...(scrubbed.includes('figures') && { figures: new FigureScrubber(profile) }),
    scrubsUploads: scrubbed.includes('uploads'),
  };
  const rejected = new Set<string>();
  const skipped = new Map<SkipReason, number>();
  let [imported, operations] = [0, new Set<string>()];
  try {
    const deliver = inOrder<StoredEntry>((stored) => recordEntries(stored, target));
    for await (const each of readHarTraffic(file, base, profile)) {
      const rank = overview.positions[0]?.[each.index] ?? 0;
      if (typeof each.converted === 'string') {
        skipped.set(each.converted, (skipped.get(each.converted) ?? 0) + 1);
        await deliver(rank);
        continue;
      }
      const stored = await storeEntry(each.converted, target);
      if ('whyNotRecorded' in stored) {
        rejected.add(stored.whyNotRecorded);
        await deliver(rank);
        continue;
      }
      imported++;
      if (stored.operation) operations.add(stored.operation);
      await deliver(rank, stored);
    }
  } finally {
    await recorder.close();
  }
  const where = baseUrl === undefined ? `${base}, which most operations of the interface map onto` : base;
  if (imported === 0)
    throw new RecordingError(
      `${file} holds no exchange with ${where}: ${skipped.size > 0 ? `left out are ${formatSkipped(skipped)}` : 'it is empty'}`,
    );
  return [
    `${imported} of ${overview.entries} exchanges of ${file} imported as ${values.name}, for ${operations.size} operations of ${where}`,
    ...(otherBases.length > 0 ? [`  not imported  ${otherBases.join(', ')}`] : []),
    ...[...rejected].map((why) => `  not recorded  ${why}`),
    ...(skipped.size > 0 ? [`  left out      ${formatSkipped(skipped)}`] : []),
    '',
  ]
    .map(printable)
    .join('\n');
}

/** Returns a function that delivers items in the order of their ranks; only items that arrive early are kept. A rank may have none. */
function inOrder<T>(deliver: (each: T) => Promise<void>): (rank: number, each?: T) => Promise<void> {
  const waiting = new Map<number, T | undefined>();
  let next = 0;
  return async (rank, each) => {
    waiting.set(rank, each);
    while (waiting.has(next)) {
      const first = waiting.get(next);
      waiting.delete(next++);
      if (first !== undefined) await deliver(first);
    }
  };
}
