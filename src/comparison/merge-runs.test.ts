import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES, FORMATS } from '../report/formats.ts';
import { runSchema } from '../report/run-schema.ts';
import type { Run } from '../run/types.ts';
import { compareRuns } from './compare-runs.ts';
import { mergeRuns, type ReadPart } from './merge-runs.ts';
import { resultWith, runWith } from './run.test.support.ts';

const NOW = '2026-11-22T08:00:00.000Z';
const east = { targetName: 'east', target: 'https://east.example' };
const west = { targetName: 'west', target: 'https://west.example', safety: 'job' as const };
const [passed, failed] = [resultWith('r', 'pass'), resultWith('r', 'fail')];

const part = (file: string, run: Run): ReadPart => ({ file, run });
const missing: ReadPart = { file: 'c.json', missing: 'c.json: there is no such file' };

test('a single run is reported as it is', () => {
  const run = runWith([passed]);
  expect(mergeRuns([part('a.json', run)], NOW)).toBe(run);
});

describe('the exit code has the precedence of one run', () => {
  const green = runWith([passed], east);
  const red = runWith([failed], west);
  const undecided = runWith([resultWith('r', 'inconclusive')], west);
  const interrupted = runWith([passed], { ...west, interrupted: 'SIGTERM' });
  const cases: readonly (readonly [name: string, parts: readonly ReadPart[], code: number, outcome: Run['outcome']])[] =
    [
      ['all green', [part('a', green), part('b', runWith([passed], west))], 0, 'conformant'],
      ['one red', [part('a', green), part('b', red)], 1, 'nonconformant'],
      ['one undetermined', [part('a', green), part('b', undecided)], 3, 'undetermined'],
      ['red and undetermined', [part('a', undecided), part('b', red)], 1, 'nonconformant'],
      ['one interrupted', [part('a', red), part('b', interrupted)], 143, 'interrupted'],
      ['one missing', [part('a', green), missing], 3, 'undetermined'],
      ['one missing and one red', [part('a', red), missing], 1, 'nonconformant'],
      ['all missing', [missing], 3, 'undetermined'],
      [
        'an exit code of an unknown version',
        [part('a', green), part('b', { ...green, exitCode: 42 })],
        3,
        'conformant',
      ],
    ];
  test.each(cases)('%s', (_, parts, exitCode, outcome) => {
    const merged = mergeRuns(parts, NOW);
    expect(merged).toMatchObject({ exitCode, outcome });
    expect(runSchema.parse(merged)).toEqual(merged);
  });
});

test('two targets keep their scopes, and each result names its target', () => {
  const merged = mergeRuns([part('a.json', runWith([failed], east)), part('b.json', runWith([passed], west))], NOW);
  expect(merged.results.map(({ target, verdict }) => [target, verdict])).toEqual([
    ['east', 'fail'],
    ['west', 'pass'],
  ]);
  expect(merged.outcomeInScope).toBe('nonconformant (east: C, read; west: C, job)');
  expect(merged.reason).toBe('east: 1 gating check failed');
  expect(merged.parts?.map(({ file, target, manifest }) => [file, target, manifest?.safety])).toEqual([
    ['a.json', 'east', 'read'],
    ['b.json', 'west', 'job'],
  ]);
  expect(merged.manifest).toMatchObject({ target: 'east, west', safety: 'read', requests: 2 });
});

test('jobs per group of one target are one run of it', () => {
  const [c, d] = [resultWith('c', 'pass'), resultWith('d', 'untested')];
  const merged = mergeRuns([part('c.json', runWith([c], east)), part('d.json', runWith([c, d].slice(1), east))], NOW);
  expect(merged.results).toEqual([c, d]);
  expect(merged.manifest.targetName).toBe('east');
  expect(merged.fractions.provable).toEqual([1, 2]);
});

test('two runs of the same checks against one target are named by their files', () => {
  const merged = mergeRuns([part('a.json', runWith([passed])), part('b.json', runWith([failed]))], NOW);
  expect(merged.results.map(({ target }) => target)).toEqual([
    'https://staging.example/api (a.json)',
    'https://staging.example/api (b.json)',
  ]);
});

test('two services under one name are named by their addresses', () => {
  const [a, b] = ['https://a.example', 'https://b.example'].map((target) => runWith([passed], { ...east, target }));
  const merged = mergeRuns([part('a', a as Run), part('b', b as Run)], NOW);
  expect(merged.results.map(({ target }) => target)).toEqual(['https://a.example', 'https://b.example']);
});

test('exchanges of different parts have different ids, which findings cite', () => {
  const exchange = { id: '#1', operation: passed.operation, method: 'GET', url: 'https://x', bytes: 1, ms: 1 };
  const finding = { expected: 'x', actual: 'y', exchange: '#1' };
  const run = { ...runWith([resultWith('r', 'fail', { findings: [finding] })], east), exchanges: [exchange] };
  const merged = mergeRuns(
    [part('a', run), missing, part('b', { ...run, manifest: { ...run.manifest, ...west } })],
    NOW,
  );
  expect(merged.exchanges.map(({ id }) => id)).toEqual(['1#1', '3#1']);
  expect(merged.results.map(({ findings }) => findings[0]?.exchange)).toEqual(['1#1', '3#1']);
});

test('comparisons of the parts are one comparison, which names the targets', () => {
  const compared = (manifest: Partial<Run['manifest']>) => {
    const run = runWith([failed], manifest);
    return { ...run, comparison: compareRuns(runWith([passed], manifest), run, 'last.json') };
  };
  const { comparison } = mergeRuns([part('a', compared(east)), part('b', compared(west))], NOW);
  expect(comparison?.baseline).toBe('last.json');
  expect(comparison?.newFailures.map(({ target }) => target)).toEqual(['east', 'west']);
});

test('results cite the causes of their own part', () => {
  const withCause = (sentence: string, manifest: Partial<Run['manifest']>): Run => ({
    ...runWith([resultWith('r', 'inconclusive', { cause: 0 })], manifest),
    cause: [{ sentence, operations: [passed.operation], count: 1 }],
  });
  const merged = mergeRuns([part('a', withCause('401', east)), part('b', withCause('429', west))], NOW);
  expect(merged.results.map(({ cause = -1 }) => merged.cause?.[cause]?.sentence)).toEqual(['401', '429']);
});

test('a waiver that one part did not ask about is shown as the other found it', () => {
  const waiver = { source: 'w.yaml:1', rule: 'r', reason: 'known', covers: [] };
  const withWaiver = (state: 'gone' | 'not-asked', manifest: Partial<Run['manifest']>) => ({
    ...runWith([passed], manifest),
    waivers: [{ ...waiver, state }],
  });
  const merged = mergeRuns([part('a', withWaiver('not-asked', east)), part('b', withWaiver('gone', west))], NOW);
  expect(merged.waivers?.map(({ state }) => state)).toEqual(['gone']);
});

test.each(FORMAT_NAMES)('a report as %s names the targets and the missing part', async (format) => {
  const merged = mergeRuns(
    [part('a.json', runWith([failed], east)), part('b.json', runWith([failed], west)), missing],
    NOW,
  );
  const text = await FORMATS[format](merged);
  expect(text).toContain('east');
  expect(text).toContain('west');
  if (format !== 'gitlab' && format !== 'sarif') expect(text).toContain('there is no such file');
});
