/** The options of `run` for gates: waivers, rule set, selection, baseline, configuration. */
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Comparison,
  defineProfile,
  type Run,
  type RunOptions,
  run,
  startSimulator,
  UsageError,
} from '../api/index.ts';
import { newFolder } from '../resources.test.support.ts';

const CATEGORY = 'GET /RetailMeasurement/v1/CategoryPerformance';
const BRAND = 'GET /RetailMeasurement/v1/BrandPerformance';

const [profile, narrower] = [[CATEGORY, BRAND] as const, [BRAND] as const].map((keys) =>
  defineProfile({
    name: 'lists',
    implements: [CATEGORY, BRAND],
    operations: Object.fromEntries(
      keys.map((key) => [key, { request: {}, response: { rows: '$.rows[*]', fields: {} } }]),
    ),
  }),
);

/** An app of two lists, of which CategoryPerformance has this status. */
const app =
  (status: number): RequestListener =>
  (request, response) => {
    const statuses: Record<string, number> = { [CATEGORY]: status, [BRAND]: 200 };
    response.writeHead(statuses[`GET ${request.url}`] ?? 404, { 'content-type': 'application/json' });
    response.end('{"rows":[]}');
  };

const common = { profile: profile as NonNullable<typeof profile>, operations: [CATEGORY, BRAND] } as const;
const judge = (status: number, more: Partial<RunOptions> = {}): Promise<Run> =>
  run({ app: app(status), rules: ['every.s*'], ...common, ...more } as RunOptions);

const failuresOf = ({ results }: Run) => results.filter(({ verdict }) => verdict === 'fail');

const folder = newFolder(afterAll);
let failed: Run;
const fileIn = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

beforeAll(async () => {
  failed = await judge(500);
});

const expired = { rule: 'every.*', reason: 'ticket 7', expires: '2020-01-31' } as const;
const waiver = { rule: 'every.*', operation: CATEGORY, reason: 'ticket 7' } as const;

test('waivers of a list and of a file cover the failure, and an expired one ends with 4', async () => {
  expect(failed.exitCode).toBe(1);
  expect(new Set(failuresOf(failed).map(({ operation }) => operation))).toEqual(new Set([CATEGORY]));
  const waived = await judge(500, { waivers: [waiver] });
  expect(waived).toMatchObject({ exitCode: 0, waivers: [{ state: 'covers', source: 'waivers[0]' }] });
  expect(failuresOf(waived).every((each) => each.waived)).toBe(true);
  const file = fileIn('waivers.json', [waiver]);
  expect(await judge(500, { waivers: file })).toMatchObject({ exitCode: 0, waivers: [{ source: `${file}:1` }] });
  expect((await judge(200, { waivers: [expired] })).exitCode).toBe(4);
});

test('a pinned rule set, skipped rules and patterns select as on the command line', async () => {
  expect((await judge(500, { ruleSet: '0.1.0' })).manifest.ruleSet).toBe('0.1.0');
  const skipping = await judge(500, { skipRules: ['every.served'] });
  expect(new Set(skipping.results.map(({ rule }) => rule))).toEqual(
    new Set(['every.sound-answer', 'every.served-again']),
  );
});

test('only the checks that failed in an earlier run are judged, of a run and of its file', async () => {
  const keys = (judged: Run) => judged.results.map(({ rule, operation }) => `${rule} ${operation}`).sort();
  const expected = failuresOf(failed)
    .map(({ rule, operation }) => `${rule} ${operation}`)
    .sort();
  for (const earlier of [failed, fileIn('run.json', failed)])
    expect(keys(await judge(200, { failed: earlier }))).toEqual(expected);
});

test('a check that judges what other rules request fails again, and one that is not decided any more ends with 3', async () => {
  await using simulator = await startSimulator({ products: 30, fault: 'bulk-upc-11-digits' });
  const bulk: RunOptions = { baseUrl: simulator.url, profile: 'reference', groups: ['C'] };
  const before = await run({ ...bulk, rules: ['C.*upc-12-digits'] });
  const upcs = { ...before, results: before.results.filter(({ rule }) => rule === 'C.filtered-upc-12-digits') };
  expect(failuresOf(upcs)).toHaveLength(1);
  expect(await run({ ...bulk, failed: upcs })).toMatchObject({ exitCode: 1 });
  const undecided = await run({ ...bulk, failed: before, profile: 'empty' });
  expect(undecided).toMatchObject({ exitCode: 3, reason: expect.stringMatching(/failed in the earlier run/) });
});

test('with a baseline the run is compared; its failures do not set the exit code, a new failure and a lost proof do', async () => {
  const compared = await judge(500, { baseline: failed });
  const comparison: Comparison | undefined = compared.comparison;
  expect(compared.exitCode).toBe(1);
  expect(comparison).toMatchObject({ baseline: `the run of ${failed.manifest.startedAt}`, newFailures: [] });
  const gate = { baseline: fileIn('last.json', failed), failOnNew: true };
  const known = await judge(500, gate);
  expect(known).toMatchObject({ exitCode: 0, outcome: 'nonconformant', comparison: { failOnNew: true } });
  const other = await judge(501, gate);
  expect(other.comparison?.newFailures.length).toBeGreaterThan(0);
  expect(other.exitCode).toBe(1);
  const green = await judge(200, gate);
  expect(green.exitCode).toBe(0);
  expect(green.comparison?.fixed.length).toBeGreaterThan(0);
  const lost = await judge(200, { baseline: green, failOnNew: true, profile: narrower });
  expect(lost.comparison?.lostProofs.length).toBeGreaterThan(0);
  expect(lost.exitCode).toBe(3);
});

describe('a configuration', () => {
  const configured = (more: object = {}) =>
    fileIn('mdwi.config.yaml', {
      targets: {
        staging: {
          baseUrl: 'http://127.0.0.1:9',
          groups: ['D'],
          baseline: 'none-yet.json',
          ...more,
        },
        offline: { recording: 'reference', rules: ['C.upc-12-digits'] },
      },
      limits: { maxRequests: 40 },
      waivers: [waiver],
      history: 'history',
      reports: { json: 'not-written.json' },
    });

  test('holds a target that is judged by its name', async () => {
    const judged = await run({ config: configured(), target: 'offline' });
    expect(judged.manifest).toMatchObject({ targetName: 'offline', target: expect.stringMatching(/^recording/) });
    expect(new Set(judged.results.map(({ rule }) => rule))).toEqual(new Set(['C.upc-12-digits']));
    expect(judged.exitCode).toBe(0);
  });

  test('holds settings for an app; options win over it', async () => {
    const config = configured();
    const judged = await judge(500, { config, target: 'staging' });
    expect(judged).toMatchObject({ exitCode: 0, manifest: { target: 'app (in-process)', groups: ['D'] } });
    expect(judged.manifest.targetName).toBeUndefined();
    expect(judged.comparison).toBeUndefined();
    expect((await judge(500, { config, target: 'staging', waivers: [] })).exitCode).toBe(1);
  });

  test('is refused with file, line and key, and with the names of options', async () => {
    await expect(run({ config: configured({ safty: 'read' }), target: 'staging' })).rejects.toThrow(/safty/);
    const config = configured();
    await expect(run({ config, target: 'stagin' })).rejects.toThrow(/“stagin” is no target of .*staging/);
    await expect(run({ config, target: 'https://h.example' })).rejects.toThrow(/give it with baseUrl$/);
    await expect(run({ config: fileIn('empty.yaml', 'safety: read') })).rejects.toThrow(/does not name what is judged/);
  });
});

/** Nothing of these is sent. */
const elsewhere = { baseUrl: 'https://staging.example', safety: 'all' } as const;

test.each<[string, object, RegExp]>([
  ['a rule set that does not exist', { ruleSet: '9.9.9' }, /^ruleSet: there is no rule set “9\.9\.9”/],
  ['a waiver without a reason', { waivers: [{ rule: 'C.*' }] }, /^waivers\[0\].*reason/],
  ['failOnNew without a baseline', { failOnNew: true }, /^failOnNew needs a run to compare with: baseline, /],
  ['a baseline that does not exist', { baseline: 'no-such.json' }, /^no-such\.json: there is no such file/],
  ['a baseline that is no run', { baseline: {} }, /^baseline: /],
  ['an earlier run that is no run', { failed: {} }, /^failed: /],
  ['a limit below 1', { limits: { maxRequests: 0 } }, /^limits\.maxRequests: must be/],
  ['a limit that does not exist', { limits: { maxRequest: 9 } }, /^limits.*maxRequest/],
  [
    'a proxy that is none',
    { ...elsewhere, safety: 'read', proxy: 'socks5://p' },
    /^proxy: the address of an HTTP proxy/,
  ],
  [
    'a file of authorities that does not exist',
    { ...elsewhere, safety: 'read', ca: 'none.pem' },
    /^ca: none\.pem cannot be read/,
  ],
  ['a skipped rule that does not exist', { skipRules: ['C.no'] }, /^skipRules: there is no rule/],
])('%s is refused with the name of the option', async (_, options, says) => {
  const place = 'baseUrl' in options ? {} : { app: app(200) };
  const refused = run({ ...place, ...options } as RunOptions);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(says);
  await expect(refused).rejects.not.toThrow(/--(?!report)/);
});

test('what the depth quick leaves out of group A is untested, and its note names the depth', async () => {
  const { outcome, results } = await run({ simulator: { products: 20 }, depth: 'quick', groups: ['A'] });
  expect(outcome).toBe('partial');
  const untested = results.filter(({ verdict }) => verdict === 'untested');
  expect(untested.map(({ rule }) => rule)).toContain('A.two-jobs');
  for (const { rule, note } of untested) expect(note, rule).toMatch(/depth quick.*--depth standard/);
});

test('a thorough run that reaches its limit proves nothing of what it did not inspect', async () => {
  const judgeAll = (maxRequests?: number) =>
    run({
      simulator: { products: 60 },
      safety: 'read',
      depth: 'thorough',
      rules: ['C.lookup-listed'],
      ...(maxRequests !== undefined && { limits: { maxRequests } }),
    });
  const whole = await judgeAll();
  expect(whole.results).toMatchObject([{ verdict: 'pass', evidence: { coverage: [{ looked: 60, known: 60 }] } }]);
  expect(whole.outcomeInScope).toContain('thorough');
  const limited = await judgeAll(20);
  expect(limited.manifest.requests).toBe(20);
  expect(limited.results).toMatchObject([{ verdict: 'inconclusive', evidence: { coverage: [{ known: 60 }] } }]);
  expect(limited.results[0]?.evidence.coverage?.[0]?.looked).toBeLessThan(20);
  expect(limited.results[0]?.note).toContain('limits.maxRequests');
});
