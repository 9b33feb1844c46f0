import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../../simulator/server.ts';
import { compareSides, type DriftOptions } from '../commands/find-drift.ts';
import type { OperationKey } from '../contract/index.ts';
import { ProfileError } from '../profile/profile-error.ts';
import type { DriftReport } from '../recording/drift/formats/schema.ts';
import { driftSchema } from '../recording/drift/formats/schema.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import { UsageError } from '../usage-error.ts';
import { isOther, JOBS, LISTS, type RecordedService, recordService } from './drift.test.support.ts';
import { drift } from './drift.ts';
import { perform } from './perform.test.support.ts';

const recordings = newFolder(afterAll);

const record = (name: string, options: RecordedService): Promise<void> => recordService(recordings, name, options);

/** The report of a comparison, held against its schema. */
async function found(name: string, options: Omit<DriftOptions, 'name' | 'dir'>): Promise<DriftReport> {
  const { report } = await compareSides({ ...options, name, dir: recordings });
  driftSchema.parse(report);
  return report;
}

const linesOf = ({ differences }: DriftReport): string[] =>
  differences.map((each) => `${each.class}: ${each.operation} ${each.path} ${each.kind}`);

/** Every file of a recording, with its content. */
const contentOf = (name: string): string =>
  readdirSync(join(recordings, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(recordings, name, file)).isFile())
    .sort()
    .map((file) => `${file}\n${readFileSync(join(recordings, name, file), 'utf8')}`)
    .join('\n');

beforeAll(() => record('acme', { dialect: 'reference', operations: [...LISTS, ...JOBS] }), 60_000);

async function simulator(options: SimulatorOptions = {}): Promise<string> {
  const running = await startSimulator({ products: 20, dialect: 'reference', ...options });
  onTestFinished(() => running.close());
  return running.url;
}

test('the service as it was recorded has not drifted, wherever it is served, and NAME stays as it was', async () => {
  const before = contentOf('acme');
  const base = await simulator({ basePath: '/api/v7' });
  const same = await found('acme', { with: { base }, safety: 'all' });
  expect(linesOf(same).filter((each) => !each.startsWith('volatile'))).toEqual([]);
  expect([same.notCompared, same.exitCode]).toEqual([[], 0]);
  expect(contentOf('acme')).toBe(before);
});

test('by default only reading requests are sent, and the others are reported', async () => {
  const { exitCode, notCompared } = await found('acme', { with: { base: await simulator() }, group: ['A'] });
  expect(exitCode).toBe(0);
  const because = 'only in acme: its safety class is off';
  expect(notCompared).toContainEqual({ operation: 'POST /webservices/drive', requests: 1, because });
  expect(notCompared).toContainEqual({
    operation: 'GET /webservices/getDriveJobStatus',
    requests: 5,
    because: 'only in acme: its job was not started',
  });
});

test('where no recorded request may be sent, nothing is compared, and no temporary folder is named', async () => {
  await record('jobs', { dialect: 'reference', operations: [JOBS[0] as OperationKey] });
  const report = await found('jobs', { with: { base: await simulator() } });
  expect([report.exitCode, report.reason]).toEqual([
    3,
    'nothing was sent: the safety class allows no recorded request',
  ]);
});

test('a fault shows as a verdict that changed, and as what broke', async () => {
  const base = await simulator({ fault: 'last-year-missing' });
  const broken = await found('acme', { with: { base }, group: ['D'] });
  expect(broken.exitCode).toBe(5);
  expect(broken.reason).toMatch(/^\d+ differences are of the class “breaking shape” or worse$/);
  expect(linesOf(broken)[0]).toMatch(
    /^verdict changed: GET \/RetailMeasurement\/v1\/CategoryPerformance D\.\S+ verdict$/,
  );
  expect(linesOf(broken)).toContain(
    'breaking shape: GET /RetailMeasurement/v1/CategoryPerformance $.rows[*].salesLastYear gone',
  );
});

test('another world is judged alike, too', async () => {
  await record('other', { dialect: 'reference', operations: LISTS, seed: 2 });
  const { differences } = await found('acme', { with: { recording: 'other' }, group: ['C'] });
  expect(differences.filter(isOther)).toEqual([]);
  expect(differences.length).toBeGreaterThan(10);
});

test('on the command line: classes that fail, differences that are ignored, reports', async () => {
  const changed = join(recordings, 'changed');
  cpSync(join(recordings, 'acme'), changed, { recursive: true });
  const lane = readdirSync(changed).find((each) => each.startsWith('main')) as string;
  const file = join(changed, lane, 'recording.har');
  const har = readFileSync(file, 'utf8');
  writeFileSync(file, har.replaceAll('\\"percentChange\\":', '\\"more\\":1,\\"percentChange\\":'));
  const drifts = (...args: string[]) =>
    perform(['drift', '--recordings', recordings, 'acme', 'changed', '--group', 'D', ...args]);
  const json = join(recordings, 'drift.json');
  const markdown = join(recordings, 'drift.md');
  const ended = drifts('--fail-on', 'additive-shape', '--report', `json=${json}`, '--report', `markdown=${markdown}`);
  expect(await ended).toMatchObject({ code: 5 });
  expect(linesOf(JSON.parse(readFileSync(json, 'utf8')) as DriftReport).sort()).toEqual([
    'additive shape: GET /RetailMeasurement/v1/BrandPerformance $.rows[*].more new',
    'additive shape: GET /RetailMeasurement/v1/CategoryPerformance $.rows[*].more new',
  ]);
  expect(readFileSync(markdown, 'utf8')).toContain(
    '| additive shape | `GET /RetailMeasurement/v1/CategoryPerformance` |',
  );
  const { stdout, stderr } = await drifts('--fail-on', 'data', '--ignore', '$.rows[*].more', '--ignore', 'nothing*');
  expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
    'note: --ignore nothing* matched nothing',
    expect.stringMatching(
      /^0 verdict changed · 0 breaking shape · 0 additive shape · 0 data · 0 volatile \(\d+ responses compared, 2 ignored\)$/,
    ),
  ]);
  expect(stderr).toBe('');
});

const WRONG: readonly (readonly [args: string[], says: RegExp])[] = [
  [[], /which recording is compared/],
  [['acme'], /with what is acme compared/],
  [['acme', 'acme', '--base-url', 'http://127.0.0.1:1'], /not both/],
  [['nowhere', 'acme'], /holds no recording .* there are .*acme/],
  [['acme', 'nowhere'], /holds no recording/],
  [['acme', '--base-url', 'htp:/x'], /http/],
  [['acme', 'acme', '--fail-on', 'worst'], /--fail-on worst: allowed are verdict-changed/],
  [['acme', 'acme', '--show', ''], /--show : allowed are/],
  [['acme', 'acme', '--profile', 'none-such'], /none-such/],
];

test.each(WRONG)('%j is refused in one sentence', async (args, says) => {
  const error = await drift(['--recordings', recordings, ...args]).catch((thrown: unknown) => thrown);
  expect(error instanceof UsageError || error instanceof ProfileError).toBe(true);
  const { message } = error as Error;
  expect(message).toMatch(says);
  expect(message.trimEnd().split('\n')).toHaveLength(1);
});

test('a service that is down, or refuses every request, leaves it undecided', async () => {
  const gone = await found('acme', { with: { base: 'http://127.0.0.1:9' }, group: ['C'] });
  expect(gone).toMatchObject({ exitCode: 3, reason: expect.stringMatching(/^the service does not answer: /) });
  const server = createServer((_, response) => response.writeHead(401).end());
  const refused = await found('acme', { with: { base: await listen(server) }, group: ['C'] });
  expect(refused).toMatchObject({ exitCode: 3, reason: expect.stringMatching(/refused every request/) });
});
