import { Agent, request } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/index.ts';
import { startSimulator } from '../server.ts';
import { ODDITIES, oddityNamed } from './index.ts';
import { LEGAL_BASES, type Oddity } from './types.ts';

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

/** The requests for every oddity: documented, unusual and unknown paths. The first drive job is job-1-000003, the first report job-7-000004. */
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

/** Replaces the address, which differs per simulator. A figure may equal the port, so the port alone is not replaced. */
const withoutAddress = (observed: string, { url }: { readonly url: string }): string => observed.replaceAll(url, 'URL');

async function answersOf(
  rounds: number,
  oddity?: string,
): Promise<Map<string, { readonly group: string; readonly observed: string }>> {
  const simulator = await startSimulator({ products: 60, ...(oddity && { oddity }) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers = new Map<string, { readonly group: string; readonly observed: string }>();
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [at, sent] of CORPUS.entries()) {
        const observed = await observe(simulator.url, agent, sent);
        answers.set(`${round}.${at} ${sent.method} ${sent.path} ${sent.body ?? ''}`, {
          group: sent.group,
          observed: withoutAddress(observed, simulator),
        });
      }
    }
  } finally {
    agent.destroy();
    await simulator.close();
  }
  return answers;
}

let plain: Awaited<ReturnType<typeof answersOf>>;
beforeAll(async () => {
  plain = await answersOf(ROUNDS);
});

test('names are unique and kebab-case, and each oddity describes what it does in one sentence', () => {
  expect(new Set(ODDITIES.map(({ name }) => name)).size).toBe(ODDITIES.length);
  for (const { name, says } of ODDITIES) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(says).toMatch(/^\S.*\.$/);
    expect(oddityNamed(name).name).toBe(name);
  }
  expect(() => oddityNamed('none-such')).toThrow('there is no oddity "none-such"; mdwi oddities lists them');
});

test('every legal basis has an oddity', () => {
  const covered = new Set<string>(ODDITIES.map(({ legalBasis }) => legalBasis));
  expect(Object.keys(LEGAL_BASES).filter((each) => !covered.has(each))).toEqual([]);
});

test('a figure that equals the port of a simulator is not treated as its address', () => {
  const observed = '{"sales4Weeks":45678.12,"self":"http://127.0.0.1:45678/x"}';
  expect(withoutAddress(observed, { url: 'http://127.0.0.1:45678' })).toBe('{"sales4Weeks":45678.12,"self":"URL/x"}');
});

test('a fault and an oddity at once are refused', async () => {
  await expect(startSimulator({ fault: 'bulk-duplicate', oddity: 'coded-gzip' })).rejects.toThrow('choose');
});

const ofReference = ODDITIES.filter(({ dialects = ['reference'] }) => dialects.includes('reference'));
describe.each(ofReference.map((oddity): [string, Oddity] => [oddity.name, oddity]))('%s', (name, oddity) => {
  test('changes responses, and only in its groups', async () => {
    const { groups } = oddity;
    const answers = [...(await answersOf(isOfTime(oddity) ? ROUNDS : 1, name))];
    const different = answers.filter(([key, { observed }]) => plain.get(key)?.observed !== observed);
    expect(different.length).toBeGreaterThan(0);
    if (groups) {
      const others = different.filter(
        ([, { group }]) => group !== '' && !(groups as readonly string[]).includes(group),
      );
      // A reload moves the dates of all groups.
      if (oddity.legalBasis !== 'reload') expect(others.map(([key]) => key)).toEqual([]);
    }
  });
});

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
