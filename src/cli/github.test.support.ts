import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../resources.test.support.ts';

export interface StoredIssue {
  number: number;
  state: string;
  state_reason?: string;
  title: string;
  body: string;
}

/** The issues of the repository acme/market as the REST API of GitHub serves them, and the requests for them. */
export async function startGitHub(): Promise<{ url: string; issues: StoredIssue[]; requests: string[] }> {
  const [issues, requests]: [StoredIssue[], string[]] = [[], []];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    requests.push(`${method} ${url} ${headers.authorization}`);
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}') as Partial<StoredIssue>;
    const { pathname, searchParams } = new URL(url, 'http://github.test');
    const [, number] = /^\/repos\/acme\/market\/issues(?:\/(\d+))?$/.exec(pathname) ?? [];
    const page = Number(searchParams.get('page') ?? 1);
    if (method === 'POST') issues.push({ title: '', body: '', ...body, number: issues.length + 1, state: 'open' });
    if (method === 'PATCH') Object.assign(issues[Number(number) - 1] as StoredIssue, body);
    response.end(JSON.stringify(method === 'GET' ? issues.slice((page - 1) * 100, page * 100) : issues.at(-1)));
  };
  const server = createServer((request, response) => void respond(request, response));
  return { url: await listen(server), issues, requests };
}
