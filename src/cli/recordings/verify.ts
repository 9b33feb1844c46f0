/** `mdwi recordings verify`: verifies recordings for CI. */

import { join } from 'node:path';
import { profileSourceOf } from '../../commands/open-gateway.ts';
import { profileOfRecording } from '../../commands/open-replay.ts';
import { findPlannedRequests } from '../../commands/planned-requests.ts';
import { loadOffline, loadProfile } from '../../profile/load.ts';
import { ProfileError } from '../../profile/profile-error.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Provenance } from '../../recording/format/schema.ts';
import { reportVerifiedToConsole } from '../../recording/verify/console.ts';
import { problem, type RecordingProblem } from '../../recording/verify/finding.ts';
import { exitCodeOf, type Verification, type VerifyOptions, verifyRecording } from '../../recording/verify/verify.ts';
import { jsonText } from '../../report/json-text.ts';
import { EXIT, firstToCount } from '../../run/exit-codes.ts';
import { protectionOf } from '../../secrets/declared-secrets.ts';
import { notify } from '../../terminal/notify.ts';
import { UsageError } from '../../usage-error.ts';
import { numberOf } from '../parse-flags.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from '../report-files.ts';
import type { RecordingsValues } from '../usage/recordings.ts';
import { foldersOf } from './folders.ts';

/** Loads the profile for verification. Unset variables are reported, and their names are used as values. */
async function verificationProfile(
  about: Provenance,
  values: RecordingsValues,
): Promise<{ readonly profile: Profile; readonly findings: RecordingProblem[] }> {
  const offline =
    values.profile === undefined ? await profileOfRecording({ about }) : await loadOffline(values.profile);
  const findings: RecordingProblem[] = [];
  const named = offline.source.replace(/^bundled:/, '');
  const profile = await loadProfile(named).catch((error: unknown) => {
    if (!(error instanceof ProfileError)) throw error;
    const says = `the scan does not include secrets of the profile that are not set here: ${error.message}`;
    findings.push(problem('not scanned for all', says, {}, 'set the environment variables to search for them'));
    return offline;
  });
  const { digest } = about.profileSource ?? {};
  if (digest !== undefined && (await profileSourceOf(profile)).digest !== digest) {
    const says = `the profile ${named} has changed since the recording was made with ${about.profileSource?.as}`;
    findings.push(problem('profile changed', says));
  }
  return { profile, findings };
}

function optionsFor(values: RecordingsValues): VerifyOptions {
  const [age, size] = [values['max-age'], values['max-size']];
  return {
    now: new Date(),
    ...(age !== undefined && { maxAge: numberOf('max-age', age, 0, 0, 10_000) }),
    ...(size !== undefined && { maxSize: numberOf('max-size', size, 0, 0, 1_000_000) }),
    async protectionFor(about) {
      try {
        const { profile, findings } = await verificationProfile(about, values);
        return { options: protectionOf(profile, values.secret), findings };
      } catch (error) {
        // A profile named by --profile must exist; the profile of the recording need not.
        if (values.profile !== undefined || !(error instanceof UsageError || error instanceof ProfileError))
          throw error;
        const says = `the scan does not include the secrets of the profile: ${error.message}`;
        const options = protectionOf(await loadOffline('empty'), values.secret);
        return { options, findings: [problem('not scanned for all', says)] };
      }
    },
  };
}

/** Verifies the named recordings, or all, and returns the exit code. */
export async function verifyRecordings(names: readonly string[], values: RecordingsValues): Promise<number> {
  const reports = reportFilesOf(values.report, ['json']);
  if (values.profile !== undefined) await loadOffline(values.profile);
  const folders = foldersOf(names, values.recordings);
  const options = optionsFor(values);
  const verified: Verification[] = [];
  for (const folder of folders) {
    const dir = join(folder, '..');
    const each = await verifyRecording(folder, {
      ...options,
      plannedRequests: (name, about) => findPlannedRequests(name, about, { ...values, recordings: dir }),
    });
    verified.push(each);
    if (!usesStandardOutput(reports)) process.stdout.write(reportVerifiedToConsole(each));
  }
  const exitCode = exitCodeOf(
    verified.flatMap(({ findings }) => findings),
    values.strict,
  );
  const refusals = await writeReports(reports, () => jsonText({ schema: 1, exitCode, recordings: verified }));
  for (const each of refusals) notify('recordings', each);
  return refusals.length > 0 ? firstToCount(exitCode, EXIT.usage) : exitCode;
}
