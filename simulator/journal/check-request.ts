/** Finds mistakes of a client in a request that the dialect can read. */
import type { Input } from '../../src/contract/index.ts';
import { closestWord } from '../../src/profile/did-you-mean.ts';
import { memberNames } from '../../src/profile/plain-object.ts';
import type { Dialect, DialectRequest, ExpectedBody } from '../dialects/types.ts';
import { lengthOf, rowsOfAnswer } from '../model/page.ts';
import type { ModelAnswer, Query } from '../model/types.ts';
import { listedNames, type World } from '../model/world.ts';
import type { RequestProblem } from './request-problem.ts';
import type { TrackedQuery } from './tracked-query.ts';

/** Parameters that clients and proxies add for caches, statistics and traces: they mean nothing to a service. */
const INCIDENTAL =
  /^(?:_+|t|ts|v|cb|rnd|rand|random|timestamp|no_?cache|cache_?buster|utm_\w+|gclid|fbclid|msclkid|(?:x[-_])?(?:trace|request|correlation|span|session|client)[-_]?id|traceparent)$/i;

/** An abbreviation, or a word that was abbreviated: `cat` for `category`. `categoryPath` begins another word. */
const isAbbreviation = (short: string, long: string): boolean =>
  short.length >= 3 &&
  long.length > short.length &&
  long.toLowerCase().startsWith(short.toLowerCase()) &&
  /^[a-z]/.test(long.slice(short.length));

/** More differing letters are another word: `categoryPath` and `categoryId`. */
const MAX_TYPOS = 2;

/** The name that is probably meant. Names of fewer than three letters have too many neighbours. */
function meantName(name: string, declared: readonly string[]): string | undefined {
  if (INCIDENTAL.test(name)) return undefined;
  const long = declared.filter((each) => each.length >= 3);
  const close = name.length < 3 ? undefined : closestWord(name, long, MAX_TYPOS);
  return (
    declared.find((each) => each.toLowerCase() === name.toLowerCase()) ??
    close ??
    long.find((each) => isAbbreviation(name, each) || isAbbreviation(each, name))
  );
}

/** The names in one part of a request, such as the query. */
interface PartNames {
  readonly part: 'the query' | 'the body';
  readonly sent: readonly string[];
  readonly declared: readonly string[];
}

/**
 * Returns a problem for each name that is not declared: a mistake if a declared name that is not sent is probably meant, else
 * a note, since clients may send more than a service reads.
 */
function checkNames({ part, sent, declared }: PartNames): RequestProblem[] {
  const absent = declared.filter((each) => !sent.includes(each));
  return [...new Set(sent)]
    .filter((name) => !declared.includes(name))
    .map((name): RequestProblem => {
      const meant = meantName(name, absent);
      const shown = JSON.stringify(name.slice(0, 60));
      return meant === undefined
        ? { code: 'unknown-parameter', severity: 'note', detail: `${shown} in ${part} is no parameter and is ignored` }
        : {
            code: 'unknown-parameter',
            severity: 'mistake',
            detail: `${shown} in ${part} is no parameter and is ignored (did you mean “${meant}”?)`,
          };
    });
}

const MEDIA_TYPES: Readonly<Record<ExpectedBody['type'], RegExp>> = {
  json: /^application\/(?:[\w.-]+\+)?json$/,
  form: /^application\/x-www-form-urlencoded$/,
  multipart: /^multipart\/form-data$/,
  xml: /^(?:application|text)\/(?:[\w.-]+\+)?xml$/,
};
const MEDIA_NAMES: Readonly<Record<ExpectedBody['type'], string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  xml: 'application/xml',
};

/** A body of another media type than the dialect reads; one without Content-Type says nothing wrong. */
function checkMediaType({ headers, body }: DialectRequest, { type }: ExpectedBody): RequestProblem[] {
  const [sent = ''] = (headers['content-type'] ?? '').split(';', 1);
  const mediaType = sent.trim().toLowerCase();
  if (body.length === 0 || MEDIA_TYPES[type].test(mediaType)) return [];
  const detail =
    mediaType === ''
      ? `the body has no Content-Type; ${MEDIA_NAMES[type]} is expected`
      : `the Content-Type of the body is ${MEDIA_NAMES[type]}, not ${JSON.stringify(mediaType.slice(0, 60))}`;
  return [{ code: 'media-type', severity: mediaType === '' ? 'note' : 'mistake', detail }];
}

/** A parameter of which one value is read, sent with several: which one a service reads is open. */
function checkSingle(query: TrackedQuery, names: readonly string[]): RequestProblem[] {
  const sent = [...query];
  return [...new Set([...query.single, ...names])].flatMap((name): RequestProblem[] => {
    const values = new Set(sent.flatMap(([each, value]) => (each === name ? [value] : [])));
    if (values.size < 2) return [];
    const detail = `${JSON.stringify(name.slice(0, 60))} in the query has ${values.size} different values, and one is read`;
    return [{ code: 'repeated-parameter', severity: 'mistake', detail }];
  });
}

const WORDS = {
  category: 'category',
  categoryId: 'category id',
  subCategory: 'sub-category',
  manufacturer: 'manufacturer',
  brand: 'brand',
} as const satisfies Partial<Record<Input, string>>;

/** A filter for a name that no list contains. It may be an old one, so that only a near name makes it a mistake. */
function checkFilters(query: Query, world: World): RequestProblem[] {
  const inputs = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((input) => query[input] !== undefined);
  if (inputs.length === 0) return [];
  const names = listedNames(world);
  return inputs.flatMap((input): RequestProblem[] => {
    const value = String(query[input]);
    const known = [...new Set(names[input])];
    if (known.includes(value)) return [];
    const meant = closestWord(value, known, 2);
    return [
      {
        code: 'unknown-name',
        severity: meant === undefined ? 'note' : 'mistake',
        input,
        detail: `there is no ${WORDS[input]} ${JSON.stringify(value.slice(0, 60))}${meant === undefined ? '' : ` (did you mean “${meant}”?)`}`,
      },
    ];
  });
}

/** A page that is not even the one after the last: a client that reads until a page is empty requests that one. */
function checkPage(answer: ModelAnswer, { offset = 0, limit = 0 }: Pick<Query, 'offset' | 'limit'>): RequestProblem[] {
  const rows = offset > 0 && limit > 0 ? rowsOfAnswer(answer) : undefined;
  if (!rows) return [];
  const total = lengthOf(rows);
  if (offset < total + limit) return [];
  return [
    { code: 'beyond-end', severity: 'note', detail: `the page begins at row ${offset + 1} of a list of ${total} rows` },
  ];
}

/** The names of members at any depth, or of the fields of a form. */
function sentNames({ body }: DialectRequest, { type }: ExpectedBody): string[] {
  const text = new TextDecoder().decode(body);
  if (type === 'form') return [...new URLSearchParams(text).keys()];
  if (type !== 'json' || text.trim() === '') return [];
  try {
    return memberNames(JSON.parse(text));
  } catch {
    return [];
  }
}

/** What is known of a request beside its text. */
interface Understood {
  readonly dialect: Dialect;
  readonly world: World;
  /** Absent if the dialect or the world rejects the request. */
  readonly query?: Query;
  readonly answer?: ModelAnswer;
}

/** The mistakes in the names of a request, and its other ones if it was read; mistakes precede notes. */
export function checkRequest(
  request: DialectRequest & { readonly query: TrackedQuery },
  { dialect, world, query, answer }: Understood,
): RequestProblem[] {
  const { operation } = request;
  const { queryNames, singleNames = [], body } = (operation && dialect.expects?.(operation)) ?? {};
  if (queryNames === null) return [];
  const problems = [
    ...checkNames({
      part: 'the query',
      sent: [...request.query.keys()],
      declared: [...request.query.asked, ...(queryNames ?? [])],
    }),
    ...checkSingle(request.query, singleNames),
    ...(body?.names ? checkNames({ part: 'the body', sent: sentNames(request, body), declared: body.names }) : []),
    ...(body ? checkMediaType(request, body) : []),
    ...(query ? checkFilters(query, world) : []),
    ...(query && answer ? checkPage(answer, query) : []),
  ];
  return problems.toSorted((one, other) => Number(one.severity === 'note') - Number(other.severity === 'note'));
}
