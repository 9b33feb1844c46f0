/** What faults and oddities change in responses. That a run finds each fault and no oddity: `src/selftest/every-trial.test.ts`. */
import { Agent, request } from 'node:http';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { textOfUtf8, utf8 } from '../../src/bytes.ts';
import { OPERATIONS, STATEMENTS } from '../../src/contract/index.ts';
import type { Fault } from '../faults/fault.ts';
import { FAULTS, faultNamed } from '../faults/index.ts';
import { ODDITIES, oddityNamed } from '../oddities/index.ts';
import { LEGAL_BASES, type Oddity } from '../oddities/oddity.ts';
import { startSimulator } from '../server.ts';
import { createSimulation } from '../simulation.ts';
import { bytesOf } from './replies.ts';

interface Sent {
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** The content coding that the client accepts; default: no header. */
  readonly coding?: string;
}

const UPC = '042100000177';
const EXAMPLES = {
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};
const C = '/PLATFORMAPI/prodRef/v1';
const D = '/RetailMeasurement/v1';
const entry = (group: string, path: string, method = 'GET', body?: string): Sent => ({
  group,
  method,
  path,
  ...(body !== undefined && { body }),
});
const status = (job: string) => entry('A', `/webservices/getDriveJobStatus?jobId=${job}`);

/** The requests for every deviation: documented, unusual and unknown paths. The first drive job is job-1-000003, the first report job-7-000004. */
const CORPUS: readonly Sent[] = [
  ...OPERATIONS.filter(({ name }) => !name.endsWith('JobStatus')).flatMap(({ group, method, path, inputs }) => {
    const bodies = group === 'B' ? ['CAT-RETAIL', 'CAT-PANEL'] : [undefined];
    return bodies.map((catalogueId) =>
      entry(
        group,
        path.replace('{upc}', UPC) + (inputs.includes('window') ? '?weeks=13' : ''),
        method,
        catalogueId && JSON.stringify({ catalogueId, ...EXAMPLES }),
      ),
    );
  }),
  entry('B', '/data-access/v1/Catalogue/LogicalDimensions', 'POST', '{"catalogueId":"NONE"}'),
  entry('B', '/data-access/v1/Catalogue/LogicalDimensions', 'POST', '{"catalogueId":"CAT-AUDIT"}'),
  ...['market', 'household'].map((dimension) =>
    entry(
      'B',
      '/data-access/v1/Catalogue/Dimension/Attributes',
      'POST',
      JSON.stringify({ catalogueId: 'CAT-PANEL', dimension }),
    ),
  ),
  entry(
    'B',
    '/data-access/v1/Catalogue/Hierarchy/Levels',
    'POST',
    '{"catalogueId":"CAT-RETAIL","dimension":"product","hierarchy":"custom"}',
  ),
  entry('B', '/data-access/v1/Catalogue/Group/Levels', 'POST', '{"catalogueId":"CAT-RETAIL","group":"new-items"}'),
  ...['1', '2'].map(() => entry('A', '/webservices/getSaveMap')),
  ...['?weeks=1', '?weeks=2', '?weeks=4', ''].map((query) => entry('C', `${C}/updateProducts${query}`)),
  ...['Tea', 'TEA', 'Nothing', 'Seasonal'].map((name) => entry('C', `${C}/allProducts?category=${name}`)),
  ...['999999999993', '12345', `${UPC}A`].map((upc) => entry('C', `${C}/products/${upc}`)),
  ...['brand=sun', 'brand=Sun', 'brand=Nobody'].map((filter) => entry('D', `${D}/BrandPerformance?${filter}`)),
  ...['brand=Sun', 'category=category-0'].map((filter) => entry('D', `${D}/CategoryPerformance?${filter}`)),
  ...['job-none', 'job-7-000004', 'job-1-000003', 'job-1-000003', 'job-1-000003', 'job-1-000003'].map(status),
  entry('A', '/webservices/drive', 'POST'),
  { ...entry('C', `${C}/allProducts?category=Tea`), coding: 'gzip' },
  // Undocumented paths and methods.
  ...['/webservices/zzz', '/zzz', '/welcome', '/health', `${C}/allproducts`, `${D}/BrandPerformance/`].map((path) =>
    entry('', path),
  ),
  ...['/RetailMeasurement/CategoryPerformance', '/RetailMeasurement/v7/CategoryPerformance'].map((path) =>
    entry('', path),
  ),
  entry('', `${C}/allCategories?zzz=1`),
  entry('', `${C}/allCategories`, 'HEAD'),
  entry('', `${C}/allCategories`, 'OPTIONS'),
  entry('', `${C}/allCategories`, 'DELETE'),
];
/** The number of rounds through the corpus after which an oddity at the 220th request shows. */
const ROUNDS = 4;
const isOfTime = ({ legalBasis, name }: Oddity): boolean =>
  legalBasis === 'reload' || legalBasis === 'limits' || name === 'errors-now-and-then';

/** Everything observable of a response on the wire except its timing, which depends on the machine. */
function observe(base: string, agent: Agent, { method, path, body, coding }: Sent): Promise<string> {
  return new Promise((resolve) => {
    const seen: unknown[] = [];
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(coding && { 'accept-encoding': coding }),
    };
    const sent = request(base + path, { method, agent, headers });
    const end = (...more: unknown[]) => resolve(JSON.stringify([...seen, ...more]));
    sent.on('information', ({ statusCode }) => seen.push('interim', statusCode));
    sent.on('continue', () => seen.push('interim', 100));
    sent.on('error', (error) => end('failed', error.message));
    sent.on('response', (response) => {
      const { statusCode, statusMessage, httpVersion } = response;
      const headers = [...response.rawHeaders];
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', (error) => end('failed', error.message));
      response.on('end', () => {
        const { rawTrailers } = response;
        const text = Buffer.concat(parts).toString('latin1');
        // A connection that was closed after the previous response is not reused.
        end(statusCode, statusMessage, httpVersion, headers, rawTrailers, sent.reusedSocket, text);
      });
    });
    sent.end(body);
  });
}

interface Observed {
  readonly group: string;
  readonly observed: string;
}

/** The responses to the corpus, by request. @param respond returns everything observable of a response */
async function answersOf(
  respond: (sent: Sent) => Promise<string> | string,
  rounds: number,
): Promise<Map<string, Observed>> {
  const answers = new Map<string, Observed>();
  for (let round = 0; round < rounds; round++)
    for (const [at, sent] of CORPUS.entries())
      answers.set(`${round}.${at} ${sent.method} ${sent.path} ${sent.body ?? ''}`, {
        group: sent.group,
        observed: await respond(sent),
      });
  return answers;
}

interface Deviation {
  readonly fault?: string;
  readonly oddity?: string;
}

async function answersInProcess(rounds: number, deviation: Deviation = {}): Promise<Map<string, Observed>> {
  const simulation = await createSimulation({ products: 60, ...deviation });
  return answersOf(({ method, path, body = '', coding }) => {
    const headers = { 'content-type': 'application/json', ...(coding && { 'accept-encoding': coding }) };
    const response = simulation.respond({
      method,
      origin: 'http://localhost',
      target: path,
      headers,
      body: utf8(body),
    });
    return JSON.stringify([response.status, response.headers, textOf(response)]);
  }, rounds);
}

/** The text of a body up to where it fails. */
function textOf(response: Parameters<typeof bytesOf>[0]): string {
  try {
    return textOfUtf8(bytesOf(response));
  } catch (error) {
    return String(error);
  }
}

/** Over HTTP, for what changes the connection. */
async function answersOverHttp(rounds: number, oddity?: string): Promise<Map<string, Observed>> {
  const simulator = await startSimulator({ products: 60, ...(oddity && { oddity }) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    // The address differs per simulator. A figure may equal the port, so the port alone is not replaced.
    return await answersOf(
      async (sent) => (await observe(simulator.url, agent, sent)).replaceAll(simulator.url, 'URL'),
      rounds,
    );
  } finally {
    agent.destroy();
    await simulator.close();
  }
}

const [plain, plainOverHttp] = [new Map<string, string>(), new Map<string, string>()];
beforeAll(async () => {
  for (const [key, { observed }] of await answersInProcess(ROUNDS)) plain.set(key, observed);
  for (const [key, { observed }] of await answersOverHttp(ROUNDS)) plainOverHttp.set(key, observed);
});

const changed = (answers: ReadonlyMap<string, Observed>, usual: ReadonlyMap<string, string>) =>
  [...answers].filter(([key, { observed }]) => usual.get(key) !== observed);

test('two simulators without a deviation return equal responses', async () => {
  expect(changed(await answersInProcess(ROUNDS), plain)).toEqual([]);
});

test('names are unique and kebab-case, and each fault and each oddity describes what it does in one sentence', () => {
  for (const all of [FAULTS, ODDITIES]) {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, says } of all) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(says).toMatch(/^\S.*\.$/);
    }
  }
  for (const { name } of FAULTS) expect(faultNamed(name).name).toBe(name);
  for (const { name } of ODDITIES) expect(oddityNamed(name).name).toBe(name);
  expect(() => oddityNamed('none-such')).toThrow('there is no oddity "none-such"; mdwi oddities lists them');
});

test('every observable statement has a fault', () => {
  const broken = new Set<string>(FAULTS.map(({ statement }) => statement));
  expect(STATEMENTS.filter(({ id, observable }) => observable && !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every legal basis has an oddity', () => {
  const covered = new Set<string>(ODDITIES.map(({ legalBasis }) => legalBasis));
  expect(Object.keys(LEGAL_BASES).filter((each) => !covered.has(each))).toEqual([]);
});

test('a fault and an oddity at once are refused', async () => {
  await expect(startSimulator({ fault: 'bulk-duplicate', oddity: 'coded-gzip' })).rejects.toThrow('choose');
});

const isOfReference = ({ dialects }: Fault | Oddity): boolean => !dialects || dialects.includes('reference');
const faults = FAULTS.filter(isOfReference);
const oddities = ODDITIES.filter(isOfReference);

test.each(faults.map((fault) => [fault.name, fault] as const))(
  '%s changes only responses of its group',
  async (name, fault) => {
    const different = changed(await answersInProcess(1, { fault: name }), plain);
    const documented = different.filter(([, { group }]) => group !== '');
    expect(documented.filter(([, { group }]) => group !== fault.group).map(([key]) => key)).toEqual([]);
  },
);

test.each(oddities.map((oddity) => [oddity.name, oddity] as const))(
  '%s changes responses, and only in its groups',
  async (name, oddity) => {
    const rounds = isOfTime(oddity) ? ROUNDS : 1;
    const different = oddity.start().send
      ? changed(await answersOverHttp(rounds, name), plainOverHttp)
      : changed(await answersInProcess(rounds, { oddity: name }), plain);
    expect(different.length).toBeGreaterThan(0);
    const groups = ['', ...(oddity.groups ?? ['A', 'B', 'C', 'D'])];
    // A reload moves the dates of all groups.
    if (oddity.legalBasis !== 'reload')
      expect(different.filter(([, { group }]) => !groups.includes(group)).map(([key]) => key)).toEqual([]);
  },
);

test('oddities of a body combine, also where one writes it in another charset', async () => {
  const simulator = await startSimulator({ products: 5 });
  onTestFinished(() => simulator.close());
  for (const written of ['json-after-byte-order-mark', 'json-in-utf-16'])
    for (const oddity of ['json-amid-blanks', 'total-as-grouped-text', 'counts-limited']) {
      await simulator.behaviors.set([{ oddity: written }, { oddity }]);
      const response = await fetch(`${simulator.url}/PLATFORMAPI/prodRef/v1/allCategories`);
      expect({ written, oddity, status: response.status }).toEqual({ written, oddity, status: 200 });
      await response.arrayBuffer();
    }
});
