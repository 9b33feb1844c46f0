/** `mdwi recordings`: verifies recordings for CI, and removes unused entries and files from them. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { profileSourceOf } from '../api/open-gateway.ts';
import { loadOffline, recordedWith, recordingsFolderOf } from '../api/open-replay.ts';
import { findPlannedRequests } from '../api/planned-requests.ts';
import { printable } from '../exchange/printable.ts';
import { loadProfile } from '../profile/load.ts';
import { ProfileError } from '../profile/profile-error.ts';
import type { Profile } from '../profile/schema.ts';
import { recordingOptionsOf } from '../recording/format/recording-options.ts';
import { type Provenance, RecordingError } from '../recording/format/schema.ts';
import { createIdentifier, laneFolder } from '../recording/store/polly-ids.ts';
import { isOfSuites, type PlannedRequests } from '../recording/verify/check-coverage.ts';
import { findPrunable } from '../recording/verify/find-prunable.ts';
import type { RecordingProblem } from '../recording/verify/finding.ts';
import { readFolder } from '../recording/verify/read-folder.ts';
import { exitCodeOf, type Verification, type VerifyOptions, verifyRecording } from '../recording/verify/verify.ts';
import { jsonText } from '../report/json-text.ts';
import { reportVerifiedToConsole } from '../report/verify/console.ts';
import { EXIT, firstToCount } from '../run/exit-codes.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import type { Command } from './command-type.ts';
import { numberOf, parse } from './parse-flags.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';

const FLAGS = {
  recordings: { type: 'string' },
  profile: { type: 'string' },
  secret: { type: 'string', multiple: true },
  'max-age': { type: 'string' },
  'max-size': { type: 'string' },
  strict: { type: 'boolean' },
  report: { type: 'string', multiple: true },
  unused: { type: 'boolean' },
  orphans: { type: 'boolean' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse<typeof FLAGS>>['values'];

/** Flags of one action only. */
const ACTION_FLAGS = {
  verify: ['max-age', 'max-size', 'strict', 'report'],
  prune: ['unused', 'orphans', 'yes', 'dry-run'],
} as const;

export const recordings: Command = {
  async run(args) {
    const [what, ...rest] = args;
    if (what !== 'verify' && what !== 'prune')
      throw new UsageError(
        what === undefined
          ? 'mdwi recordings needs an action: verify or prune'
          : `there is no “mdwi recordings ${what}”; there are: verify, prune`,
      );
    const { values, positionals } = parse(rest, FLAGS, what === 'verify' ? Number.POSITIVE_INFINITY : 1);
    for (const flag of ACTION_FLAGS[what === 'verify' ? 'prune' : 'verify'])
      if (values[flag] !== undefined) throw new UsageError(`--${flag} is not a flag of mdwi recordings ${what}`);
    return what === 'verify' ? verify(positionals, values) : prune(positionals[0], values);
  },
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns the folders of the named recordings, or of all. */
function foldersOf(names: readonly string[], dir = 'recordings'): string[] {
  const recordingNames = (): string[] => {
    if (!isFolder(dir))
      throw new UsageError(`there is no folder ${dir}; name the folder of all recordings with --recordings DIR`);
    return readdirSync(dir)
      .filter((each) => !each.startsWith('.') && !each.includes('.quarantined-') && isFolder(join(dir, each)))
      .sort();
  };
  if (names.length === 0) {
    const all = recordingNames();
    if (all.length === 0)
      throw new UsageError(
        `there is no recording in ${dir}; run mdwi record, or name another folder with --recordings DIR`,
      );
    return all.map((each) => join(dir, each));
  }
  return names.map((name) => {
    const folder = join(recordingsFolderOf(name, dir), name);
    if (!isFolder(folder)) {
      const all = recordingNames();
      throw new UsageError(
        `there is no recording ${folder}; ${all.length > 0 ? `there are: ${all.join(', ')}` : `${dir} is empty`}`,
      );
    }
    return folder;
  });
}

/** Loads the profile for verification. Unset variables are reported, and their names are used as values. */
async function profileFor(
  about: Provenance,
  values: Values,
): Promise<{ readonly profile: Profile; readonly findings: RecordingProblem[] }> {
  const offline = values.profile === undefined ? await recordedWith({ about }) : await loadOffline(values.profile);
  const findings: RecordingProblem[] = [];
  const named = offline.source.replace(/^bundled:/, '');
  const profile = await loadProfile(named).catch((error: unknown) => {
    if (!(error instanceof ProfileError)) throw error;
    findings.push({
      kind: 'not scanned for all',
      says: `the scan does not include secrets of the profile that are not set here: ${error.message}`,
      advice: 'set the environment variables to search for them',
    });
    return offline;
  });
  const { digest } = about.profileSource ?? {};
  if (digest !== undefined && (await profileSourceOf(profile)).digest !== digest)
    findings.push({
      kind: 'profile changed',
      says: `the profile ${named} has changed since the recording was made with ${about.profileSource?.as}`,
      advice: 'record again',
    });
  return { profile, findings };
}

function optionsFor(values: Values, identifier: ReturnType<typeof createIdentifier>): VerifyOptions {
  const [age, size] = [values['max-age'], values['max-size']];
  return {
    polly: { laneFolder, identify: (request) => identifier.identify(request) },
    now: new Date(),
    ...(age !== undefined && { maxAge: numberOf('max-age', age, 0, 0, 10_000) }),
    ...(size !== undefined && { maxSize: numberOf('max-size', size, 0, 0, 1_000_000) }),
    async protectionFor(about) {
      try {
        const { profile, findings } = await profileFor(about, values);
        return { options: protectionOf(profile, values.secret), findings };
      } catch (error) {
        // A profile named by --profile must exist; the profile of the recording need not.
        if (values.profile !== undefined || !(error instanceof UsageError || error instanceof ProfileError))
          throw error;
        const says = `the scan does not include the secrets of the profile: ${error.message}`;
        const options = protectionOf(await loadOffline('empty'), values.secret);
        return { options, findings: [{ kind: 'not scanned for all', says }] };
      }
    },
  };
}

async function verify(names: readonly string[], values: Values): Promise<number> {
  const reports = reportFilesOf(values.report, ['json']);
  if (values.profile !== undefined) await loadOffline(values.profile);
  const folders = foldersOf(names, values.recordings);
  const identifier = createIdentifier();
  const options = optionsFor(values, identifier);
  const verified: Verification[] = [];
  try {
    for (const folder of folders) {
      const dir = join(folder, '..');
      const each = await verifyRecording(folder, {
        ...options,
        plannedRequests: (name, about) => findPlannedRequests(name, about, { ...values, recordings: dir }),
      });
      verified.push(each);
      if (!usesStandardOutput(reports)) process.stdout.write(reportVerifiedToConsole(each));
    }
  } finally {
    await identifier.close();
  }
  const exitCode = exitCodeOf(
    verified.flatMap(({ findings }) => findings),
    values.strict,
  );
  const refusals = await writeReports(reports, () => jsonText({ schema: 1, exitCode, recordings: verified }));
  for (const each of refusals) notify('recordings', each);
  return refusals.length > 0 ? firstToCount(exitCode, EXIT.usage) : exitCode;
}

async function prune(name: string | undefined, values: Values): Promise<number> {
  if (name === undefined) throw new UsageError('mdwi recordings prune NAME: the name of the recording is missing');
  if (values.yes && values['dry-run']) throw new UsageError('--yes and --dry-run: only one of them can be given');
  const dir = values.recordings ?? 'recordings';
  const folder = join(dir, name);
  if (!isFolder(folder)) foldersOf([name], dir);
  if (!isFolder(folder)) throw new UsageError(`${name} comes with the package and cannot be pruned`);
  const find = async () => {
    const onDisk = readFolder(folder);
    const used = values.unused ? await planOf(name, onDisk.about, { ...values, recordings: dir }) : undefined;
    return findPrunable(onDisk, used);
  };
  try {
    const { pruneFolder } = await import('../recording/verify/prune.ts');
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
async function planOf(
  name: string,
  about: Provenance | undefined,
  values: Values,
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
