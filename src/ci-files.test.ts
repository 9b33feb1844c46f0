/** The action, the workflows and the template in the package: their form. What their steps do: `ci-files.matrix.test.ts`. */
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './packed-package.test.support.ts';
import { newFolder } from './resources.test.support.ts';
import { project, read, runJob } from './workflow.test.support.ts';

const WORKFLOWS = globSync('{ci/github,examples,examples/*}/*.yml', { cwd: ROOT });

interface Parsed {
  readonly context: { readonly errors: { getErrors(): readonly { readonly message: string }[] } };
}

/** GitHub's own parsers, bundled, because they import JSON in a form that Node refuses. */
async function loadParsers() {
  const folder = newFolder();
  const entry = join(folder, 'entry.js');
  const library = join(ROOT, 'node_modules/@actions/workflow-parser/dist');
  writeFileSync(
    entry,
    `export { NoOperationTraceWriter, parseWorkflow } from '${library}/index.js';
export { parseAction } from '${library}/actions/action-parser.js';`,
  );
  const bundle = await rolldown({ input: entry, platform: 'node' });
  await bundle.write({ file: join(folder, 'parsers.mjs'), codeSplitting: false });
  const parsers = await import(join(folder, 'parsers.mjs'));
  /** What is wrong in a file, expressions included. */
  const errorsOf = (kind: 'parseAction' | 'parseWorkflow', content: string): string[] =>
    (parsers[kind]({ name: 'file.yml', content }, new parsers.NoOperationTraceWriter()) as Parsed).context.errors
      .getErrors()
      .map(({ message }) => message);
  return errorsOf;
}

test('the action and every workflow have the form that GitHub demands', async () => {
  const errorsOf = await loadParsers();
  expect(errorsOf('parseAction', read('action.yml'))).toEqual([]);
  expect(errorsOf('parseAction', read('action.yml').replace('using', 'uzing'))).not.toEqual([]);
  expect(WORKFLOWS).toContain('ci/github/nightly.yml');
  for (const file of WORKFLOWS) expect([file, errorsOf('parseWorkflow', read(file))]).toEqual([file, []]);
  const nightly = read('ci/github/nightly.yml');
  for (const wrong of [nightly.replace('runs-on', 'runz-on'), nightly.replaceAll('matrix.target', 'matricks.target')])
    expect(errorsOf('parseWorkflow', wrong)).not.toEqual([]);
});

test('no text of GitHub is part of a shell script: expressions reach a step as variables', () => {
  for (const file of ['action.yml', ...WORKFLOWS]) {
    const tree = parse(read(file));
    const jobs = tree.runs ? [tree.runs] : Object.values(tree.jobs);
    for (const { steps } of jobs as { steps: { run?: string }[] }[])
      for (const { run = '' } of steps) expect([file, run]).not.toEqual([file, expect.stringContaining('${{')]);
  }
});

test('each job of a workflow in ci/ has only the permissions it needs', () => {
  for (const file of WORKFLOWS.filter((each) => each.startsWith('ci/'))) {
    const { permissions, jobs } = parse(read(file)) as {
      permissions?: object;
      jobs: Record<string, { permissions?: object }>;
    };
    for (const [name, job] of Object.entries(jobs)) {
      const expected =
        file.endsWith('nightly.yml') && name === 'report'
          ? { contents: 'read', issues: 'write' }
          : { contents: 'read' };
      expect([file, name, job.permissions ?? permissions]).toEqual([file, name, expected]);
    }
  }
});

test('the action ends with 2 and shows why, when the configuration is wrong', async () => {
  const place = project('targets: { staging: { baseURL: "http://127.0.0.1:1" } }\n');
  const uses = './node_modules/mdwi-conformance';
  const step = { uses, with: { target: 'staging' } };
  const done = await runJob({ steps: [step] }, { ...place, runId: 1 });
  expect(done?.result).toBe('failure');
  expect(done?.summary).toMatch(/^# mdwi ended with 2\n\n {4}mdwi run: .*baseURL/);
  expect(existsSync(join(place.store, 'artefacts-1/mdwi-conformance/messages.txt'))).toBe(true);
});
