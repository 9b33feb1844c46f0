/** Reads the requests of recorded exchanges as templates: what is the same in all is a constant, what varies is an input. */
import {
  ALL_CATEGORIES,
  CATALOGUE_GRAPH,
  CATALOGUES,
  FILTER_INPUTS,
  type Input,
  type OperationKey,
  operationOf,
  operationsOfKind,
  PAGING_INPUTS,
  PERFORMANCE_METADATA,
} from '../../contract/index.ts';
import { templateLiterals } from '../../profile/openapi/constants.ts';
import { isScalar, type PlainObject } from '../../profile/plain-object.ts';
import type { Inputs, InputValue } from '../../profile/template.ts';
import { WINDOW_SPELLINGS } from '../groups/window-spellings.ts';
import { isNameOf } from '../words.ts';
import { mayBeSecret, requestOfValues, type SentValue, sentName } from './sent-request.ts';

/** A recorded request with a success as its response. */
export interface SuccessfulRequest {
  readonly values: readonly SentValue[];
  /** The UPC in its path. */
  readonly upc?: string | undefined;
  readonly document: unknown;
}

/** How clients request an operation. */
export interface RecordedOperation {
  readonly request: PlainObject;
  /** The inputs of each request, the plainest first. */
  readonly inputs: readonly Inputs[];
  /** What selects a page, e.g. `page`. */
  readonly pages?: string | undefined;
  /** Whether a value may be left out of a request: it is neither an input nor the same in all requests, or it selects the first page. */
  isOptional(path: string, value: string): boolean;
}

export const pathText = ({ path }: Pick<SentValue, 'path'>): string => JSON.stringify(path);

const MAX_LISTED = 200_000;

/** Every scalar of documents as text. */
function scalarsIn(documents: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (found.size > MAX_LISTED) return;
    if (typeof node === 'object' && node !== null) for (const each of Object.values(node)) visit(each);
    else if (node !== null && node !== undefined) found.add(String(node));
  };
  for (const each of documents) visit(each);
  return found;
}

/** The operations whose responses list the values of an input. */
function listedBy(input: Input, key: OperationKey): readonly OperationKey[] {
  if (input === 'cursor') return [key];
  if (input === 'jobId') return operationsOfKind('jobStart');
  if (input === 'catalogueId') return [CATALOGUES];
  if (FILTER_INPUTS.includes(input)) return [ALL_CATEGORIES, PERFORMANCE_METADATA, key];
  return CATALOGUE_GRAPH.filter(({ as }) => as === input).map(({ parent }) => parent);
}

const spellingOf = (values: ReadonlySet<string>) =>
  WINDOW_SPELLINGS.find((spelling) => [...values].every((value) => spelling.map(String).includes(value)));

/** The values that requests send at one path. */
interface SentPlace {
  readonly name: string;
  readonly values: ReadonlySet<string>;
  readonly isInAll: boolean;
  /** Whether the response depends on the value. */
  readonly hasEffect: () => boolean;
}

/** How likely a place carries an input, from 0. `listed`: the values of the input in responses. */
function likelihood(
  input: Input,
  { name, values, isInAll, hasEffect }: SentPlace,
  listed: ReadonlySet<string>,
): number {
  const named = isNameOf(input, name) ? 2 : 0;
  const isListed = [...values].every((value) => listed.has(value));
  if (input === 'window') return spellingOf(values) ? named + 1 + values.size : 0;
  if (input === 'page' || input === 'offset')
    return values.size > 1 && [...values].every((value) => /^\d{1,9}$/.test(value))
      ? named + (areNumbers(input, values) && hasEffect() ? 1.2 : 0)
      : 0;
  if (input === 'cursor') return isListed ? named + 1 : 0;
  if (input === 'pageSize' || (FILTER_INPUTS.includes(input) && values.size === 1 && isInAll && named === 0)) return 0;
  return named + (isListed ? 1.5 : 0);
}

/** Whether values count pages from 0 or 1, or rows in steps. */
function areNumbers(input: 'page' | 'offset', values: ReadonlySet<string>): boolean {
  const [first = 0, second = 0, ...others] = [...values].map(Number).sort((x, y) => x - y);
  if (input === 'page') return [second, ...others].every((each, at) => each === first + at + 1) && first <= 1;
  const step = first || second;
  return step > 1 && [first, second, ...others].every((each) => each % step === 0);
}

/** Whether requests that differ in one value only have different responses. */
function changesResponse(path: string, requests: readonly SuccessfulRequest[]): boolean {
  const alike = Map.groupBy(requests, ({ values }) => JSON.stringify(values.filter((each) => pathText(each) !== path)));
  return [...alike.values()].some((same) => new Set(same.map(({ document }) => JSON.stringify(document))).size > 1);
}

/** Reads the requests of each operation. Values that a response lists, names and the values themselves show the inputs. */
export function readRecordedRequests(
  sent: ReadonlyMap<OperationKey, readonly SuccessfulRequest[]>,
): Map<OperationKey, RecordedOperation> {
  const scalars = new Map<OperationKey, ReadonlySet<string>>();
  const scalarsOf = (key: OperationKey): ReadonlySet<string> => {
    const known = scalars.get(key) ?? scalarsIn((sent.get(key) ?? []).map(({ document }) => document));
    scalars.set(key, known);
    return known;
  };
  const listed = (input: Input, key: OperationKey) =>
    new Set(listedBy(input, key).flatMap((from) => [...scalarsOf(from)]));
  return new Map(
    [...sent].map(([key, requests]) => [key, readOperation(key, requests, (input) => listed(input, key))]),
  );
}

/** The input at each path that carries one: the likeliest first, each input once. */
function inputsAt(
  key: OperationKey,
  places: ReadonlyMap<string, readonly SentValue[]>,
  bitsOf: (input: Input, path: string, all: readonly SentValue[]) => number,
): Map<string, Input> {
  const inputs = new Set<Input>([...operationOf(key).inputs, ...PAGING_INPUTS]);
  const ranked = [...inputs]
    .filter((input) => input !== 'upc')
    .flatMap((input) =>
      [...places].map(([path, all]) => ({
        ...{ input, path },
        bits: all.every(({ value }) => isScalar(value)) ? bitsOf(input, path, all) : 0,
      })),
    )
    .filter(({ bits }) => bits > 1)
    .sort((x, y) => y.bits - x.bits);
  const found = new Map<string, Input>();
  for (const { input, path } of ranked)
    if (!found.has(path) && ![...found.values()].includes(input)) found.set(path, input);
  return found;
}

function readOperation(
  key: OperationKey,
  requests: readonly SuccessfulRequest[],
  listed: (input: Input) => ReadonlySet<string>,
): RecordedOperation {
  const places = Map.groupBy(
    requests.flatMap(({ values }) => values),
    pathText,
  );
  const textsAt = (path: string): ReadonlySet<string> => new Set(places.get(path)?.map(({ value }) => String(value)));
  const nameAt = (path: string): string => {
    const from = requests.find(({ values }) => values.some((each) => pathText(each) === path));
    return sentName({ path: JSON.parse(path), value: undefined }, from?.values ?? []);
  };
  const inputAt = inputsAt(key, places, (input, path, all) =>
    likelihood(
      input,
      {
        name: nameAt(path),
        values: textsAt(path),
        isInAll: all.length === requests.length,
        hasEffect: () => changesResponse(path, requests),
      },
      listed(input),
    ),
  );
  const [first] = requests as [SuccessfulRequest];
  const shown = first.values.filter((each) => !mayBeSecret(each, sentName(each, first.values)));
  const constants = shown.filter((each) =>
    requests.every(({ values }) =>
      values.some(
        (other) => pathText(other) === pathText(each) && JSON.stringify(other.value) === JSON.stringify(each.value),
      ),
    ),
  );
  const kept = new Set([...constants.map(pathText), ...inputAt.keys()]);
  const spelling = spellingOf(textsAt([...inputAt].find(([, input]) => input === 'window')?.[0] ?? ''));
  const weeksOf = (value: unknown): InputValue =>
    ([1, 4, 13] as const)[spelling?.map(String).indexOf(String(value)) ?? -1] ?? (value as InputValue);
  const template = requestOfValues([
    ...constants
      .filter((each) => !inputAt.has(pathText(each)))
      .map(({ path, value }) => ({ path, value: templateLiterals(value) })),
    ...[...inputAt].map(([path, input]) => ({ path: JSON.parse(path) as SentValue['path'], value: `{${input}}` })),
  ]);
  const isPlain = spelling === undefined || String(spelling) === '1,4,13';
  const inputs = requests.map(
    ({ values, upc }): Inputs => ({
      ...(upc !== undefined && { upc }),
      ...Object.fromEntries(
        values.flatMap((each) => {
          const input = inputAt.get(pathText(each));
          return input === undefined ? [] : [[input, input === 'window' ? weeksOf(each.value) : each.value]];
        }),
      ),
    }),
  );
  const [plainest = {}] = inputs.sort((x, y) => rankOf(x) - rankOf(y));
  const selectsPage = (path: string): boolean => {
    const input = inputAt.get(path);
    if (input !== undefined) return isPage(input);
    return kept.has(path) ? PAGE_INPUTS.some((each) => isNameOf(each, nameAt(path))) : changesResponse(path, requests);
  };
  const pagePath = [...places.keys()].find(selectsPage);
  return {
    ...(pagePath !== undefined && { pages: nameAt(pagePath) }),
    request: {
      ...template,
      ...(!isPlain && { spellings: { window: { '1': spelling[0], '4': spelling[1], '13': spelling[2] } } }),
    },
    inputs,
    isOptional(path, value) {
      const input = inputAt.get(path);
      return !kept.has(path) || (input !== undefined && isPage(input) && String(plainest[input]) === value);
    },
  };
}

const PAGE_INPUTS = ['page', 'offset', 'cursor'] as const satisfies Input[];
const isPage = (input: Input): boolean => PAGE_INPUTS.some((each) => each === input);

/** The plainest inputs select no rows, and the first page. */
const rankOf = (inputs: Inputs): number =>
  Object.keys(inputs).length * 1000 + Math.min(999, Number(inputs.page ?? inputs.offset ?? 0) || 0);
