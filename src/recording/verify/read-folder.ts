/** Reads a recording from disk and tolerates damage: reports damaged files, and reads the others. */

import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { CANARY_LANE } from '../../secrets/canary.ts';
import { BODIES } from '../format/recorded-exchange.ts';
import { type Har, type Provenance, parseProvenance, RecordingError } from '../format/schema.ts';
import { LOCK } from '../store/lock.ts';
import { fileTypeOf, HAR, PROVENANCE, readWholeLane, readWithin } from '../store/recording-files.ts';
import { problem, type RecordingProblem } from './finding.ts';

/** Files that users and their tools may add to a recording. */
const ALLOWED_FILES = /^(?:\.git(?:ignore|attributes|keep)|README(?:\..*)?|\.lock)$/i;

export interface LaneOnDisk {
  /** Relative to the folder of the recording. */
  readonly file: string;
  /** The name of its folder. */
  readonly folder: string;
  readonly har: Har;
}

export interface FolderOnDisk {
  readonly folder: string;
  /** Undefined if it is missing or damaged; `findings` says which. */
  readonly about?: Provenance;
  readonly lanes: readonly LaneOnDisk[];
  /** File names in `bodies/`. */
  readonly sideFiles: readonly string[];
  /** All files with their sizes, relative to the folder. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly isLocked: boolean;
  readonly findings: readonly RecordingProblem[];
}

/** The message of an error about a file, without the path of the folder and without advice. */
export const describeDamage = (error: unknown, folder: string): string =>
  (error as Error).message.replace(`${folder}/`, '').replace(/: (?:[a-z, ]+, or )?record again$/, '');

/** Reads everything except the contents of side files. */
export function readFolder(folder: string): FolderOnDisk {
  const findings: RecordingProblem[] = [];
  const sizes = new Map<string, number>();
  const lanes: LaneOnDisk[] = [];
  const listing = (path: string): Dirent[] =>
    readdirSync(join(folder, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const reportDamage = (file: string, error: unknown): void => {
    const { code, message } = error as NodeJS.ErrnoException;
    const says =
      error instanceof RecordingError ? describeDamage(error, folder) : `cannot be read (${code ?? message})`;
    findings.push(problem('damaged', says, { file }));
  };
  const recordSize = (file: string): boolean => {
    const stat = lstatSync(join(folder, file), { throwIfNoEntry: false });
    if (stat?.isFile()) sizes.set(file, stat.size);
    else if (stat && !stat.isDirectory())
      findings.push(
        problem(
          'damaged',
          `is ${fileTypeOf(stat)}, and a recording holds regular files only`,
          { file },
          'remove it, then restore the original file',
        ),
      );
    if (!file.endsWith(PARTIAL_SUFFIX)) return false;
    findings.push(problem('leftover', 'is an unfinished file of a killed recorder', { file }));
    return true;
  };
  const isDamaged = (file: string): boolean => findings.some((each) => each.kind === 'damaged' && each.file === file);
  const reportUnexpected = (file: string): void =>
    void findings.push(problem('stranger', 'is not part of a recording', { file }));

  let sideFiles: string[] = [];
  for (const each of listing('')) {
    if (!each.isDirectory()) {
      if (!recordSize(each.name) && !isDamaged(each.name) && each.name !== PROVENANCE && !ALLOWED_FILES.test(each.name))
        reportUnexpected(each.name);
      continue;
    }
    if (each.name.startsWith(CANARY_LANE)) {
      findings.push(problem('leftover', 'is a leftover of a killed recorder', { file: each.name }));
      continue;
    }
    const contents = listing(each.name).map(({ name }) => name);
    const names = contents.filter((name) => !recordSize(`${each.name}/${name}`));
    if (each.name === BODIES) {
      sideFiles = names;
      continue;
    }
    for (const name of names)
      if (name !== HAR && !isDamaged(`${each.name}/${name}`)) reportUnexpected(`${each.name}/${name}`);
    const file = `${each.name}/${HAR}`;
    if (!names.includes(HAR) || isDamaged(file)) {
      if (names.length === 0)
        findings.push(problem('stranger', 'is an empty folder', { file: each.name }, 'remove it'));
      continue;
    }
    try {
      lanes.push({ file, folder: each.name, har: readWholeLane(folder, file, file) });
    } catch (error) {
      reportDamage(file, error);
    }
  }
  let about: Provenance | undefined;
  try {
    about = parseProvenance(readWithin(folder, PROVENANCE).toString('utf8'), PROVENANCE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      findings.push(problem('damaged', 'is missing', { file: PROVENANCE }));
    else if (!isDamaged(PROVENANCE)) reportDamage(PROVENANCE, error);
  }
  const isLocked = sizes.has(LOCK);
  if (isLocked)
    findings.push(
      problem('being recorded', 'the recording is being recorded, or its recorder was killed', { file: LOCK }),
    );
  return { folder, ...(about && { about }), lanes, sideFiles, sizes, isLocked, findings };
}
