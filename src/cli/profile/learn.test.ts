/** `mdwi profile learn` and `why` against the simulator, and what they refuse. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type SimulatorOptions, startSimulator } from '../../../simulator/server.ts';
import { printableLines } from '../../exchange/printable.ts';
import type { Learned } from '../../learn/types.ts';
import { startMain } from '../../processes.test.support.ts';
import { loadProfile } from '../../profile/load.ts';
import { listen, newFolder } from '../../resources.test.support.ts';
import type { Ask } from '../init/ask.ts';
import { perform } from '../perform.test.support.ts';
import { askQuestions } from './learn-questions.ts';
import { describeKey, rulesUnlockedBy } from './learn-report.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const CATEGORIES = 'GET /PLATFORMAPI/prodRef/v1/allCategories';

async function simulated(options: SimulatorOptions = {}): Promise<string> {
  const simulator = await startSimulator({ products: 40, ...options });
  onTestFinished(() => simulator.close());
  return simulator.url;
}

const learn = (folder: string, ...args: string[]) => perform(['profile', 'learn', ...args], folder);

test('a profile is learned into a file, which a run accepts', async () => {
  const folder = newFolder();
  const url = await simulated();
  const { code, stdout, stderr } = await learn(folder, '--base-url', url, '--out', 'acme.yaml');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^\d+ of 41 operations answered, \d+ keys settled, .*\n\d+ requests, .*\nacme\.yaml written; next:/,
  );
  const { data } = await loadProfile(join(folder, 'acme.yaml'));
  expect(data.operations?.[BULK]?.response?.fields?.upc).toEqual({ at: '@.upc' });
  const run = await perform(['run', '--base-url', url, '--profile', 'acme.yaml', '--summary'], folder);
  expect(run.stdout).toMatch(/^mdwi: partial/);
});

test('without a file the profile is on standard output, and the summary on standard error', async () => {
  const { code, stdout, stderr } = await learn(newFolder(), '--simulator', '--max-requests', '12');
  expect(code).toBe(0);
  expect(parse(stdout).operations).toHaveProperty([CATEGORIES]);
  expect(stdout).toBe(printableLines(stdout));
  expect(stderr).toMatch(
    /12 requests, .*; a limit ended it: --max-requests raises it\n.*mdwi run --simulator --profile FILE\n$/,
  );
});

test('learning again keeps what a hand wrote, and writes the same file otherwise', async () => {
  const folder = newFolder();
  const url = await simulated();
  const file = join(folder, 'acme.yaml');
  const flags = ['--base-url', url, '--out', 'acme.yaml'];
  await learn(folder, ...flags);
  const edited = readFileSync(file, 'utf8').replace('name: my-service', '# Our service.\nname: acme');
  writeFileSync(file, edited);
  for (const profile of [[], ['--profile', './acme.yaml']]) {
    expect((await learn(folder, ...flags, ...profile)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(edited);
  }
  await learn(folder, ...flags, '--force');
  expect(readFileSync(file, 'utf8')).toContain('\nname: my-service\n');
});

test('of two values of a key that of the file stays, and the difference is named', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'start.yaml'), 'name: start\nheaders: { A: b }\n');
  writeFileSync(join(folder, 'acme.yaml'), 'name: acme\n');
  const { stdout } = await learn(
    folder,
    '--simulator',
    '--profile',
    'start.yaml',
    '--out',
    'acme.yaml',
    '--max-requests',
    '3',
  );
  expect(stdout).toContain('differs: name: the file is kept; --profile states start');
  expect(parse(readFileSync(join(folder, 'acme.yaml'), 'utf8'))).toMatchObject({ name: 'acme', headers: { A: 'b' } });
});

const described = {
  openapi: '3.0.3',
  info: { title: 'Acme', version: '1' },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Acme-Key' } } },
  security: [{ key: [] }],
  paths: { '/PLATFORMAPI/prodRef/v1/allCategories': { get: { responses: { 200: { description: 'ok' } } } } },
};

test('the credentials of the description are named before anything is sent, and then used without being shown', async () => {
  const folder = newFolder();
  const seen: (string | undefined)[] = [];
  const base = await listen(
    createServer((request, response) => {
      seen.push(`${request.headers['x-acme-key']}`);
      response
        .setHeader('content-type', 'application/json')
        .end(`{"items":[{"id":"${request.headers['x-acme-key']}"}]}`);
    }),
  );
  writeFileSync(join(folder, 'api.json'), JSON.stringify(described));
  vi.stubEnv('KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const refused = await learn(folder, 'api.json', '--base-url', base);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/api\.json describes needs KEY: .* nothing was sent\n/),
  });
  expect(seen).toEqual([]);
  vi.stubEnv('KEY', 'a1b2c3d4e5f6');
  const { code, stdout, stderr } = await learn(
    folder,
    'api.json',
    '--base-url',
    base,
    '--show-values',
    '--max-requests',
    '20',
  );
  expect(code).toBe(0);
  expect(new Set(seen)).toEqual(new Set(['a1b2c3d4e5f6']));
  expect(parse(stdout)).toMatchObject({ name: 'Acme', auth: { scheme: 'apiKey', value: `\${KEY}` } });
  expect(stdout + stderr).not.toContain('a1b2c3d4e5f6');
});

test.each([
  [404, /allCategories gets status 404\n$/],
  [401, /allCategories gets status 401: state the credentials at auth of a profile/],
  [undefined, /allCategories gets no response: /],
])('a service that answers nothing but %s gives 3, the reason and no file', async (status, says) => {
  const folder = newFolder();
  const server = createServer((request, response) =>
    status === undefined ? request.socket.destroy() : response.writeHead(status).end(),
  );
  const flags = ['--base-url', await listen(server), '--out', 'acme.yaml', '--max-requests', '30'];
  const { code, stderr } = await learn(folder, ...flags);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^0 of 41 operations answered[\s\S]*nothing is learned: no operation answered/);
  expect(stderr).toMatch(says);
  expect(existsSync(join(folder, 'acme.yaml'))).toBe(false);
});

test.each([
  [[], '--base-url URL is missing'],
  [['--base-url', 'http://127.0.0.1:9', '--simulator'], 'only one of them'],
  [['--simulator', '--safety', 'all'], '--safety all'],
  [['--simulator', '--out', 'acme.json'], 'name a .yaml file'],
  [['--simulator', '--out', 'other.yaml'], 'give --force to replace it'],
  [['--simulator', '--profile', 'acme.mts'], 'a start is a YAML or JSON file'],
  [['--simulator', '--profile', 'secret.yaml'], 'needs ACME_NO_SUCH_KEY: set it in the environment first'],
  [['missing.yaml', '--simulator'], 'there is no such file'],
  [['--simulator', '--ask'], '--ask needs a terminal'],
])('%j is refused with one sentence', async (args, says) => {
  const folder = newFolder();
  writeFileSync(join(folder, 'other.yaml'), 'services: []\n');
  writeFileSync(join(folder, 'acme.mts'), 'export default { name: "acme" };\n');
  writeFileSync(join(folder, 'secret.yaml'), `name: a\nauth: { scheme: bearer, token: "\${ACME_NO_SUCH_KEY}" }\n`);
  const { code, stderr, stdout } = await learn(folder, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(says);
});

test('init with an address learns a profile without credentials, and drafts one if no operation answers', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'mdwi.config.yaml'), 'profile: missing.yaml\n');
  const url = await simulated();
  const init = (...args: string[]) => perform(['profile', 'init', ...args], folder);
  expect(await init('acme.yaml', '--base-url', url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\nacme\.yaml written; next:/),
  });
  const { data } = await loadProfile(join(folder, 'acme.yaml'));
  expect(data).toMatchObject({ name: 'my-service', operations: { [CATEGORIES]: { request: {} } } });
  expect(data.auth).toBeUndefined();
  expect(await init('acme.yaml')).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') });
  const denying = await listen(createServer((_, response) => response.writeHead(401).end()));
  expect(await init('other.yaml', '--base-url', denying)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('other.yaml written: uncomment'),
    stderr: expect.stringContaining('allCategories gets status 401'),
  });
  expect((await loadProfile(join(folder, 'other.yaml'))).data.operations).toEqual({});
});

test('Ctrl-C writes what is known so far', async () => {
  const folder = newFolder();
  const url = await simulated();
  const { promise: isHeld, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const base = await listen(
    createServer(async ({ url: path, method }, response) => {
      if (++count > 12) return resolve();
      const { status, headers, body } = await fetch(`${url}${path}`, { method: `${method}` });
      response.writeHead(status, { 'content-type': `${headers.get('content-type')}` });
      for await (const chunk of body ?? []) response.write(chunk);
      response.end();
    }),
  );
  const { child, ended } = startMain(['profile', 'learn', '--base-url', base, '--out', 'acme.yaml'], { cwd: folder });
  await Promise.race([isHeld, ended]);
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(130);
  expect(out).toMatch(/interrupted by SIGINT \(Ctrl-C\); what is known so far is written/);
  expect((await loadProfile(join(folder, 'acme.yaml'))).data.operations).toHaveProperty([CATEGORIES]);
});

const learned: Learned = {
  profile: { name: 'acme', operations: { [BULK]: { request: {}, response: { fields: { upc: '@.gtin' } } } } },
  seen: {},
  settled: [{ path: ['operations', BULK, 'request'], evidence: '400 rows of “Tea”' }],
  questions: [
    {
      path: ['operations', BULK, 'response', 'fields', 'asOf'],
      also: [{ path: ['operations', CATEGORIES, 'response', 'fields', 'asOf'], values: ['$.c', '$.d'] }],
      rivals: [
        { value: '$.a', evidence: '1 of 1' },
        { value: '$.b', evidence: '1 of 1' },
      ],
    },
    { path: ['operations', BULK, 'response', 'fields', 'upc', 'as'], rivals: [{ value: 'gtin14', evidence: '400' }] },
    { path: ['operations', BULK, 'request', 'query', 'cat'], rivals: [{ value: '{category}', evidence: 'a part' }] },
  ],
  open: [{ path: ['operations', BULK, 'response', 'counts'], why: 'no number counts the rows' }],
  promises: [{ path: ['dataWeek', 'endsOn'], value: 'saturday', seen: '3 lists' }],
  defects: [{ path: ['operations', BULK, 'response', 'fields', 'upc'], sentence: '1 of 400 is “12”' }],
  verdicts: [],
  answered: [BULK],
  requests: 1,
  bytes: 1,
  isLimitReached: false,
  received: [],
};

test('an answer is settled by hand, and an empty one leaves the question', async () => {
  const answers = ['2', '1', ''];
  const asked: string[] = [];
  const ask: Ask = async ({ text, check }) => {
    asked.push(text);
    expect(() => check('3')).toThrow('a number from 1 to');
    const answer = `${answers.shift()}`;
    check(answer);
    return answer;
  };
  const known: Learned[] = [];
  await askQuestions(learned, ask, (each) => known.push(each));
  expect(asked[0]).toMatch(
    /1 of 3 questions: .*asOf, for .*\n {3}also GET .*\n {2}1\) \$\.a: 1 of 1\n {2}2\) \$\.b: 1 of 1\nNumber/,
  );
  const [, last] = known;
  expect(last?.profile).toMatchObject({
    operations: {
      [BULK]: { response: { fields: { asOf: '$.b', upc: { at: '@.gtin', as: 'gtin14' } } } },
      [CATEGORIES]: { response: { fields: { asOf: '$.d' } } },
    },
  });
  expect(last?.questions.map(({ path }) => path.at(-1))).toEqual(['cat']);
  expect(last?.settled.at(-1)).toMatchObject({ evidence: 'answered by hand' });
});

test('a question names the rules that need its answer', () => {
  const [asOf, , category] = learned.questions.map(rulesUnlockedBy);
  expect(asOf).toContain('every.one-as-of');
  expect(category).toContain('C.unknown-category');
});

test('why says what was found out about a key, and refuses what is none', async () => {
  const said = (key: string) => describeKey(key, learned, false).join('\n');
  expect(said('request')).toMatch(
    /request: settled as \{\}: 400 rows of “Xxx”\n[\s\S]*query\.cat, for .*: a question\n {2}- "\{category\}": a part/,
  );
  expect(said('counts')).toContain('response.counts: open: no number counts the rows');
  expect(said('endsOn')).toBe('dataWeek.endsOn: a promise, never learned; saturday was seen: 3 lists');
  expect(said('fields.upc')).toContain('likely defect: 1 of 400 is “##”');
  expect(said('figures.sums')).toMatch(/^figures\.sums: open: no response shows /);
  expect(() => said('no such key')).toThrow('is no key that is learned');
  const { code, stdout } = await perform(['profile', 'why', 'fields.upc', '--simulator', '--max-requests', '12']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('response.fields.upc: settled as "@.upc": ')]);
});

test('a recording or a HAR file is learned without a request, and its credentials are not written', async () => {
  const folder = newFolder();
  const { code, stdout, stderr } = await learn(folder, '--recordings', 'reference', '--out', 'acme.yaml');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^38 of 41 operations answered.*\n0 requests, .*\n.*next: mdwi judge reference --profile acme.yaml\n$/,
  );
  const { data } = await loadProfile(join(folder, 'acme.yaml'));
  expect(data.operations?.['GET /PLATFORMAPI/prodRef/v1/updateProducts']?.request?.query).toMatchObject({
    weeks: '{window}',
  });
  const sent = (name: string, value: string) => ({ name, value });
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method: 'GET',
      url: 'https://acme.example/PLATFORMAPI/prodRef/v1/allCategories?api_key=a1b2c3d4e5f6&lang=en',
      headers: [sent('Authorization', 'Bearer f6e5d4c3b2a1')],
    },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [sent('Content-Type', 'application/json')],
      content: { mimeType: 'application/json', text: '{"items":[{"category":"Tea"},{"category":"Soap"}]}' },
    },
  };
  writeFileSync(join(folder, 'acme.har'), JSON.stringify({ log: { version: '1.2', creator: {}, entries: [entry] } }));
  const har = await learn(folder, '--recordings', 'acme.har');
  expect([har.code, har.stdout]).toEqual([0, expect.stringContaining('query: { lang: en }')]);
  expect(har.stdout + har.stderr).not.toMatch(/a1b2c3|f6e5d4/);
  expect((await learn(folder, '--recordings', 'acme.har', '--simulator')).code).toBe(2);
  const judged = await perform(['judge', 'reference', '--profile', 'acme.yaml', '--summary'], folder);
  expect([judged.code, judged.stdout]).toEqual([0, expect.stringMatching(/^mdwi: partial/)]);
  expect(await learn(folder, '--recordings', 'nowhere.har')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nowhere.har: there is no such file or folder'),
  });
});

test('schemas of the description that the responses match are beside the profile, others are likely defects', async () => {
  const folder = newFolder();
  const schema = { type: 'object', properties: { items: { type: 'array', items: { required: ['category'] } } } };
  const response = { description: 'ok', content: { 'application/json': { schema } } };
  const paths = { '/PLATFORMAPI/prodRef/v1/allCategories': { get: { responses: { 200: response } } } };
  writeFileSync(join(folder, 'api.json'), JSON.stringify({ openapi: '3.0.3', info: described.info, paths }));
  let items: object[] = [{ category: 'Tea' }, { category: 'Soap' }];
  const base = await listen(
    createServer(
      (_, answer) => void answer.setHeader('content-type', 'application/json').end(JSON.stringify({ items })),
    ),
  );
  const flags = ['api.json', '--base-url', base, '--max-requests', '5', '--out', 'acme.yaml'];
  const { stdout } = await learn(folder, ...flags);
  expect(stdout).toContain('acme.schemas.json written');
  const schemaOf = async () => (await loadProfile(join(folder, 'acme.yaml'))).bodySchemas?.get(CATEGORIES)?.get('200');
  expect(await (await schemaOf())?.check({ items: [{}] })).toHaveLength(1);
  const file = join(folder, 'acme.schemas.json');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
  expect((await learn(folder, ...flags)).stdout).toContain('acme.schemas.json is kept, and differs');
  items = [{ category: 'Tea' }, { name: 'Soap' }];
  const other = await learn(folder, ...flags, '--force');
  expect(other.stdout).toMatch(/likely defect: .*schemas.*responses do not match the description/);
  expect(await schemaOf()).toBeUndefined();
});
