/** Finds the causes that explain many results: what is wrong with all requests of a run, or of a group. */
import { GROUPS, type Group, type OperationKey, operationOf } from '../contract/index.ts';
import type { Outage } from './outages.ts';
import type { Symptom } from './symptom.ts';
import type { Result, RunCause } from './types.ts';

/** A request of the run with the symptom of its response. */
export interface RunRequest {
  readonly id: string;
  readonly operation: OperationKey;
  /** Whether it has the documented method and path. */
  readonly documented: boolean;
  readonly symptom: Symptom | undefined;
  /** Whether the credentials of the request were accepted (2xx) or refused (401, 403, `unauthorized`), with the status. */
  readonly credentials?: { readonly are: 'accepted' | 'refused'; readonly status: number };
}

/** What a result rests on: the ids of its exchanges, and whether the run stopped before some requests were sent. */
export interface ResultSources {
  readonly exchanges: readonly string[];
  readonly isStopped: boolean;
  /** Whether one of the requests was sent again after a transport fault. */
  readonly isRetried: boolean;
}

export interface FoundCauses {
  readonly causes: readonly RunCause[];
  /** By result: the index of its cause. */
  readonly byResult: ReadonlyMap<Result, number>;
  /** The sentence of a cause that affects every request. */
  readonly everywhere?: string;
}

const EXPLAINED: ReadonlySet<Result['verdict']> = new Set(['fail', 'inconclusive', 'untested']);

const groupBy = <K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const groupOf = (operation: OperationKey): Group => operationOf(operation).group;

/** The part of the run that a symptom affects, in words; undefined if it is only here and there. */
function extentOf(
  affected: readonly OperationKey[],
  requested: readonly OperationKey[],
): { readonly words: string; readonly operations: readonly OperationKey[] } | undefined {
  if (affected.length === requested.length) return { words: 'on every request', operations: affected };
  if (affected.length >= 3 && affected.length * 2 > requested.length)
    return { words: `on every request of ${affected.length} of ${requested.length} operations`, operations: affected };
  const all = groupBy(requested, groupOf);
  const whole = [...groupBy(affected, groupOf)].filter(
    ([group, each]) => each.length > 1 && each.length === all.get(group)?.length,
  );
  if (whole.length === 0) return undefined;
  const names = whole.map(([group]) => `${group} (${GROUPS[group].title})`);
  return {
    words: `on every request of ${names.length === 1 ? 'group' : 'groups'} ${names.join(', ')}`,
    operations: whole.flatMap(([, each]) => each),
  };
}

/** Operations that refuse credentials on every request, while others of their group accept them, by group and status. */
function refusedCredentials(
  byOperation: ReadonlyMap<OperationKey, readonly RunRequest[]>,
): { readonly operations: readonly OperationKey[]; readonly sentence: string }[] {
  const refusedWith = (requests: readonly RunRequest[]): number | undefined =>
    requests.every(({ credentials }) => credentials?.are === 'refused') ? requests[0]?.credentials?.status : undefined;
  const accepting = new Set(
    [...byOperation].flatMap(([operation, requests]) =>
      requests.some(({ credentials }) => credentials?.are === 'accepted') ? [groupOf(operation)] : [],
    ),
  );
  const refused = [...byOperation].flatMap(([operation, requests]) => {
    const status = refusedWith(requests);
    return status !== undefined && accepting.has(groupOf(operation)) ? [{ operation, status }] : [];
  });
  return [...groupBy(refused, ({ operation, status }) => `${groupOf(operation)} ${status}`).values()].map((each) => {
    const operations = each.map(({ operation }) => operation);
    const them = operations.length === 1 ? 'it' : 'them';
    return {
      operations,
      sentence: `${each[0]?.status} on every request of ${operations.join(', ')}, while other operations of the group accept the credentials: if they cover ${them}, list ${them} in \`authCovers\` of the profile, so that this is a failure`,
    };
  });
}

interface FoundCause {
  readonly sentence: string;
  readonly explained: readonly Result[];
  readonly isEverywhere: boolean;
}

/** Outages in mid-run, each with the results that rest on a request during it, or on one that was not sent because of it. */
function outageCauses(
  outages: readonly Outage[],
  results: readonly (readonly [result: Result, basis: ResultSources])[],
): FoundCause[] {
  return outages.flatMap(({ ids, isOver, sentence }) => {
    const explained = results.flatMap(([result, { exchanges, isStopped }]) => {
      if (!EXPLAINED.has(result.verdict) || result.openings) return [];
      // A failure of another request is no consequence of the outage.
      if (result.verdict === 'fail')
        return result.findings.every(({ exchange = '' }) => ids.has(exchange)) ? [result] : [];
      return exchanges.some((id) => ids.has(id)) || isStopped ? [result] : [];
    });
    const isWhole = results.every(([result]) => result.verdict !== 'inconclusive' || explained.includes(result));
    return isOver || explained.length > 0 ? [{ sentence, explained, isEverywhere: !isOver || isWhole }] : [];
  });
}

/**
 * The causes of a run, the one with most results first. An operation is affected if each of its documented requests has
 * the same symptom. A result is explained if each documented request behind it has it, or was not sent for this reason.
 */
export function findCauses(
  requests: readonly RunRequest[],
  results: readonly (readonly [result: Result, basis: ResultSources])[],
  outages: readonly Outage[] = [],
): FoundCauses {
  const byId = new Map(requests.map((each) => [each.id, each]));
  const byOperation = groupBy(
    requests.filter(({ documented }) => documented),
    ({ operation }) => operation,
  );
  const affected = [...byOperation].flatMap(([operation, each]) => {
    const symptom = each[0]?.symptom;
    return symptom && each.every((request) => request.symptom?.what === symptom.what) ? [{ operation, symptom }] : [];
  });
  const found = outageCauses(outages, results);
  const known = new Set(found.flatMap(({ explained }) => explained));
  const ofSymptoms = [...groupBy(affected, ({ symptom }) => symptom.what)].flatMap(([what, each]) => {
    const operations = each.map(({ operation }) => operation);
    const extent = extentOf(operations, [...byOperation.keys()]);
    if (!extent) return [];
    const isEverywhere = extent.operations.length === byOperation.size;
    const isExplained = ({ exchanges, isStopped }: ResultSources): boolean => {
      const behind = exchanges.flatMap((id) => byId.get(id) ?? []);
      const documented = behind.filter((request) => request.documented);
      const deciding = documented.length > 0 ? documented : behind;
      if (deciding.length === 0) return isStopped && isEverywhere;
      return deciding.every(
        ({ operation, symptom }) => symptom?.what === what && extent.operations.includes(operation),
      );
    };
    const explained = results.flatMap(([result, basis]) =>
      EXPLAINED.has(result.verdict) && !result.openings && !known.has(result) && isExplained(basis) ? [result] : [],
    );
    const sentence = `${what} ${extent.words}: ${each[0]?.symptom.toDo}`;
    return explained.length > 1 ? [{ sentence, explained, isEverywhere }] : [];
  });
  found.push(...ofSymptoms);
  for (const { explained } of ofSymptoms) for (const each of explained) known.add(each);
  for (const { operations, sentence } of refusedCredentials(byOperation)) {
    const explained = results.flatMap(([result]) =>
      result.verdict === 'inconclusive' && !known.has(result) && operations.includes(result.operation) ? [result] : [],
    );
    if (explained.length > 0) found.push({ sentence, explained, isEverywhere: false });
  }
  found.sort((x, y) => y.explained.length - x.explained.length);
  const everywhere = found.find((each) => each.isEverywhere)?.sentence;
  return {
    causes: found.map(({ sentence, explained }) => ({
      sentence,
      operations: [...new Set(explained.map(({ operation }) => operation))],
      count: explained.length,
    })),
    byResult: new Map(found.flatMap(({ explained }, at) => explained.map((result) => [result, at] as const))),
    ...(everywhere !== undefined && { everywhere }),
  };
}
