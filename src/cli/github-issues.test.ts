import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { resultWith, runWith } from '../comparison/run.test.support.ts';
import { newFolder } from '../resources.test.support.ts';
import { type StoredIssue, startGitHub } from './github.test.support.ts';
import { githubIssues } from './github-issues.ts';
import { perform } from './perform.test.support.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A run with this number of failures; each quotes the hidden comment of every issue so far. */
function runFile(failures: number, quoted = ''): string {
  const folder = newFolder();
  const findings = [{ expected: 'a UPC', actual: quoted }];
  const results = Array.from({ length: failures }, (_, at) => resultWith(`C.rule-${at}`, 'fail', { findings }));
  writeFileSync(join(folder, 'run.json'), JSON.stringify(runWith(results)));
  return join(folder, 'run.json');
}

/** A repository for this test, named by the environment. */
async function repository() {
  const github = await startGitHub();
  vi.stubEnv('GITHUB_API_URL', github.url);
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/market');
  vi.stubEnv('GITHUB_TOKEN', 'token');
  return github;
}

test('failures that have issues leave room for others: at most 20 are opened, not examined', async () => {
  const { issues } = await repository();
  const file = runFile(22);
  await githubIssues([file, '--open']);
  expect(issues).toHaveLength(20);
  await githubIssues([file, '--open']);
  expect(issues).toHaveLength(22);
});

test('a service that quotes the hidden comment of an issue in another one prevents no issue', async () => {
  const { issues } = await repository();
  await githubIssues([runFile(1), '--open']);
  const marker = /<!-- .* -->/.exec(issues.pop()?.body ?? '')?.[0] ?? '';
  issues.push({ title: 'other', body: `- actual: \`${marker}\``, number: 1, state: 'open' });
  await githubIssues([runFile(1, marker), '--open']);
  expect(issues.map(({ title }) => title)).toEqual(['other', expect.stringContaining('C.rule-0')]);
});

test('a closed issue is opened again when the failure returns, unless it was closed as not planned', async () => {
  const { issues, requests } = await repository();
  const file = runFile(1);
  const said = async (...flags: string[]) => {
    const { stdout, stderr } = await perform(['github-issues', file, ...flags]);
    return stdout + stderr;
  };
  expect(await said()).toContain('--open is not given');
  expect(requests).toEqual([]);
  expect(await said('--open')).toContain('opened: #1');
  expect(new Set(requests.map((each) => each.slice(each.indexOf('Bearer'))))).toEqual(new Set(['Bearer token']));
  Object.assign(issues[0] as StoredIssue, { state: 'closed', state_reason: 'completed' });
  expect(await said('--open')).toContain('opened again: #1');
  expect(issues[0]?.state).toBe('open');
  Object.assign(issues[0] as StoredIssue, { state: 'closed', state_reason: 'not_planned' });
  expect(await said('--open')).toContain('is closed as not planned: #1');
  expect(issues).toHaveLength(1);
});

test('no message shows the token', async () => {
  await repository();
  vi.stubEnv('GITHUB_TOKEN', 's3cret\nvalue');
  const refused = githubIssues([runFile(1), '--open']);
  await expect(refused).rejects.toThrow(/^GitHub did not respond .*: GITHUB_API_URL or GITHUB_TOKEN is invalid$/);
});
