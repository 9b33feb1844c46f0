/** Writes errors: problem details (RFC 9457), what the schema of the profile demands, or a refusal in a 2xx. */
import type { BodySchema } from '../../../src/profile/body-schema/types.ts';
import { isPlainObject } from '../../../src/profile/plain-object.ts';
import type { RefusalCondition } from '../../../src/profile/schema.ts';
import type { DialectResponse } from '../types.ts';
import { completeBody } from './complete-body.ts';
import type { OperationCodec } from './operation-codec.ts';
import { CONTENT_TYPE, ComposedResponse, csvOf, SERIALIZERS } from './serialize.ts';
import { put, writePathOf } from './write-path.ts';

export interface StatedSchema {
  /** As the profile writes it: `200`, `2XX`, `default` or `refusal`. */
  readonly key: string;
  readonly schema: BodySchema;
}

/** Returns the schema of a status; that of `refusal` for a refusal in a 2xx. */
export function schemaFor(
  schemas: ReadonlyMap<string, BodySchema>,
  status: number | 'refusal',
): StatedSchema | undefined {
  const keys = status === 'refusal' ? [status] : [String(status), `${String(status)[0]}XX`, 'default'];
  const key = keys.find((each) => schemas.has(each));
  return key === undefined ? undefined : { key, schema: schemas.get(key) as BodySchema };
}

export interface ErrorContent {
  readonly status: number;
  readonly title: string;
  readonly detail?: string | undefined;
}

type Path = readonly (string | number)[];
interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Names of members, the best first, that contain a sentence about the error. */
const MESSAGE_NAMES = [/message|msg/i, /detail/i, /desc/i, /text/i, /reason/i, /title|summary/i, /err/i, /./];
const STATUS_NAMES = /status|code/i;

function leavesOf(node: unknown, path: Path = []): Leaf[] {
  if (typeof node !== 'object' || node === null) return [{ path, value: node }];
  return Object.entries(node).flatMap(([name, each]) =>
    leavesOf(each, [...path, Array.isArray(node) ? Number(name) : name]),
  );
}

/** Puts the message and the status where a schema has members for them. */
function withProblem(
  body: unknown,
  { status, title, detail }: ErrorContent,
  accepts: (body: unknown) => boolean,
): unknown {
  let result = body;
  const replace = ({ path }: Leaf, value: unknown): boolean => {
    const changed = put(structuredClone(result), path, value);
    if (!accepts(changed)) return false;
    result = changed;
    return true;
  };
  const nameOf = ({ path }: Leaf): string => String(path.findLast((step) => typeof step === 'string') ?? '');
  const leaves = leavesOf(body);
  for (const leaf of leaves)
    if (STATUS_NAMES.test(nameOf(leaf)) && !replace(leaf, status)) replace(leaf, String(status));
  const texts = leaves.filter(({ value }) => typeof value === 'string');
  const byName = MESSAGE_NAMES.flatMap((name) => texts.filter((leaf) => name.test(nameOf(leaf))));
  byName.some((leaf) => !(STATUS_NAMES.test(nameOf(leaf)) && leaf.value !== 'text') && replace(leaf, detail ?? title));
  return result;
}

/**
 * The body of an error: problem details, unless the schema forbids them; then the smallest body that it allows, with
 * message and status where it has members for them.
 *
 * @param base what the body contains in any case, such as the value by which a refusal is recognised
 */
export function errorBody(
  problem: ErrorContent,
  schema: BodySchema | undefined,
  base?: unknown,
): { readonly body: unknown; readonly isProblemDetails: boolean } {
  const { status, title, detail } = problem;
  const details = { type: 'about:blank', title, status, ...(detail !== undefined && { detail }) };
  const node = schema?.json;
  if (base === undefined && (!node || node.accepts(details))) return { body: details, isProblemDetails: true };
  if (!node)
    return { body: isPlainObject(base) ? { detail: detail ?? title, ...base } : base, isProblemDetails: false };
  const completed = completeBody(node, base);
  const basis = new Map(
    base === undefined ? [] : leavesOf(base).map(({ path, value }) => [JSON.stringify(path), value]),
  );
  const keepsBase = (body: unknown) =>
    leavesOf(body).filter(({ path, value }) => basis.get(JSON.stringify(path)) === value).length >= basis.size;
  const body = withProblem(completed, problem, (each) => node.accepts(each) && keepsBase(each));
  return { body, isProblemDetails: false };
}

/** A value that fulfils a condition; undefined: none is needed. */
function valueFor({ is, isNot, present }: RefusalCondition): string | number | boolean | undefined {
  if (is) return is[0];
  if (isNot) return typeof isNot[0] === 'boolean' ? !isNot[0] : 'refused';
  return present ? 'refused' : undefined;
}

/** A response with status 200 that fulfils the condition for this status; undefined if the profile declares none. */
export function writeRefusal(
  problem: ErrorContent,
  { refusals, media, response, schemas }: Pick<OperationCodec, 'refusals' | 'media' | 'response' | 'schemas'>,
): DialectResponse | undefined {
  const condition =
    refusals.find(({ like }) => like === problem.status) ?? refusals.find(({ like }) => like === undefined);
  const place = condition && writePathOf(condition.at);
  if (!condition || typeof place !== 'object') return undefined;
  const draft = new ComposedResponse(media, {});
  draft.put(condition.at, valueFor(condition));
  const inMedia = media === 'xml' || (media === 'ndjson' && Array.isArray(draft.body)) ? media : 'json';
  const format = place.scope === 'line' ? 'csv' : place.scope === 'header' ? 'json' : inMedia;
  const isInJson = format === 'json' && place.scope !== 'header';
  const body = isInJson ? errorBody(problem, schemaFor(schemas, 'refusal')?.schema, draft.body).body : draft.body;
  return {
    status: 200,
    headers: { 'content-type': CONTENT_TYPE[format], ...draft.headers },
    body: SERIALIZERS[format](format === 'csv' ? [] : body, csvOf(response, draft)),
  };
}
