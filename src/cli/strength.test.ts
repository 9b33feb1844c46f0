/** `mdwi strength` on the bundled recording. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { openTarget } from '../commands/judge-named.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { newFolder } from '../resources.test.support.ts';
import { performRun } from '../run/run.ts';
import { CapturedRun } from '../strength/captured-run.ts';
import { type DrawnMutants, drawMutants } from '../strength/draw-mutants.ts';
import { MutantJudge } from '../strength/judge-mutants.ts';
import { OPERATORS } from '../strength/operators/index.ts';
import type { StrengthReport } from '../strength/report.ts';
import { RecordedWorld } from '../strength/world.ts';
import { perform } from './perform.test.support.ts';

/** A short measurement and its report. */
async function strength(args: string, lines = '0') {
  const file = join(newFolder(), 'strength.json');
  const performed = await perform(['strength', '--lines', lines, ...args.split(' '), '--report', `json=${file}`]);
  return { ...performed, report: () => JSON.parse(readFileSync(file, 'utf8')) as StrengthReport };
}

test('the console shows what is caught and what is not, and the same seed draws the same', async () => {
  const { code, stdout, stderr, report } = await strength('reference --max-mutants 25');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { counts, score, mutants } = report();
  expect(stdout).toContain(`${score} % of`);
  expect(stdout).toContain('Left out: a conforming service could have made this change');
  expect(counts.mutants).toBe(25);
  expect(counts.caught).toBeGreaterThan(18);
  expect(new Set(mutants.map(({ operator }) => operator)).size).toBeGreaterThan(15);
  expect((await strength('reference --max-mutants 25')).report()).toEqual(report());
});

test('a score below --min-score ends with 1, wrong flags with 2', async () => {
  const low = await strength('reference --max-mutants 90 --min-score 100');
  expect(low.code).toBe(1);
  expect(low.stderr).toContain('is below --min-score 100');
  for (const args of [
    'no-such-recording',
    'reference --max-mutants 0',
    'reference --min-score 101',
    'reference --recordings other',
  ])
    expect((await strength(args)).code, args).toBe(2);
});

test('what a profile does not read is unseen, and the line that would read it is tried', async () => {
  const profile = join(newFolder(), 'weak.yaml');
  const reference = readFileSync(join(import.meta.dirname, '../profile/bundled/reference.yaml'), 'utf8');
  // The bulk list stays bound; the delta and the look-up do not read the UPC any more.
  let bound = 0;
  const weak = reference
    .replace(/^ {8}upc: \{ at: "@\.upc".*\n/gm, (line) => (bound++ === 0 ? line : ''))
    .replace('upc: { checkDigit: true }\n', '');
  expect(bound).toBe(3);
  writeFileSync(profile, weak);
  const { stdout, report } = await strength(`reference --profile ${profile} --group C --max-mutants 60`, '4');
  const { mutants, lines } = report();
  const line = 'operations["GET /PLATFORMAPI/prodRef/v1/updateProducts"].response.fields.upc';
  expect(lines[0]).toMatchObject({ key: line, value: '"@.upc"', isPromise: false });
  expect(lines[0]?.caught).toBeGreaterThan(2);
  expect(mutants.filter(({ caughtWith }) => caughtWith === line).length).toBe(lines[0]?.caught);
  expect(stdout).toContain(`${line} catches it`);
  expect(lines).toContainEqual(expect.objectContaining({ key: 'upc.checkDigit', isPromise: true, caught: 2 }));
}, 60_000);

describe('the mutants of the recording', () => {
  let captured: CapturedRun;
  let target: Awaited<ReturnType<typeof openTarget>>;
  let world: RecordedWorld;
  let drawn: DrawnMutants;
  let judge: MutantJudge;
  beforeAll(async () => {
    target = await openTarget({ recordings: 'reference' });
    captured = new CapturedRun();
    await judgeTarget({ ...target, fetch: captured.fetch, values: captured.values, onProgress() {} });
    await target.close?.();
    world = await RecordedWorld.read(captured, target.profile, 1);
    drawn = await drawMutants(world, 400);
    const { base, profile, selection } = target;
    judge = await MutantJudge.of({ captured, rules: RULES, base, profile, selection });
  });

  /** The verdicts of all checks on changed responses. */
  const wholeRun = (changed: Parameters<CapturedRun['fetchChanged']>[0]) =>
    performRun({
      rules: RULES,
      base: target.base,
      profile: target.profile,
      selection: target.selection,
      source: { send: () => Promise.reject(new Error('nothing is sent')), async close() {} },
      fetch: captured.fetchChanged(changed, () => undefined),
      values: captured.values.copy(),
      wait: async () => undefined,
      suiteVersion: '',
      ...{ strict: false, allowInconclusive: false, requireConformant: false },
    });

  test('without a change, every check has the verdict that it has on the recording', async () => {
    const run = await wholeRun(new Map());
    expect(run.outcome).toBe('conformant');
    expect(run.fractions.proved[0]).toBeGreaterThan(600);
  });

  test('most operators apply to a profile that fills all openings', () => {
    const names = new Set(drawn.mutants.map(({ operator }) => operator.name));
    const unused = OPERATORS.filter(({ name }) => !names.has(name)).map(({ name }) => name);
    expect(unused).toEqual(['unknown UPC found']);
  });

  test('the checks that read a changed response decide as all checks together', async () => {
    for (const mutant of drawn.mutants.filter((_, at) => at % 40 === 7)) {
      const { verdict } = await judge.judge(mutant);
      const run = await wholeRun(mutant.changed);
      const where = `${mutant.operator.name} ${mutant.site.at}`;
      expect(run.outcome === 'nonconformant', where).toBe(verdict === 'caught');
    }
  });

  test('each mutant differs from the recording in the responses of its operation, and in the service’s notation', () => {
    for (const { changed, operator } of drawn.mutants)
      for (const [was, is] of changed) {
        expect(is.request).toEqual(was.request);
        const isOther =
          is.response?.status !== was.response?.status ||
          is.body !== was.body ||
          JSON.stringify(is.response?.headers) !== JSON.stringify(was.response?.headers);
        expect(isOther, operator.name).toBe(true);
      }
  });

  test('a profile without a promise has no mutant that only breaks the promise', async () => {
    const { data } = target.profile;
    const { sums: _, ...figures } = data.figures ?? {};
    const weaker = await RecordedWorld.read(captured, { ...target.profile, data: { ...data, figures } }, 1);
    const { mutants, legal } = await drawMutants(weaker, 400);
    expect(mutants.filter(({ operator }) => operator.name === 'category is not the sum')).toEqual([]);
    expect(legal).toContainEqual(
      expect.objectContaining({ operator: 'category is not the sum', because: expect.stringContaining('sums') }),
    );
  });
});
