/** What a dialect knows of one operation: how to read its requests and how to write its answers. */
import type { Operation } from '../../../src/contract/index.ts';
import type { BodySchema } from '../../../src/profile/body-schema/types.ts';
import { type RequestReader, requestReader } from '../../../src/profile/read-back/request-reader.ts';
import type { Paging, Profile, RequestTemplate, ResponseProfile, Statuses } from '../../../src/profile/schema.ts';
import { statusesOf } from '../../../src/profile/statuses.ts';
import { mentionedInputs } from '../../../src/profile/template.ts';
import { type Composer, composerOf } from './compose-body.ts';
import type { ResponseMedia } from './value.ts';
import { type PlaceStep, writePathOf } from './write-path.ts';

export interface OperationCodec {
  readonly operation: Operation;
  readonly request: RequestTemplate;
  readonly read: RequestReader;
  /** Whether a delta needs to be told its window. */
  readonly needsWindow: boolean;
  readonly media: ResponseMedia;
  readonly delimiter: ',' | ';' | '|' | '\t';
  readonly paging: Paging | undefined;
  readonly statuses: Statuses;
  /** By status as written: what bodies must fit. */
  readonly schemas: ReadonlyMap<string, BodySchema>;
  /** One composer, or one for each window of a delta that is answered in one call. */
  readonly composers: readonly { readonly window: string; readonly composer: Composer }[];
}

/** Every selector of a response, with its key path within it. */
export function selectorsOf({ rows, fields = {}, paging }: ResponseProfile) {
  const inRows =
    typeof rows === 'object' ? Object.entries(rows).map(([window, at]) => [`rows["${window}"]`, at] as const) : [];
  return [
    ...(rows === undefined || typeof rows === 'object' ? inRows : [['rows', rows] as const]),
    ...Object.entries(fields).map(([field, { at }]) => [`fields.${field}`, at] as const),
    ...(paging && 'next' in paging ? [['paging.next', paging.next] as const] : []),
  ];
}

const stepsOf = (response: ResponseProfile) =>
  selectorsOf(response).flatMap(([, at]) => {
    const place = writePathOf(at);
    return typeof place === 'string' || place.scope === 'header' ? [] : [place.steps];
  });

const isXmlLeaf = (step: PlaceStep | undefined): boolean => typeof step === 'string' && /^(@.|#text$)/.test(step);

/** Attributes and texts stand in XML only. */
const namesXml = (response: ResponseProfile): boolean => stepsOf(response).some((steps) => steps.some(isXmlLeaf));

/** In XML names and places among the elements of that name take turns. */
const mayBeXml = (response: ResponseProfile): boolean =>
  stepsOf(response).some((steps) => steps.length > 0) &&
  stepsOf(response).every((steps) => {
    const elements = isXmlLeaf(steps.at(-1)) ? steps.slice(0, -1) : steps;
    return (
      elements.length % 2 === 0 && elements.every((step, index) => (index % 2 === 0) === (typeof step === 'string'))
    );
  });

/** What the profile says, or what its selectors look like: it may leave the media type to the service. */
function mediaOf(response: ResponseProfile, speaksXml: boolean): ResponseMedia {
  if (response.media) return response.media;
  if (response.csv) return 'csv';
  return speaksXml && mayBeXml(response) ? 'xml' : 'json';
}

export function codecOf(profile: Profile, operation: Operation): OperationCodec {
  const { operations = {} } = profile.data;
  const { request = {}, response = {} } = operations[operation.key] ?? {};
  const speaksXml = Object.values(operations).some(
    (each) => each?.response && !each.response.media && namesXml(each.response),
  );
  const media = mediaOf(response, speaksXml);
  const { rows, fields = {}, sample } = response;
  const composer = (at: typeof rows) =>
    composerOf({ media, rows: typeof at === 'object' ? undefined : at, fields, sample });
  return {
    operation,
    request,
    read: requestReader(request),
    needsWindow: mentionedInputs(request).has('window'),
    media,
    delimiter: response.csv?.delimiter ?? ',',
    paging: response.paging,
    statuses: statusesOf(profile.data, operation.key),
    schemas: profile.bodySchemas?.get(operation.key) ?? new Map(),
    composers:
      typeof rows === 'object'
        ? Object.entries(rows).map(([window, at]) => ({ window, composer: composer(at) }))
        : [{ window: '', composer: composer(rows) }],
  };
}
