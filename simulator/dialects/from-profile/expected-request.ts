/** What a profile says that a request of an operation contains. */
import type { Input, Operation } from '../../../src/contract/index.ts';
import { placesOf } from '../../../src/profile/auth-schemes.ts';
import { memberNames } from '../../../src/profile/plain-object.ts';
import type { Profile, RequestTemplate } from '../../../src/profile/schema.ts';
import { inputsIn } from '../../../src/profile/template.ts';
import type { ExpectedBody, ExpectedRequest } from '../types.ts';
import { schemesOf } from './check-credentials.ts';
import { OFFSET_PARAMETER } from './paging.ts';

const mentionsInput = (value: unknown): boolean => inputsIn(JSON.stringify(value) ?? '').length > 0;

/** The type of the body, and its names: those of a body without inputs are examples. */
function bodyOf({ json, form, multipart, xml, raw }: RequestTemplate): ExpectedBody | undefined {
  if (json !== undefined) return { type: 'json', ...(mentionsInput(json) && { names: memberNames(json) }) };
  if (form) return { type: 'form', ...(mentionsInput(form) && { names: Object.keys(form) }) };
  if (multipart) return { type: 'multipart' };
  return xml !== undefined || /\bxml\b/.test(raw?.type ?? '') ? { type: 'xml' } : undefined;
}

/** The members whose value mentions an input, at any depth. */
function placesIn(node: unknown, part: string): [Input, { readonly name: string; readonly part: string }][] {
  if (Array.isArray(node)) return node.flatMap((each) => placesIn(each, part));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    const texts = [value].flat().filter((each) => typeof each === 'string');
    const own = texts
      .flatMap(inputsIn)
      .map((input): [Input, { name: string; part: string }] => [input, { name, part }]);
    return own.length > 0 ? own : placesIn(value, part);
  });
}

/** Returns what a request contains; any query parameters if the profile does not describe the request. */
export function expectedRequest({ data }: Profile, { key }: Operation): ExpectedRequest {
  const request = data.operations?.[key]?.request;
  if (!request) return { queryNames: null };
  const credentials = schemesOf(data, key).flatMap((scheme) => placesOf(scheme).query);
  const body = bodyOf(request);
  return {
    queryNames: [...Object.keys(request.query ?? {}), ...credentials, OFFSET_PARAMETER],
    singleNames: Object.entries(request.query ?? {}).flatMap(([name, value]) => (Array.isArray(value) ? [] : [name])),
    ...(body && { body }),
    places: Object.fromEntries([
      ...placesIn(request.json ?? request.form ?? {}, `in the ${request.json === undefined ? 'form' : 'JSON body'}`),
      ...placesIn(request.headers ?? {}, 'in the headers'),
      ...placesIn(request.query ?? {}, 'in the query'),
    ]),
  };
}
