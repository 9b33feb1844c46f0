/** The action, the workflows and the template in the package: their form, and what their steps do. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startSimulator } from './api/index.ts';
import { MAIN } from './main.test.support.ts';
import { ROOT, writeCommands } from './packed-package.test.support.ts';
import { type JobResult, type Machine, runJob } from './workflow.test.support.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const WORKFLOWS = globSync('{ci/github,examples,examples/*}/*.yml', { cwd: ROOT });

interface Parsed {
  readonly context: { readonly errors: { getErrors(): readonly { readonly message: string }[] } };
}

/** GitHub's own parsers, bundled, because they import JSON in a form that Node refuses. */
async function loadParsers() {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-parsers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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

/** A folder with a project that has the package installed, and a folder for caches and artefacts. */
function project(config: string): Omit<Machine, 'runId'> & { readonly fresh: () => void } {
  const home = mkdtempSync(join(tmpdir(), 'mdwi-ci-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [workspace, store] = [join(home, 'work'), join(home, 'store')];
  mkdirSync(store);
  const env = writeCommands(home, join(ROOT, 'node_modules'), MAIN);
  const fresh = (): void => {
    rmSync(workspace, { recursive: true, force: true });
    mkdirSync(join(workspace, 'node_modules/.bin'), { recursive: true });
    symlinkSync(ROOT, join(workspace, 'node_modules/mdwi-conformance'));
    cpSync(join(home, 'bin/mdwi'), join(workspace, 'node_modules/.bin/mdwi'));
    writeFileSync(join(workspace, 'mdwi.config.yaml'), config);
  };
  fresh();
  return { workspace, store, env, fresh };
}

interface StoredIssue {
  number: number;
  state: string;
  state_reason?: string;
  title: string;
  body: string;
}

/** The issues of a repository as the REST API of GitHub serves them. */
async function startGitHub(): Promise<{ url: string; issues: StoredIssue[]; requests: string[] }> {
  const [issues, requests]: [StoredIssue[], string[]] = [[], []];
  const bodyOf = async (request: IncomingMessage): Promise<Partial<StoredIssue>> =>
    JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}');
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    requests.push(`${method} ${url}`);
    expect(headers.authorization).toBe('Bearer token-of-the-test');
    const body = await bodyOf(request);
    const { pathname, searchParams } = new URL(url, 'http://github.test');
    const [, number] = /^\/repos\/acme\/market\/issues(?:\/(\d+))?$/.exec(pathname) ?? [];
    const page = Number(searchParams.get('page') ?? 1);
    if (method === 'POST') issues.push({ title: '', body: '', ...body, number: issues.length + 1, state: 'open' });
    if (method === 'PATCH') Object.assign(issues[Number(number) - 1] as StoredIssue, body);
    response.end(JSON.stringify(method === 'GET' ? issues.slice((page - 1) * 100, page * 100) : issues.at(-1)));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, issues, requests };
}

const OPERATIONS = '["GET /PLATFORMAPI/prodRef/v1/allProducts"]';

test('the nightly workflow: one report of two targets, one issue per new failure, and every report whatever the exit code', async () => {
  const { jobs } = parse(read('ci/github/nightly.yml'));
  const [staging, production, github] = await Promise.all([startSimulator(), startSimulator(), startGitHub()]);
  let broken: Awaited<ReturnType<typeof startSimulator>> | undefined;
  onTestFinished(async () => {
    await Promise.all([staging.close(), production.close(), broken?.close()]);
  });
  const target = (url: string) => `{ baseUrl: "${url}", profile: reference, operations: ${OPERATIONS} }`;
  const config = (url: string) => `targets:\n  staging: ${target(url)}\n  production: ${target(production.url)}\n`;
  const place = project(config(staging.url));
  let runId = 0;
  const night = async (): Promise<Record<'staging' | 'production' | 'report', JobResult>> => {
    const machine = {
      ...place,
      runId: ++runId,
      env: { ...place.env, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'acme/market' },
    };
    const results: JobResult[] = [];
    for (const name of jobs.judge.strategy.matrix.target as string[])
      results.push((await runJob(jobs.judge, machine, { matrix: { target: name } })) as JobResult);
    const needsFailed = results.some(({ result }) => result === 'failure');
    const report = (await runJob(jobs.report, machine, { needsFailed })) as JobResult;
    return { staging: results[0] as JobResult, production: results[1] as JobResult, report };
  };
  const artefact = (name: string): boolean => existsSync(join(place.store, `artefacts-${runId}`, name));

  const first = await night();
  expect([first.staging.result, first.production.result, first.report.result, first.report.log]).toEqual([
    'success',
    'success',
    'success',
    expect.stringContaining('no failure needs an issue'),
  ]);
  expect(artefact('all/run.html')).toBe(true);
  expect(github.issues).toEqual([]);

  // The second night starts on a new machine, with the caches of the first.
  broken = await startSimulator({ fault: 'bulk-upc-11-digits' });
  place.fresh();
  writeFileSync(join(place.workspace, 'mdwi.config.yaml'), config(broken.url));
  const second = await night();
  expect([second.staging.result, second.production.result, second.report.result]).toEqual([
    'failure',
    'success',
    'failure',
  ]);
  expect(second.staging.summary).toContain('new failure: C.upc-12-digits');
  expect(second.staging.log).toContain('::error');
  expect(second.report.summary).toContain('C.upc-12-digits');
  expect([artefact('mdwi-staging/run.html'), artefact('all/run.html')]).toEqual([true, true]);
  expect(github.issues.map(({ title }) => title).sort()).toEqual([
    'mdwi: C.filtered-upc-12-digits on GET /PLATFORMAPI/prodRef/v1/allProducts (staging)',
    'mdwi: C.upc-12-digits on GET /PLATFORMAPI/prodRef/v1/allProducts (staging)',
  ]);
  expect(github.issues[0]?.body).toContain('curl');

  // The third night: the same failure, and production is down.
  await production.close();
  place.fresh();
  writeFileSync(join(place.workspace, 'mdwi.config.yaml'), config(broken.url));
  const third = await night();
  expect([third.staging.result, third.production.result, third.report.result]).toEqual([
    'failure',
    'failure',
    'failure',
  ]);
  expect(third.staging.summary).not.toContain('new failure');
  expect([artefact('mdwi-production/run.html'), artefact('all/run.html')]).toEqual([true, true]);
  expect(github.issues).toHaveLength(2);
  expect(third.report.log).toContain('is open as #1');
});

test('a closed issue is opened again when the failure returns, unless it was closed as not planned', async () => {
  const github = await startGitHub();
  const simulator = await startSimulator({ fault: 'bulk-upc-11-digits' });
  onTestFinished(() => simulator.close());
  const { workspace, env } = project(
    `targets: { staging: { baseUrl: "${simulator.url}", profile: reference, operations: ${OPERATIONS} } }\n`,
  );
  const mdwi = (...args: string[]): Promise<string> =>
    new Promise((resolve) => {
      const variables = {
        ...env,
        GITHUB_API_URL: github.url,
        GITHUB_REPOSITORY: 'acme/market',
        GITHUB_TOKEN: 'token-of-the-test',
      };
      execFile('bash', ['-c', 'mdwi "$@"', 'bash', ...args], { cwd: workspace, env: variables }, (_, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
  await mdwi('run', 'staging', '--report', 'json=run.json');
  expect(await mdwi('github-issues', 'run.json')).toContain('--open is not given');
  expect(github.requests).toEqual([]);
  expect(await mdwi('github-issues', 'run.json', '--open')).toContain('opened: #1');
  Object.assign(github.issues[0] as StoredIssue, { state: 'closed', state_reason: 'completed' });
  expect(await mdwi('github-issues', 'run.json', '--open')).toContain('opened again: #1');
  expect(github.issues[0]?.state).toBe('open');
  Object.assign(github.issues[0] as StoredIssue, { state: 'closed', state_reason: 'not_planned' });
  expect(await mdwi('github-issues', 'run.json', '--open')).toContain('is closed as not planned: #1');
  expect(github.issues).toHaveLength(2);
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

test('a job per group: arguments reach the run, one per line', async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const place = project(`targets: { staging: { baseUrl: "${simulator.url}", profile: reference } }\n`);
  const { jobs } = parse(read('ci/github/matrix.yml'));
  const done = await runJob(jobs.judge, { ...place, runId: 1 }, { matrix: { group: 'C' } });
  expect(done?.result).toBe('success');
  const run = JSON.parse(readFileSync(join(place.store, 'artefacts-1/mdwi-group-C/run.json'), 'utf8'));
  expect(run.manifest.groups).toEqual(['C']);
  // The other groups have no report: the whole is undetermined, never green.
  const report = await runJob(jobs.report, { ...place, runId: 1 });
  expect([report?.result, report?.summary]).toEqual(['failure', expect.stringContaining('group-D')]);
});

test('the template for GitLab stores reports and the exit code, and compares with the last run', async () => {
  const [good, bad] = await Promise.all([startSimulator(), startSimulator({ fault: 'bulk-upc-11-digits' })]);
  onTestFinished(async () => {
    await Promise.all([good.close(), bad.close()]);
  });
  const target = (url: string) => `{ baseUrl: "${url}", profile: reference, operations: ${OPERATIONS} }`;
  const { workspace, env } = project(`targets:\n  good: ${target(good.url)}\n  bad: ${target(bad.url)}\n`);
  const job = parse(read('ci/gitlab/mdwi.gitlab-ci.yml'))['.mdwi'];
  expect([job.artifacts.when, job.cache[1].when]).toEqual(['always', 'always']);
  const run = (MDWI_TARGET: string): Promise<unknown> =>
    new Promise((resolve) => {
      const script = [...job.before_script, ...job.script].join('\n');
      execFile('bash', ['-eo', 'pipefail', '-c', script], { cwd: workspace, env: { ...env, MDWI_TARGET } }, (error) =>
        resolve(error?.code ?? 0),
      );
    });
  expect(await run('good')).toBe(0);
  expect(await run('bad')).toBe(1);
  for (const file of [...job.artifacts.paths, ...Object.values<string>(job.artifacts.reports)])
    expect(existsSync(join(workspace, file))).toBe(true);
  const { comparison } = JSON.parse(readFileSync(join(workspace, 'mdwi-reports/run.json'), 'utf8'));
  expect(comparison.baseline).toContain('last.json');
  expect(await run('none')).toBe(2);
  expect(readFileSync(join(workspace, 'mdwi-reports/messages.txt'), 'utf8')).toContain('none');
});
