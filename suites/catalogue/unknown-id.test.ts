/** Services of catalogues with numbers as ids, and what they answer for an id that no list contains. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_SAMPLING, type Depth } from '../../src/contract/index.ts';
import { judgeService, type ServiceRequest } from '../judge-in-process.test.support.ts';

const ROOT = 'POST /data-access/v1/Catalogue/LogicalDimensions';
const GROUPS = 'POST /data-access/v1/Catalogue/Dimension/Groups';

interface Request {
  readonly catalogue: number;
  readonly dimension?: number;
}
type Answer = (request: Request, isKnown: boolean) => readonly [status: number, body: unknown];

const ROWS = [
  { id: 1011, name: 'Product' },
  { id: 1012, name: 'Outlet' },
];
const [CATALOGUES, DIMENSIONS] = [new Set([7001, 7002]), new Set(ROWS.map(({ id }) => id))];
/** Each catalogue has two dimensions, each with two groups. */
const isKnown = ({ catalogue, dimension }: Request): boolean =>
  CATALOGUES.has(catalogue) && (dimension === undefined || DIMENSIONS.has(dimension));
const refusing =
  (status: number): Answer =>
  (_, known) =>
    known ? [200, ROWS] : [status, { message: 'no' }];

const LIST = 'response: { rows: "$[*]", fields: { id: "@.id", name: "@.name" } }';

async function judge(
  answer: Answer,
  statuses = 'unknown: [404]',
  depth: Depth = 'standard',
  { groups = LIST, examples = 'catalogueId: [7001, 7002]' } = {},
) {
  const requests: Request[] = [];
  const profile = `name: t
examples: { ${examples} }
operations:
  ${ROOT}:
    request: { json: { catalogue: "{catalogueId}" } }
    ${LIST}
    statuses: { ${statuses} }
  ${GROUPS}:
    request: { json: { catalogue: "{catalogueId}", dimension: "{dimension}" } }
    ${groups}
    statuses: { ${statuses} }`;
  const service = ({ key, json }: ServiceRequest) => {
    const request = json as unknown as Request;
    requests.push(request);
    return key === ROOT || key === GROUPS ? answer(request, isKnown(request)) : undefined;
  };
  const sampling = { ...DEFAULT_SAMPLING, depth };
  const run = await judgeService(profile, service, { sampling, rules: ['B.unknown-id'], operations: [ROOT, GROUPS] });
  const results = run.results.filter(({ verdict }) => verdict !== 'not-applicable');
  return { results, verdicts: results.map(({ verdict }) => verdict), requests };
}

/** The catalogue and then the dimension that are not known; the first id of each kind, or all. */
const answeringUnknown = (count: number): Answer => {
  const ids = new Set<number>();
  return ({ catalogue, dimension }, known) => {
    const id = CATALOGUES.has(catalogue) ? dimension : catalogue;
    if (!known && id !== undefined && ids.size < count) ids.add(id);
    return known || ids.has(id as number) ? [200, ROWS] : [404, {}];
  };
};

test.each<[string, Answer, string, readonly string[]]>([
  ['refuses it as stated', refusing(404), 'unknown: [404]', ['pass', 'pass']],
  // The refusal of an unknown catalogue may be about the dimension, which no known catalogue is named for.
  ['refuses it otherwise', refusing(410), 'unknown: [404]', ['fail', 'untested']],
  ['answers it as if it were known', answeringUnknown(1000), 'unknown: [404]', ['fail', 'fail']],
  ['answers it, as stated', answeringUnknown(1000), 'unknown: [404, 200]', ['pass', 'pass']],
  ['fails', refusing(500), 'unknown: [404]', ['fail', 'fail']],
  ['refuses its format', refusing(422), 'unknown: [404]', ['untested', 'untested']],
  ['refuses its format, as stated', refusing(422), 'unknown: [404, 422]', ['pass', 'pass']],
  ['is overloaded', refusing(503), 'unknown: [404]', ['untested', 'untested']],
  // Of two ids at standard only one is replaced, and the statement may be about the other one.
  ['lists nothing', (_, known) => [200, known ? ROWS : []], 'unknown: [404]', ['fail', 'untested']],
  ['lists nothing, as stated', (_, known) => [200, known ? ROWS : []], 'unknown: [404, 200]', ['pass', 'pass']],
  ['has no rows for known ids either', () => [200, []], 'unknown: [404]', ['untested', 'untested']],
  ['states nothing', answeringUnknown(1000), 'tooMany: [420]', []],
])('a service that %s', async (_, answer, statuses, expected) => {
  const { results, verdicts } = await judge(answer, statuses);
  expect(verdicts).toEqual(expected);
  for (const { verdict, basis, gating, note } of results) {
    if (verdict === 'fail') expect([basis, gating]).toEqual(['profile', true]);
    if (verdict === 'untested') expect(note).toMatch(/proves nothing/);
  }
});

test('an empty list for each id of a request contradicts the statement', async () => {
  const { verdicts } = await judge((_, known) => [200, known ? ROWS : []], 'unknown: [404]', 'thorough');
  expect(verdicts).toEqual(['fail', 'fail']);
});

test('an id that exists although no list contains it is legal', async () => {
  const { verdicts } = await judge(answeringUnknown(1));
  expect(verdicts).toEqual(['pass', 'pass']);
});

test('the unknown id of a JSON number is a number, and replaces one id at a time', async () => {
  const { requests } = await judge(refusing(404), 'unknown: [404]', 'thorough');
  for (const { catalogue, dimension } of requests) {
    expect(typeof catalogue).toBe('number');
    if (dimension !== undefined) expect(typeof dimension).toBe('number');
    expect(CATALOGUES.has(catalogue) || dimension === undefined || DIMENSIONS.has(dimension)).toBe(true);
  }
  const unknown = requests.filter((each) => !isKnown(each));
  expect(unknown.some(({ catalogue }) => !CATALOGUES.has(catalogue))).toBe(true);
  expect(unknown.some(({ dimension }) => dimension !== undefined && !DIMENSIONS.has(dimension))).toBe(true);
});

test('the depth quick sends no unknown id', async () => {
  const { results, requests } = await judge(refusing(404), 'unknown: [404]', 'quick');
  expect(requests.filter((each) => !isKnown(each) && each.catalogue !== undefined)).toEqual([]);
  expect(results.map(({ note }) => note)).toEqual([
    expect.stringMatching(/depth quick/),
    expect.stringMatching(/depth quick/),
  ]);
});

/** Profiles that read less of the groups of a dimension: their rows only, another field, or nothing. */
const READING_LESS = ['response: { rows: "$[*]" }', 'response: { rows: "$[*]", fields: { parent: "@.id" } }', ''];

test.each(READING_LESS)('without ids, the statement is judged by what the profile reads: “%s”', async (groups) => {
  const verdictOf = async (answer: Answer, statuses = 'unknown: [404]') =>
    (await judge(answer, statuses, 'thorough', { groups })).verdicts[1];
  expect(await verdictOf(refusing(404))).toBe('pass');
  expect(await verdictOf(answeringUnknown(1000))).toBe('fail');
  expect(await verdictOf(answeringUnknown(1))).toBe('pass');
  expect(await verdictOf(answeringUnknown(1000), 'unknown: [404, 200]')).toBe('pass');
  expect(await verdictOf(refusing(422))).toBe('untested');
});

test('a service without content for an unknown dimension is judged by its rows, if the profile reads them', async () => {
  const withoutContent: Answer = (_, known) => (known ? [200, ROWS] : [200, []]);
  const at = async (depth: Depth, groups: string) =>
    (await judge(withoutContent, 'unknown: [404]', depth, { groups })).verdicts[1];
  // One of the ids is replaced at standard, and the statement may be about the other one.
  expect(await at('standard', 'response: { rows: "$[*]" }')).toBe('untested');
  expect(await at('thorough', 'response: { rows: "$[*]" }')).toBe('fail');
  expect(await at('standard', '')).toBe('untested');
});

test('a finding contains the form of the value that was sent', async () => {
  const { results } = await judge(answeringUnknown(1000));
  const expected = results.flatMap(({ findings }) => findings.map((each) => each.expected));
  expect(expected).toContainEqual(
    expect.stringMatching(
      /^status 404 for the unknown catalogueId [5-9]\d{3} \(of the form 0000 of 2 listed values, none of which it equals\)/,
    ),
  );
});

describe('of one listed id, whose form it does not show', () => {
  const one = (answer: Answer) => judge(answer, 'unknown: [404]', 'thorough', { examples: 'catalogueId: [7001]' });

  test('an error proves nothing, and the note names the key of the profile', async () => {
    const { results } = await one(({ catalogue }) => [catalogue === 7001 ? 200 : 500, ROWS]);
    expect(results[0]).toMatchObject({
      verdict: 'untested',
      note: expect.stringMatching(/examples\.unknown\.catalogueId$/),
    });
  });

  test('rows are a failure', async () => {
    expect((await one(answeringUnknown(1000))).verdicts[0]).toBe('fail');
  });
});

describe('with an id that the profile calls unknown', () => {
  const stated = (answer: Answer, id: number) =>
    judge(answer, 'unknown: [404]', 'thorough', { examples: `catalogueId: [7001], unknown: { catalogueId: ${id} }` });

  test('that id is sent', async () => {
    const { verdicts, requests } = await stated(refusing(404), 4711);
    expect(verdicts).toEqual(['pass', 'pass']);
    expect(requests.filter((each) => !isKnown(each)).map(({ catalogue }) => catalogue)).toContain(4711);
  });

  test('one response contradicts the statement', async () => {
    const { results } = await stated(refusing(500), 4711);
    expect(results[0]).toMatchObject({
      verdict: 'fail',
      findings: [
        { expected: expect.stringContaining('4711 (which examples.unknown.catalogueId of the profile states)') },
      ],
    });
  });

  test('and that exists, nothing is judged', async () => {
    const { results } = await stated(refusing(404), 7001);
    expect(results[0]).toMatchObject({ verdict: 'untested', note: expect.stringMatching(/set another one$/) });
  });
});
