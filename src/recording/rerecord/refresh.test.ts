import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GatewayOptions } from '../../../simulator/gateway/gateway.ts';
import { gatewayTo, readLane, sendRequest, serve } from '../../../simulator/gateway/servers.test.support.ts';
import { newFolder } from '../../resources.test.support.ts';
import { random, randomBytes, randomUUID } from '../../seeded-random.test.support.ts';
import { parseProvenance } from '../format/schema.ts';

const RESEND = { resendPolicy: { pauseMs: 0, maxRequests: 50 } };
const json = { 'content-type': 'application/json' };

function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const names = files
    .map((each) => join(each.parentPath, each.name))
    .filter((each) => !each.endsWith('provenance.json'));
  return Object.fromEntries(names.sort().map((each) => [each.slice(folder.length), readFileSync(each, 'latin1')]));
}

const masksOf = (folder: string) =>
  parseProvenance(readFileSync(join(folder, 'provenance.json'), 'utf8'), 'p').masks.map(
    (each) => `${each.operation} ${each.where}`,
  );

/** Records the requests of `client` twice under one name; returns the files after each. */
async function twice(
  answer: RequestListener,
  client: (url: string, time: number) => Promise<unknown>,
  {
    second = answer,
    options = {},
  }: { readonly second?: RequestListener; readonly options?: Partial<GatewayOptions> } = {},
) {
  const dir = newFolder();
  const all: Record<string, string>[] = [];
  let folder = '';
  for (const [time, each] of [answer, second].entries()) {
    const gateway = await gatewayTo(await serve(each), { dir, ...options });
    await client(gateway.url, time);
    await gateway.close();
    folder = gateway.folder;
    all.push(filesOf(folder));
  }
  return { before: all[0], after: all[1], folder, masks: masksOf(folder) };
}

const CATEGORIES = '/PLATFORMAPI/prodRef/v1/allCategories';
const PING = '/webservices/testService';

test('new ids and times in headers, JSON, XML, CSV, lines, words and parts change nothing', async () => {
  const [C, D] = ['/PLATFORMAPI/prodRef/v1', '/RetailMeasurement/v1'];
  const draw = () => randomBytes(6).toString('hex');
  const boundary = () => `b${randomUUID()}`;
  const bodies: Record<string, () => [string, string]> = {
    [CATEGORIES]: () => [
      'application/json; charset=utf-8',
      JSON.stringify({
        at: new Date().toISOString(),
        of: { id: draw() },
        rows: [
          { id: 1, tag: draw() },
          { id: 2, tag: draw() },
        ],
      }),
    ],
    [`${C}/allProducts`]: () => ['application/x-ndjson', `{"id":1,"v":"${draw()}"}\n{"id":2,"v":"${draw()}"}\n`],
    [`${C}/updateProducts`]: () => [
      'application/xml',
      `<A at="${draw()}"><!-- ${draw()} --><B id="1">${draw()}</B><B id="2">${draw()}</B></A>`,
    ],
    [`${D}/BrandPerformance`]: () => ['text/csv', `id,v\n1,"${draw()}"\n2,"${draw()}"\n`],
    [PING]: () => ['text/plain', `pong ${draw()} in ${random()} ms`],
    [`${D}/CategoryPerformance`]: () => {
      const drawn = boundary();
      return [
        `multipart/mixed; boundary="${drawn}"`,
        `--${drawn}\r\ncontent-type: text/plain\r\n\r\none\r\n--${drawn}--\r\n`,
      ];
    },
  };
  const answer: RequestListener = (request, response) => {
    const [type, body] = (bodies[request.url ?? ''] as () => [string, string])();
    response.setHeader('x-node', draw());
    response.setHeader(
      'set-cookie',
      `sid=${draw()}; Path=/; Expires=${new Date(Date.now() + random() * 1e9).toUTCString()}`,
    );
    response.writeHead(200, { 'content-type': type, etag: `"${draw()}"` }).end(body);
  };
  const { before, after, masks } = await twice(
    answer,
    async (url) => {
      for (const path of Object.keys(bodies)) await sendRequest(url + path);
    },
    { options: RESEND },
  );
  expect(after).toEqual(before);
  const places = masks.map((each) => each.replace(/^\*? ?(?:\w+ \/\S+ )?/, ''));
  const drawn = ['$.at', '$.of.id', '$.rows[*].tag', '$[*].v', '/./@at', '/./B', 'word 2', 'word 4'];
  expect(places).toEqual(expect.arrayContaining([...drawn, '$response.header.x-node', '$response.header.etag']));
});

test('the order of members and rows changes nothing; another value, row or type does', async () => {
  const says =
    (body: unknown): RequestListener =>
    (_, response) =>
      void response.writeHead(200, json).end(JSON.stringify(body));
  const rows = [
    { id: 1, name: 'Tea' },
    { id: 2, name: 'Coffee' },
  ];
  const client = (url: string) => sendRequest(`${url}${CATEGORIES}`);
  const same = await twice(says({ rows, n: 2 }), client, {
    second: says({ n: 2, rows: [{ name: 'Coffee', id: 2 }, rows[0]] }),
  });
  expect(same.after).toEqual(same.before);
  expect(same.masks).toEqual([]);
  for (const other of [
    {
      rows: [
        { id: 1, name: 'Coffee' },
        { id: 2, name: 'Tea' },
      ],
      n: 2,
    },
    { rows: [...rows, { id: 3, name: 'Mate' }], n: 2 },
    { rows, n: '2' },
    { rows, n: 2, more: null },
  ]) {
    const changed = await twice(says({ rows, n: 2 }), client, { second: says(other) });
    expect(changed.after).not.toEqual(changed.before);
  }
});

test('without a profile job ids are recognised by their place, and status requests keep their keys', async () => {
  const answer =
    (minted = new Map<string, number>()): RequestListener =>
    (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      if (request.method === 'POST') {
        const id = randomUUID();
        minted.set(id, 0);
        const head = { ...json, location: `http://${request.headers.host}/webservices/getDriveJobStatus?id=${id}` };
        return void response
          .writeHead(202, head)
          .end(JSON.stringify({ job: { id }, submitted: new Date().toISOString() }));
      }
      const id = searchParams.get('id') ?? '';
      const asked = (minted.get(id) ?? 0) + 1;
      minted.set(id, asked);
      response
        .writeHead(200, json)
        .end(JSON.stringify({ id, state: asked > 2 ? 'DONE' : 'RUNNING', self: `/x/${id}` }));
    };
  const client = async (url: string) => {
    for (let job = 0; job < 2; job++) {
      const started = await sendRequest(`${url}/webservices/drive`, {
        method: 'POST',
        headers: json,
        body: ['{"a":1}'],
      });
      for (let poll = 0; poll < 4; poll++) await sendRequest(String(started.headers.location));
    }
  };
  const { before, after, folder } = await twice(answer(), client, { second: answer() });
  expect(after).toEqual(before);
  expect(readLane(folder).filter(({ request }) => request.method === 'GET')).toHaveLength(8);
});

test('one client and eight concurrent clients record the same bytes', async () => {
  const answer: RequestListener = (request, response) =>
    void setTimeout(() => response.writeHead(200, json).end(JSON.stringify({ of: request.url })), random() * 20);
  const paths = Array.from({ length: 40 }, (_, at) => `${CATEGORIES}?n=${at}`);
  const { before, after } = await twice(answer, async (url, time) => {
    if (time === 0) for (const path of paths) await sendRequest(url + path);
    else await Promise.all(paths.toReversed().map((path) => sendRequest(url + path)));
  });
  expect(after).toEqual(before);
});

test('only requests that change nothing are sent twice, each once, a few per operation, and none after a refusal', async () => {
  const seen: string[] = [];
  let isRefusing = false;
  const upstream = await serve((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(isRefusing ? 429 : 200, json).end('{}');
  });
  const record = async () => {
    const gateway = await gatewayTo(upstream, RESEND);
    for (let at = 0; at < 6; at++) await sendRequest(`${gateway.url}${CATEGORIES}?n=${at}`);
    await sendRequest(`${gateway.url}${PING}`);
    await sendRequest(`${gateway.url}/webservices/getSaveMap`);
    await sendRequest(`${gateway.url}/webservices/drive`, { method: 'POST', headers: json, body: ['{}'] });
    await sendRequest(`${gateway.url}/elsewhere`);
    const asked = seen.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return {
      gateway,
      again: async () => {
        await gateway.close();
        return seen.slice(asked);
      },
    };
  };
  const first = await record();
  const again = await first.again();
  expect(again.filter((each) => each.includes(CATEGORIES))).toHaveLength(3);
  expect(new Set(again).size).toBe(again.length);
  expect(again.filter((each) => !each.includes(CATEGORIES))).toEqual([`GET ${PING}`]);
  expect(first.gateway.recordedCount()).toBe(10);
  const second = await record();
  isRefusing = true;
  expect(await second.again()).toHaveLength(1);
});
