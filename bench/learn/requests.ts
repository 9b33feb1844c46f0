/** Decides for the requests and the paging of a learned profile whether they get the rows that the true ones get. */
import { type Input, type OperationKey, operationOf } from '../../src/contract/index.ts';
import type { Profile, ProfileData, RequestTemplate } from '../../src/profile/schema.ts';
import { type Inputs, inputsIn, mentionedInputs } from '../../src/profile/template.ts';
import type { Binding } from './bindings.ts';
import { rowText } from './same-values.ts';
import { fetchPages, type Page, type Reader, readPages, type Visit } from './world.ts';

const PAGING_INPUTS: readonly string[] = ['page', 'offset', 'cursor', 'pageSize'];

const filtersOf = (request: RequestTemplate | undefined): Input[] =>
  request ? [...mentionedInputs(request)].filter((input) => !PAGING_INPUTS.includes(input)) : [];

/** Where a request contains an input, and how it is written. */
function placeOf(request: RequestTemplate, input: Input): string {
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
export function withLearnedRequests(truth: Profile, learned: Profile): Profile {
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

/** Compares the requests and the paging of an operation. */
export async function compareRequests(
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
  /** Inputs that differ, in visits with an input that the learned request lacks: other visits decide. */
  const doubtful = new Set<string>();
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
  const extra = known.filter((input) => !inputs.includes(input));
  const confirmed = new Set<string>();
  /** The visits that the learned request gets the rows of, too. */
  const answered: Visit[] = [];
  for (const visit of found ? visits : []) {
    const isSent = (input: Input): boolean => visit.inputs[input] !== undefined;
    const sent = inputs.filter(isSent);
    if (!sent.every((input) => known.includes(input))) for (const input of different(sent)) doubtful.add(input);
    else if (isSameStart(visit.pages, await answer(visit.inputs), isWhole, isStart)) {
      answered.push(visit);
      for (const each of extra.filter(isSent)) confirmed.add(each);
    } else {
      const culprits = [...different(sent), ...extra.filter(isSent)];
      for (const each of culprits.length > 0 ? culprits : ['request']) wrong.add(each);
    }
  }
  for (const input of doubtful)
    if (!answered.some(({ inputs: sent }) => sent[input as Input] !== undefined)) wrong.add(input);
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
  for (const input of extra) {
    const isRight =
      confirmed.has(input) || wrong.has(input) ? !wrong.has(input) : await isRightExtra(input, visits, answer);
    const learnedPlace = found && placeOf(found, input);
    bindings.push({
      operation,
      path: [...key, input],
      label: `inputs.${input}`,
      isCounted: false,
      learned: learnedPlace,
      isRight,
    });
  }
  const paging = [own?.response?.paging, other?.response?.paging];
  if (paging.some(Boolean))
    bindings.push({
      ...{ operation, path: ['operations', operation, 'response', 'paging'], label: 'paging' },
      isCounted: paging[0] !== undefined,
      ...(paging[0] && { truth: paging[0] }),
      ...(paging[1] && { learned: paging[1], isRight: await isRightPaging(truth, requester, operation, answered) }),
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

/** Whether the pages of the longest list are found, each once; undefined if no list can be requested. */
async function isRightPaging(
  truth: Reader,
  requester: Reader,
  operation: OperationKey,
  visits: readonly Visit[],
): Promise<boolean | undefined> {
  const rowsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ cells }) => cells.map((row) => rowText(row)));
  const [longest] = visits.toSorted((one, other) => other.pages.length - one.pages.length);
  if (!longest) return undefined;
  const { inputs } = longest;
  const exchanges = await fetchPages(requester, operation, inputs);
  const pages = await readPages(truth, { operation, inputs, exchanges });
  return JSON.stringify(rowsOf(pages)) === JSON.stringify(rowsOf(longest.pages));
}
