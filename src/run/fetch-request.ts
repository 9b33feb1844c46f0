/** Fetches the response of a node, page by page, and feeds every row to the folds while the body arrives. */

import { ALL_CATEGORIES, type OperationKey, operationOf } from '../contract/index.ts';
import { isUnauthorized } from '../exchange/refused-status.ts';
import type { Exchange, FailureKind, Source, WireRequest } from '../exchange/types.ts';
import type { Profile, ResponseProfile } from '../profile/schema.ts';
import type { SelectorSource } from '../profile/selector.ts';
import { refusalsOf } from '../profile/statuses.ts';
import type { Inputs } from '../profile/template.ts';
import type { FieldBindings } from '../reading/cells.ts';
import type { CodeTables } from '../reading/code-table.ts';
import type { PageMetadataPlan } from '../reading/page-metadata.ts';
import { type BodyPlan, mergeObservations, readBody } from '../reading/read-body.ts';
import { signatureOf } from '../reading/signature.ts';
import type { Observation, Refusal, Row } from '../reading/types.ts';
import type { Fold } from '../rule/index.ts';
import { checkSchemas } from './check-schema.ts';
import { codedBindings, codedFields, codedFieldsIn, inlineTables } from './coded-values.ts';
import { hasNextPage, pagerOf } from './pager.ts';
import { withRefusalStatus } from './refused-exchange.ts';
import { type FetchContext, type FetchResult, isDocumented, type RequestSpec } from './request-spec.ts';
import { sendShown, whyNotShown } from './sources.ts';

/** Whether one response of an operation contains all windows of a delta, so that one request is enough. */
export const holdsAllWindows = (profile: Profile, operation: OperationKey): boolean =>
  typeof profile.data.operations?.[operation]?.response?.rows === 'object';

/** How the profile reads the responses of an operation; if one contains all windows, the rows of the requested window. */
export function readingPlanOf(
  profile: Profile,
  operation: OperationKey,
  inputs: Inputs,
  codes: CodeTables = inlineTables(profile),
): BodyPlan {
  const response = profile.data.operations?.[operation]?.response;
  const rows = response?.rows === undefined ? undefined : forWindow<SelectorSource>(response.rows, inputs);
  const paging = response?.paging;
  const next = paging && 'next' in paging ? paging.next : undefined;
  const refusals = refusalsOf(profile.data, operation);
  const fields = withSeveralValues(operation, codedFields(response?.fields ?? {}, codes));
  const pageMetadata = pageMetadataPlanOf(response, inputs, fields, codes);
  return {
    ...(response?.media && { media: response.media }),
    ...(response?.csv && { csv: response.csv }),
    ...(rows !== undefined && { rows }),
    ...(response?.shape && { shape: response.shape }),
    fields,
    ...(next !== undefined && { next }),
    ...(refusals.length > 0 && { refusals }),
    ...(pageMetadata && { pageMetadata }),
  };
}

const categoryFields = new WeakMap<FieldBindings, FieldBindings>();

/** A row of allCategories may list the sub-categories of a category; other fields have one value. */
function withSeveralValues(operation: OperationKey, fields: FieldBindings): FieldBindings {
  const { subCategory } = fields;
  if (operation !== ALL_CATEGORIES || !subCategory) return fields;
  const known = categoryFields.get(fields) ?? { ...fields, subCategory: { ...subCategory, isSeveral: true } };
  categoryFields.set(fields, known);
  return known;
}

/** The selector of the requested window, if there is one per window. */
const forWindow = <S>(at: S | { readonly '1': S; readonly '4': S; readonly '13': S }, { window }: Inputs): S =>
  typeof at === 'object' && at !== null && '13' in at ? at[String(window) as '1' | '4' | '13'] : (at as S);

/** The counts, echoes and codes of a response; undefined if the profile reads none. */
function pageMetadataPlanOf(
  response: ResponseProfile | undefined,
  inputs: Inputs,
  fields: FieldBindings,
  tables: CodeTables,
): PageMetadataPlan | undefined {
  const { counts = [], echoes = {} } = response ?? {};
  const codes = codedFieldsIn(fields);
  if (counts.length === 0 && Object.keys(echoes).length === 0 && codes.length === 0) return undefined;
  return {
    counts: counts.map((each) => ({ ...each, at: forWindow<SelectorSource>(each.at, inputs) })),
    echoes: codedBindings(echoes, tables),
    ...(codes.length > 0 && { codes }),
  };
}

interface RunningFolds {
  readonly row: (row: Row, index: number) => void;
  readonly done: () => Map<string, unknown>;
}

function startFolds(folds: Iterable<Fold<unknown>>, inputs: Inputs, required?: readonly Inputs[]): RunningFolds {
  const all = [...folds];
  const running = all.map((fold) => fold.start(inputs, required));
  return {
    row(row, index) {
      for (let at = 0; at < running.length; at++) running[at]?.row(row, index);
    },
    done: () => new Map(running.map((each, at) => [(all[at] as Fold<unknown>).key, each.done()])),
  };
}

/** Failures of the response itself; any other failure interrupted the reading. */
const RESPONSE_FAILURES: Partial<Record<FailureKind, 'truncated' | 'tooLarge'>> = {
  truncated: 'truncated',
  tooLarge: 'tooLarge',
};

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;

/** A response as it was sent, and as it counts; a refusal has no page. */
interface Received {
  readonly sent: Exchange;
  readonly exchange: Exchange;
  readonly page?: Observation | undefined;
  readonly refusal?: Refusal;
  readonly refusedRows?: number;
}

/** How often a request is sent again directly afterwards: replicas that respond at random seldom agree so often. */
const REPLICA_CHECKS = 3;

/** Sends a node's request, pages through its list where the profile says how, and feeds every row to all folds. */
export async function fetchRequest(
  spec: RequestSpec,
  folds: Iterable<Fold<unknown>>,
  context: FetchContext,
): Promise<FetchResult> {
  const { profile, source, followsRedirects } = context;
  const plan = readingPlanOf(profile, spec.operation, spec.inputs, context.codes);
  const allFolds = [...folds];
  let running = startFolds(allFolds, spec.inputs, context.drawn);
  const { group } = operationOf(spec.operation);
  const exchanges: Exchange[] = [];
  const pages: Observation[] = [];
  let rows = 0;
  const pager = pagerOf(context, spec);
  let [complete, retried, changed] = [true, false, false];

  /** The folds have received rows that do not count: they start again with the pages so far. */
  const restartFolds = async () => {
    running = startFolds(allFolds, spec.inputs, context.drawn);
    await readPages(plan, exchanges, running.row);
  };

  /** Sends a request once, and reads its response; rows of a refusal are no content. */
  const receive = async (from: Source, request: WireRequest, onRow: RunningFolds['row']): Promise<Received> => {
    let page: Observation | undefined;
    // Only the first response of a request is of interest unfollowed; each further page is part of its list.
    const follow = followsRedirects || pages.length > 0;
    const sent = await sendShown(from, { ...request, follow }, async (head, chunks) => {
      if (isSuccess(head.status)) page = await readBody(plan, head, chunks, onRow, rows);
    });
    const { refusal, rows: refusedRows = 0 } = page ?? {};
    return refusal
      ? { sent, exchange: withRefusalStatus(sent, refusal), refusal, refusedRows }
      : { sent, exchange: sent, page };
  };

  const sendPage = async (request: WireRequest, retryOf?: Exchange) => {
    let received = await receive(source, request, running.row);
    const { refusal, refusedRows, sent } = received;
    // The client renews a token after a 401; that a 2xx refuses it is known only now.
    if (refusal?.like !== undefined && isUnauthorized(refusal.like, request.statuses) && (await source.renew?.(sent))) {
      if (refusedRows) await restartFolds();
      received = await receive(source, request, running.row);
    }
    const { exchange, page } = received;
    if (received.refusedRows) await restartFolds();
    // An older recording lacks the page after a short one.
    if (!(pager.isBeyondShortPage() && exchange.failure?.kind === 'notRecorded'))
      context.onExchange(exchange, spec.operation, retryOf);
    return { exchange, page };
  };

  /** Whether the same request gets another response directly afterwards. A page of a list may exist only once. */
  const changesAgain = async (request: WireRequest, first: Exchange, page?: Observation): Promise<boolean> => {
    const { replicaSource } = context;
    if (!replicaSource || first.failure) return false;
    for (let count = pages.length === 0 ? REPLICA_CHECKS : 1; count > 0; count--) {
      const { exchange, page: again } = await receive(replicaSource, request, () => undefined);
      context.onExchange(exchange, spec.operation);
      const statuses = [first, exchange].map(({ response }) => response?.status ?? 500);
      if (exchange.failure || statuses.some((status) => status === 429 || status >= 500)) return false;
      if (page && again ? page.digest !== again.digest : pages.length === 0 && statuses[0] !== statuses[1]) return true;
    }
    return false;
  };

  for (let request: WireRequest | undefined = pager.first(); request; ) {
    let { exchange, page }: { exchange: Exchange; page: Observation | undefined } = await sendPage(request);
    if (pager.isBeyondShortPage() && (!page || page.rows === 0 || page.digest === pages.at(-1)?.digest)) {
      // The short page was the last one; some servers repeat it.
      if (page?.rows) await restartFolds();
      const [last, short] = [exchanges.at(-1), pages.at(-1)];
      complete = !(last && short && (await hasNextPage(last, rows, short.rows)));
      break;
    }
    if (await context.mayRetry?.(exchange)) {
      retried = true;
      if (page) await restartFolds();
      ({ exchange, page } = await sendPage(request, exchange));
    }
    exchanges.push(exchange);
    changed ||= await changesAgain(request, exchange, page);
    if (pages.length > 0 && !isSuccess(exchange.response?.status)) {
      // A server may reject a page after the last one; only an announced page must exist.
      complete =
        !pager.announcesNextPage && !exchange.failure && [404, 410, 416].includes(exchange.response?.status ?? 0);
      break;
    }
    if (!page) break;
    if (exchange.failure)
      page = {
        ...page,
        complete: false,
        problem: {
          kind: RESPONSE_FAILURES[exchange.failure.kind] ?? 'interrupted',
          message: exchange.failure.message,
        },
      };
    if (pages.length === 1 && page.rows > 0 && page.digest !== pages[0]?.digest) context.pagedGroups?.add(group);
    pages.push(page);
    rows += page.rows;
    const next = pager.next(page, exchange);
    if (next === 'loop') {
      complete = false;
      break;
    }
    // The profile declares no paging, or the pages are smaller than requested: the list is not complete.
    if (next === undefined && !pager.announcesNextPage && (await hasNextPage(exchange, rows, page.rows)))
      complete = false;
    request = next;
  }
  const repeated = pager.repeatedPages();
  if (repeated > 0) {
    exchanges.splice(pages.length - repeated, repeated);
    const dropped = pages.splice(-repeated).reduce((sum, page) => sum + page.rows, 0);
    await restartFolds();
    // A service that ignores the number answers each request with the first page.
    const isPaged = pages.length > 1 || context.pagedGroups?.has(group) === true;
    const last = exchanges[pages.length - 1];
    complete &&=
      repeated > 1 && isPaged && !(last && (await hasNextPage(last, rows - dropped, pages.at(-1)?.rows ?? 0)));
  }
  const [firstExchange] = exchanges;
  const signature = firstExchange && (await signatureOf(firstExchange));
  const notShown = whyNotShown(source, exchanges, pages.at(-1)?.problem);
  const schema =
    isDocumented(spec) && notShown === undefined ? await checkSchemas(profile, spec.operation, exchanges) : undefined;
  return {
    exchanges,
    ...(spec.sentCodes && { sentCodes: spec.sentCodes }),
    ...(pages.length > 0 && { observation: mergeObservations(pages, complete) }),
    ...(signature && { signature }),
    ...(schema && { schema }),
    ...(notShown !== undefined && { notShown }),
    ...(retried && { retried }),
    ...(changed && { changed }),
    folds: running.done(),
  };
}

/** Reads the stored bodies of pages again. */
export async function readPages(
  plan: BodyPlan,
  exchanges: readonly Exchange[],
  onRow: RunningFolds['row'],
): Promise<Observation[]> {
  const pages: Observation[] = [];
  let rows = 0;
  for (const exchange of exchanges) {
    if (!exchange.response || !isSuccess(exchange.response.status)) continue;
    const page = await readBody(plan, exchange.response, exchange.body.chunks(), onRow, rows);
    rows += page.rows;
    pages.push(page);
  }
  return pages;
}

/** Reads the stored bodies of a node again, for folds that were added after its request. */
export async function rereadRequest(
  spec: RequestSpec,
  { exchanges }: FetchResult,
  folds: Iterable<Fold<unknown>>,
  { profile, drawn, codes }: Pick<FetchContext, 'profile' | 'drawn' | 'codes'>,
): Promise<Map<string, unknown>> {
  const running = startFolds(folds, spec.inputs, drawn);
  await readPages(readingPlanOf(profile, spec.operation, spec.inputs, codes), exchanges, running.row);
  return running.done();
}
