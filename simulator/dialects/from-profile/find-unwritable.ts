/** Which parts of a profile are outside the subset that can be inverted: each by its key path, and why. */

import {
  type FIELDS,
  type Input,
  OPERATIONS,
  type Operation,
  PAGING_INPUTS,
  SALES_FILTERS,
} from '../../../src/contract/index.ts';
import { isImplemented } from '../../../src/profile/filled-openings.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import { fillTemplate, type InputValue, mentionedInputs } from '../../../src/profile/template.ts';
import { schemesOf, UNSUPPORTED_SCHEMES } from './check-credentials.ts';
import { findUnwritableBody } from './find-unwritable-body.ts';
import { type OperationCodec, selectorsOf } from './operation-codec.ts';
import { UnwritableError } from './serialize.ts';
import type { Unwritable } from './unwritable.ts';
import { matchedBy } from './value.ts';
import { writePathOf } from './write-path.ts';

/** What an owner of the profile must change, or cannot have simulated; empty when all of it can be spoken. */
export function findUnwritable(profile: Profile, parts: ReadonlyMap<string, OperationCodec>): Unwritable[] {
  const auth = schemesOf(profile.data).flatMap(({ scheme }) =>
    Object.hasOwn(UNSUPPORTED_SCHEMES, scheme)
      ? [{ key: 'auth', why: UNSUPPORTED_SCHEMES[scheme as keyof typeof UNSUPPORTED_SCHEMES] }]
      : [],
  );
  const operations = OPERATIONS.filter(({ key }) => isImplemented(profile, key)).flatMap((operation) => {
    const own = parts.get(operation.key) as OperationCodec;
    const at = `operations["${operation.key}"]`;
    const response = surveyResponse(profile, operation, own);
    return [...surveyRequest(own), ...response].map(({ key, why }) => ({ key: `${at}.${key}`, why }));
  });
  return [...auth, ...operations];
}

const text = new TextEncoder();

/** What a request may be sent without. */
const OPTIONAL: readonly Input[] = [...SALES_FILTERS, 'categoryId', ...PAGING_INPUTS];

/** A value as awkward as a name may be; numbers where a number is meant. */
const trialOf = (input: Input): InputValue =>
  input === 'window' ? 4 : ['page', 'offset', 'pageSize'].includes(input) ? 7 : `a ${input} "&' 1`;

/** Fills the template with and without what may be left out, and reads what comes of it. */
function surveyRequest({ request, read }: OperationCodec): Unwritable[] {
  const mentioned = [...mentionedInputs(request)];
  const outside: Unwritable[] = [];
  for (const [input, spelled] of Object.entries(request.spellings ?? {})) {
    const texts = Object.values(spelled ?? {}).map(String);
    const twice = texts.find((each, at) => texts.indexOf(each) !== at);
    if (twice !== undefined)
      outside.push({
        key: `request.spellings.${input}`,
        why: `“${twice}” spells two values, and would be read as the first`,
      });
  }
  const fails = (inputs: readonly Input[]): boolean => {
    const asked = Object.fromEntries(inputs.map((input) => [input, trialOf(input)]));
    const { query, headers, body } = fillTemplate(request, asked);
    const found = read({
      query: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: text.encode(body?.text ?? ''),
    });
    return inputs.some((input) => found?.[input] !== String(asked[input]));
  };
  const always = mentioned.filter((input) => !OPTIONAL.includes(input));
  const sometimes = mentioned.filter((input) => OPTIONAL.includes(input));
  const name = (inputs: readonly Input[]) => inputs.map((input) => `{${input}}`).join(', ');
  const wrong = [always, ...sometimes.map((input) => [...always, input]), mentioned].find(fails);
  if (wrong)
    outside.push({ key: 'request', why: `${name(wrong)} cannot be told from each other or from the text around them` });
  return outside;
}

function surveyResponse(profile: Profile, { key }: Operation, parts: OperationCodec): Unwritable[] {
  const response = profile.data.operations?.[key]?.response;
  if (!response) return [];
  const outside: Unwritable[] = selectorsOf(response).flatMap(([at, source]) => {
    if (at === 'fields.grain') return [];
    const place = writePathOf(source);
    if (typeof place === 'string') return [{ key: `response.${at}`, why: `${String(source)}: ${place}` }];
    const inHeader = at.startsWith('rows') && place.scope === 'header';
    return inHeader ? [{ key: `response.${at}`, why: 'rows stand in no header' }] : [];
  });
  const turn = response.paging?.style;
  if ((turn === 'page' || turn === 'offset' || turn === 'cursor') && !mentionedInputs(parts.request).has(turn))
    outside.push({
      key: 'response.paging',
      why: `no page but the first can be asked for: {${turn}} stands nowhere in the request`,
    });
  for (const [field, binding] of Object.entries(response.fields ?? {})) {
    if (binding?.match !== undefined && !matchedBy(field as keyof typeof FIELDS, binding.match, binding.as))
      outside.push({
        key: `response.fields.${field}.match`,
        why: `no text is known that “${binding.match}” cuts a value out of`,
      });
  }
  outside.push(...surveyWeeks(profile, response.fields ?? {}));
  if (outside.length > 0) return outside;
  const fields = Object.keys(response.fields ?? {}).filter((field) => field !== 'grain');
  try {
    return findUnwritableBody(parts, response.rows, fields, response.fields ?? {});
  } catch (error) {
    if (error instanceof UnwritableError) return [{ key: 'response', why: `as ${parts.media}: ${error.message}` }];
    throw error;
  }
}

/** A week is named by the day that ends it: only dates that end weeks on Sundays can be told so. */
function surveyWeeks({ data }: Profile, fields: NonNullable<Parameters<typeof Object.entries>[0]>): Unwritable[] {
  const week = data.dataWeek;
  return Object.entries(fields as Record<string, { as?: string }>).flatMap(([field, { as }]) => {
    if (as !== 'isoWeek') return [];
    const ends =
      week?.endsOn === 'sunday' && (field === 'asOf' || field === 'date' || week[field as 'activeOn'] === 'weekEnding');
    return ends || (field === 'date' && week?.refreshDate === undefined)
      ? []
      : [
          {
            key: `response.fields.${field}.as`,
            why: 'a day cannot be told by its week, unless dataWeek says that dates end weeks on Sundays',
          },
        ];
  });
}
