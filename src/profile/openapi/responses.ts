/** Drafts the selectors of rows and fields from a described 2xx response. */

import { type Field, operationOf, optionalParts } from '../../contract/index.ts';
import { isPlainObject, memberOf, objectAt, type PlainObject } from '../plain-object.ts';
import { bindField } from './bindings.ts';
import type { DescribedMedia } from './described-media.ts';
import { type DescribedFormat, type DescribedValue, describedValues, rootOf } from './described-values.ts';
import { type Description, deref } from './description.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import { matchFields, unmatchedNames } from './fields.ts';
import { exampleFormOf, schemaOf } from './line-formats.ts';
import { quoteText } from './name-words.ts';
import type { DescribedOperation } from './operations.ts';
import { type ResolvedSchema, resolveSchema } from './resolved-schema.ts';
import { readExamples, withExamples } from './response-examples.ts';
import { chooseRows, rowValues } from './rows.ts';
import { nameLists, windowLists } from './separate-lists.ts';

export interface ResponseDraft {
  readonly template: PlainObject;
  /** The Accept header that selects the media type to read, if the service offers several. */
  readonly accept?: string;
  readonly fields: ReadonlyMap<Field, DescribedValue>;
  /** The values outside the rows, which may include the next page. */
  readonly envelope: readonly DescribedValue[];
  /** Names of the described response headers. */
  readonly headers: readonly string[];
  /** Absent fields: the objects are closed and every member has another meaning. */
  readonly absent: readonly Field[];
  readonly resolvedSchema?: ResolvedSchema;
  /** The schema as the description writes it. */
  readonly schema?: unknown;
}

const MEDIA_PATTERNS: readonly (readonly [RegExp, DescribedMedia])[] = [
  [/^application\/(x-)?(ndjson|jsonl|jsonlines)\b/i, 'ndjson'],
  [/^(application|text)\/(.+\+)?(x-)?json\b|^\*\/\*$/i, 'json'],
  [/^(application|text)\/(x-)?csv\b|^text\/tab-separated-values\b/i, 'csv'],
  [/^(application|text)\/(.+\+)?xml\b/i, 'xml'],
];

const NO_RESPONSE: ResponseDraft = { template: {}, fields: new Map(), envelope: [], headers: [], absent: [] };

/** The first of these formats in which a response is described is drafted. */
const MEDIA_BY_PREFERENCE: readonly DescribedMedia[] = ['json', 'ndjson', 'xml', 'csv'];

/** The success response of a description: 200, else the first 2xx, else a default that is not an error. */
function successOf(description: Description, { node }: DescribedOperation): PlainObject | undefined {
  const responses = objectAt(node, 'responses');
  const status = Object.keys(responses)
    .sort()
    .find((each) => /^2(\d\d|XX)$/i.test(each) && isPlainObject(responses[each]));
  return status === undefined ? undefined : deref(description, responses[status]).node;
}

/** How names in `included` are joined (JSON:API); undefined if the response has none. */
function describeJoin(description: Description, root: ResolvedSchema, row: ResolvedSchema): string | undefined {
  const relationships = row.members.get('relationships')?.schema;
  const [name] = relationships === undefined ? [] : [...resolveSchema(description, relationships).members.keys()];
  if (!root.members.has('included') || name === undefined) return undefined;
  return `the names of related resources may be in included: shape: { join: { ${name}: { in: $.included, where: "@.id", equals: "@.relationships.${name}.data.id" } } } gives rows the member ${name}, such as "@.${name}.attributes.name"; where ids of several types are equal, write in: "$.included[?@.type=='TYPE']"`;
}

/** Drafts the `response` of one operation. */
export function draftResponse(
  description: Description,
  described: DescribedOperation,
  allWindowsAtOnce: boolean,
  draftNotes: DraftNotes,
): ResponseDraft {
  const { key } = described;
  const at = ['operations', key, 'response'];
  const wanted: readonly Field[] = operationOf(key).fields;
  const success = successOf(description, described);
  if (!success) {
    addUndecided(draftNotes, [...at, 'rows'], 'no 2xx response is described');
    return NO_RESPONSE;
  }
  const headers = Object.keys(objectAt(success, 'headers'));
  const jobHeader = wanted.includes('jobId') ? headers.find((name) => /job-?id$/i.test(name)) : undefined;
  const contents = Object.entries(objectAt(success, 'content'));
  const readable = contents.flatMap(([type, node]) => {
    const form = MEDIA_PATTERNS.find(([pattern]) => pattern.test(type));
    return form ? [{ type, node, media: form[1] }] : [];
  });
  const [chosen] = MEDIA_BY_PREFERENCE.flatMap((media) => readable.find((each) => each.media === media) ?? []);
  const template: Record<string, unknown> = {};
  const bindings: Record<string, unknown> = {};
  if (jobHeader !== undefined) {
    bindings.jobId = `$response.header.${jobHeader}`;
    note(draftNotes, [...at, 'fields', 'jobId'], 'likely', `the response header ${jobHeader}`);
  }
  if (!chosen) {
    const location = wanted.includes('jobId') && headers.find((name) => /^(content-)?location$/i.test(name));
    if (location && jobHeader === undefined)
      addUndecided(
        draftNotes,
        [...at, 'fields', 'jobId'],
        `the header ${location} may contain it in a URL; a function in a TypeScript profile can extract it`,
      );
    else if (wanted.length > 0 && jobHeader === undefined)
      addUndecided(
        draftNotes,
        [...at, 'rows'],
        `no readable body is described (${contents.map(([type]) => type).join(', ') || 'no content'})`,
      );
    return { ...NO_RESPONSE, headers, template: jobHeader === undefined ? {} : { fields: bindings } };
  }
  const { media, type, node } = chosen;
  const format: DescribedFormat = media === 'xml' ? 'xml' : 'json';
  const root = resolveSchema(description, schemaOf(media, type, node, description));
  const hasSeveralTypes = new Set(contents.map(([each]) => each)).size > 1;
  if (!hasSeveralTypes && type !== '*/*') {
    template.media = media;
    note(draftNotes, [...at, 'media'], 'stated', `the content type ${type}`);
  }
  const csv = media === 'csv' ? exampleFormOf(type, node) : undefined;
  if (csv) {
    template.csv = csv;
    note(draftNotes, [...at, 'csv'], 'likely', 'the lines of the example');
  }
  const rootSelector = rootOf(root, format);
  const examples = readExamples(description, media, type, node);
  const envelope =
    rootSelector === undefined
      ? []
      : withExamples(
          describedValues(description, root, rootSelector, format).filter(
            (describedValue) => describedValue.schema.type !== 'array',
          ),
          examples,
        );
  const base = {
    ...NO_RESPONSE,
    headers,
    envelope,
    resolvedSchema: root,
    schema: memberOf(node, 'schema'),
    ...(hasSeveralTypes && { accept: type }),
  };
  const lists = key.endsWith('/Metadata') ? nameLists(description, root, format) : undefined;
  if (lists) {
    for (const [field, selector] of Object.entries(lists)) {
      bindings[field] = selector;
      note(draftNotes, [...at, 'fields', field], 'likely', 'a separate list of names');
    }
    for (const field of wanted)
      if (!(field in lists))
        addUndecided(draftNotes, [...at, 'fields', field], 'no list is clearly the list of their names');
    return { ...base, template: { ...template, fields: bindings } };
  }
  const windows = allWindowsAtOnce ? windowLists(description, root, format) : undefined;
  const chosenRows = windows ? undefined : chooseRows(description, described, root, format, wanted, draftNotes);
  const place = windows?.place ?? chosenRows;
  if (!place) return { ...base, template: jobHeader === undefined ? template : { ...template, fields: bindings } };
  template.rows = windows?.rows ?? place.selector;
  note(draftNotes, [...at, 'rows'], chosenRows?.confidence ?? 'stated', chosenRows?.reason ?? 'one list per window');
  const isRoot = place.selector === rootSelector;
  const own = withExamples(
    rowValues(description, key, place, chosenRows?.isOnly ?? false, format),
    examples,
    place.selector,
  );
  const inRow = matchFields(wanted, key, own);
  // A name such as id outside the rows does not apply to rows: only the market and the as-of may occur once.
  const outside = wanted.filter((field) => (field === 'market' || field === 'asOf') && !inRow.has(field));
  const once = matchFields(isRoot ? [] : outside, key, envelope);
  const fields = new Map<Field, DescribedValue>();
  for (const field of wanted) {
    const found = inRow.get(field) ?? once.get(field);
    const bound = found && bindings[field] === undefined ? bindField(field, found, at, draftNotes) : undefined;
    if (!found || !bound) continue;
    bindings[field] = bound;
    if ('match' in found) fields.set(field, found.match.describedValue);
  }
  if (Object.keys(bindings).length > 0) template.fields = bindings;
  const unmatched = unmatchedNames(own, inRow);
  const joined = describeJoin(description, root, place.schema);
  if (joined !== undefined) addUndecided(draftNotes, [...at, 'shape'], joined);
  const missing = wanted.filter((field) => bindings[field] === undefined && !inRow.has(field) && !once.has(field));
  // Objects are open by default: only in closed objects a field that was not found is absent.
  const isClosed = root.closed && place.schema.closed && unmatched.length === 0;
  const unread = unmatched.length > 0 ? `; unread so far: ${quoteText(unmatched.join(', '), 160)}` : '';
  const omittable = missing.map((field) => `fields.${field}`).filter((part) => optionalParts(key).includes(part));
  const advice = omittable.length > 0 ? `; list absent parts in none: [${omittable.join(', ')}]` : '';
  if (!isClosed && missing.length > 0)
    addUndecided(
      draftNotes,
      [...at, 'fields'],
      `no described value is clearly ${missing.join(', ')}${unread}${advice}`,
    );
  return { ...base, template, fields, absent: isClosed ? missing : [] };
}
