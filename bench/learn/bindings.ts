/** Decides for each binding of a learned profile whether it is right, on the responses of the second world. */
import { type Field, type Input, type OperationKey, operationOf } from '../../src/contract/index.ts';
import type { ProfilePath } from '../../src/learn/types.ts';
import type { Profile, ProfileData, RequestTemplate } from '../../src/profile/schema.ts';
import { refusalsOf } from '../../src/profile/statuses.ts';
import { type Inputs, inputsIn, mentionedInputs } from '../../src/profile/template.ts';
import { isSameField, rowText } from './same-values.ts';
import { fetchPages, type Page, type Reader, readPages, type Visit } from './world.ts';

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

const PAGING_INPUTS: readonly string[] = ['page', 'offset', 'cursor', 'pageSize'];

const filtersOf = (request: RequestTemplate | undefined): Input[] =>
  request ? [...mentionedInputs(request)].filter((input) => !PAGING_INPUTS.includes(input)) : [];

/** Where a request contains an input, and how it is written. */
export function placeOf(request: RequestTemplate, input: Input): string {
  const places: string[] = [];
  const walk = (node: unknown, at: string): void => {
    if (typeof node === 'string' && inputsIn(node).includes(input)) places.push(`${at}=${node}`);
    else if (typeof node === 'object' && node !== null)
      for (const [name, each] of Object.entries(node)) walk(each, at === '' ? name : `${at}.${name}`);
  };
  const { spellings, codes, ...template } = request;
  walk(template, '');
  const spelling = spellings?.[input];
  return [
    ...places,
    ...(spelling ? [JSON.stringify(spelling)] : []),
    ...(codes?.[input] ? [`code ${codes[input]}`] : []),
  ].join(' ');
}

/** The true profile with the requests and the paging of the learned one. */
function withLearnedRequests(truth: Profile, learned: Profile): Profile {
  const renamed = (name: string) => `learned ${name}`;
  const codes = Object.fromEntries(
    Object.entries(learned.data.codes ?? {}).map(([name, each]) => [renamed(name), each]),
  );
  const requestOf = (request: RequestTemplate): RequestTemplate =>
    request.codes
      ? {
          ...request,
          codes: Object.fromEntries(Object.entries(request.codes).map(([input, name]) => [input, renamed(name)])),
        }
      : request;
  const operations = Object.entries(truth.data.operations ?? {}).map(([key, declared]) => {
    const own = learned.data.operations?.[key as OperationKey];
    const { paging: _, ...response } = declared?.response ?? {};
    const paging = own?.response?.paging;
    return [
      key,
      {
        ...declared,
        request: own?.request && requestOf(own.request),
        ...(declared?.response && { response: { ...response, ...(paging && { paging }) } }),
      },
    ];
  });
  const { headers, prefixes } = learned.data;
  const data = {
    ...truth.data,
    headers,
    prefixes,
    codes: { ...truth.data.codes, ...codes },
    operations: Object.fromEntries(operations),
  };
  return { ...truth, data: data as ProfileData };
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
type Pair = { readonly visit: Visit; readonly own: Page; readonly other: Page };

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
    for (const [at, page] of visit.pages.entries()) all.push({ visit, own: page, other: pages[at] as Page });
  }
  const pairs = all.filter((pair) => !isRefused(pair.own));
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
  await add('rows', [own.rows, other.rows], true, () =>
    own.rows === undefined
      ? undefined
      : pairs.every((pair) => pair.other.problem === undefined && pair.own.cells.length === pair.other.cells.length),
  );
  const fields = new Set([...Object.keys(own.fields ?? {}), ...Object.keys(other.fields ?? {})]) as Set<Field>;
  for (const field of fields) {
    const stated = own.fields?.[field];
    await add(`fields.${field}`, [stated, other.fields?.[field]], true, () =>
      stated ? pairs.every((pair) => isSameField(field, pair.own, pair.other)) : isNeutral(field, pairs, reference),
    );
  }
  const refusals = [truth.profile, learned.profile].map(({ data }) => refusalsOf(data, operation));
  await add(
    'refusal',
    refusals.map((each) => (each.length > 0 ? each : undefined)),
    false,
    () => all.every((pair) => isRefused(pair.own) === isRefused(pair.other)),
  );
  for (const [at, count] of (other.counts ?? []).entries()) {
    const stated = own.counts?.find(({ of }) => of === count.of);
    await add(`counts.${count.of}`, [stated, count], false, () => isRightCount(count.of, at, pairs, { stated, count }));
  }
  for (const input of Object.keys(other.echoes ?? {}) as Input[])
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
  of: string,
  at: number,
  pairs: readonly Pair[],
  { stated, count }: { readonly stated: unknown; readonly count: unknown },
): boolean | undefined {
  if (of !== 'list' && of !== 'page')
    return stated === undefined ? undefined : JSON.stringify(stated) === JSON.stringify(count);
  return pairs.every(({ visit, own, other }) => {
    const [found] = other.pageMetadata?.[0]?.counts[at] ?? [];
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

/** What differs between two requests for the same job. */
const CHANGING: readonly string[] = ['state'];

/** Whether the first page of a request has the rows of the true first page. */
function isSameStart(own: readonly Page[], other: readonly Page[], isWhole: boolean, isStart: boolean): boolean {
  const [first, second] = [own[0]?.cells ?? [], other[0]?.cells ?? []];
  if (own.length === 0 || other.length === 0) return own.length === other.length;
  if ((own[0]?.refusal === undefined) !== (other[0]?.refusal === undefined)) return false;
  // Each start of a job returns an id of its own.
  if (isStart) return first.length === second.length;
  if ((first.length === 0) !== (second.length === 0) || (isWhole && first.length !== second.length)) return false;
  const length = Math.min(first.length, second.length);
  return first.slice(0, length).every((row, at) => rowText(row, CHANGING) === rowText(second[at] ?? {}, CHANGING));
}

async function compareRequests(
  truth: Reader,
  requester: Reader,
  learned: Profile,
  operation: OperationKey,
  visits: readonly Visit[],
): Promise<Binding[]> {
  const [own, other] = [truth.profile, learned].map(({ data }) => data.operations?.[operation]);
  const [stated, found] = [own?.request, other?.request];
  if (!stated) return [];
  const wrong = new Set<string>();
  const isStart = operationOf(operation).kind === 'jobStart';
  const isWhole = !own?.response?.paging && !other?.response?.paging;
  const inputs = filtersOf(stated);
  const known = filtersOf(found);
  const answer = async (values: Inputs): Promise<Page[]> =>
    readPages(truth, {
      operation,
      inputs: values,
      exchanges: await fetchPages(requester, operation, values, { maxPages: 1 }),
    });
  /** The inputs that are elsewhere, or written in another way, than in the true request. */
  const different = (names: readonly Input[]): Input[] =>
    found ? names.filter((input) => known.includes(input) && placeOf(stated, input) !== placeOf(found, input)) : [];
  for (const visit of found ? visits : []) {
    const sent = inputs.filter((input) => visit.inputs[input] !== undefined);
    if (!sent.every((input) => known.includes(input))) for (const input of different(sent)) wrong.add(input);
    else if (!isSameStart(visit.pages, await answer(visit.inputs), isWhole, isStart)) {
      const culprits = different(sent);
      for (const each of culprits.length > 0 ? culprits : ['request']) wrong.add(each);
    }
  }
  const key = ['operations', operation, 'request'];
  const bindings: Binding[] = [
    {
      ...{ operation, path: key, label: 'request', isCounted: false, truth: stated },
      ...(found && { learned: found, isRight: !wrong.has('request') }),
    },
    ...inputs.map(
      (input): Binding => ({
        ...{
          operation,
          path: [...key, input],
          label: `inputs.${input}`,
          isCounted: true,
          truth: placeOf(stated, input),
        },
        ...(found && known.includes(input) && { learned: placeOf(found, input), isRight: !wrong.has(input) }),
      }),
    ),
  ];
  for (const input of known.filter((each) => !inputs.includes(each)))
    bindings.push({
      ...{
        operation,
        path: [...key, input],
        label: `inputs.${input}`,
        isCounted: false,
        learned: found && placeOf(found, input),
      },
      isRight: await isRightExtra(input, visits, answer),
    });
  const paging = [own?.response?.paging, other?.response?.paging];
  if (paging.some(Boolean))
    bindings.push({
      ...{ operation, path: ['operations', operation, 'response', 'paging'], label: 'paging' },
      isCounted: paging[0] !== undefined,
      ...(paging[0] && { truth: paging[0] }),
      ...(paging[1] && { learned: paging[1], isRight: await isRightPaging(truth, requester, operation, visits) }),
    });
  return bindings;
}

const SAME_FILTER = { category: 'categoryId', categoryId: 'category' } as const;

/** A filter by name where the true profile filters by id, or the reverse, gets the same rows. */
async function isRightExtra(
  input: Input,
  visits: readonly Visit[],
  answer: (values: Inputs) => Promise<Page[]>,
): Promise<boolean | undefined> {
  if (input !== 'category' && input !== 'categoryId') return undefined;
  const visit = visits.find(
    ({ inputs, pages }) => inputs[SAME_FILTER[input]] !== undefined && pages[0]?.cells[0]?.[input] !== undefined,
  );
  const value = visit?.pages[0]?.cells[0]?.[input];
  if (!visit || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const { [SAME_FILTER[input]]: _, ...others } = visit.inputs;
  return isSameStart(visit.pages, await answer({ ...others, [input]: value }), false, false);
}

/** Whether the pages of the longest list are found, each once. */
async function isRightPaging(
  truth: Reader,
  requester: Reader,
  operation: OperationKey,
  visits: readonly Visit[],
): Promise<boolean> {
  const rowsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ cells }) => cells.map((row) => rowText(row)));
  const [longest] = visits.toSorted((one, other) => other.pages.length - one.pages.length);
  if (!longest) return false;
  const { inputs } = longest;
  const pages = await readPages(truth, {
    operation,
    inputs,
    exchanges: await fetchPages(requester, operation, inputs),
  });
  return JSON.stringify(rowsOf(pages)) === JSON.stringify(rowsOf(longest.pages));
}
