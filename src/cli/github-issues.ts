/** `mdwi github-issues`: one issue of a GitHub repository for each failure of a run. */
import { printable } from '../exchange/printable.ts';
import { type Issue, issuesOf } from '../report/issues.ts';
import { EXIT } from '../run/exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, needed, parse } from './parse-flags.ts';
import { ISSUES_FLAGS } from './usage/reports.ts';

const LABEL = 'mdwi';
/** More failures in one night have one cause, which issues do not help to find. */
const MAX_OPENED = 20;
const PAGE_SIZE = 100;

/** An issue as the REST API of GitHub describes it. */
interface StoredIssue {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly state_reason?: string | null;
  readonly body?: string | null;
}

/** A function that sends a request to the issues of the repository. Variables of GitHub Actions name the repository. */
function connect(env: NodeJS.ProcessEnv) {
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY, GITHUB_TOKEN } = env;
  if (!GITHUB_REPOSITORY || !GITHUB_TOKEN)
    throw new UsageError(
      '--open needs the environment variables GITHUB_REPOSITORY (owner/name) and GITHUB_TOKEN with the permission issues: write',
    );
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues${path}`, {
      method,
      redirect: 'error',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${GITHUB_TOKEN}`,
        'content-type': 'application/json',
        'user-agent': 'mdwi-conformance',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(({ cause }: Error) => {
      // The message of the error itself may quote the token.
      const why = cause instanceof Error ? cause.message : 'GITHUB_API_URL or GITHUB_TOKEN is invalid';
      throw new UsageError(`GitHub did not respond to ${method} issues${path}: ${why}`);
    });
    if (!response.ok)
      throw new UsageError(
        `GitHub responded to ${method} issues${path} with ${response.status}; the job needs the permission issues: write`,
      );
    return response.json();
  };
}

type Send = ReturnType<typeof connect>;

async function storedIssues(send: Send): Promise<StoredIssue[]> {
  const all: StoredIssue[] = [];
  for (let page = 1; ; page++) {
    const batch = (await send(
      'GET',
      `?labels=${LABEL}&state=all&per_page=${PAGE_SIZE}&page=${page}`,
    )) as readonly StoredIssue[];
    all.push(...batch);
    if (batch.length < PAGE_SIZE) return all;
  }
}

/** Whether an issue is that of a marker, which is a line of its own: other lines quote texts of the service. */
const hasMarker = ({ body }: StoredIssue, marker: string): boolean =>
  body?.split('\n').some((line) => line.trim() === marker) ?? false;

/** What is stored for a failure, if nothing is to be opened. */
function settledAs(same: readonly StoredIssue[]): string | undefined {
  const open = same.find(({ state }) => state === 'open');
  if (open) return `is open as #${open.number}`;
  const [closed] = same;
  return closed?.state_reason === 'not_planned' ? `is closed as not planned: #${closed.number}` : undefined;
}

/** Opens an issue, or the closed one again. Returns what was done. */
async function openIssue({ title, body }: Issue, closed: StoredIssue | undefined, send: Send): Promise<string> {
  if (closed) {
    await send('PATCH', `/${closed.number}`, { state: 'open' });
    return `opened again: #${closed.number}`;
  }
  const { number } = (await send('POST', '', { title, body, labels: [LABEL] })) as StoredIssue;
  return `opened: #${number}`;
}

export const githubIssues: Command = async (args) => {
  const { values, positionals } = parse(args, ISSUES_FLAGS, 1);
  const path = needed(positionals[0], 'mdwi github-issues run.json [--open]: the file of the run is missing');
  const { readRun } = await import('../comparison/read-run.ts');
  const issues = issuesOf(readRun(path));
  const send = values.open ? connect(process.env) : undefined;
  const stored = send && issues.length > 0 ? await storedIssues(send) : [];
  let [opened, left] = [0, 0];
  for (const issue of issues) {
    const same = stored.filter((each) => hasMarker(each, issue.marker));
    const settled = settledAs(same);
    if (settled === undefined && opened === MAX_OPENED) {
      left++;
      continue;
    }
    if (settled === undefined) opened++;
    const done = settled ?? (send ? await openIssue(issue, same[0], send) : 'not opened: --open is not given');
    process.stdout.write(`${printable(issue.title)}: ${done}\n`);
  }
  if (left > 0) process.stdout.write(`${left} more failures: see the report\n`);
  if (issues.length === 0) process.stdout.write('no failure needs an issue\n');
  return EXIT.ok;
};
