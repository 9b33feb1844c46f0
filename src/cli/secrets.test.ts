import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import {
  bodyOf,
  gatewayTo,
  type ReceivedResponse,
  sendRequest,
  serve,
  type TestRequest,
} from '../../simulator/gateway/servers.test.support.ts';
import { startReplay } from '../../simulator/replay/replay.ts';
import { loadProfile } from '../profile/load.ts';
import { openRecording } from '../recording/store/open-recording.ts';
import type { ProtectionOptions } from '../secrets/hide-in-exchange.ts';
import { randomBytes, randomUUID } from '../seeded-random.test.support.ts';
import { checkLikeData, checkScrubbed } from './secrets.test.support.ts';

/** What one client knows by heart. */
interface Wallet {
  readonly password: string;
  readonly apiKey: string;
  readonly declared: string;
  readonly jwt: string;
  readonly awsKey: string;
  readonly signWith: string;
}

const urlSafe = (bytes: number): string => randomBytes(bytes).toString('base64url');
const jwt = (): string =>
  [
    { alg: 'HS256', typ: 'JWT' },
    { sub: urlSafe(6), iat: Date.now() },
  ]
    .map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
    .concat(urlSafe(32))
    .join('.');

const newWallet = (): Wallet => ({
  password: `p&ss "wörd" ${urlSafe(9)}/+`,
  apiKey: `key-${urlSafe(15)}1a`,
  declared: `decl/${urlSafe(9)}+9z`,
  jwt: jwt(),
  awsKey: `AKIA${randomBytes(10)
    .toString('hex')
    .toUpperCase()
    .replace(/[01890]/g, 'Q')
    .slice(0, 16)}`,
  signWith: urlSafe(20),
});

const protectionWith = ({ password, declared }: Wallet): ProtectionOptions => ({
  declared: [
    { name: 'password', value: password },
    { name: 'secret', value: declared },
  ],
});

/** A service that issued these credentials, and repeats everything it receives in every form. */
interface Service {
  readonly issued: string[];
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

function newService(): Service {
  const issued: string[] = [];
  const mint = (value: string): string => {
    issued.push(value);
    return value;
  };
  const json = (response: ServerResponse, value: unknown): void => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  };
  return {
    issued,
    async answer(request, response) {
      const url = new URL(request.url ?? '', `http://${request.headers.host}`);
      const body = await bodyOf(request);
      const auth = `${request.headers.authorization ?? ''}`;
      const bearer = auth.replace(/^\S+ /, '');
      const echo = url.searchParams.get('e') ?? bearer;
      response.sendDate = false;
      switch (url.pathname) {
        case '/login': {
          const said = JSON.parse(body.toString()) as { password: string };
          const token = mint(urlSafe(24));
          response.setHeader('set-cookie', [`sid=${mint(urlSafe(18))}; Path=/; HttpOnly`, 'lang=en']);
          return json(response, {
            access_token: token,
            token_type: 'Bearer',
            session: { id: 17, token: mint(randomUUID()), sessionId: mint(randomBytes(16).toString('hex')) },
            again: `Bearer ${token}`,
            youSaid: said.password,
          });
        }
        case '/rows': {
          const page = Number(url.searchParams.get('page') ?? '1');
          const next = `${url.origin}/rows?access_token=${encodeURIComponent(echo)}&page=${page + 1}`;
          return json(response, {
            rows: [
              { upc: '012345678905', sales: 1234.5 },
              { upc: '042100000177', sales: 99 },
            ],
            nextToken: `eyJvZmZzZXQiOj${page}cursor${page}`,
            ...(page < 3 && { next }),
            auth,
            cookie: request.headers.cookie,
          });
        }
        case '/cursor': {
          // An opaque cursor that goes back under the name of a token.
          const at = url.searchParams.get('token');
          const pages: Record<string, [string, string | null]> = {
            '': ['first', 'q7Zk19xTTb2c'],
            q7Zk19xTTb2c: ['second', 'q7Zk19xTTb3d'],
            q7Zk19xTTb3d: ['third', null],
          };
          const [row, next] = pages[at ?? ''] ?? ['unknown', null];
          return json(response, { row, cursor: next });
        }
        case '/encoded':
          return json(response, {
            basic: Buffer.from(`somebody:${echo}`).toString('base64'),
            url: encodeURIComponent(echo),
            hex: Buffer.from(echo).toString('hex'),
            digest: createHash('sha256').update(echo).digest('hex'),
            md5: createHash('md5').update(echo).digest('base64'),
          });
        case '/zipped':
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
          return void response.end(gzipSync(JSON.stringify({ echo, n: 1 })));
        case '/binary': {
          const bytes = Buffer.concat([Buffer.alloc(70_000, 7), Buffer.from(`\0${echo}\0`), Buffer.alloc(70_000, 9)]);
          response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length });
          return void response.end(bytes);
        }
        case '/split': {
          response.writeHead(200, { 'content-type': 'text/plain' });
          for (const letter of `${'filler '.repeat(12_000)}<<${echo}>>${' filler'.repeat(12_000)}`.match(
            /.{1,4099}/gs,
          ) ?? [])
            response.write(letter);
          return void response.end();
        }
        case '/moved':
          response.writeHead(302, { location: `${url.origin}/rows?page=1&access_token=${encodeURIComponent(echo)}` });
          return void response.end();
        case '/broken':
          response.writeHead(500, { 'content-type': 'text/html' });
          return void response.end(`<h1>Oops</h1><pre>at handler (${auth}) ${echo} ${request.headers.cookie}</pre>`);
        default:
          // Whatever came, back again: paths, forms, XML, multipart.
          response.writeHead(200, { 'content-type': 'text/plain' });
          return void response.end(
            `${url.searchParams.has('sv') ? '/blob' : request.url}\n${JSON.stringify({ ...request.headers, host: '' })}\n${body}`,
          );
      }
    },
  };
}

/** Sends every kind of request and uses the issued credentials. Returns the responses without secrets. */
async function use(base: string, wallet: Wallet): Promise<string[]> {
  const seen: string[] = [];
  const go = async (path: string, options: TestRequest = {}): Promise<ReceivedResponse> => {
    const given = await sendRequest(path.startsWith('http') ? path : `${base}${path}`, options);
    const length = given.headers['content-length'];
    if (length !== undefined && given.body.length > 0) expect(Number(length)).toBe(given.body.length);
    seen.push(`${options.method ?? 'GET'} ${given.status} ${given.headers['x-mdwi-miss'] ?? ''}`);
    return given;
  };
  const send = (type: string, body: string, more: Record<string, string> = {}): TestRequest => ({
    method: 'POST',
    headers: { 'content-type': type, ...more },
    body: [body],
  });
  const login = await go('/login', send('application/json', JSON.stringify({ user: 'me', password: wallet.password })));
  const { access_token: token, session } = JSON.parse(login.text) as {
    access_token: string;
    session: { token: string; sessionId: string };
  };
  const cookie = `${login.headers['set-cookie']?.[0]?.split(';')[0]}; lang=en`;
  const headers = { authorization: `Bearer ${token}`, cookie, 'x-api-key': wallet.apiKey, 'x-session': session.token };
  // Paging by links, by a cursor, by the token in the query.
  let next: string | undefined = `${base}/rows?access_token=${encodeURIComponent(token)}`;
  while (next) {
    const page: { next?: string; rows: unknown } = JSON.parse((await go(next, { headers })).text);
    seen.push(JSON.stringify(page.rows));
    next = page.next;
  }
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { row: string; cursor: string | null } = JSON.parse(
      (await go(cursor === '' ? '/cursor' : `/cursor?token=${cursor}`, { headers })).text,
    );
    seen.push(page.row);
    cursor = page.cursor;
  }
  for (const path of ['/encoded', '/zipped', '/binary', '/split', '/moved', '/broken']) {
    await go(path, { headers });
    await go(path, { headers: { ...headers, authorization: `Bearer ${wallet.jwt}` } });
    await go(path, { headers: { ...headers, authorization: `Token ${wallet.declared}` } });
    const basic = Buffer.from(`me:${wallet.password}`).toString('base64');
    await go(`${path}?e=${encodeURIComponent(wallet.password)}`, {
      headers: { ...headers, authorization: `Basic ${basic}` },
    });
  }
  // In paths and bodies.
  await go(`/session/${session.sessionId}/rows?upc=012345678905`, { headers });
  await go(`/token/${encodeURIComponent(wallet.jwt)}`, { headers });
  await go(`/key/${encodeURIComponent(wallet.declared)}/rows`, { headers });
  await go('/form', send('application/x-www-form-urlencoded', `access_token=${token}&page=1&api_key=${wallet.apiKey}`));
  await go(
    '/any',
    send(
      'application/json',
      JSON.stringify({ upc: ['012345678905'], sessionToken: session.token, note: wallet.declared }),
    ),
  );
  await go('/any', send('application/xml', `<q><apiKey>${wallet.apiKey}</apiKey><s token="${session.token}"/></q>`));
  const part = (name: string, value: string): string =>
    `--b0und\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const parts = `${part('access_token', token)}${part('note', 'decl')}${part('upc', '012345678905')}--b0und--\r\n`;
  await go('/upload', send('multipart/form-data; boundary=b0und', parts));
  // Signed addresses, of two kinds: what signs differs from time to time.
  const now = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const signature = createHmac('sha256', wallet.signWith)
    .update(now + randomUUID())
    .digest('hex');
  const credential = encodeURIComponent(`${wallet.awsKey}/20261121/us-east-1/s3/aws4_request`);
  await go(
    `/file?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${credential}&X-Amz-Date=${now}&X-Amz-Signature=${signature}`,
  );
  await go(
    `/blob?sv=2024-01-01&se=${encodeURIComponent(new Date().toISOString())}&sig=${encodeURIComponent(Buffer.from(signature, 'hex').toString('base64'))}`,
  );
  await go('/aws', {
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${wallet.awsKey}/x, SignedHeaders=host, Signature=${signature}`,
    },
  });
  return seen;
}

/** All of a folder by a way of its own: undoes encodings and looks for the plain text, instead of encoding it. */
function leaksIn(folder: string, secrets: readonly string[]): string[] {
  const found = new Set<string>();
  const inspect = (where: string, text: string): void => {
    for (const secret of secrets) if (text.includes(secret)) found.add(`${where}: ${secret}`);
  };
  const undo = (text: string, depth: number, where: string): void => {
    inspect(where, text);
    if (depth === 0) return;
    const ways: [string, (given: string) => string][] = [
      [
        'percent',
        (given) =>
          given.replace(/(?:%[0-9a-fA-F]{2})+/g, (each) => Buffer.from(each.replaceAll('%', ''), 'hex').toString()),
      ],
      ['plus', (given) => given.replaceAll('+', ' ')],
      [
        'json',
        (given) =>
          given.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code, letter) =>
            code === undefined ? letter : String.fromCharCode(Number.parseInt(code, 16)),
          ),
      ],
      ['xml', (given) => given.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')],
      ['csv', (given) => given.replaceAll('""', '"')],
      ['latin1', (given) => Buffer.from(given, 'latin1').toString('utf8')],
      ['utf16', (given) => given.replaceAll('\0', '')],
    ];
    for (const [name, way] of ways) {
      const undone = way(text);
      if (undone !== text) undo(undone, depth - 1, `${where} ${name}`);
    }
  };
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name);
    inspect('name', path);
    if (!each.isFile()) continue;
    const bytes = readFileSync(path);
    const whole = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    const text = whole.toString('latin1');
    undo(text, 3, each.name);
    undo(whole.toString('utf8'), 3, each.name);
    for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{12,}={0,2}/g))
      for (const cut of [0, 1, 2, 3])
        inspect(`${each.name} base64`, Buffer.from(run.slice(cut), 'base64').toString('utf8'));
    for (const [run] of text.matchAll(/(?:[0-9a-fA-F]{2}){6,}/g))
      for (const cut of [0, 1]) inspect(`${each.name} hex`, Buffer.from(run.slice(cut), 'hex').toString('utf8'));
    for (const secret of secrets)
      for (const hash of ['md5', 'sha1', 'sha256', 'sha512'])
        for (const form of ['hex', 'base64', 'base64url'] as const)
          if (text.includes(createHash(hash).update(secret).digest(form).replace(/=+$/, '')))
            found.add(`${each.name} ${hash} ${form}: ${secret}`);
  }
  return [...found];
}

const secretsOf = (wallet: Wallet, { issued }: Service): string[] => [
  ...Object.entries(wallet).flatMap(([name, value]) => (name === 'signWith' ? [] : [value])),
  wallet.jwt.split('.')[1] as string,
  ...issued,
];

async function recordUse(wallet: Wallet, dir?: string) {
  const service = newService();
  const upstream = await serve((request, response) => void service.answer(request, response));
  const direct = await use(upstream, wallet);
  const gateway = await gatewayTo(upstream, { protection: protectionWith(wallet), ...(dir !== undefined && { dir }) });
  const through = await use(gateway.url, wallet);
  expect(through).toEqual(direct);
  await gateway.close();
  return { service, seen: through, folder: gateway.folder, dir: dirname(gateway.folder) };
}

async function replayed(dir: string, protection?: ProtectionOptions) {
  const messages: string[] = [];
  const replay = await startReplay({
    recording: openRecording(dir, 'test'),
    onMessage: (message) => messages.push(message),
    ...(protection && { protection }),
  });
  onTestFinished(() => replay.close());
  return { ...replay, messages };
}

/** By name, the content of every file of a recording but its provenance. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name !== 'provenance.json')
    .map((each) => `${each.name} ${readFileSync(join(each.parentPath, each.name), 'latin1')}`)
    .sort();

test('a secret is not written; after a rotation all replays; recorded anew with other credentials, no file changes', async () => {
  const wallet = newWallet();
  const { service, folder, dir, seen } = await recordUse(wallet);
  expect(service.issued.length).toBeGreaterThan(4);
  expect(leaksIn(folder, secretsOf(wallet, service))).toEqual([]);

  const rotated = newWallet();
  for (const protection of [protectionWith(rotated), undefined]) {
    const replay = await replayed(dir, protection);
    expect([await use(replay.url, rotated), replay.messages]).toEqual([seen, []]);
  }

  const before = filesIn(folder);
  await recordUse(newWallet(), dir);
  expect(filesIn(folder)).toEqual(before);
});

test('a secret that gives itself away late is taken out of what was written before', async () => {
  const [token, long] = [urlSafe(24), urlSafe(30)];
  const upstream = await serve(({ url, headers }, response) => {
    response.setHeader('content-type', 'text/plain');
    if (url === '/ticket') return void response.end(token);
    if (url === '/long') return void response.end(`${'no secret here '.repeat(9000)}${long}`);
    response.end(headers.authorization ? `welcome ${url}` : 'who?');
  });
  const flow = async (base: string): Promise<string[]> => {
    const given = (await sendRequest(`${base}/ticket`)).text;
    const other = (await sendRequest(`${base}/long`)).text.split(' ').at(-1);
    const ways = [
      await sendRequest(`${base}/${given}/x`),
      await sendRequest(`${base}/a`, { headers: { authorization: `Bearer ${given}` } }),
      await sendRequest(`${base}/b`, { headers: { 'x-api-key': other ?? '' } }),
      await sendRequest(`${base}/${given}/x`),
    ];
    return ways.map(({ status }) => `${status}`);
  };
  const gateway = await gatewayTo(upstream);
  const live = await flow(gateway.url);
  await gateway.close();
  expect(leaksIn(gateway.folder, [token, long])).toEqual([]);
  expect(readdirSync(join(gateway.folder, 'bodies'))).toHaveLength(1);
  const replay = await replayed(dirname(gateway.folder));
  expect([await flow(replay.url), replay.messages]).toEqual([live, []]);
});

test('secrets that look like data wreck none, and rotated credentials still match', () =>
  checkLikeData('hypermedia', ['D']));

test('invented figures and files leave the verdicts as they were', () =>
  checkScrubbed({ dialect: 'reference', fault: 'windows-4-and-12-swapped' }));

test('uploaded files are not written, and the same upload still matches', async () => {
  const upstream = await serve(async (request, response) => {
    const { length } = await bodyOf(request);
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ took: length }));
  });
  const scrub = { kinds: ['uploads'], profile: await loadProfile('empty') } as const;
  const gateway = await gatewayTo(upstream, { scrub });
  const [csv, big] = ['store,street\nNorthside,12 Elm Road\n', `id,owner\n${'7,Mrs Example\n'.repeat(120_000)}`];
  const multipart = (file: string): string =>
    `--b\r\ncontent-disposition: form-data; name="f"; filename="clients.csv"\r\n\r\n${file}\r\n--b--\r\n`;
  const upload = async (base: string, type: string, body: string): Promise<string> => {
    const headers = { 'content-type': type };
    const { status, text } = await sendRequest(`${base}/webservices/importLocation`, {
      method: 'POST',
      headers,
      body: [body],
    });
    return `${status} ${text}`;
  };
  const all = async (base: string): Promise<string[]> => [
    await upload(base, 'text/csv', csv),
    await upload(base, 'multipart/form-data; boundary=b', multipart(csv)),
    await upload(base, 'text/csv', big),
    await upload(base, 'application/octet-stream', big),
  ];
  const live = await all(gateway.url);
  await gateway.close();
  expect(leaksIn(gateway.folder, ['Northside', 'Elm Road', 'Example', 'clients.csv'])).toEqual([]);
  const replay = await replayed(dirname(gateway.folder));
  expect([await all(replay.url), replay.messages]).toEqual([live, []]);
  expect(await upload(replay.url, 'text/csv', 'another,file\n')).toMatch(/^502 /);
});

test('lanes at once, and a part recorded again, give what they gave', async () => {
  const upstream = await serve(({ url = '', headers }, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('set-cookie', `JSESSIONID=${randomBytes(16).toString('hex')}; Path=/`);
    if (url === '/login')
      response.end(JSON.stringify({ access_token: urlSafe(24), jobs: [{ jobToken: urlSafe(12) }] }));
    else response.end(JSON.stringify({ auth: headers.authorization }));
  });
  const use = async (base: string): Promise<void> => {
    const given = JSON.parse((await sendRequest(`${base}/login`)).text) as {
      access_token: string;
      jobs: { jobToken: string }[];
    };
    const headers = { authorization: `Bearer ${given.access_token}` };
    const asks = ['/a', '/b', `/status?token=${given.jobs[0]?.jobToken}`];
    await Promise.all(asks.map((path) => sendRequest(`${base}${path}`, { headers })));
  };
  const first = await gatewayTo(upstream);
  const dir = dirname(first.folder);
  await Promise.all(['main', 'x', 'y'].map((lane) => use(first.urlOf(lane))));
  await first.close();
  const before = filesIn(first.folder);
  for (const lanes of [['y', 'x', 'main'], ['x']]) {
    const scrubbed = await gatewayTo(upstream, { dir });
    await Promise.all(lanes.map((lane) => use(scrubbed.urlOf(lane))));
    await scrubbed.close();
    expect(filesIn(first.folder)).toEqual(before);
  }
});
