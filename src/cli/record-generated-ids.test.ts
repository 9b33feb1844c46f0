import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGateway } from '../commands/open-gateway.ts';
import { loadProfile } from '../profile/load.ts';
import { type HarEntry, parseHar } from '../recording/format/schema.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import { randomBytes } from '../seeded-random.test.support.ts';

const PROFILE = `
name: minting
operations:
  POST /webservices/drive:
    request: { json: { a: 1 } }
    response: { rows: $, fields: { jobId: "@.job" } }
  POST /webservices/mapExport:
    request: { json: { a: 1 } }
    response: { media: text, fields: { jobId: { at: $response.header.Location, match: "/([^/?]+)$" } } }
  GET /webservices/getDriveJobStatus:
    request: { query: { id: "{jobId}" } }
    response: { rows: $, fields: { jobId: "@.job", state: "@.state" } }
  GET /webservices/getMapExportJobStatus:
    request: { headers: { X-Job: "{jobId}" } }
    response: { rows: $, fields: { jobId: "@.job", state: "@.state" } }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: { query: { after: "{cursor}" } }
    response: { rows: "$.items[*]", fields: { upc: "@.upc" }, paging: { style: cursor, next: $.next } }
  GET /RetailMeasurement/v1/BrandPerformance:
    request: {}
    response: { rows: "$.items[*]", fields: { brand: "@.b" }, paging: { style: link, rel: next } }
`;

const PAGES = 3;

/** Counts its jobs up from a number and draws the tokens of its pages; \`big\` pages do not fit into the HAR. */
async function startMinting(from: number, big: number): Promise<string> {
  let job = from;
  const cursors = new Map<string, number>();
  const polls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://any.invalid');
    const say = (body: unknown, head: Record<string, string> = {}): void => {
      response.writeHead(200, { 'content-type': 'application/json', ...head }).end(JSON.stringify(body));
    };
    const state = (id: string): string => {
      polls.set(id, (polls.get(id) ?? 0) + 1);
      return (polls.get(id) ?? 0) > 2 ? 'DONE' : 'RUNNING';
    };
    const page = (token: string | null): { readonly at: number; readonly next: string | undefined } => {
      const [at, next] = [cursors.get(token ?? '') ?? 0, randomBytes(12).toString('base64')];
      cursors.set(next, at + 1);
      return { at, next: at < PAGES ? next : undefined };
    };
    if (pathname.endsWith('/drive')) say({ job: job++, progress: 17, at: new Date().toISOString() });
    else if (pathname.endsWith('/mapExport')) {
      const head = { location: `/jobs/${job}`, 'content-type': 'text/plain' };
      response.writeHead(202, head).end(`accepted ${job++}`);
    } else if (pathname.endsWith('getDriveJobStatus')) {
      const id = searchParams.get('id') ?? '';
      say({ job: Number(id), state: state(id), progress: 17 });
    } else if (pathname.endsWith('getMapExportJobStatus')) {
      const id = String(request.headers['x-job']);
      say({ job: id, state: state(id) });
    } else if (pathname.endsWith('allProducts')) {
      const { at, next } = page(searchParams.get('after'));
      const items = Array.from({ length: big }, (_, each) => ({ upc: String(at * big + each).padStart(12, '0') }));
      say({ items, ...(next && { next }) });
    } else {
      const { at, next } = page(searchParams.get('c'));
      const link = `<http://${request.headers.host}${pathname}?c=${encodeURIComponent(next ?? '')}&n=1>; rel="next"`;
      say({ items: [{ b: `b${at}` }] }, next ? { link } : {});
    }
  });
  return listen(server);
}

const post = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };

/** Sends the requests of a run: jobs and their states, lists and their pages. */
async function askAll(base: string, drives: number): Promise<void> {
  const textOf = async (path: string, init?: RequestInit): Promise<string> => (await fetch(base + path, init)).text();
  for (let each = 0; each < drives; each++) {
    const { job } = JSON.parse(await textOf('/webservices/drive', post)) as { job: number };
    for (let poll = 0; poll < 4; poll++) await textOf(`/webservices/getDriveJobStatus?id=${job}`);
  }
  const { headers } = await fetch(`${base}/webservices/mapExport`, post);
  const id = headers.get('location')?.split('/').at(-1) ?? '';
  for (let poll = 0; poll < 4; poll++) await textOf('/webservices/getMapExportJobStatus', { headers: { 'X-Job': id } });
  for (let next: string | undefined = ''; next !== undefined; ) {
    const query: string = next === '' ? '' : `?after=${encodeURIComponent(next)}`;
    ({ next } = JSON.parse(await textOf(`/PLATFORMAPI/prodRef/v1/allProducts${query}`)) as { next?: string });
  }
  for (let url: string | undefined = `${base}/RetailMeasurement/v1/BrandPerformance`; url; ) {
    const answer: Response = await fetch(url);
    await answer.text();
    url = /<([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
}

async function folders() {
  const dir = newFolder();
  const file = join(dir, 'minting.yaml');
  writeFileSync(file, PROFILE);
  const profile = await loadProfile(file);
  const folder = join(dir, 'it');
  return {
    record: async (upstream: string, drives: number): Promise<string> => {
      const gateway = await openGateway({ name: 'it', recordings: dir }, { upstream, profile, source: 'live' });
      await askAll(gateway.url, drives);
      await gateway.close();
      const files = readdirSync(folder, { recursive: true }).map(String).sort();
      const kept = files.filter((each) => /\.har$|sha256/.test(each));
      return kept.map((each) => `${each}\n${readFileSync(join(folder, each), 'latin1')}`).join('\n');
    },
    entries: (): readonly HarEntry[] => {
      const [har = ''] = readdirSync(folder, { recursive: true })
        .map(String)
        .filter((each) => each.endsWith('.har'));
      return parseHar(readFileSync(join(folder, har), 'utf8'), har).log.entries;
    },
  };
}

test.each([3, 5000])('ids counted up and tokens drawn anew change no byte, in pages of %i rows', async (big) => {
  const { record } = await folders();
  const first = await record(await startMinting(17, big), 3);
  const again = await record(await startMinting(40, big), 3);
  // Not `toBe`, which would print megabytes.
  expect(again === first).toBe(true);
});

test('ids counted from the same number again are told apart from those of jobs that are kept', async () => {
  const { record, entries } = await folders();
  await record(await startMinting(17, 3), 2);
  // The third job gets the number that was the map’s.
  await record(await startMinting(17, 3), 3);
  const asked = entries().filter(({ _mdwi }) => _mdwi.operation === 'GET /webservices/getDriveJobStatus');
  const ids = new Set(asked.map(({ request }) => request.url.split('=')[1]));
  expect(ids.size).toBe(3);
  expect([...ids]).toEqual(expect.arrayContaining(['17', '18']));
  expect([...ids]).not.toContain('19');
  for (const id of ids) expect(asked.filter(({ request }) => request.url.endsWith(`=${id}`))).toHaveLength(4);
  const [third] = entries().filter(
    ({ _mdwi, _order }) => _mdwi.operation === 'POST /webservices/drive' && _order === 2,
  );
  const { job, progress } = JSON.parse(third?.response.content.text ?? '') as { job: number; progress: number };
  expect(ids).toContain(String(job));
  expect(progress).toBe(17);
});
