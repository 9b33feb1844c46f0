/**
 * Descriptions of the bundled dialects without `x-mdwi`, as if another tool had written them: a draft of one leaves much open,
 * but what it binds is right.
 */
import { expect } from 'vitest';
import type { DialectName } from '../../../simulator/dialects/names.ts';
import { judgeSimulation } from '../../../suites/judge-in-process.test.support.ts';
import { DEFAULT_SAMPLING } from '../../contract/index.ts';
import { loadProfile } from '../../profile/load.ts';
import { bindReferences } from '../../profile/openapi/description.ts';
import { draftFromDescription } from '../../profile/openapi/draft.ts';
import { describeDialect } from '../../profile/openapi/write/describe-dialect.ts';
import type { SampleExchange } from '../../profile/openapi/write/types.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import { isPlainObject } from '../../profile/plain-object.ts';
import type { Profile } from '../../profile/schema.ts';
import { readBody } from '../../reading/read-body.ts';
import { readingPlanOf } from '../../run/fetch-request.ts';
import { sampleExchanges } from './sample-exchanges.ts';

const withoutExtension = (node: unknown): unknown =>
  Array.isArray(node)
    ? node.map(withoutExtension)
    : isPlainObject(node)
      ? Object.fromEntries(
          Object.entries(node).flatMap(([name, each]) => (name === 'x-mdwi' ? [] : [[name, withoutExtension(each)]])),
        )
      : node;

/** Drafts a profile from the description of a dialect, with its credentials and examples, which a description cannot state. */
function draftOf({ data }: Profile, document: unknown): Profile {
  const root = withoutExtension(document) as Record<string, unknown>;
  bindReferences(root, 'main', () => undefined);
  const { profile } = draftFromDescription({
    source: 'openapi.json',
    root,
    files: new Map([['main', root]]),
    unresolvedReferences: new Map(),
  });
  const { auth, authFor, authExcept, examples, dataWeek } = data;
  const { refreshDate: _, refreshDateIs: __, ...week } = dataWeek ?? {};
  const known = { auth, authFor, authExcept, examples, ...(dataWeek && { dataWeek: week }) };
  return parseProfile(JSON.stringify({ ...profile, ...known }), 'draft.json');
}

/** A characteristic as its value: a draft reads an object with a name and a value as a whole. */
const characteristicOf = (cell: unknown): unknown =>
  Array.isArray(cell)
    ? cell.map(characteristicOf)
    : typeof cell === 'object' && cell !== null && 'name' in cell && 'value' in cell
      ? cell.value
      : cell;

/** The different values of each field of a response. */
async function valuesOf(profile: Profile, { operation, status, headers, text }: SampleExchange) {
  const values = new Map<string, Set<string>>();
  const add = (row: object) => {
    for (const [field, each] of Object.entries(row))
      values.set(field, (values.get(field) ?? new Set()).add(JSON.stringify(characteristicOf(each))));
  };
  const head = { status, reasonPhrase: '', headers: Object.entries(headers) };
  const withoutCoding = { ...head, headers: head.headers.filter(([name]) => name !== 'content-encoding') };
  async function* chunks() {
    yield Buffer.from(text ?? '');
  }
  const read = await readBody(readingPlanOf(profile, operation, {}), withoutCoding, chunks(), add);
  for (const [field, each] of Object.entries(read.values))
    values.set(field, new Set(each.map((value) => JSON.stringify(value))));
  return values;
}

/** Expects that a draft of a dialect reads what its profile reads, and accuses its simulator of nothing. */
export async function expectSoundDraft(dialect: DialectName): Promise<void> {
  const profile = await loadProfile(dialect);
  const samples = await sampleExchanges(profile);
  const { document } = describeDialect(profile, { server: 'http://localhost', samples, isSecretHeader: () => false });
  const draft = draftOf(profile, document);
  const successes = samples.filter(({ isValid, isRefusal, status }) => isValid && !isRefusal && status < 300);
  let compared = 0;
  for (const sample of successes) {
    const [expected, drafted] = [await valuesOf(profile, sample), await valuesOf(draft, sample)];
    for (const [field, values] of drafted) {
      const wanted = expected.get(field);
      if (wanted === undefined) continue;
      expect.soft(values, `${sample.operation} ${field}`).toEqual(wanted);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(0);

  const selection = { safety: 'all', sampling: { ...DEFAULT_SAMPLING, depth: 'quick' } } as const;
  const { results } = await judgeSimulation({ dialect, products: 40 }, { profile: draft, selection });
  const accused = results.filter(({ verdict, gating }) => gating && (verdict === 'fail' || verdict === 'error'));
  expect(accused.map(({ rule, operation, findings }) => [rule, operation, findings[0]?.actual])).toEqual([]);
}
