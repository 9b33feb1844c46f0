/** Decides for each binding of a learned profile whether it is right, on the responses of the second world. */
import type { Field, Input, OperationKey } from '../../src/contract/index.ts';
import type { ProfilePath } from '../../src/learn/types.ts';
import type { CountBinding, ResponseProfile } from '../../src/profile/schema.ts';
import { refusalsOf } from '../../src/profile/statuses.ts';

import { compareRequests, withLearnedRequests } from './requests.ts';
import { inDollars, isSameField, withSingleValues } from './same-values.ts';
import { type Page, type Reader, readPages, type Visit } from './world.ts';

/** A binding of the true or the learned profile. */
export interface Binding {
  readonly operation: OperationKey;
  readonly path: ProfilePath;
  /** Its key within the operation: `fields.brand`, `inputs.window`. */
  readonly label: string;
  /** Whether the share of what is settled counts it: fields, rows, inputs and paging of the true profile. */
  readonly isCounted: boolean;
  readonly truth?: unknown;
  readonly learned?: unknown;
  /** Undefined: the learned profile lacks it, or nothing decides it. */
  readonly isRight?: boolean | undefined;
}

export interface Comparison {
  readonly truth: Reader;
  readonly learned: Reader;
  readonly visits: readonly Visit[];
  /** What the reference dialect answers to the same requests, where it has the same data. */
  readonly reference?: { pagesOf(visit: Visit): Promise<readonly Page[]> } | undefined;
}

/** Compares all bindings of the operations that were visited. */
export async function compareBindings(comparison: Comparison): Promise<Binding[]> {
  const { truth, learned, visits } = comparison;
  const requester: Reader = {
    ...truth,
    profile: withLearnedRequests(truth.profile, learned.profile),
    tables: new Map(),
  };
  const bindings: Binding[] = [];
  for (const [operation, ofOperation] of Map.groupBy(visits, (visit) => visit.operation)) {
    bindings.push(...(await compareResponses(comparison, operation, ofOperation)));
    bindings.push(...(await compareRequests(truth, requester, learned.profile, operation, ofOperation)));
  }
  return bindings;
}

/** The pages of all visits of an operation, as both profiles read them. */
interface Pair {
  readonly visit: Visit;
  readonly own: Page;
  readonly other: Page;
}

/** Where the rows are, with what makes rows of the nodes found. */
const rowsOf = ({ rows, shape }: ResponseProfile) => (rows !== undefined && shape ? { rows, shape } : rows);

const isRefused = ({ refusal }: Page): boolean => refusal !== undefined;

async function compareResponses(
  { truth, learned, reference }: Comparison,
  operation: OperationKey,
  visits: readonly Visit[],
): Promise<Binding[]> {
  const [own, other] = [truth.profile, learned.profile].map(({ data }) => data.operations?.[operation]?.response ?? {});
  if (!own || !other) return [];
  const all: Pair[] = [];
  for (const visit of visits) {
    const pages = await readPages(learned, visit);
    for (const [at, own] of visit.pages.entries()) all.push({ visit, own, other: pages[at] as Page });
  }
  const pairs = all.filter((pair) => !isRefused(pair.own));
  /** Whether all pages agree, as they are or with one row per combination of names. */
  const agree = (isSame: (own: Page, other: Page) => boolean): boolean =>
    pairs.every(
      ({ own, other }) =>
        isSame(own, other) || isSame(withSingleValues(operation, own), withSingleValues(operation, other)),
    );
  const bindings: Binding[] = [];
  const add = async (
    label: string,
    [stated, found]: readonly unknown[],
    isCounted: boolean,
    isRight: () => boolean | undefined | Promise<boolean | undefined>,
  ): Promise<void> => {
    if (stated === undefined && found === undefined) return;
    bindings.push({
      ...{ operation, path: ['operations', operation, 'response', ...label.split('.')], label },
      isCounted: isCounted && stated !== undefined,
      ...(stated !== undefined && { truth: stated }),
      ...(found !== undefined && { learned: found, isRight: await isRight() }),
    });
  };
  await add('rows', [own, other].map(rowsOf), true, () =>
    own.rows === undefined
      ? undefined
      : agree((page, found) => found.problem === undefined && page.cells.length === found.cells.length),
  );
  const fields = new Set([...Object.keys(own.fields ?? {}), ...Object.keys(other.fields ?? {})]) as Set<Field>;
  for (const field of fields) {
    const stated = own.fields?.[field];
    await add(`fields.${field}`, [stated, other.fields?.[field]], true, () =>
      stated
        ? agree((page, found) => isSameField(field, page, found)) ||
          (other.fields?.[field]?.as === 'amount' &&
            agree((page, found) => isSameField(field, page, inDollars(field, found))))
        : isNeutral(field, pairs, reference),
    );
  }
  const refusals = [truth.profile, learned.profile].map(({ data }) => refusalsOf(data, operation));
  await add(
    'refusal',
    refusals.map((each) => (each.length > 0 ? each : undefined)),
    false,
    () => all.every((pair) => isRefused(pair.own) === isRefused(pair.other)),
  );
  for (const of of new Set([...(own.counts ?? []), ...(other.counts ?? [])].map((count) => count.of))) {
    const [stated, found] = [own, other].map(({ counts }) => counts?.find((count) => count.of === of));
    // A count within a row is compared with the true one, of the same rows only.
    const isInRow = of !== 'list' && of !== 'page';
    const areSameRows = JSON.stringify(rowsOf(own)) === JSON.stringify(rowsOf(other));
    await add(`counts.${of}`, [stated, found], false, () =>
      isInRow && !areSameRows ? undefined : isRightCount(pairs, other.counts ?? [], found, stated),
    );
  }
  for (const input of new Set([own, other].flatMap(({ echoes }) => Object.keys(echoes ?? {}))) as Set<Input>)
    await add(`echoes.${input}`, [own.echoes?.[input], other.echoes?.[input]], false, () => isRightEcho(input, pairs));
  return bindings;
}

/** A field beyond the true profile: the reference dialect may state it for the same request. */
async function isNeutral(
  field: Field,
  pairs: readonly Pair[],
  reference: Comparison['reference'],
): Promise<boolean | undefined> {
  let isDecided = false;
  for (const [visit, ofVisit] of Map.groupBy(pairs, (pair) => pair.visit)) {
    const neutral = joined((await reference?.pagesOf(visit)) ?? []);
    const read = joined(ofVisit.map(({ other }) => other));
    const isStated = field in neutral.values || neutral.cells.some((row) => field in row);
    if (!isStated || neutral.cells.length !== read.cells.length) continue;
    if (!isSameField(field, neutral, read)) return false;
    isDecided = true;
  }
  return isDecided || undefined;
}

/** All pages of a list as one. */
const joined = (pages: readonly Page[]): Pick<Page, 'cells' | 'values'> => ({
  cells: pages.flatMap(({ cells }) => cells),
  values: pages[0]?.values ?? {},
});

/** A count of rows is what the service says it is; a count within a row is compared with the true one only. */
function isRightCount(
  pairs: readonly Pair[],
  counts: readonly CountBinding[],
  count: CountBinding | undefined,
  stated: CountBinding | undefined,
): boolean | undefined {
  const of = count?.of;
  if (of !== 'list' && of !== 'page') return stated && JSON.stringify(stated.at) === JSON.stringify(count?.at);
  return pairs.every(({ visit, own, other }) => {
    const [found] = other.pageMetadata?.[0]?.counts[counts.findIndex((each) => each.of === of)] ?? [];
    const rows = of === 'page' ? own.cells.length : visit.pages.reduce((sum, { cells }) => sum + cells.length, 0);
    return found === undefined || found === null || found === rows;
  });
}

/** An echo repeats the value of the request, as it is or as it is spelled. */
function isRightEcho(input: Input, pairs: readonly Pair[]): boolean | undefined {
  const seen = pairs.filter(({ visit }) => visit.inputs[input] !== undefined);
  const textsOf = ({ pageMetadata }: Page) =>
    (pageMetadata?.[0]?.echoes[input] ?? []).map(({ value }) => String(value));
  if (seen.length === 0) return undefined;
  return seen.every(({ visit, own, other }) => {
    const expected = textsOf(own);
    return textsOf(other).every((text) => expected.includes(text) || text === String(visit.inputs[input]));
  });
}
