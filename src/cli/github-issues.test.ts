import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { resultWith, runWith } from '../comparison/run.test.support.ts';
import { githubIssues } from './github-issues.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A run with this number of failures; each quotes the hidden comment of every issue so far. */
function runFile(failures: number, quoted = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-issues-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const findings = [{ expected: 'a UPC', actual: quoted }];
  const results = Array.from({ length: failures }, (_, at) => resultWith(`C.rule-${at}`, 'fail', { findings }));
  writeFileSync(join(folder, 'run.json'), JSON.stringify(runWith(results)));
  return join(folder, 'run.json');
}

/** The issues of a repository, served as GitHub does. */
async function startGitHub(): Promise<{ readonly title: string; readonly body: string }[]> {
  const issues: { title: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.method === 'POST') issues.push({ ...JSON.parse(text), number: issues.length + 1, state: 'open' });
    response.end(JSON.stringify(request.method === 'POST' ? issues.at(-1) : issues));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  vi.stubEnv('GITHUB_API_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('GITHUB_REPOSITORY', 'acme/market');
  vi.stubEnv('GITHUB_TOKEN', 'token');
  return issues;
}

test('failures that have issues leave room for others: at most 20 are opened, not examined', async () => {
  const issues = await startGitHub();
  const file = runFile(22);
  await githubIssues.run([file, '--open']);
  expect(issues).toHaveLength(20);
  await githubIssues.run([file, '--open']);
  expect(issues).toHaveLength(22);
});

test('a service that quotes the hidden comment of an issue in another one prevents no issue', async () => {
  const issues = await startGitHub();
  await githubIssues.run([runFile(1), '--open']);
  const marker = /<!-- .* -->/.exec(issues.pop()?.body ?? '')?.[0] ?? '';
  issues.push({ title: 'other', body: `- actual: \`${marker}\`` });
  await githubIssues.run([runFile(1, marker), '--open']);
  expect(issues.map(({ title }) => title)).toEqual(['other', expect.stringContaining('C.rule-0')]);
});

test('no message shows the token', async () => {
  await startGitHub();
  vi.stubEnv('GITHUB_TOKEN', 's3cret\nvalue');
  const refused = githubIssues.run([runFile(1), '--open']);
  await expect(refused).rejects.toThrow(/^GitHub did not respond .*: GITHUB_API_URL or GITHUB_TOKEN is invalid$/);
});
