/** Reads the tables of codes that operations list. */
import { type Input, operationOf } from '../contract/index.ts';
import { exampleValuesOf } from '../profile/example-values.ts';
import { isListedByOperation } from '../profile/listed-codes.ts';
import type { ListedCodes, Profile } from '../profile/schema.ts';
import { type Inputs, mentionedInputs } from '../profile/template.ts';
import { type CodeTable, type CodeTables, codeTableOf, unreadTable } from '../reading/code-table.ts';
import type { BodyPlan } from '../reading/read-body.ts';
import type { Cell, Row } from '../reading/types.ts';
import { codedInputsOf, inlineTables } from './coded-values.ts';
import { fetchRequest, readingPlanOf, readPages } from './fetch-request.ts';
import type { FetchContext, FetchResult, RequestSpec } from './request-spec.ts';

type NeededFor = Pick<RequestSpec, 'operation'> & Partial<Pick<RequestSpec, 'inputs' | 'variant'>>;

/** A table that an operation lists. */
export interface TableRequest {
  readonly name: string;
  readonly source: ListedCodes;
  readonly inputs: Inputs;
}

/** The tables that a request, and the fields and echoes of its response, need, with their requests; without `inputs`, for any request. */
export function tablesNeeded({ data }: Profile, { operation, variant, inputs }: NeededFor): TableRequest[] {
  if (!data.codes) return [];
  const { request, response } = data.operations?.[operation] ?? {};
  const bindings = [...Object.values(response?.fields ?? {}), ...Object.values(response?.echoes ?? {})];
  const names = new Set([
    ...bindings.flatMap((each) => ('code' in each && each.code) || []),
    ...codedInputsOf(variant?.request ?? request, inputs).map(([, name]) => name),
  ]);
  return [...names].flatMap((name) => {
    const source = data.codes?.[name];
    return source && isListedByOperation(source) ? [{ name, source, inputs: inputsOf(data, source) }] : [];
  });
}

/** Lists of group B need the ids above them; other lists are read without filters. */
function inputsOf(data: Profile['data'], { from, inputs = {} }: ListedCodes): Inputs {
  const { group, inputs: own } = operationOf(from);
  const request = data.operations?.[from]?.request;
  const needed: readonly Input[] = group === 'B' ? own : [];
  const catalogueId = inputs.catalogueId ?? exampleValuesOf(data, 'catalogueId', { operation: from })[0];
  const examples = needed
    .filter((input) => request && mentionedInputs(request).has(input))
    .flatMap((input) => {
      const [value] = exampleValuesOf(data, input, { operation: from, catalogueId });
      return value === undefined ? [] : [[input, value] as const];
    });
  return { ...Object.fromEntries(examples), ...inputs };
}

function planOf(profile: Profile, { source, inputs }: TableRequest): BodyPlan {
  const { shape: _, pageMetadata: __, rows, fields, ...plan } = readingPlanOf(profile, source.from, inputs);
  const { shape: declared, fields: bound = {} } = profile.data.operations?.[source.from]?.response ?? {};
  const shape = source.rows === undefined ? (source.shape ?? declared) : source.shape;
  return {
    ...plan,
    ...((source.rows ?? rows) !== undefined && { rows: source.rows ?? rows }),
    ...(shape && { shape }),
    fields: { id: source.code, name: source.meaning, ...(bound.asOf && { asOf: bound.asOf }) },
  } as BodyPlan;
}

const isText = (cell: Cell): cell is string | number => typeof cell === 'string' || typeof cell === 'number';

/** Reads the table in the stored bodies of responses of its operation. */
export async function readCodeTable(
  profile: Profile,
  request: TableRequest,
  results: readonly FetchResult[],
): Promise<CodeTable> {
  const { from } = request.source;
  const entries: [string, string][] = [];
  const asOf: Cell[] = [];
  let [complete, wasRead] = [true, false];
  const addRow = ({ id, name }: Row) => {
    if (isText(id) && isText(name)) entries.push([String(id), String(name)]);
  };
  for (const { exchanges, observation } of results) {
    const pages = await readPages(planOf(profile, request), exchanges, addRow);
    wasRead ||= pages.some(({ problem, refusal }) => !problem && !refusal);
    complete &&= pages.length > 0 && (observation?.complete ?? false) && pages.every((page) => page.complete);
    asOf.push(...pages.flatMap(({ values }) => values.asOf ?? [undefined]));
  }
  if (!wasRead) return unreadTable(whyUnread(results), from);
  return codeTableOf(entries, { complete, from, asOf });
}

function whyUnread(results: readonly FetchResult[]): string {
  const [first] = results.flatMap(({ exchanges }) => exchanges);
  if (!first) return 'it was not observed';
  if (first.failure) return first.failure.message;
  const status = first.response?.status ?? 0;
  const problem = results.flatMap(({ observation }) => observation?.problem ?? [])[0];
  return problem?.message ?? (status < 200 || status > 299 ? `status ${status}` : 'its rows were not found');
}

/**
 * The tables that a request and its response need. Sends a request for each that an operation lists, unless `known` contains
 * it already, and adds it there.
 */
export async function fetchCodeTables(
  context: Pick<FetchContext, 'base' | 'source'> & { readonly profile: Profile },
  spec: RequestSpec,
  known: Map<string, CodeTable> = new Map(),
): Promise<CodeTables> {
  const tables = new Map(inlineTables(context.profile));
  for (const each of tablesNeeded(context.profile, spec)) {
    const { name, source, inputs } = each;
    let table = known.get(name);
    if (!table) {
      const request: RequestSpec = { operation: source.from, inputs, variant: {}, repetition: 0 };
      const result = await fetchRequest(request, [], {
        ...context,
        followsRedirects: true,
        onExchange: () => undefined,
      });
      table = await readCodeTable(context.profile, each, [result]);
      known.set(name, table);
    }
    tables.set(name, table);
  }
  return tables;
}
