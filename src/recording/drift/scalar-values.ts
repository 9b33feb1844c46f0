/** Values of a response outside of its lists: job ids, cursors, links to the next page. */
import type { ResponseHead } from '../../exchange/types.ts';
import { type RecordedBody, readShape, storedBody } from './read-shape.ts';
import type { RecordedSequence } from './recorded-requests.ts';
import { Shape } from './shape.ts';

/** By place: `$.next`, `header location`, `header location last` for the end of its path, `link next`. */
export type ScalarValues = ReadonlyMap<string, string>;

/** Further values are treated as data. */
const MAX_VALUES = 500;
const MAX_VALUE_LENGTH = 2000;

const LINK = /<([^<>]*)>\s*;[^,]*?\brel\s*=\s*"?([\w -]+)"?/g;

function fromHead({ headers }: ResponseHead, values: Map<string, string>): void {
  for (const [given, value] of headers) {
    const name = given.toLowerCase();
    if (value.length > MAX_VALUE_LENGTH || values.has(`header ${name}`)) continue;
    values.set(`header ${name}`, value);
    if (name === 'link')
      for (const [, target = '', rel = ''] of value.matchAll(LINK)) values.set(`link ${rel.trim()}`, target);
    if (name === 'location' || name === 'content-location') addUrlParts(`header ${name}`, value, values);
  }
}

/** Adds the last path segment and the parameters of a URL. */
function addUrlParts(place: string, address: string, values: Map<string, string>): void {
  const [path = '', query = ''] = address.split('#', 1)[0]?.split('?') ?? [];
  const last = path.split('/').filter(Boolean).at(-1);
  if (last !== undefined) values.set(`${place} last`, last);
  for (const [name, value] of new URLSearchParams(query)) values.set(`${place} ?${name}`, value);
}

/** The maximum length of a text that is searched for ids. */
const MAX_SENTENCE_LENGTH = 200;

/** Words of a sentence that may be ids. */
const words = (text: string): string[] => text.split(/[\s"'(),;]+/).filter((word) => /\d/.test(word));

const isAddress = (value: string): boolean => /^(?:https?:\/\/|\/)[^\s]+$/.test(value);

/** Reads the values of a response outside of its lists. */
export async function scalarValuesOf(
  head: ResponseHead,
  body: Omit<RecordedBody, 'head' | 'onScalar'> | undefined,
): Promise<ScalarValues> {
  const values = new Map<string, string>();
  fromHead(head, values);
  if (!body) return values;
  const onScalar = (place: string, given: string): void => {
    const value = given.trim();
    if (values.size >= MAX_VALUES || value.length > MAX_VALUE_LENGTH || value === '') return;
    values.set(place, value);
    if (isAddress(value)) addUrlParts(place, value, values);
    if (place !== '$' || value.length > MAX_SENTENCE_LENGTH) return;
    for (const [at, word] of words(value).entries()) values.set(`$ word ${at}`, word);
  };
  await readShape({ ...body, head, onScalar }, new Shape());
  return values;
}

/** The values outside of lists in each response of a sequence. @param folder of the recording */
export const sequenceValuesOf = ({ exchanges }: RecordedSequence, folder: string): Promise<ScalarValues[]> =>
  Promise.all(
    exchanges.map(async ({ response }): Promise<ScalarValues> => {
      if (!response) return new Map();
      return scalarValuesOf(response, response.body && { body: storedBody(folder, response.body) });
    }),
  );
