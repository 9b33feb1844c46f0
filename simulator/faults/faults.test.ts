import { beforeAll, describe, expect, test } from 'vitest';
import { JOB_KINDS, JOB_STATUS, OPERATIONS, operationOf, operationsOf, STATEMENTS } from '../../src/contract/index.ts';
import { JOB_STARTERS } from '../model/job-starters.ts';
import { BRAND_NAMES, CATEGORY_NAMES } from '../model/names.ts';
import { upcAt } from '../model/upc.ts';
import { startSimulator } from '../server.ts';
import { FAULTS, faultNamed, groupOfFault } from './index.ts';
import { LATER_CALL_FAULTS } from './later-calls.ts';
import type { Fault } from './types.ts';

/** One request of the corpus, named by the group it belongs to. */
interface CorpusRequest {
  readonly group: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

const EXAMPLES = {
  dimension: 'product',
  attribute: 'label',
  group: 'top-sellers',
  hierarchy: 'standard',
  level: 'level-1',
  measure: 'dollars',
};
/** The other ids of the same kinds. */
const OTHERS = { ...EXAMPLES, attribute: 'code', group: 'new-items', hierarchy: 'custom', level: 'level-2' };
const CATALOGUES = ['CAT-RETAIL', 'CAT-PANEL', 'CAT-AUDIT', 'CAT-UNKNOWN'];
const quote = encodeURIComponent;
const C = '/PLATFORMAPI/prodRef/v1';
const D = '/RetailMeasurement/v1';
const UPC = '042100000177';
const MALFORMED = [
  UPC.slice(1),
  UPC.slice(0, 11),
  `0${UPC}`,
  `00${UPC}`,
  `${UPC}0`,
  `${UPC} `,
  `${UPC}\n`,
  `${UPC}A`,
  '04210O000177',
  `+${UPC.slice(1)}`,
  `${UPC.slice(0, 6)}-${UPC.slice(6)}`,
  '０４２１０００００１７７',
];

const plain: readonly CorpusRequest[] = OPERATIONS.filter(
  (each) => each.group !== 'B' && !each.name.endsWith('JobStatus'),
).map(({ group, method, path }) => ({ group, method, path: path.replace('{upc}', UPC) }));
/** Undocumented paths and methods that a fault may serve. */
const aliases: readonly CorpusRequest[] = [
  { group: 'A', method: 'GET', path: '/webservices/v1/testService' },
  { group: 'B', method: 'GET', path: '/data-access/v1/Catalogues' },
  { group: 'B', method: 'POST', path: '/data-access/Catalogues', body: '{"catalogueId":"CAT-RETAIL"}' },
  { group: 'C', method: 'GET', path: '/platformapi/prodRef/v1/allCategories' },
  { group: 'C', method: 'GET', path: '/PLATFORMAPI/prodRef/v2/allCategories' },
  { group: 'D', method: 'GET', path: '/RetailMeasurement/BrandPerformance' },
];
const catalogue: readonly CorpusRequest[] = operationsOf('B').flatMap((key) =>
  CATALOGUES.flatMap((catalogueId) => {
    const { method, path, inputs } = operationOf(key);
    const items = inputs.includes('dimension')
      ? // Only CAT-PANEL has the dimension household.
        [EXAMPLES, OTHERS, { ...EXAMPLES, dimension: 'period' }, { ...OTHERS, dimension: 'household' }]
      : [EXAMPLES];
    return items.map((item) => ({ group: 'B', method, path, body: JSON.stringify({ catalogueId, ...item }) }));
  }),
);
const gets = (group: string, paths: readonly string[]): CorpusRequest[] =>
  paths.map((path) => ({ group, method: 'GET', path }));
const filters = (name: string, values: readonly string[]) =>
  values.flatMap((value) =>
    ['CategoryPerformance', 'BrandPerformance'].map((tail) => `${D}/${tail}?${name}=${quote(value)}`),
  );
const CORPUS: readonly CorpusRequest[] = [
  ...gets('A', ['/webservices/getSaveMap?mapId=map-000099']),
  ...gets('C', [`${C}/allProducts?category=Nobody`]),
  ...plain,
  ...catalogue,
  ...gets(
    'C',
    Object.keys(CATEGORY_NAMES).map((name) => `${C}/allProducts?category=${quote(name)}`),
  ),
  // By the id alone; the names above are sent alone, too.
  ...gets(
    'C',
    ['cat-01', 'cat-02'].map((id) => `${C}/allProducts?categoryId=${id}`),
  ),
  ...gets(
    'C',
    // Two weeks are no window.
    [1, 2, 4, 13].map((weeks) => `${C}/updateProducts?weeks=${weeks}`),
  ),
  // Requests that lack an input which the operation needs.
  ...gets('C', [`${C}/updateProducts`]),
  ...gets('A', [JOB_STATUS.report.replace('GET ', '')]),
  {
    group: 'B',
    method: 'POST',
    path: '/data-access/v1/Catalogue/Dimension/Rows',
    body: '{"catalogueId":"CAT-RETAIL"}',
  },
  ...gets(
    'C',
    [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `${C}/products/${upcAt(index)}`),
  ),
  ...gets('C', [`${C}/products/999999999993`]),
  ...gets(
    'C',
    MALFORMED.map((upc) => `${C}/products/${quote(upc)}`),
  ),
  ...gets('D', [
    ...filters('category', ['Tea', 'Tea & Infusions', 'Nobody']),
    ...filters('subCategory', ['Organic']),
    ...filters('manufacturer', Object.keys(BRAND_NAMES).slice(0, 4)),
    ...filters('brand', ['Sun', 'House Brand', 'Old Mill']),
    `${D}/CategoryPerformance?category=Tea&subCategory=Organic`,
    // The code of a category, for faults of codes.
    `${D}/CategoryPerformance?category=category-0`,
    `${D}/BrandPerformance?category=Tea&subCategory=Organic`,
  ]),
  ...aliases,
];

/** Lists that are requested again, for faults that only a second request reveals. */
const AGAIN = CORPUS.filter(({ path }) =>
  /\/(allProducts|allCategories|LogicalDimensions|testService|Metadata|CategoryPerformance|BrandPerformance)$|\?(weeks|category)=/.test(
    path,
  ),
);

type Answers = ReadonlyMap<string, string>;

/** Every response of a simulator to the corpus and to started jobs, by request. */
async function answersOf(fault?: string): Promise<{ answers: Answers; groups: ReadonlyMap<string, string> }> {
  const simulator = await startSimulator({ products: 120, ...(fault && { fault }) });
  const answers = new Map<string, string>();
  const groups = new Map<string, string>();
  const send = async ({ group, method, path, body }: CorpusRequest, turn = '') => {
    const name = `${method} ${path} ${body ?? ''} ${turn}`;
    const answer = await fetch(simulator.url + path, { method, ...(body && { body }) })
      .then(async (response) => `${response.status} ${await response.text()}`)
      .catch((error: Error) => `failed: ${error.message}`);
    answers.set(name, answer);
    groups.set(name, group);
    return answer;
  };
  try {
    for (const request of CORPUS) await send(request);
    const listed = [...(answers.get(`GET ${C}/allProducts  `) ?? '').matchAll(/"upc":"(\d{12})"/g)];
    await send({ group: 'C', method: 'GET', path: `${C}/products/${listed.at(-1)?.[1] ?? UPC}` }, 'last listed');
    for (const request of AGAIN) await send(request, 'again');
    // The job of another POST of its kind, read at the status operation of another kind, too.
    const update = await send({ group: 'A', method: 'POST', path: '/webservices/updateLocation' });
    const updateId = /"jobId":"([^"]*)"/.exec(update)?.[1] ?? 'none';
    for (const [turn, kind] of (['report', 'location', 'location', 'location', 'location'] as const).entries())
      await send(
        { group: 'A', method: 'GET', path: `${operationOf(JOB_STATUS[kind]).path}?jobId=${updateId}` },
        `turn ${turn}`,
      );
    for (const kind of JOB_KINDS) {
      const start = operationsOf('A').find(
        (key) => JOB_STARTERS[operationOf(key).name as keyof typeof JOB_STARTERS] === kind,
      )!;
      const started = await send({ group: 'A', method: 'POST', path: operationOf(start).path }, kind);
      const jobId = /"jobId":"([^"]*)"/.exec(started)?.[1] ?? 'none';
      const read = (id: string, turn: string) =>
        send({ group: 'A', method: 'GET', path: `${operationOf(JOB_STATUS[kind]).path}?jobId=${id}` }, turn);
      for (const turn of ['first', 'second', 'third', 'fourth']) await read(jobId, turn);
      await send({ group: 'A', method: 'POST', path: operationOf(start).path }, 'another');
      for (const id of [jobId, 'job-none', ...JOB_KINDS.map((_, at) => `job-${at + 1}-000003`)])
        await read(id, 'later');
    }
  } finally {
    await simulator.close();
  }
  return { answers, groups };
}

let correct: Awaited<ReturnType<typeof answersOf>>;
beforeAll(async () => {
  correct = await answersOf();
});
const changed = (answers: Answers) =>
  [...answers].filter(([name, answer]) => correct.answers.get(name) !== answer).map(([name]) => name);

test('without a fault two simulators return equal responses', async () => {
  expect(changed((await answersOf()).answers)).toEqual([]);
  expect([...correct.answers.values()].filter((answer) => /^(5|failed)/.test(answer))).toEqual([]);
});

/** Faults of other dialects, and those of later calls, have tests of their own. */
const OF_REFERENCE = (FAULTS as readonly Fault[]).filter(
  (fault) => (!fault.dialects || fault.dialects.includes('reference')) && !LATER_CALL_FAULTS.includes(fault),
);

describe.each(OF_REFERENCE.map((fault): [string, Fault] => [fault.name, fault]))('%s', (name, fault) => {
  test('changes a response, and only responses of its group', async () => {
    const { answers, groups } = await answersOf(name);
    const different = changed(answers);
    expect(different.length).toBeGreaterThan(0);
    for (const each of different) expect(groups.get(each), each).toBe(groupOfFault(fault));
  });
});
test('names are unique and kebab-case, and each fault describes what it breaks in one sentence', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
  for (const { name, says } of FAULTS) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(says).toMatch(/^\S.*\.$/);
    expect(faultNamed(name).name).toBe(name);
  }
});

test('every observable statement has a fault', () => {
  const broken = new Set<string>(FAULTS.map(({ statement }) => statement));
  expect(STATEMENTS.filter(({ id, observable }) => observable && !broken.has(id)).map(({ id }) => id)).toEqual([]);
});
