/**
 * What users of each release have is judged by this version as by theirs: in `__fixtures__/releases/VERSION/SERVICE/` a profile that the
 * release accepted with 0, recordings of the service, the run as a baseline, and a configuration, waivers and a history
 * where it knew them (0.1.0 did not: these have the first form that there was). `scripts/freeze-release.ts` records them.
 */

import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { MAIN } from '../src/main.test.support.ts';
import { newFolder } from '../src/resources.test.support.ts';
import type { Run } from '../src/run/types.ts';

const RELEASES = join(import.meta.dirname, '__fixtures__/releases');
export const SERVICES = globSync('*/*/profile.yaml', { cwd: RELEASES }).map(dirname).sort();

/** Copies what a user has to a temporary folder, decompressed. */
export function unpack(service: string): string {
  const folder = newFolder();
  cpSync(join(RELEASES, service), folder, { recursive: true });
  for (const file of globSync('**/*.br', { cwd: folder }))
    writeFileSync(join(folder, file.slice(0, -3)), brotliDecompressSync(readFileSync(join(folder, file))));
  return folder;
}

/** Runs a target of the user's configuration, or what flags name. */
export async function judge(folder: string, ...target: string[]): Promise<{ code: number; output: string; run: Run }> {
  const file = join(folder, 'now.json');
  const args = [MAIN, 'run', ...target, '--report', `json=${file}`];
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
  expect(existsSync(file), output).toBe(true);
  return { code, output, run: JSON.parse(readFileSync(file, 'utf8')) as Run };
}

export const recordingsOf = (folder: string): string[] => globSync('recordings/*/*/recording.har', { cwd: folder });
export const targetsOf = (folder: string): string[] =>
  [...readFileSync(join(folder, 'mdwi.config.yaml'), 'utf8').matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name ?? '');

const named = ({ rule, operation }: { rule: string; operation: string }): string => `${rule} on ${operation}`;
export const errorsOf = ({ results }: Run): string[] =>
  results.filter(({ verdict }) => verdict === 'error').map((each) => `${named(each)}: ${each.note}`);

/** The run is green and decides what the baseline decided. */
export async function expectAsBefore(folder: string, ...target: string[]): Promise<Run> {
  // A waiver that no longer matches its failure ends the run with 1 or 4.
  const { code, output, run } = await judge(folder, ...target);
  expect([code, errorsOf(run)], output).toEqual([0, []]);
  expect(run.comparison?.lostProofs.map(named), output).toEqual([]);
  expect(run.comparison?.newFailures.filter(({ advisory }) => !advisory).map(named), output).toEqual([]);
  expect(run.comparison?.fixed.map(named), output).toEqual([]);
  return run;
}

/** The recordings of a service are judged as by its release, and its history is continued, if it has one. */
export async function expectRecordingsAsBefore(service: string): Promise<void> {
  const folder = unpack(service);
  const targets = targetsOf(folder);
  expect(targets).toHaveLength(recordingsOf(folder).length);
  const hasHistory = existsSync(join(folder, 'history'));
  for (const target of targets) {
    const { history, results } = await expectAsBefore(folder, target);
    if (!hasHistory || target !== 'recorded') continue;
    expect(history?.trend).toHaveLength(2);
    const failed = history?.checks.filter(({ firstFailedOn }) => firstFailedOn === history.trend[0]?.startedAt) ?? [];
    expect(failed.map(named)).toEqual(results.filter(({ verdict }) => verdict === 'fail').map(named));
  }
}
