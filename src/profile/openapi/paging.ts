/** Determines the paging of a described list from its parameters and the next-page members of its response. */
import { type Input, PAGING_INPUTS } from '../../contract/index.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { constantOf } from './constants.ts';
import type { DescribedValue } from './described-values.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import { joinWords } from './name-words.ts';
import type { Parameter } from './parameters.ts';
import type { ResponseDraft } from './responses.ts';

const NEXT_URL = /^(odata)?next(link|url|uri|href|page(url|link|uri|href)?)?$|^links?next(href)?$|^nexthref$/;
const NEXT_CURSOR =
  /^(page|paging|pagination|meta)?(next(cursor|token|page(token|cursor)|marker|after)|cursor(s)?(next|after)|(end)?cursor|continuation(token)?)$/;

const isUrl = ({ schema, names }: DescribedValue): boolean =>
  schema.format?.startsWith('uri') === true ||
  /link|url|uri|href/i.test(names.slice(-2).join('')) ||
  schema.examples.some((each) => typeof each === 'string' && /^(https?:\/\/|\/)/.test(each));

const nameOf = ({ names }: DescribedValue): string => joinWords(names.slice(-2).join(' '));
const lastOf = ({ names }: DescribedValue): string => joinWords(names.at(-1) ?? '');

/** The number of the first page, if the description states it. */
function firstPage({ schema, description, examples }: Parameter): number | undefined {
  for (const first of [schema.defaultValue, schema.minimum]) if (first === 0 || first === 1) return first;
  if (/\b(0|zero)[- ](based|indexed)\b|\b(start(s|ing)?|begin(s|ning)?|first)\b.{0,20}\b(0|zero)\b/i.test(description))
    return 0;
  if (/\b(1|one)[- ](based|indexed)\b|\b(start(s|ing)?|begin(s|ning)?|first)\b.{0,20}\b(1|one)\b/i.test(description))
    return 1;
  return examples.includes(0) ? 0 : undefined;
}

function sizeOf(parameter: Parameter | undefined): number | undefined {
  if (!parameter) return undefined;
  const { schema, examples } = parameter;
  const listed = schema.enumValues.map(({ value }) => value).filter((each) => typeof each === 'number');
  const size = [schema.maximum, Math.max(...listed), schema.defaultValue, ...examples].find(
    (each): each is number => typeof each === 'number' && Number.isInteger(each) && each > 0,
  );
  return size;
}

/** How an operation pages its list. */
export interface PagingDraft {
  readonly paging?: PlainObject;
  readonly sentInputs: readonly Input[];
  /** Whether the list has pages, and the description does not say how to get them all. */
  readonly isOpen?: boolean;
}

/** Returns the paging of an operation and the inputs it sends; other paging parameters are never sent. */
export function draftPaging(
  key: string,
  parametersByInput: ReadonlyMap<Input, Parameter>,
  responseDraft: ResponseDraft,
  draftNotes: DraftNotes,
): PagingDraft {
  const at = ['operations', key, 'response', 'paging'];
  const nexts = responseDraft.envelope.filter(
    (describedValue) => describedValue.schema.type === undefined || describedValue.schema.type === 'string',
  );
  const url = nexts.find(
    (describedValue) =>
      (NEXT_URL.test(lastOf(describedValue)) || NEXT_URL.test(nameOf(describedValue))) && isUrl(describedValue),
  );
  if (url) {
    note(draftNotes, at, 'likely', `the URL of the next page at ${url.names.join('.')}`);
    return { paging: { style: 'next', next: url.selector }, sentInputs: [] };
  }
  if (responseDraft.headers.some((name) => /^link$/i.test(name))) {
    note(draftNotes, at, 'likely', 'the response header Link');
    return { paging: { style: 'link' }, sentInputs: [] };
  }
  const cursor = parametersByInput.get('cursor');
  const token = nexts.find(
    (describedValue) =>
      NEXT_CURSOR.test(lastOf(describedValue)) ||
      NEXT_CURSOR.test(nameOf(describedValue)) ||
      lastOf(describedValue) === 'next',
  );
  if (cursor && token) {
    note(draftNotes, at, 'likely', `the token at ${token.names.join('.')}, sent as ${cursor.name}`);
    return { paging: { style: 'cursor', next: token.selector }, sentInputs: ['cursor'] };
  }
  const size = sizeOf(parametersByInput.get('pageSize'));
  const withSize: readonly Input[] = size === undefined ? [] : ['pageSize'];
  const page = parametersByInput.get('page');
  if (page) {
    const first = firstPage(page);
    if (first === undefined) {
      addUndecided(draftNotes, at, `paging uses ${page.name}, but the number of the first page (0 or 1) is unknown`);
      return { sentInputs: [], isOpen: true };
    }
    note(
      draftNotes,
      at,
      'likely',
      `the parameter ${page.name}, whose first page is ${first}${size === undefined ? '' : `, ${size} rows a page`}`,
    );
    return { paging: { style: 'page', first, ...(size !== undefined && { size }) }, sentInputs: ['page', ...withSize] };
  }
  const offset = parametersByInput.get('offset');
  if (offset) {
    if (size === undefined) {
      addUndecided(draftNotes, at, `paging uses ${offset.name}, but the page size is unknown`);
      return { sentInputs: [], isOpen: true };
    }
    note(draftNotes, at, 'likely', `the parameter ${offset.name}, ${size} rows a page`);
    return { paging: { style: 'offset', size }, sentInputs: ['offset', ...withSize] };
  }
  if (cursor)
    addUndecided(
      draftNotes,
      at,
      `paging uses ${cursor.name}, but the location of the next cursor in the response is unclear`,
    );
  else if (parametersByInput.has('pageSize'))
    addUndecided(draftNotes, at, 'a page size is described, but not how to request the next page');
  return { sentInputs: [], isOpen: cursor !== undefined || parametersByInput.has('pageSize') };
}

/**
 * Leaves the rows open of which a run would read one page only: it would take that page for the whole list, and report what
 * the other pages contain as missing.
 */
export function withoutSinglePage(
  key: string,
  template: PlainObject,
  { isOpen }: PagingDraft,
  draftNotes: DraftNotes,
): PlainObject {
  const { rows, fields, ...rest } = template;
  if (!isOpen || rows === undefined) return template;
  const lines = JSON.stringify({ rows, ...(fields !== undefined && { fields }) });
  addUndecided(
    draftNotes,
    ['operations', key, 'response', 'rows'],
    `the response is one page of a list: with response.paging, add ${lines.slice(1, -1)}`,
  );
  return rest;
}

/**
 * Removes the paging inputs that the paging does not send from a request: a required one becomes a constant. Undefined,
 * and the request is left open, if there is no constant.
 */
export function resolvePaging(
  key: string,
  template: PlainObject,
  parametersByInput: ReadonlyMap<Input, Parameter>,
  sentInputs: readonly Input[],
  draftNotes: DraftNotes,
): PlainObject | undefined {
  let missing: string | undefined;
  const replaceUnsent = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(replaceUnsent).filter((each) => each !== undefined);
    if (isPlainObject(node))
      return Object.fromEntries(
        Object.entries(node).flatMap(([name, each]) => {
          const value = replaceUnsent(each);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    const input = PAGING_INPUTS.find((each) => node === `{${each}}`);
    if (!input || sentInputs.includes(input)) return node;
    const parameter = parametersByInput.get(input);
    if (!parameter?.required) return undefined;
    const size = input === 'pageSize' ? sizeOf(parameter) : undefined;
    const value = size ?? constantOf(parameter.name, parameter.examples, parameter.schema)?.value;
    if (value === undefined) missing = parameter.name;
    else
      note(
        draftNotes,
        ['operations', key, 'request', 'query', parameter.name],
        'stated',
        'required, but not used by paging',
      );
    return value;
  };
  const resolvedTemplate = Object.fromEntries(
    Object.entries(template).flatMap(([part, each]) => {
      const value = part === 'spellings' ? each : replaceUnsent(each);
      const isEmpty =
        isPlainObject(value) && Object.keys(value).length === 0 && (part === 'query' || part === 'headers');
      return value === undefined || isEmpty ? [] : [[part, value]];
    }),
  );
  if (missing === undefined) return resolvedTemplate;
  addUndecided(
    draftNotes,
    ['operations', key, 'request'],
    `a valid request needs ${missing}, which has no value to send`,
  );
  return undefined;
}
