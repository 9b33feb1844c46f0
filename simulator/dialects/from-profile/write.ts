/** Writes answers of the world as responses of the profile. */
import { type Field, INPUT_NAMES } from '../../../src/contract/index.ts';
import type { Statuses } from '../../../src/profile/schema.ts';
import { mapRows } from '../../model/iterable.ts';
import { JOB_STARTERS } from '../../model/jobs.ts';
import { lengthOf, pageOf } from '../../model/page.ts';
import type { ModelAnswer, Query, Rejected } from '../../model/types.ts';
import type { DialectRequest, DialectResponse } from '../types.ts';
import { completed } from './complete-body.ts';
import type { Composer } from './compose-body.ts';
import { type AnswerContent, describeAnswer } from './describe-answer.ts';
import { type ErrorContent, errorBody, schemaFor, writeRefusal } from './error-body.ts';
import type { OperationCodec } from './operation-codec.ts';
import { addNextPage } from './paging.ts';
import { CONTENT_TYPE, ComposedResponse, csvOf, LazyRows, SERIALIZERS } from './serialize.ts';
import type { NeutralRow } from './value.ts';

/** The first stated error status or 204; a 2xx status with a body is not used. */
const errorStatusOf = (statuses: readonly number[] | undefined, fallback: number): number =>
  statuses?.find((status) => status >= 400 || status === 204) ?? fallback;

const STATUS_OF: { readonly [R in Rejected['reason']]?: number } = { unauthorized: 401, tooLarge: 413 };

/** What an answer without content says. */
function problemOf(answer: ModelAnswer, { unknown, malformed, missing, unauthorized }: Statuses): ErrorContent {
  switch (answer.kind) {
    case 'unknown': {
      const detail = `no ${answer.input} ${JSON.stringify(answer.value.slice(0, 100))}`;
      return { status: errorStatusOf(unknown, 404), title: 'Not known', detail };
    }
    case 'rejected': {
      const { reason, input, detail } = answer;
      const stated = { missing, unauthorized, malformed: input ? malformed : undefined }[reason as 'missing'];
      return { status: errorStatusOf(stated, STATUS_OF[reason] ?? 400), title: 'Bad request', detail };
    }
    case 'internalError':
      return { status: 500, title: 'Internal error', detail: answer.why };
    case 'wrongMethod':
      return { status: 405, title: 'Method not allowed' };
    default:
      return { status: 404, title: 'No such path' };
  }
}

/** A response with problem details, or with the body that the profile states for the status. */
export function writeProblem(problem: ErrorContent, schemas: OperationCodec['schemas'] = new Map()): DialectResponse {
  const { body, isProblemDetails } = errorBody(problem, schemaFor(schemas, problem.status)?.schema);
  return {
    status: problem.status,
    headers: { 'content-type': isProblemDetails ? 'application/problem+json' : 'application/json' },
    body: JSON.stringify(body),
  };
}

type ErrorFormat = Pick<OperationCodec, 'statuses' | 'schemas' | 'refusals' | 'media' | 'response'>;

/** The response to an answer without content: a refusal in a 2xx, an error, or 204. */
export function refuse(answer: ModelAnswer, format: ErrorFormat): DialectResponse {
  const problem = problemOf(answer, format.statuses);
  const { status } = problem;
  // A profile that states refusals in general states no statuses of credentials and paths.
  const isOfOperation =
    answer.kind === 'unknown' ||
    answer.kind === 'internalError' ||
    (answer.kind === 'rejected' && answer.reason !== 'unauthorized');
  const refusals = isOfOperation ? format.refusals : format.refusals.filter(({ like }) => like === status);
  const refusal = writeRefusal(problem, { ...format, refusals });
  if (refusal) return refusal;
  return status === 204 ? { status, headers: {}, body: '' } : writeProblem(problem, format.schemas);
}

/** The status of a success: the one with a schema, else the default. */
export const successOf = ({ schemas, operation }: OperationCodec): number =>
  [200, 201, 202].find((status) => schemas.has(String(status))) ?? (operation.name in JOB_STARTERS ? 202 : 200);

/** A body with what the schema of a success demands besides the bound values; in NDJSON it describes one line. */
function completedBody(codec: OperationCodec, body: unknown): unknown {
  const { media, schemas } = codec;
  if (media !== 'json' && media !== 'ndjson') return body;
  const stated = schemaFor(schemas, successOf(codec));
  if (media === 'json' || !(body instanceof LazyRows)) return completed(stated, body);
  return new LazyRows(mapRows(body.rows, (row) => completed(stated, row)));
}

/** Removes rows that are equal in the fields of the response. */
function distinct(rows: Iterable<NeutralRow>, { rowFields, lists }: Composer): NeutralRow[] {
  const keyOf = (row: NeutralRow) => JSON.stringify([...rowFields, ...lists].map((field) => row[field] ?? null));
  return [...new Map([...rows].map((row) => [keyOf(row), row])).values()];
}

/** A look-up with the characteristics that lists show in the places of other fields. */
function withListed(content: AnswerContent | undefined, codec: OperationCodec): AnswerContent | undefined {
  const { characteristics } = content?.values ?? {};
  if (!content?.isSingle || !Array.isArray(characteristics)) return content;
  const values = {
    ...content.values,
    characteristics: [...characteristics, ...codec.characteristicsOfLists(content.values)],
  };
  return { ...content, values, lists: [{ window: '', rows: [values] }] };
}

/** The fields whose place repeats a value of the request, such as the id of the catalogue in a refresh date. */
function echoedFields({ echoes, response: { fields = {} } }: OperationCodec, echo: Query): NeutralRow {
  const entries = Object.entries(echoes).flatMap(([input, { at }]) => {
    const value = echo[input as keyof Query];
    const field = Object.keys(fields).find((each) => each !== input && fields[each as Field]?.at === at);
    return field === undefined || value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

/** The inputs that the response repeats; the window of a delta also without the request. */
function echoOf(answer: ModelAnswer): Query {
  const [delta, ...others] = answer.kind === 'deltas' ? answer.windows : [];
  return { ...(delta && others.length === 0 && { window: delta.weeks }), ...('echo' in answer && answer.echo) };
}

/** The content of an unknown id that gets a success without rows, if that is all that the profile states. */
const emptyList = (answer: ModelAnswer, { unknown = [] }: Statuses): AnswerContent | undefined =>
  answer.kind === 'unknown' &&
  answer.input !== 'upc' &&
  unknown.length > 0 &&
  !unknown.some((each) => each === 204 || each >= 400)
    ? { lists: [{ window: '', rows: [] }], values: {}, isSingle: false }
    : undefined;

/** The list of a window; the largest window when the response has one list. */
const listFor = ({ lists }: AnswerContent, window: string): AnswerContent['lists'][number] =>
  lists.find((each) => each.window === window) ?? lists.at(-1) ?? { window, rows: [] };

/** Puts each echo where the profile reads it. */
function putEchoes(draft: ComposedResponse, { echoes }: OperationCodec, echo: Query): void {
  for (const input of INPUT_NAMES) {
    const [value, binding] = [echo[input as keyof Query], echoes[input]];
    if (!binding || value === undefined) continue;
    const code = binding.codeOf?.(String(value));
    draft.put(binding.at, code ?? binding.spellings?.[String(value)]?.toString() ?? value);
  }
}

/**
 * Puts every value that the profile reads to the place where it reads it.
 * @param echo the inputs that the response repeats
 * @param address the request URL without query
 */
export function composeResponse(
  content: AnswerContent,
  codec: OperationCodec,
  echo: Query,
  request: Pick<DialectRequest, 'query'>,
  address: string,
): ComposedResponse {
  const { media, composers, response } = codec;
  const { page } = content;
  const draft = new ComposedResponse(media);
  let { next } = content;
  const echoed = echoedFields(codec, echo);
  const written = composers.map(({ window, composer }) => {
    const { rows: answered, total } = listFor(content, window);
    const all = Object.keys(echoed).length === 0 ? answered : mapRows(answered, (row) => ({ ...row, ...echoed }));
    const whole = content.isSet ? distinct(all, composer) : all;
    const cut = content.isSet && page ? pageOf(whole, page) : { rows: whole, more: false };
    if (page && cut.more) next = page.offset + page.limit;
    composer.compose(cut.rows, content.values, content.isSingle, draft);
    return { window, rows: cut.rows, total: () => total?.() ?? lengthOf(whole) };
  });
  for (const { at, of } of response.counts ?? [])
    for (const { window, rows, total } of written) {
      const count = of === 'page' ? lengthOf(rows) : total();
      const pages = page ? Math.ceil(count / page.limit) : 1;
      draft.put(typeof at === 'object' ? at[window as '1'] : at, of === 'pages' ? pages : count);
    }
  putEchoes(draft, codec, echo);
  if (response.paging) addNextPage(draft, response.paging, next, request, address);
  return draft;
}

/** Writes an answer as the profile reads it; `address` is the request URL without query. */
export function writeAnswer(
  answer: ModelAnswer,
  codec: OperationCodec,
  request: DialectRequest,
  address: string,
): DialectResponse {
  const content = withListed(describeAnswer(answer, codec.profile), codec) ?? emptyList(answer, codec.statuses);
  if (!content) return refuse(answer, codec);
  const { media, composers, response } = codec;
  const draft = composeResponse(content, codec, echoOf(answer), request, address);
  const whole = completedBody(codec, draft.body);
  const csv = csvOf(response, draft, composers[0]?.composer.columns);
  const chunks = { [Symbol.iterator]: () => SERIALIZERS[media](whole, csv)[Symbol.iterator]() };
  return {
    status: successOf(codec),
    headers: { 'content-type': CONTENT_TYPE[media], ...draft.headers },
    // One object is short, so that it is sent at once, with its length.
    body: content.isSingle && media !== 'binary' ? [...chunks].join('') : chunks,
  };
}
