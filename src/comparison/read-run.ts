/** Reads a run.json and checks it. */
import { readFileSync, statSync } from 'node:fs';
import { describeIssue } from '../profile/first-issue.ts';
import { isDeeperThan } from '../profile/plain-object.ts';
import { formatLocation, MAX_FILE_DEPTH, TOO_DEEP } from '../profile/profile-location.ts';
import { runSchema } from '../report/run-schema.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';

const MAX_BYTES = 256 << 20;

const NEEDED = 'a run.json is needed, which mdwi run --report json=FILE writes';

/** The schema is version 1, which only grows: members that a later version adds are ignored. */
function checkRun(value: unknown, file: string, needed: string): Run {
  if (isDeeperThan(value, MAX_FILE_DEPTH)) throw new UsageError(`${file}: ${TOO_DEEP}; ${needed}`);
  const parsed = runSchema.safeParse(value, { reportInput: true });
  const issues = parsed.error?.issues.filter(({ code }) => code !== 'unrecognized_keys') ?? [];
  if (issues.length === 0) return value as Run;
  const { path, sentence } = describeIssue(runSchema, issues);
  throw new UsageError(`${file}: ${formatLocation(path, 'the run')}: ${sentence}; ${needed}`);
}

/**
 * Reads a run that `--report json=FILE` wrote.
 * @throws UsageError with the file, and what is wrong in it
 */
export function readRun(file: string): Run {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new UsageError(`${file}: there is no such file; mdwi run --report json=FILE writes one`);
  if (stats.isDirectory()) throw new UsageError(`${file}: is a folder; a run.json is needed`);
  if (stats.size > MAX_BYTES) throw new UsageError(`${file}: is larger than ${MAX_BYTES >> 20} MB`);
  const text = readFileSync(file, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new UsageError(
      text.trim() === '' ? `${file}: is empty; ${NEEDED}` : `${file}: is no JSON, or is cut off; ${NEEDED}`,
    );
  }
  return checkRun(value, file, NEEDED);
}

/**
 * A run as users give it: its file, or the run itself.
 * @param name what the user calls the option
 * @throws UsageError like `readRun`
 */
export const givenRun = (given: string | Run, name: string): Run =>
  typeof given === 'string' ? readRun(given) : checkRun(given, name, 'a Run or the name of its file is needed');
