/** Verifies a recording: everything that its users rely on. */

import { basename } from 'node:path';
import { OPERATIONS } from '../../contract/index.ts';
import { counted } from '../../format-values.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { ProtectionOptions } from '../../secrets/hide-in-exchange.ts';
import { fromHarEntry } from '../format/entry.ts';
import { MAIN_LANE } from '../format/names.ts';
import { recordingOptionsOf } from '../format/recording-options.ts';
import type { Provenance } from '../format/schema.ts';
import { PROVENANCE } from '../store/recording-files.ts';
import { checkCoverage, type PlannedRequests } from './check-coverage.ts';
import { checkLanes } from './check-lanes.ts';
import { checkReceipt, findSecrets } from './check-secrets.ts';
import { checkSideFiles, namedFiles } from './check-side-files.ts';
import { entryName, problem, type RecordingProblem, type Severity, severityOf } from './finding.ts';
import { readFolder } from './read-folder.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MEGABYTE = 1_000_000;
/** How many of the largest files are named. */
const LARGEST = 3;

export interface VerifyOptions {
  readonly now: Date;
  /** The maximum age in weekly reloads. */
  readonly maxAge?: number;
  /** The maximum size of all files in megabytes (10⁶ bytes). */
  readonly maxSize?: number;
  /** The known secrets, and findings about secrets whose values are not known here. */
  protectionFor(
    about: Provenance,
  ): Promise<{ readonly options: ProtectionOptions; readonly findings: readonly RecordingProblem[] }>;
  /** The requests that the suites send, or findings why they cannot be determined. Called for sound recordings only. */
  plannedRequests?(
    name: string,
    about: Provenance,
  ): Promise<PlannedRequests | { readonly findings: readonly RecordingProblem[] }>;
}

/** The result of verifying one recording. */
export interface Verification {
  readonly name: string;
  readonly folder: string;
  readonly about?: Pick<Provenance, 'source' | 'upstream' | 'profile' | 'recordedAt'>;
  /** Complete weekly reloads of the list since it was recorded (section 8). */
  readonly reloads?: number;
  readonly bytes: number;
  readonly files: number;
  readonly largest: readonly { readonly file: string; readonly bytes: number; readonly entry?: string }[];
  readonly lanes: number;
  readonly entries: number;
  /** How many of the 41 operations have an entry. */
  readonly operations: number;
  /** Entries for no operation. */
  readonly unmapped: number;
  /** Requests of the suites that the recording holds; absent if not determined. */
  readonly used?: number;
  readonly findings: readonly RecordingProblem[];
}

/** Complete weekly reloads between two times; 0 if the clock went backwards. */
export const reloadsBetween = (then: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(then)) / WEEK_MS));

/**
 * Verifies one recording.
 * @param folder of the recording
 * @example await verifyRecording('recordings/acme', { polly, now: new Date(), protectionFor })
 */
export async function verifyRecording(folder: string, options: VerifyOptions): Promise<Verification> {
  const onDisk = readFolder(folder);
  const { about, lanes, sizes } = onDisk;
  const name = basename(folder);
  const bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
  const named = namedFiles(onDisk);
  const largest = [...sizes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, LARGEST)
    .map(([file, size]) => {
      const { entry } = named.get(file) ?? {};
      return { file, bytes: size, ...(entry !== undefined && { entry }) };
    });
  const exchanges = lanes.flatMap(({ har }) => har.log.entries.map(fromHarEntry));
  const unmapped = exchanges.filter((each) => each.operation === undefined);
  const reloads = about && reloadsBetween(about.recordedAt, options.now);
  const findings: RecordingProblem[] = [
    ...onDisk.findings,
    ...(await checkLanes(onDisk)),
    ...(await checkSideFiles(onDisk)),
  ];
  let used: number | undefined;
  if (about) {
    const { options: known, findings: notKnown } = await options.protectionFor(about);
    findings.push(...notKnown, ...(await checkReceipt(onDisk, about)), ...(await findSecrets(onDisk, about, known)));
    if (about.name !== name)
      findings.push(
        problem('set', `it was recorded as ${about.name}, but its name is ${name} now`, { file: PROVENANCE }),
      );
    if (exchanges.length === 0 && onDisk.findings.every(({ kind }) => kind !== 'damaged'))
      findings.push(problem('damaged', 'holds no exchange', {}, 'record again, or delete the folder'));
    const isSound = findings.every((each) => severityOf(each) !== 'broken' || each.kind === 'not scanned');
    const planned = isSound && exchanges.length > 0 ? await options.plannedRequests?.(name, about) : undefined;
    if (planned && 'used' in planned) {
      used = planned.used.size;
      findings.push(...checkCoverage(onDisk, recordingOptionsOf(about), planned, MAIN_LANE));
    } else if (planned) findings.push(...planned.findings);
  }
  if (unmapped.length > 0) {
    const paths = [...new Set(unmapped.map(({ key }) => entryName(key).split('?', 1)[0] ?? ''))];
    const shown = paths.slice(0, 2).join(', ');
    const entries = unmapped.length === 1 ? '1 entry' : `${unmapped.length} entries`;
    const more = paths.length > 2 ? ', …' : '';
    findings.push(
      problem('unmapped', `${entries} to ${counted(paths.length, 'path')} for no operation: ${shown}${more}`),
    );
  }
  if (reloads !== undefined && options.maxAge !== undefined && reloads > options.maxAge)
    findings.push(problem('over age', `is ${counted(reloads, 'weekly reload')} old, more than ${options.maxAge}`));
  const megabytes = (size: number): string => `${(size / MEGABYTE).toFixed(1)} MB`;
  const largestFiles = largest.map(
    (each) => `${each.file} (${[megabytes(each.bytes), each.entry ?? []].flat().join(', ')})`,
  );
  if (options.maxSize !== undefined && bytes > options.maxSize * MEGABYTE)
    findings.push(
      problem(
        'over size',
        `takes ${megabytes(bytes)}, more than ${options.maxSize}; largest are ${largestFiles.join(', ')}`,
      ),
    );
  return {
    name,
    folder,
    ...(about && {
      about: { source: about.source, upstream: about.upstream, profile: about.profile, recordedAt: about.recordedAt },
    }),
    ...(reloads !== undefined && { reloads }),
    bytes,
    files: sizes.size,
    largest,
    lanes: lanes.length,
    entries: exchanges.length,
    operations: OPERATIONS.filter(({ key }) => exchanges.some((each) => each.operation === key)).length,
    unmapped: unmapped.length,
    ...(used !== undefined && { used }),
    findings,
  };
}

/** The exit code of each severity, worst first. */
const EXIT_CODES: readonly (readonly [Severity, number])[] = [
  ['secret', EXIT.secrecy],
  ['broken', EXIT.usage],
  ['gate', EXIT.nonconformity],
];

/** The exit code of findings. @param strict warnings count as well */
export function exitCodeOf(findings: readonly RecordingProblem[], strict = false): number {
  const severities = new Set(findings.map(severityOf));
  const [, code] = EXIT_CODES.find(([severity]) => severities.has(severity)) ?? [];
  return code ?? (strict && severities.has('warning') ? EXIT.nonconformity : EXIT.ok);
}
