/** Describes the responses of an operation: from its bindings, its declared schemas and the bodies that were sent. */
import { FIELDS, type Field, JOB_KINDS, JOB_STATUS, type OperationKey } from '../../../contract/index.ts';
import type { PlainObject, Scalar } from '../../plain-object.ts';
import type { FieldBinding, Profile, ResponseProfile } from '../../schema.ts';
import { compileSelector } from '../../selector.ts';
import { refusalsOf, statusesOf } from '../../statuses.ts';
import { annotateSchema } from './annotate-schema.ts';
import { addValue, emptySchema, toJsonSchema, toXmlSchema } from './infer-schema.ts';
import { shortenJson, shortenLines, shortenXml } from './shorten-body.ts';
import type { SampleExchange } from './types.ts';

type Media = NonNullable<ResponseProfile['media']>;

/** The media type of a body that no exchange shows. */
const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  xml: 'application/xml',
  text: 'text/plain',
  binary: 'application/octet-stream',
} as const satisfies Record<Media, string>;

const MEDIA_OF_TYPE: readonly (readonly [RegExp, Media])[] = [
  [/ndjson|jsonl|json-lines|json-seq/i, 'ndjson'],
  [/json/i, 'json'],
  [/csv|tab-separated/i, 'csv'],
  [/xml/i, 'xml'],
  [/^text\//i, 'text'],
];

const STATUS_MEANINGS = {
  unknown: 'The requested value is not known.',
  malformed: 'The UPC is malformed.',
  missing: 'An id or the window is missing.',
  unauthorized: 'The credentials are not accepted.',
  tooMany: 'Too many requests.',
} as const;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The type of a response without parameters; undefined if the response has none. */
const typeOf = ({ headers }: SampleExchange): string | undefined => headers['content-type']?.split(';')[0]?.trim();

/** The rows that the selector of a profile finds in a body. */
function rowsOf({ rows }: ResponseProfile, { document }: SampleExchange): number {
  if (document === undefined || rows === undefined) return 0;
  const lists = typeof rows === 'object' ? Object.values(rows) : [rows];
  return lists.flatMap((each) => compileSelector(each).select(document, { status: 200, headers: [] })).length;
}

/** Whether an exchange shows what a valid request gets. */
const isAnswer = ({ isValid, isRefusal, status }: SampleExchange): boolean =>
  isValid && !isRefusal && isSuccess(status);

/** The exchange that is shown as the example: a valid one with rows, the most inputs and the shortest body. */
export function chooseExample(
  response: ResponseProfile,
  samples: readonly SampleExchange[],
): SampleExchange | undefined {
  return samples
    .filter(isAnswer)
    .map((sample) => ({ sample, rows: rowsOf(response, sample), length: sample.text?.length ?? 0 }))
    .sort(
      (x, y) =>
        Number(y.rows > 0) - Number(x.rows > 0) ||
        Number(y.length > 0) - Number(x.length > 0) ||
        y.sample.inputs - x.sample.inputs ||
        x.length - y.length,
    )[0]?.sample;
}

function exampleOf(media: Media, { text, document }: SampleExchange, { shape }: ResponseProfile): unknown {
  if (text === undefined || text === '') return undefined;
  // The lists of columns and cubes belong together.
  if (media === 'json') return shape ? document : shortenJson(document);
  return media === 'xml' ? shortenXml(text) : media === 'binary' ? undefined : shortenLines(text);
}

/** The schema of bodies of one media type. */
function bodySchema(
  media: Media,
  samples: readonly SampleExchange[],
  response: ResponseProfile | undefined,
  states?: readonly Scalar[],
): PlainObject {
  if (media === 'binary') return {};
  if (media === 'text') return { type: 'string' };
  const root = emptySchema();
  for (const { document } of samples) if (document !== undefined) addValue(root, document);
  if (response) annotateSchema(root, response, media === 'xml', states);
  if (media === 'xml') return toXmlSchema(root);
  const schema = toJsonSchema(root);
  // A line-based body is a text; the schema describes its lines.
  return media === 'json' ? schema : { type: 'array', items: (schema.items as PlainObject | undefined) ?? {} };
}

/** The schema of a body that may also be a refusal. */
const withRefusals = (
  schema: PlainObject,
  media: Media,
  refusals: readonly SampleExchange[] | undefined,
): PlainObject => (refusals ? { anyOf: [schema, bodySchema(media, refusals, undefined)] } : schema);

/** The content of the responses with one status, by media type. */
function contentOf(
  samples: readonly SampleExchange[],
  example: SampleExchange | undefined,
  response: ResponseProfile | undefined,
  declared: PlainObject | undefined,
  refusals: readonly SampleExchange[] | undefined,
  states: readonly Scalar[] | undefined,
): PlainObject {
  const types = Map.groupBy(
    samples.filter(({ text }) => text !== ''),
    (sample) => typeOf(sample) ?? MEDIA_TYPES[response?.media ?? 'json'],
  );
  if (types.size === 0 && response?.media) types.set(MEDIA_TYPES[response.media], []);
  return Object.fromEntries(
    [...types].map(([type, ofType]) => {
      const media = response?.media ?? MEDIA_OF_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? 'binary';
      const shown = example && ofType.includes(example) ? example : ofType[0];
      const body = shown && exampleOf(media, shown, response ?? {});
      const [refused] = refusals ?? [];
      const refusal = refused && exampleOf(media, refused, {});
      return [
        type,
        {
          schema: declared ?? withRefusals(bodySchema(media, ofType, response, states), media, refusals),
          ...(body !== undefined &&
            (refusal === undefined
              ? { example: body }
              : { examples: { success: { value: body }, refusal: { value: refusal } } })),
        },
      ];
    }),
  );
}

/** The response headers that the bindings read. */
function headersOf({ fields = {} }: ResponseProfile, sample: SampleExchange | undefined): PlainObject {
  return Object.fromEntries(
    (Object.entries(fields) as [Field, FieldBinding][]).flatMap(([field, { at }]) => {
      const name = typeof at === 'string' ? /^\$response\.header\.(.+)$/.exec(at)?.[1] : undefined;
      if (name === undefined) return [];
      const example = sample?.headers[name.toLowerCase()];
      const schema = { type: 'string', description: FIELDS[field].means };
      return [[name, { schema, ...(example !== undefined && { example }) }]];
    }),
  );
}

/** Any other response, with an example of each status. */
function describeErrors(errors: readonly SampleExchange[]): PlainObject {
  const description = 'Any other response is an error.';
  const content = [...Map.groupBy(errors, typeOf)].flatMap(([type, ofType]) => {
    const media = MEDIA_OF_TYPE.find(([pattern]) => pattern.test(type ?? ''))?.[1];
    if (type === undefined || media === undefined) return [];
    const examples = [...Map.groupBy(ofType, ({ status }) => status)].flatMap(([status, [first]]) => {
      const value = first && exampleOf(media, first, {});
      return value === undefined ? [] : [[String(status), { summary: `status ${status}`, value }]];
    });
    return [[type, { schema: bodySchema(media, ofType, undefined), examples: Object.fromEntries(examples) }]];
  });
  return { description, ...(content.length > 0 && { content: Object.fromEntries(content) }) };
}

/** The responses of an operation by status. */
export function responsesOf(
  { data, source }: Profile,
  key: OperationKey,
  samples: readonly SampleExchange[],
  example: SampleExchange | undefined,
  needsCredentials: boolean,
  schemaOf: (status: string) => PlainObject | undefined,
): PlainObject {
  const response = data.operations?.[key]?.response ?? {};
  const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === key);
  const states = (kind && data.jobs?.[kind]?.states) || undefined;
  // What the simulator responds is a statement of the profile only for statuses that it names.
  const meanings = new Map<number, string>(needsCredentials ? [[401, STATUS_MEANINGS.unauthorized]] : []);
  for (const [meaning, listed] of Object.entries(statusesOf(data, key)))
    for (const status of listed) meanings.set(status, STATUS_MEANINGS[meaning as keyof typeof STATUS_MEANINGS]);
  const conditions = refusalsOf(data, key);
  // A refusal inside a 2xx replaces the response with the status that it is like.
  for (const { like } of conditions) if (like !== undefined) meanings.delete(like);
  const successes = samples.filter(isAnswer);
  const refusals = conditions.length > 0 ? samples.filter(({ isRefusal }) => isRefusal) : undefined;
  const byStatus = Map.groupBy(
    [...successes, ...samples.filter(({ status }) => meanings.has(status))],
    ({ status }) => status,
  );
  if (successes.length === 0) byStatus.set(200, []);
  for (const status of meanings.keys()) if (!byStatus.has(status)) byStatus.set(status, []);
  const described = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, ofStatus]) => {
      const ofSuccess = isSuccess(status) ? response : undefined;
      const declared = schemaOf(String(status));
      const content = contentOf(ofStatus, example, ofSuccess, declared, ofSuccess && refusals, states);
      const headers = ofSuccess ? headersOf(ofSuccess, example) : {};
      return [
        String(status),
        {
          description:
            meanings.get(status) ?? (isSuccess(status) ? 'The operation succeeded.' : 'The request is refused.'),
          ...(Object.keys(headers).length > 0 && { headers }),
          ...(Object.keys(content).length > 0 && { content }),
        },
      ];
    });
  // The dialects of the simulator have no other service, so that its errors are theirs.
  const errors = source.startsWith('bundled:')
    ? samples.filter(({ isValid, status }) => !isValid && !isSuccess(status) && !meanings.has(status))
    : [];
  return { ...Object.fromEntries(described), default: describeErrors(errors) };
}
