/**
 * What users of each release have is judged by this version as by theirs: in `releases/VERSION/SERVICE/` a profile that the
 * release accepted with 0, recordings of the service, the run as a baseline, and a configuration, waivers and a history
 * where it knew them (0.1.0 did not: these have the first form that there was). `scripts/freeze-release.ts` records them.
 */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { firstOutput } from '../src/first-output.test.support.ts';
import type { Run } from '../src/run/types.ts';
import { random } from '../src/seeded-random.test.support.ts';

const RELEASES = join(import.meta.dirname, 'releases');
const STRANGERS = join(import.meta.dirname, '../bench/strangers');
const MAIN = join(import.meta.dirname, '../src/cli/main.ts');
const SERVICES = globSync('*/*/profile.yaml', { cwd: RELEASES }).map(dirname).sort();

/** Copies what a user has to a temporary folder, decompressed. */
function unpack(service: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(RELEASES, service), folder, { recursive: true });
  for (const file of globSync('**/*.br', { cwd: folder }))
    writeFileSync(join(folder, file.slice(0, -3)), brotliDecompressSync(readFileSync(join(folder, file))));
  return folder;
}

/** Runs a target of the user's configuration, or what flags name. */
async function judge(folder: string, ...target: string[]): Promise<{ code: number; output: string; run: Run }> {
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

const serverOf = (service: string): string => join(STRANGERS, basename(service), 'server.py');
const recordingsOf = (folder: string): string[] => globSync('recordings/*/*/recording.har', { cwd: folder });
const targetsOf = (folder: string): string[] =>
  [...readFileSync(join(folder, 'mdwi.config.yaml'), 'utf8').matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name ?? '');

const named = ({ rule, operation }: { rule: string; operation: string }): string => `${rule} on ${operation}`;
const errorsOf = ({ results }: Run): string[] =>
  results.filter(({ verdict }) => verdict === 'error').map((each) => `${named(each)}: ${each.note}`);

/** The run is green and decides what the baseline decided. */
async function expectAsBefore(folder: string, ...target: string[]): Promise<void> {
  // A waiver that no longer matches its failure ends the run with 1 or 4.
  const { code, output, run } = await judge(folder, ...target);
  expect([code, errorsOf(run)], output).toEqual([0, []]);
  expect(run.comparison?.lostProofs.map(named), output).toEqual([]);
  expect(run.comparison?.newFailures.filter(({ advisory }) => !advisory).map(named), output).toEqual([]);
  expect(run.comparison?.fixed.map(named), output).toEqual([]);
}

test.each(SERVICES)('%s: no gate turns red, and no proof is lost', async (service) => {
  const folder = unpack(service);
  const targets = targetsOf(folder);
  expect(targets).toHaveLength(recordingsOf(folder).length);
  for (const target of targets) await expectAsBefore(folder, target);
});

// A recording cannot show that a request is wrong which no earlier version sent.
const PYTHON = SERVICES.filter((service) => existsSync(serverOf(service)));

test.each(PYTHON)('%s: the service itself, which gets the requests of today', async (service) => {
  const child = spawn('python3', [serverOf(service)], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  const [url = ''] = /http:\S+/.exec(await firstOutput(child)) ?? [];
  await expectAsBefore(unpack(service), '--base-url', url, '--safety', 'all');
});

test.each(SERVICES)('%s: what a recording does not hold is never broken', async (service) => {
  const folder = unpack(service);
  for (const file of recordingsOf(folder)) {
    const har = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const lost = new Map<string, boolean>();
    har.log.entries = har.log.entries.filter(({ _mdwi: { key } }: { _mdwi: { key: string } }) => {
      // What the waived failure needs stays, so that no waiver is stale.
      if (!lost.has(key)) lost.set(key, !key.includes('allProducts') && random() < 0.1);
      return !lost.get(key);
    });
    writeFileSync(join(folder, file), JSON.stringify(har));
  }
  for (const target of targetsOf(folder)) {
    const { code, output, run } = await judge(folder, target);
    expect([code, errorsOf(run)], output).toEqual([0, []]);
  }
});

test('an old history is continued', async () => {
  const services = SERVICES.filter((service) => globSync('history/*', { cwd: join(RELEASES, service) }).length > 0);
  expect(services).not.toEqual([]);
  for (const service of services) {
    const folder = unpack(service);
    const { run } = await judge(folder, 'recorded');
    const [before] = run.history?.trend ?? [];
    expect(run.history?.trend).toHaveLength(2);
    const failed = run.history?.checks.filter(({ firstFailedOn }) => firstFailedOn === before?.startedAt) ?? [];
    expect(failed.map(named)).toEqual(run.results.filter(({ verdict }) => verdict === 'fail').map(named));
  }
});
