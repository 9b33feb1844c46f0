/** The job of `examples/python/`, as CI runs it. */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAIN } from '../main.test.support.ts';
import { newFolder } from '../resources.test.support.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Workflow {
  readonly jobs: {
    readonly conformance: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}

/** Runs the judging step of the job in a copy of the example, with the command line of the checkout as `npx mdwi`. */
async function runJob(change: (service: string) => string = (service) => service) {
  const folder = newFolder();
  cpSync(join(ROOT, 'examples/python'), folder, { recursive: true });
  const service = join(folder, 'service.py');
  writeFileSync(service, change(readFileSync(service, 'utf8')));
  const npx = join(folder, 'bin', 'npx');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(npx, `#!/bin/sh\nshift\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(npx, 0o755);
  const workflow = parse(readFileSync(join(folder, 'github-actions.yml'), 'utf8')) as Workflow;
  const step = workflow.jobs.conformance.steps.find(({ name }) => name === 'Judge the service');
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
  const code = await new Promise((resolve) => {
    execFile('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 99'], { cwd: folder, env }, (error) =>
      resolve(error?.code ?? 0),
    );
  });
  return { code, report: readFileSync(join(folder, 'report.md'), 'utf8') };
}

if (spawnSync('python3', ['--version']).status !== 0)
  test.skip('the job of examples/python: python3 is not installed, so it was not run', () => {});
else
  test('the CI job of examples/python passes for its service, and fails for a service with a fault', async () => {
    const { code, report } = await runJob();
    expect(code).toBe(0);
    expect(report).toMatch(/partial|conformant/);
    const broken = await runJob((service) => {
      expect(service).toContain('.zfill(12)');
      return service.replace('.zfill(12)', '');
    });
    expect(broken.code).toBe(1);
    expect(broken.report).toContain('C.upc-12-digits');
  });
