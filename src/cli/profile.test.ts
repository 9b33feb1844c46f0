/** The profile commands, as far as they are pure, and one try against the simulator. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { OPERATIONS } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';
import { describeProfile } from './profile/check.ts';
import { draftProfile } from './profile/init.ts';
import { listOpenings } from './profile/openings.ts';
import { tryOperation } from './profile/try.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

/** A simulator until the end of the test. Returns its address. */
async function simulated(options: SimulatorOptions = {}): Promise<string> {
  const simulator = await startSimulator({ products: 40, ...options });
  onTestFinished(() => simulator.close());
  return simulator.url;
}

test('a drafted profile loads as it is, with everything open', () => {
  const profile = parseProfile(draftProfile(), 'draft.yaml');
  expect(profile.data.operations).toEqual({});
  expect(listOpenings(profile)).toMatch(/\n0 of \d+ openings filled/);
});

test('a drafted profile loads with every operation uncommented', () => {
  const lines = draftProfile().split('\n');
  const body = lines
    .filter((line) => !/^ {2}\{\}|\(section .*not shown\)$|^ {2}# ---/.test(line))
    .map((line) => line.replace(/^ {2}# /, '  '));
  const profile = parseProfile(body.join('\n'), 'draft.yaml');
  expect(Object.keys(profile.data.operations ?? {}).sort()).toEqual(OPERATIONS.map((each) => each.key).sort());
});

test('openings lists what is filled, absent and open, with the rules that each blocks', async () => {
  const text = listOpenings(await loadProfile('reference'));
  expect(text).toContain('✓ operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].response.rows');
  expect(text).toContain('- operations["GET /RetailMeasurement/v1/CategoryPerformance"].response.fields.brand');
  const empty = listOpenings(await loadProfile('empty'));
  expect(empty).toMatch(
    /· operations\["GET \/PLATFORMAPI\/prodRef\/v1\/allProducts"\]\.response\.rows\n.*C\.bulk-unique/,
  );
});

test('try shows what every selector found, and refuses what may change something', async () => {
  const url = await simulated();
  const { text } = await tryOperation(url, await loadProfile('reference'), BULK);
  expect(text).toMatch(/response: 200/);
  expect(text).toMatch(/rows read: \d+/);
  expect(text).toMatch(/upc at @\.upc: "\d{12}"/);
  expect(text).toMatch(/asOf at \$\.asOf: 2026-11-14/);
  await expect(tryOperation(url, await loadProfile('reference'), 'POST /webservices/createlist')).rejects.toThrow(
    /may change something on the service; --safety write sends it/,
  );
});

test('try sends inputs of the command line, and what --safety allows', async () => {
  const url = await simulated();
  const profile = await loadProfile('reference');
  const inputs = new Map([['category', 'Coffee']]);
  const { text } = await tryOperation(url, profile, BULK, { inputs });
  expect(text).toMatch(/^curl .*category=Coffee/);
  const started = await tryOperation(url, profile, 'POST /webservices/drive', { safety: 'job' });
  expect(started.text).toMatch(/response: 202/);
  const none = tryOperation(url, profile, 'GET /PLATFORMAPI/prodRef/v1/allCategories', { inputs });
  await expect(none).rejects.toThrow('--input category=Coffee: the request does not mention {category}');
});

test('try reads the tables of codes: a filter is sent as a code, and rows show the meaning', async () => {
  const url = await simulated({ products: 400, dialect: 'statistics' });
  const profile = await loadProfile('statistics');
  const key = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
  const { text } = await tryOperation(url, profile, key, { inputs: new Map([['category', 'Coffee']]) });
  expect(text).toMatch(/^curl .*code%3Acat-/);
  expect(text).toMatch(/category at @\.code: "Coffee"/);
});

test('try refuses wrong flags', async () => {
  const tried = (...flags: string[]) =>
    mdwi('profile', 'try', 'reference', BULK, '--base-url', 'http://127.0.0.1:9', ...flags);
  for (const [flag, value, says] of [
    ['--input', 'categry=Tea', 'did you mean'],
    ['--input', 'category', 'write NAME=VALUE'],
    ['--safety', 'most', 'allowed are read, job'],
  ] as const)
    expect(await tried(flag, value)).toMatchObject({ status: 2, text: expect.stringContaining(says) });
});

test('check against a service prints JSON, and exits with 3 if no response can be read', async () => {
  const checked = await mdwi('profile', 'check', 'terse', '--simulator', '--json', '--max-requests', '3');
  expect(checked.status).toBe(0);
  expect(JSON.parse(checked.text)).toMatchObject({ profile: 'terse', requests: 3, exhausted: true });
  const silent = await mdwi('profile', 'check', 'reference', '--base-url', 'http://127.0.0.1:1', '--max-requests', '2');
  expect(silent.status).toBe(3);
});

test('check without a service prints JSON, too, with the keys without effect', async () => {
  const folder = newFolder();
  const file = join(folder, 'acme.yaml');
  writeFileSync(file, 'name: acme\ndelta: { withinBulk: true }\n');
  const checked = await mdwi('profile', 'check', file, '--json');
  expect(checked.status).toBe(0);
  expect(JSON.parse(checked.text)).toMatchObject({
    profile: 'acme',
    requests: 0,
    exhausted: false,
    remarks: [{ kind: 'unread', key: 'delta.withinBulk', line: 2, sentence: expect.any(String) }],
  });
});

const ACME = `name: acme
auth: { scheme: bearer, token: "$\{ACME_TOKEN}" }
operations:
  GET /PLATFORMAPI/prodRef/v1/products/{upc}: { request: {} }
  GET /PLATFORMAPI/prodRef/v1/allCategories: { request: {} }
  GET /webservices/getDriveJobStatus: { request: { query: { id: "{jobId}" } } }
authExcept: [GET /PLATFORMAPI/prodRef/v1/allCategories]
`;
const acme = (env: NodeJS.ProcessEnv = {}, more = '') => parseProfile(`${ACME}${more}`, 'acme.yaml', env, 'keep');

test('check and openings work without the variables a profile names, and name them', () => {
  expect(describeProfile(acme())).toMatch(
    /^acme\.yaml: a valid profile .*\nacme\.yaml:2: auth\.token: the environment variable ACME_TOKEN is not set/,
  );
  expect(describeProfile(acme({ ACME_TOKEN: 'abcd' }))).not.toContain('not set');
  expect(listOpenings(acme())).toContain('✓ auth');
});

test.each([
  ['GET /PLATFORMAPI/prodRef/v1/products/{upc}', '', /needs \{upc\}, .* under examples\.upc of the profile/],
  ['GET /webservices/getDriveJobStatus', '', /needs \{jobId\}, .* under jobs\.drive\.example of the profile/],
  ['GET /webservices/getMapExportJobStatus', '', /needs the id of a job, and the profile does not say where/],
  [
    'GET /PLATFORMAPI/prodRef/v1/products/{upc}',
    'examples: { upc: ["012345678905"] }',
    /auth\.token, which needs the environment variable ACME_TOKEN/,
  ],
] as const)('try sends no %s with something missing', async (key, more, says) => {
  await expect(tryOperation('http://127.0.0.1:9', acme({}, more), key)).rejects.toThrow(says);
});

test('try sends what needs no variable, and shows the command with variables in place of credentials', async () => {
  const url = await simulated();
  const bare = await tryOperation(url, acme(), 'GET /PLATFORMAPI/prodRef/v1/allCategories');
  expect(bare.text).toMatch(/response: 200/);
  expect(bare.text).not.toContain('ACME_TOKEN');
  const status = 'jobs: { drive: { example: "4711" } }';
  const { text } = await tryOperation(
    url,
    acme({ ACME_TOKEN: 's3cret-token' }, status),
    'GET /webservices/getDriveJobStatus',
  );
  expect(text).toMatch(/^curl .*-H "authorization: Bearer \$ACME_TOKEN" .*\?id=4711'/);
  expect(text).not.toContain('s3cret');
});

/** What the command prints, without any variable of the profile set. */
async function mdwi(...args: string[]): Promise<{ readonly status: number; readonly text: string }> {
  vi.stubEnv('ACME_TOKEN', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, stdout, stderr } = await perform(args);
  return { status: code, text: stdout + stderr };
}

test('plan sends nothing and needs no variable; a run does, and refuses what can only accuse', async () => {
  const file = join(newFolder(), 'acme.yaml');
  const to = ['--base-url', 'http://127.0.0.1:9', '--profile', file];
  writeFileSync(file, ACME);
  expect(await mdwi('plan', ...to)).toMatchObject({ status: 0, text: expect.stringContaining('/allCategories') });
  expect(await mdwi('run', ...to)).toMatchObject({
    status: 2,
    text: expect.stringMatching(/acme\.yaml:2: auth\.token: needs the environment variable ACME_TOKEN/),
  });
  const misread = 'response: { rows: "$.i[*]", fields: { upc: "$.i[*].u" } }';
  writeFileSync(file, `name: a\noperations:\n  GET /PLATFORMAPI/prodRef/v1/allProducts:\n    ${misread}\n`);
  for (const command of [
    ['run', ...to],
    ['profile', 'check', file],
  ])
    expect(await mdwi(...command)).toMatchObject({
      status: 2,
      text: expect.stringMatching(/acme\.yaml:4: .*upc: .*read once .* \(C\.upc-12-digits, .* more\)\n$/),
    });
});
