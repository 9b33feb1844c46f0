/** Describes the requests of an operation: its parameters and its body, from the template of the profile. */
import { INPUTS, type OperationKey } from '../../../contract/index.ts';
import { isPlainObject, isScalar, type PlainObject, type Scalar } from '../../plain-object.ts';
import type { RequestTemplate } from '../../schema.ts';
import { isRequired, templateSchema } from './input-schema.ts';
import type { SampleExchange } from './types.ts';

type Pairs = NonNullable<RequestTemplate['query']>;
type PairValue = Pairs[string] | NonNullable<RequestTemplate['multipart']>[string];

/** Header parameters that OpenAPI ignores: it describes them in other places. */
const DESCRIBED_ELSEWHERE = /^(?:accept|content-type|authorization)$/i;

/** The schema of a pair of a query or form. */
function pairSchema(
  value: PairValue,
  template: RequestTemplate,
  key: OperationKey,
): { schema: PlainObject; required: boolean } {
  if (Array.isArray(value)) {
    const items = value.map((each) => templateSchema(each, template, key));
    const schema = { type: 'array', items: items.length === 1 ? items[0] : { anyOf: items } };
    return { schema, required: value.some((each) => isRequired(String(each))) };
  }
  if (typeof value !== 'object')
    return { schema: templateSchema(value, template, key), required: isRequired(String(value)) };
  if ('clauses' in value)
    return {
      schema: {
        type: 'string',
        description: `an expression of ${value.clauses.join(', ')}, joined by “${value.join}”`,
      },
      required: value.clauses.some(isRequired),
    };
  return { schema: { type: 'string', contentMediaType: value.type ?? 'application/octet-stream' }, required: true };
}

/** The value of an example as its schema types it. */
function typedExample(texts: readonly string[], { type }: PlainObject): unknown {
  if (type === 'array') return texts;
  const [text] = texts;
  return type === 'integer' || type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text;
}

/** The description of a parameter: what it means, and which values it takes. */
function describeValues({ description, enum: listed, examples, items }: PlainObject): { description?: string } {
  if (isPlainObject(items)) return describeValues(Array.isArray(items.anyOf) ? (items.anyOf[0] as PlainObject) : items);
  const values = Array.isArray(listed) ? listed : Array.isArray(examples) ? examples : [];
  const shown = values.map(String).join(', ');
  if (typeof description !== 'string') return shown === '' ? {} : { description: `for example ${shown}` };
  return { description: shown === '' ? description : `${description}; one of ${shown}` };
}

/** The parameters of an operation, with the values of a real request as examples. */
export function describeParameters(
  template: RequestTemplate,
  general: Readonly<Record<string, string>>,
  key: OperationKey,
  sample: SampleExchange | undefined,
): PlainObject[] {
  const query = Object.entries(template.query ?? {}).map(([name, value]) => {
    const { schema, required } = pairSchema(value, template, key);
    const sent = sample?.query.getAll(name) ?? [];
    return {
      name,
      in: 'query',
      required,
      ...describeValues(schema),
      schema,
      ...(sent.length > 0 && { example: typedExample(sent, schema) }),
    };
  });
  const lines = { ...general, ...template.headers };
  const headers = Object.entries(lines)
    .filter(([name]) => !DESCRIBED_ELSEWHERE.test(name))
    .map(([name, value]) => {
      const isOwn = Object.hasOwn(template.headers ?? {}, name);
      const schema: PlainObject = isOwn ? templateSchema(value, template, key) : { type: 'string' };
      return { name, in: 'header', required: isRequired(value), ...describeValues(schema), schema };
    });
  const path = key.includes('{upc}')
    ? [
        {
          name: 'upc',
          in: 'path',
          required: true,
          description: INPUTS.upc,
          schema: { type: 'string', pattern: '^\\d{12}$', description: INPUTS.upc },
          ...(sample && { example: decodeURIComponent(sample.path.slice(sample.path.lastIndexOf('/') + 1)) }),
        },
      ]
    : [];
  return [...path, ...query, ...headers];
}

/** The schema of a JSON body with inputs. */
function jsonSchema(value: unknown, template: RequestTemplate, key: OperationKey): PlainObject {
  if (isScalar(value)) return templateSchema(value as Scalar, template, key);
  if (Array.isArray(value)) {
    const items = value.map((each) => jsonSchema(each, template, key));
    return { type: 'array', items: items.length === 1 ? items[0] : { anyOf: items } };
  }
  if (!isPlainObject(value)) return { type: 'null' };
  const required = Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' && !isRequired(each) ? [] : [name],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, jsonSchema(each, template, key)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

function pairsSchema(
  pairs: Readonly<Record<string, PairValue>>,
  template: RequestTemplate,
  key: OperationKey,
): PlainObject {
  const members = Object.entries(pairs).map(([name, value]) => ({ name, ...pairSchema(value, template, key) }));
  const required = members.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

/** The values of a form as an object; a name that occurs several times has a list. */
function formExample(text: string, { properties }: PlainObject): PlainObject {
  const form = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => [
      name,
      typedExample(form.getAll(name), (isPlainObject(properties) && (properties[name] as PlainObject)) || {}),
    ]),
  );
}

/** The body of the requests of an operation; undefined if they have none. */
export function describeRequestBody(
  template: RequestTemplate,
  key: OperationKey,
  sample: SampleExchange | undefined,
): PlainObject | undefined {
  const body = (type: string, schema: PlainObject, example: unknown, encoding?: PlainObject) => ({
    required: true,
    content: {
      [type]: { schema, ...(encoding && { encoding }), ...(example !== undefined && { example }) },
    },
  });
  const { json, form, multipart, xml, raw } = template;
  const text = sample?.requestBody;
  if (json !== undefined)
    return body('application/json', jsonSchema(json, template, key), text ? JSON.parse(text) : undefined);
  if (form) {
    const schema = pairsSchema(form, template, key);
    return body(
      'application/x-www-form-urlencoded',
      schema,
      text === undefined ? undefined : formExample(text, schema),
    );
  }
  if (multipart) {
    const files = Object.entries(multipart).flatMap(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value)
        ? [[name, { contentType: value.type ?? 'application/octet-stream' }] as const]
        : [],
    );
    return body(
      'multipart/form-data',
      pairsSchema(multipart, template, key),
      undefined,
      files.length > 0 ? Object.fromEntries(files) : undefined,
    );
  }
  if (xml !== undefined) return body('application/xml', { type: 'string' }, text);
  return raw && body(raw.type, { type: 'string' }, text);
}
