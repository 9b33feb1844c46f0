/** The configuration file as a user meets it: a folder, a file, the command line. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { type Performed, perform } from './perform.test.support.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const dir = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** Runs the command line in a folder. */
async function mdwi(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Performed> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return perform(args, folder);
}

const CONFIG = `secrets: [ACME_KEY]
reports: { json: run.json }
limits: { timeoutMs: 5000 }
targets:
  staging:
    baseUrl: https://staging.example/api
    profile: acme.yaml
  local:
    simulator: true
    rules: [C.upc-12-digits]
`;

const SECRETS = { ACME_KEY: 'key-0815-4711' };

test('a target is run from a folder below its configuration, and its files lie beside the configuration', async () => {
  const dir = folderWith({ 'mdwi.config.yaml': CONFIG, 'acme.yaml': 'name: acme', 'a/b/c.txt': '' });
  const { code, stderr, stdout } = await mdwi(join(dir, 'a/b'), ['run', 'local']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('outcome');
  const { manifest, results } = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as Run;
  expect(manifest.targetName).toBe('local');
  expect(new Set(results.map(({ rule }) => rule))).toEqual(new Set(['C.upc-12-digits']));
});

test('--print-config shows each value with its origin, and no secret', async () => {
  const dir = folderWith({ 'mdwi.config.yaml': CONFIG, 'acme.yaml': 'name: acme' });
  const { code, stdout } = await mdwi(
    dir,
    ['run', 'staging', '--print-config', '--safety', 'job', '--secret', 'hush-hush'],
    SECRETS,
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^baseUrl +https:\/\/staging\.example\/api +target \(mdwi\.config\.yaml:6\)$/m);
  expect(stdout).toMatch(/^safety +job +flag --safety$/m);
  expect(stdout).toMatch(/^limits\.timeoutMs +5000 +top level \(mdwi\.config\.yaml:3\)$/m);
  expect(stdout).toMatch(/^groups +all +default$/m);
  expect(stdout).toMatch(/^secrets +ACME_KEY \(set\) +top level/m);
  for (const secret of [...Object.values(SECRETS), 'hush-hush']) expect(stdout).not.toContain(secret);
});

test('an unattended run or recording beyond read is refused unless its host is allowed', async () => {
  const dir = folderWith({
    'mdwi.config.yaml':
      'targets: { staging: { baseUrl: "http://staging.invalid", safety: job, rules: [C.upc-12-digits] } }',
  });
  const sentence = 'the safety class job is refused for staging.invalid';
  for (const args of [['run'], ['record', '--name', 'x']])
    expect(await mdwi(dir, [...args, 'staging'])).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  // The host does not exist, so that the run reaches nothing, but it is not refused.
  const allowed = await mdwi(dir, ['run', 'staging', '--allow-target-host', 'staging.invalid']);
  expect(allowed).toMatchObject({ code: 3, stderr: expect.not.stringContaining(sentence) });
});
