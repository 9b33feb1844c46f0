/** Schemas of the files of a recording: HAR 1.2 as Polly writes it, with one custom member per entry. */
import { z } from 'zod';
import { OPERATIONS } from '../../contract/index.ts';
import type { HeaderLines } from '../../exchange/headers.ts';
import { FAILURE_KINDS } from '../../exchange/types.ts';
import { isToken } from '../../profile/http-text.ts';
import { redactionReceipt } from '../../secrets/redaction-receipt.ts';
import { HarDamageError, harEntries } from './har-entries.ts';
import { EVERY_OPERATION, NO_OPERATION } from './masks.ts';
import { RECORDED_ORIGIN } from './origin.ts';
import { withoutIndentedCopy } from './pretty-json.ts';

/**
 * An object that may hold further members. `check` returns the parsed value itself, so no member is lost. The loose
 * objects of zod copy every member, which takes most of the time when a large recording is opened.
 */
const extensibleObject = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape) as unknown as ReturnType<typeof z.looseObject<S>>;

/** Header lines, checked by hand for speed: they are most of the data. */
const lines = z.custom<[name: string, value: string][]>(
  (value) =>
    Array.isArray(value) &&
    value.every(
      (line) => Array.isArray(line) && line.length === 2 && typeof line[0] === 'string' && typeof line[1] === 'string',
    ),
  'an array of [name, value] is required',
);
const sideFile = z.object({ file: z.string().regex(/^bodies\/sha256-[0-9a-f]{64}$/), bytes: z.int().min(0) });
const nameValues = z.custom<{ name: string; value: string }[]>(
  (value) =>
    Array.isArray(value) && value.every((each) => typeof each?.name === 'string' && typeof each.value === 'string'),
  'an array of { name, value } is required',
);

/** Data that HAR has no member for: raw header lines, bodies in side files, transport failures. */
const extra = z.object({
  key: z.string(),
  requestHeaders: lines,
  responseHeaders: lines.optional(),
  reason: z.string().optional(),
  requestBody: sideFile.optional(),
  responseBody: sideFile.optional(),
  coding: z.string().optional(),
  /** An indented copy of a JSON response for readers; never parsed. */
  readable: z.unknown().optional(),
  interim: z.array(z.object({ status: z.int().min(102).max(199), headers: lines })).optional(),
  trailers: lines.optional(),
  failure: z
    .object({ kind: z.enum(FAILURE_KINDS), message: z.string(), reset: z.literal(true).exactOptional() })
    .optional(),
  operation: z.enum(OPERATIONS.map((each) => each.key)).optional(),
});

const uncheckedEntry = extensibleObject({
  _id: z.string(),
  _order: z.int().min(0),
  _mdwi: extra,
  startedDateTime: z.string(),
  request: extensibleObject({
    method: z.string(),
    url: z.string(),
    headers: nameValues,
    postData: extensibleObject({ text: z.string().optional() }).optional(),
  }),
  response: extensibleObject({
    status: z.int(),
    headers: nameValues,
    content: extensibleObject({ text: z.string().optional(), encoding: z.string().optional() }),
  }),
});

/** Whether a text ends a line of the head, or itself, for a parser of HTTP. */
const endsLine = (text: string): boolean => /[\0\r\n]/.test(text);

function lineProblem(lines: HeaderLines = []): string | undefined {
  const [name] = lines.find((each) => !isToken(each[0]) || endsLine(each[1])) ?? [];
  if (name === undefined) return undefined;
  return isToken(name) ? `the value of ${name} has a line break or NUL` : `${JSON.stringify(name)} is no header name`;
}

/**
 * The damaged member of an entry that no client received, and what is wrong with it, without full stop; undefined: nothing
 * (RFC 9110, sections 5.1, 5.5, 9.1 and 15; RFC 9112, section 4). A replay could not send such an entry, and its own failure
 * is no verdict on the service.
 */
function damageOf({ _mdwi: extra, request, response }: z.infer<typeof uncheckedEntry>) {
  const { requestHeaders, responseHeaders, trailers, interim = [], reason = '', failure, responseBody } = extra;
  const { status, content } = response;
  const path = request.url.startsWith(RECORDED_ORIGIN) ? request.url.slice(RECORDED_ORIGIN.length) : '';
  const problems: readonly (readonly [member: string, problem: string | false | undefined])[] = [
    ['request.method', !isToken(request.method) && `${JSON.stringify(request.method)} is no method`],
    ['request.url', (!/^[/*]/.test(path) || endsLine(path)) && `is no path at ${RECORDED_ORIGIN}`],
    ['_mdwi.requestHeaders', lineProblem(requestHeaders)],
    ['response.status', responseHeaders && !(status >= 200 && status <= 999) && `${status} is no status of a response`],
    ['_mdwi.responseHeaders', !responseHeaders && (!failure || status !== 0) && 'is missing'],
    ['_mdwi.responseHeaders', lineProblem(responseHeaders)],
    ['_mdwi.reason', endsLine(reason) && 'has a line break or NUL'],
    ['_mdwi.interim', lineProblem(interim.flatMap(({ headers }) => headers))],
    ['_mdwi.trailers', lineProblem(trailers)],
    ['response.content.encoding', content.encoding !== undefined && 'a body is text, or in a side file'],
    ['response.content.text', content.text?.isWellFormed() === false && 'has half of a surrogate pair'],
    ['response.content.text', content.text !== undefined && responseBody && '_mdwi.responseBody is the body'],
  ];
  const [member, problem] = problems.find(([, each]) => each) ?? [];
  return member === undefined ? undefined : { path: member.split('.'), message: `${problem}` };
}

const entry = uncheckedEntry.superRefine((each, context) => {
  const damage = damageOf(each);
  if (damage) context.addIssue({ code: 'custom', ...damage });
});

const har = extensibleObject({
  log: extensibleObject({
    version: z.string(),
    /** The lane: Polly’s recording name. The folder’s name is a hash of it. */
    _recordingName: z.string(),
    creator: extensibleObject({ name: z.string(), version: z.string() }),
    entries: z.array(entry),
  }),
});

export type HarEntry = z.infer<typeof entry>;
export type Har = z.infer<typeof har>;

/** A file of a recording that cannot be used; the message is one sentence. */
export class RecordingError extends Error {}

const notJson = (file: string, error: unknown): RecordingError =>
  new RecordingError(`${file} is not JSON (${(error as Error).message}): restore it, or record again`);

/** The value, if it matches the schema. Otherwise throws the first error with its path, e.g. `log.entries[3]._order`. */
function checked<T>(schema: z.ZodType<T>, value: unknown, what: string, parents: readonly PropertyKey[] = []): T {
  const { error } = schema.safeParse(value);
  if (!error) return value as T;
  const [issue] = error.issues;
  const path = [...parents, ...(issue?.path ?? [])]
    .map((each) => (typeof each === 'number' ? `[${each}]` : `.${String(each)}`))
    .join('');
  const { method, url } = (value as HarEntry | undefined)?.request ?? {};
  const request = typeof method === 'string' && typeof url === 'string' ? ` of ${method} ${url}`.slice(0, 200) : '';
  throw new RecordingError(
    `${what} (${path.replace(/^\./, '')}${request}: ${issue?.message}): restore it, or record again`,
  );
}

/**
 * Parses the lane file of a recording, one entry after the other. Throws RecordingError.
 * @param file the path of the file, for the message
 * @returns the log without its entries
 */
export function parseLane(chunks: Iterable<Uint8Array>, file: string, onEntry: (entry: HarEntry) => void): Har['log'] {
  const what = `${file} is not a lane of a recording`;
  const entries = harEntries(
    (value, index) => onEntry(checked(entry, value, what, ['log', 'entries', index])),
    withoutIndentedCopy,
  );
  try {
    for (const chunk of chunks) entries.push(chunk);
    return checked(har, entries.end(), what).log;
  } catch (error) {
    throw error instanceof HarDamageError ? notJson(file, error) : error;
  }
}

/** Parses the text of a lane file with its entries. Throws RecordingError. */
export function parseHar(text: string, file: string): Har {
  const entries: HarEntry[] = [];
  const log = parseLane([Buffer.from(text)], file, (each) => entries.push(each));
  return { log: { ...log, entries } };
}

const provenance = z.strictObject({
  schema: z.literal(1),
  name: z.string(),
  /** The version of the suite that recorded. */
  suite: z.string(),
  recordedAt: z.iso.datetime(),
  source: z.enum(['live', 'simulator', 'import']),
  /** A label, never a URL with credentials. */
  upstream: z.string(),
  /** The path of the base address, `` or `/api`: paths of the recording begin with it. */
  basePath: z.string(),
  profile: z.string(),
  /** The profile as named on the command line, and a digest of it without credentials (`profileDigest`). */
  profileSource: z.strictObject({ as: z.string(), digest: z.string() }).exactOptional(),
  safety: z.string().optional(),
  /** The commands that made it, the latest last; flags as `--name value`, none of them secret. */
  made: z
    .array(z.strictObject({ command: z.enum(['record', 'gateway', 'import']), flags: z.array(z.string()).readonly() }))
    .exactOptional(),
  /** The `Date` header of the responses, if the profile reads the as-of date from it. */
  dateAsOf: z.string().optional(),
  lanes: z.array(z.string()),
  /** The further parts of every key in the lanes, besides method, path, query and body. */
  matching: z.strictObject({
    /** Headers that carry inputs, in lower case. */
    headers: z.array(z.string()).readonly(),
    /** Query parameters that carry credentials and are left out. */
    withoutQuery: z.array(z.string()).readonly(),
    /** Those of the headers that count as sent or not sent, whatever their values; `?name` is a query parameter. */
    credentials: z.array(z.string()).readonly().exactOptional(),
  }),
  /** Volatile places in responses, learned by sending requests twice. */
  masks: z.array(
    z.strictObject({
      operation: z.enum([EVERY_OPERATION, NO_OPERATION, ...OPERATIONS.map((each) => each.key)]),
      where: z.string().min(1),
    }),
  ),
  redaction: redactionReceipt,
});

export type Provenance = z.infer<typeof provenance>;

/** Parses the `provenance.json` of a recording. Throws RecordingError. */
export function parseProvenance(text: string, file: string): Provenance {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notJson(file, error);
  }
  return checked(provenance, value, `${file} is not a provenance of a recording`);
}
