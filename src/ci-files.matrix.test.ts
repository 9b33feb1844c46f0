/** What the steps of the action, the workflows and the template in the package do. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startSimulator } from './api/index.ts';
import { startGitHub } from './cli/github.test.support.ts';
import { type JobResult, project, read, runJob } from './workflow.test.support.ts';

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
