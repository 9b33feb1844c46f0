/** A binding that reads another value fails no conforming service, where the values are clearly not those of the field. */
import { expect, test } from 'vitest';
import { DIALECT_NAMES } from '../simulator/dialects/names.ts';
import { startSimulator } from '../simulator/server.ts';
import { checkLive } from '../src/cli/profile/check-live.ts';
import { FIELDS, type Field, operationOf } from '../src/contract/index.ts';
import { BASES } from '../src/rule/index.ts';
import type { Result } from '../src/run/types.ts';
import fc from '../src/seeded-fast-check.test.support.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';
import { MISREADINGS, type WrongBinding, wrongBindings, wrongProfile } from './wrong-bindings.test.support.ts';

const METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';

/** Fields whose values are digits, so that those of one may be those of another. */
const isDigits = (field: string): boolean =>
  ['upc', 'date', 'money', 'percent'].includes(FIELDS[field as Field]?.kind ?? '');

/** Why a service with this violation responds alike, so that a failure is right; undefined if none does. */
function whyLegal({ field, reads }: WrongBinding, { findings }: Result): string | undefined {
  if (reads === 'several in the rows of one value')
    return 'a value that does not convert among others that do is a failure';
  if (isDigits(field) && (reads === 'codes' || isDigits(reads)))
    return 'figures, dates and UPCs may be exchanged by the service';
  if (field === 'market' && ['codes', 'a constant'].includes(reads)) return 'the service may show another market';
  if (findings.every(({ actual }) => /is (?:null|missing)$|is null|is missing/.test(actual)))
    return 'a required value is missing';
  return undefined;
}

async function unexpectedFailures(wrong: WrongBinding): Promise<string[]> {
  const selection = { safety: 'all', groups: [operationOf(wrong.operation).group] } as const;
  const options = { dialect: wrong.dialect, products: 120 };
  const run = await judgeSimulation(options, { profile: await wrongProfile(wrong), selection });
  return run.results
    .filter((each) => each.verdict === 'fail' && BASES[each.basis].gating && whyLegal(wrong, each) === undefined)
    .map((each) => `${each.rule} ${each.operation}: ${each.findings[0]?.expected}: ${each.findings[0]?.actual}`);
}

/** How many bindings of each dialect are drawn: `WRONG_BINDINGS=1000 npx vitest run suites/wrong-bindings.matrix.test.ts` judges all. */
const SAMPLE = Number(process.env.WRONG_BINDINGS ?? 12);

test.each(DIALECT_NAMES)('no wrong binding of %s fails the simulator', async (dialect) => {
  // The status of a job has few values, and no rule compares them.
  const all = await wrongBindings(dialect, ['B', 'C', 'D']);
  const drawn = SAMPLE < all.length ? fc.sample(fc.constantFrom(...all), SAMPLE) : all;
  const failures: string[] = [];
  for (const wrong of drawn)
    for (const failure of await unexpectedFailures(wrong))
      failures.push(`${wrong.operation} ${wrong.field} reads ${wrong.reads}: ${failure}`);
  expect(failures).toEqual([]);
});

test.each(
  (['category', 'subCategory', 'manufacturer', 'brand'] as const).flatMap((field) =>
    [...Object.keys(MISREADINGS), field === 'brand' ? 'category' : 'brand'].map((reads) => ({ field, reads })),
  ),
)('Metadata with $field that reads $reads', async ({ field, reads }) => {
  const wrong = { dialect: 'reference', operation: METADATA, field, reads } as const;
  expect(await unexpectedFailures(wrong)).toEqual([]);
});

test('a run gives the sentence of profile check', async () => {
  const fields = { subCategory: { at: "@['subCategory', 'brand']" } };
  const profile = await patchedProfile('reference', { operations: { [METADATA]: { response: { fields } } } }, 'a.yaml');
  const selection = { safety: 'all', groups: ['D'] } as const;
  const { results } = await judgeSimulation({ products: 60 }, { profile, selection });
  const simulator = await startSimulator({ products: 60 });
  const { remarks } = await checkLive(simulator.url, profile, {}).finally(() => simulator.close());
  const sentence = remarks.find(({ kind, path }) => kind === 'doubt' && path.at(-1) === 'subCategory')
    ?.sentence as string;
  expect(sentence).toMatch(/^\d+ of \d+ values do not convert, such as .* bind one of them with a filter/);
  const undecided = results.filter(({ verdict }) => verdict === 'inconclusive');
  expect(undecided.map(({ rule }) => rule)).toContain('D.metadata-listed');
  for (const { note } of undecided) expect(note).toContain(sentence);
});
