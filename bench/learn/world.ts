/** The responses of a service, collected with its true profile. */
import { createLiveSource } from '../../src/client/live-source.ts';
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  CATALOGUE_GRAPH,
  CATALOGUES,
  type Group,
  type Input,
  JOB_KINDS,
  JOB_STATUS,
  LOGICAL_DIMENSIONS,
  type OperationKey,
  operationOf,
  operationsOf,
  operationsOfKind,
  PRODUCT_LOOKUP,
  REFRESH_DATES,
  SHARE_PROMPTS,
  UPDATE_PRODUCTS,
} from '../../src/contract/index.ts';
import type { Exchange, Source } from '../../src/exchange/types.ts';
import { clientAuthOf } from '../../src/profile/auth-schemes.ts';
import { exampleValuesIn, exampleValuesOf } from '../../src/profile/example-values.ts';
import { isImplemented } from '../../src/profile/filled-openings.ts';
import { startsIn } from '../../src/profile/job-starts.ts';
import type { Profile, RequestTemplate } from '../../src/profile/schema.ts';
import { type Inputs, mentionedInputs } from '../../src/profile/template.ts';
import type { CodeTable } from '../../src/reading/code-table.ts';
import { readBody } from '../../src/reading/read-body.ts';
import type { Observation, Row } from '../../src/reading/types.ts';
import { fetchCodeTables } from '../../src/run/code-tables.ts';
import { withCodes } from '../../src/run/coded-values.ts';
import { fetchRequest, readingPlanOf } from '../../src/run/fetch-request.ts';
import { pagerOf } from '../../src/run/pager.ts';
import type { RequestSpec } from '../../src/run/request-spec.ts';
import type { Opened } from './services.ts';

/** A page of a response as a profile reads it. */
export interface Page extends Observation {
  readonly cells: readonly Row[];
}

/** A request, its response with all pages, and the pages as the true profile reads them. */
export interface Visit {
  readonly operation: OperationKey;
  readonly inputs: Inputs;
  readonly exchanges: readonly Exchange[];
  readonly pages: readonly Page[];
}

/** Sends requests of one profile, and reads responses with it. */
export interface Reader {
  readonly profile: Profile;
  readonly source: Source;
  readonly base: string;
  readonly tables: Map<string, CodeTable>;
}

export function createReader(profile: Profile, { base, network }: Opened): Reader {
  const source = createLiveSource({
    ...profile.data.limits,
    ...network,
    ...clientAuthOf(profile.data),
    ...{ base, stopAfterRefusals: 1000, wait: async () => undefined },
  });
  return { profile, source, base, tables: new Map() };
}

/** Reads a stored response with a profile. */
export async function readPages(
  { profile, base, source, tables }: Reader,
  { operation, inputs, exchanges }: Pick<Visit, 'operation' | 'inputs' | 'exchanges'>,
): Promise<Page[]> {
  const codes = await fetchCodeTables(
    { base, profile, source },
    { operation, inputs, variant: {} } as RequestSpec,
    tables,
  );
  const plan = readingPlanOf(profile, operation, inputs, codes);
  const pages: Page[] = [];
  for (const { response, body } of exchanges) {
    if (!response || response.status < 200 || response.status > 299) continue;
    const cells: Row[] = [];
    pages.push({ ...(await readBody(plan, response, body.chunks(), (row) => cells.push(row))), cells });
  }
  return pages;
}

/** Sends a request with a profile and follows its pages. */
export async function fetchPages(
  { profile, base, source, tables }: Reader,
  operation: OperationKey,
  inputs: Inputs,
  { request, maxPages }: { readonly request?: RequestTemplate | undefined; readonly maxPages?: number } = {},
): Promise<Exchange[]> {
  const spec: RequestSpec = { operation, inputs, variant: request ? { request } : {}, repetition: 0 };
  const codes = await fetchCodeTables({ base, profile, source }, spec, tables);
  const context = { base, profile, source, codes, followsRedirects: true, onExchange: () => undefined };
  if (maxPages === undefined) {
    const { exchanges } = await fetchRequest(withCodes(profile, spec, codes), [], context);
    // A 2xx that is a refusal counts as an error there; its body is read again here.
    return exchanges.map((each) =>
      each.response?.refusal
        ? { ...each, response: { ...each.response, status: each.response.refusal.wireStatus } }
        : each,
    );
  }
  return [await source.send(pagerOf({ base, profile }, withCodes(profile, spec, codes)).first())];
}

/** A few values spread over a list, the last one first: a filter by it changes the first page. */
const spread = <T>(values: readonly T[], count: number): T[] =>
  [...new Set([values.at(-1), values[0], ...values.filter((_, at) => at % Math.ceil(values.length / count) === 1)])]
    .filter((each): each is T => each !== undefined)
    .slice(0, count);

const isValue = (cell: unknown): cell is string | number => typeof cell === 'string' || typeof cell === 'number';

/** Requests the operations of some groups with a few inputs each, as the true profile does. */
export async function visitAll(reader: Reader, groups: readonly Group[]): Promise<Visit[]> {
  const { data } = reader.profile;
  const visits: Visit[] = [];
  const mentions = (operation: OperationKey, input: Input): boolean => {
    const request = data.operations?.[operation]?.request;
    return request !== undefined && mentionedInputs(request).has(input);
  };
  const visit = async (operation: OperationKey, inputs: Inputs = {}, request?: RequestTemplate): Promise<Row[]> => {
    if (!data.operations?.[operation]?.request || !isImplemented(reader.profile, operation)) return [];
    const exchanges = await fetchPages(reader, operation, inputs, { request });
    const pages = await readPages(reader, { operation, inputs, exchanges });
    visits.push({ operation, inputs, exchanges, pages });
    return pages.flatMap(({ cells, values }) =>
      cells.map((row) => ({
        ...Object.fromEntries(Object.entries(values).map(([name, each]) => [name, each?.[0]])),
        ...row,
      })),
    );
  };
  const exampleOf = (operation: OperationKey, input: Input) => exampleValuesOf(data, input, { operation });
  /** The request without an input is visited already. */
  const visitWith = async (operation: OperationKey, input: Input, values: readonly unknown[], other: Inputs = {}) => {
    if (mentions(operation, input))
      for (const value of spread([...new Set(values.filter(isValue))], 2))
        await visit(operation, { ...other, [input]: value });
  };

  async function visitJobs(): Promise<void> {
    for (const operation of operationsOf('A')) {
      const { kind } = operationOf(operation);
      if (kind === 'jobStatus' || kind === 'jobStart') continue;
      const mapId = exampleOf(operation, 'mapId')[0];
      await visit(operation, mapId === undefined ? {} : { mapId });
    }
    for (const kind of JOB_KINDS)
      for (const { operation, request } of startsIn(data.jobs?.[kind]?.start)) {
        const rows = await visit(operation, {}, request);
        const last = visits.at(-1);
        const jobId = rows[0]?.jobId ?? last?.pages[0]?.values.jobId?.[0];
        if (isValue(jobId)) await visit(JOB_STATUS[kind], { jobId });
      }
    const isVisited = new Set(visits.map(({ operation }) => operation));
    for (const operation of operationsOfKind('jobStart')) if (!isVisited.has(operation)) await visit(operation);
  }

  async function visitCatalogues(): Promise<void> {
    const examples = exampleOf(CATALOGUES, 'catalogueId');
    const listed = await visit(CATALOGUES, examples[0] === undefined ? {} : { catalogueId: examples[0] });
    const ids = [...new Set([...examples, ...listed.map(({ id, name }) => id ?? name).filter(isValue)])];
    for (const catalogueId of ids.slice(0, 2)) {
      await visit(REFRESH_DATES, { catalogueId });
      for (const measure of exampleValuesIn(data, 'measure', SHARE_PROMPTS, catalogueId).slice(0, 2))
        await visit(SHARE_PROMPTS, { catalogueId, measure });
      const walk = async (parent: OperationKey, above: Inputs): Promise<void> => {
        const rows = await visit(parent, above);
        for (const { child, as } of CATALOGUE_GRAPH.filter((edge) => edge.parent === parent))
          for (const value of spread(rows.map(({ id, name }) => id ?? name).filter(isValue), 2))
            await walk(child, { ...above, [as]: value });
      };
      await walk(LOGICAL_DIMENSIONS, { catalogueId });
    }
  }

  async function visitProducts(): Promise<void> {
    const categories = await visit(ALL_CATEGORIES);
    const products = await visit(ALL_PRODUCTS);
    const valuesOf = (field: 'category' | 'categoryId') =>
      [...categories, ...products].map((row) => row[field]).filter(isValue);
    for (const field of ['category', 'categoryId'] as const) await visitWith(ALL_PRODUCTS, field, valuesOf(field));
    for (const upc of spread(products.map((row) => row.upc).filter(isValue), 4)) await visit(PRODUCT_LOOKUP, { upc });
    await visit(PRODUCT_LOOKUP, { upc: data.unknownUpc ?? '999999999993' });
    for (const window of [1, 4, 13]) await visit(UPDATE_PRODUCTS, { window });
    for (const field of ['category', 'categoryId'] as const)
      await visitWith(UPDATE_PRODUCTS, field, valuesOf(field), { window: 13 });
  }

  async function visitPerformance(): Promise<void> {
    const rows: Row[] = [];
    for (const operation of operationsOf('D')) rows.push(...(await visit(operation)));
    for (const operation of operationsOf('D'))
      for (const field of ['category', 'subCategory', 'manufacturer', 'brand'] as const)
        await visitWith(
          operation,
          field,
          rows.map((row) => row[field]),
        );
  }

  const tours = { A: visitJobs, B: visitCatalogues, C: visitProducts, D: visitPerformance };
  for (const group of groups) await tours[group]();
  return visits;
}
