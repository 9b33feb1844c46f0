/** Sends one request of `mdwi profile check --base-url`, and reads the first pages of the response. */
import type { OperationKey } from '../../../contract/index.ts';
import { firstHeader } from '../../../exchange/headers.ts';
import type { Exchange, Source, WireRequest } from '../../../exchange/types.ts';
import type { Profile } from '../../../profile/schema.ts';
import type { Inputs } from '../../../profile/template.ts';
import type { CodeTable } from '../../../reading/code-table.ts';
import { mergeObservations, readBody } from '../../../reading/read-body.ts';
import type { Observation } from '../../../reading/types.ts';
import { checkSchemas } from '../../../run/check-schema.ts';
import { fetchCodeTables } from '../../../run/code-tables.ts';
import { withCodes } from '../../../run/coded-values.ts';
import { readingPlanOf } from '../../../run/fetch-request.ts';
import { pagerOf } from '../../../run/pager.ts';
import { withRefusalStatus } from '../../../run/refused-exchange.ts';
import type { RequestSpec } from '../../../run/request-spec.ts';
import { previewBody } from '../body-preview.ts';
import { sampledRows } from './sampled-rows.ts';
import type { Received } from './types.ts';

/** The pages that are read of one list. */
const MAX_PAGES = 2;
const DAY_MS = 86_400_000;

export interface Receiver {
  readonly base: string;
  readonly profile: Profile;
  readonly source: Source;
  /** The tables of codes that were read so far. */
  readonly tables: Map<string, CodeTable>;
}

/** Sends a request and its next page, and reads both. */
export async function receive(
  { base, profile, source, tables }: Receiver,
  operation: OperationKey,
  inputs: Inputs,
  about: Pick<Received, 'source' | 'mustBeUnknown'> = {},
): Promise<Received> {
  const spec: RequestSpec = { operation, inputs, variant: {}, repetition: 0 };
  const codes = await fetchCodeTables({ base, profile, source }, spec, tables);
  const plan = readingPlanOf(profile, operation, inputs, codes);
  const pager = pagerOf({ base, profile }, withCodes(profile, spec, codes));
  const sample = sampledRows();
  const exchanges: Exchange[] = [];
  const pages: Observation[] = [];
  let isComplete = true;
  let rows = 0;
  for (let request: WireRequest | undefined = pager.first(); request; ) {
    let page: Observation | undefined;
    const sent = await source.send(request, async (head, chunks) => {
      if (head.status >= 200 && head.status <= 299) page = await readBody(plan, head, chunks, sample.add, rows);
    });
    const { refusal } = (page ?? {}) as Partial<Observation>;
    const exchange = refusal ? withRefusalStatus(sent, refusal) : sent;
    exchanges.push(exchange);
    if (!page || refusal) break;
    pages.push(page);
    rows += (page as Observation).rows;
    const next = exchange.failure ? undefined : pager.next(page, exchange);
    isComplete = next === undefined && !exchange.failure;
    request = next === 'loop' || pages.length >= MAX_PAGES ? undefined : next;
  }
  const [first] = exchanges as [Exchange];
  const { response, failure } = first;
  const [breach] = (await checkSchemas(profile, operation, exchanges))?.breaches ?? [];
  const preview =
    pages.length > 0 ? await previewBody(first, profile.data.operations?.[operation]?.response?.media) : undefined;
  const date = Math.floor(Date.parse((response && firstHeader(response.headers, 'date')) ?? '') / DAY_MS);
  const today = Math.floor(Date.now() / DAY_MS);
  return {
    ...about,
    operation,
    inputs,
    ...(response && { status: response.status }),
    ...(!response && failure && { failure }),
    rows: pages.length > 0 ? sample.rows() : [],
    ...(pages.length > 0 && { observation: mergeObservations(pages, isComplete) }),
    isComplete,
    ...(response?.refusal && { isRefusal: true as const, sentStatus: response.refusal.wireStatus }),
    ...(breach && { breach }),
    ...(preview && { document: preview.value }),
    ...(Number.isFinite(date) && { day: date }),
    // The clock of a service may be wrong.
    latestDay: Number.isFinite(date) ? Math.max(date, today) : today,
  };
}
