/** Reads the requests and writes the responses of one operation. */
import {
  ALL_PRODUCTS,
  type Field,
  type Operation,
  operationOf,
  PRODUCT_LOOKUP,
  UPDATE_PRODUCTS,
} from '../../../src/contract/index.ts';
import type { BodySchema } from '../../../src/profile/body-schema/types.ts';
import { type RequestReader, requestReader } from '../../../src/profile/read-back/request-reader.ts';
import type {
  Profile,
  ProfileData,
  RefusalCondition,
  RequestTemplate,
  ResponseProfile,
  RowShape,
  Statuses,
} from '../../../src/profile/schema.ts';
import type { SelectorSource } from '../../../src/profile/selector.ts';
import { refusalsOf, statusesOf } from '../../../src/profile/statuses.ts';
import { mentionedInputs } from '../../../src/profile/template.ts';
import type { Characteristic } from '../../model/types.ts';
import { decodedQuery, listedCodeBindings, writtenEchoes, writtenFields } from './code-fields.ts';
import { type Composer, composerOf, windowSelectors } from './compose-body.ts';
import { characteristicPlaces, fieldsAmongCharacteristics } from './lists.ts';
import type { NeutralRow, ResponseMedia, WrittenBinding } from './value.ts';
import { bodyStepsOf, isXmlLeaf } from './write-path.ts';

export interface OperationCodec {
  readonly profile: ProfileData;
  readonly operation: Operation;
  readonly request: RequestTemplate;
  readonly read: RequestReader;
  /** Whether a delta request must state its window. */
  readonly needsWindow: boolean;
  readonly media: ResponseMedia;
  readonly response: ResponseProfile;
  readonly echoes: ReturnType<typeof writtenEchoes>;
  /** The characteristics of a product that lists show in the places of other fields; the look-up shows them, too. */
  readonly characteristicsOfLists: (row: NeutralRow) => Characteristic[];
  readonly statuses: Statuses;
  /** The conditions under which a 2xx response is a refusal. */
  readonly refusals: readonly RefusalCondition[];
  /** The schemas of bodies, by the status key of the profile. */
  readonly schemas: ReadonlyMap<string, BodySchema>;
  /** One composer, or one per window of a delta response with several windows. */
  readonly composers: readonly { readonly window: string; readonly composer: Composer }[];
}

/** The selectors of a shape. */
const shapeSelectors = ({ text, columns, cube, pivot, join = {} }: RowShape = {}): SelectorSource[] => [
  ...(text?.rows === undefined ? [] : [text.rows]),
  ...(columns === undefined || columns === 'first' ? [] : [columns]),
  ...Object.values(cube?.axes ?? {}),
  ...(pivot ? [...pivot.by, pivot.key, pivot.value] : []),
  ...Object.values(join).flatMap(({ in: list, where, equals }) => [
    list,
    equals,
    ...(where === undefined ? [] : [where]),
  ]),
];

/** Every selector of a response, with its key path within it. */
export function selectorsOf({ rows, shape, fields = {}, paging, counts = [], echoes = {} }: ResponseProfile) {
  const inRows =
    typeof rows === 'object' ? Object.entries(rows).map(([window, at]) => [`rows["${window}"]`, at] as const) : [];
  return [
    ...(rows === undefined || typeof rows === 'object' ? inRows : [['rows', rows] as const]),
    ...Object.entries(fields).flatMap(([field, { at, append = [], decimals }]) =>
      [at, ...append, ...(decimals === undefined || typeof decimals === 'number' ? [] : [decimals])].map(
        (each) => [`fields.${field}`, each] as const,
      ),
    ),
    ...shapeSelectors(shape).map((at) => ['shape', at] as const),
    ...counts.flatMap(({ at }, index) => windowSelectors(at).map((each) => [`counts[${index}].at`, each] as const)),
    ...Object.entries(echoes).map(([input, { at }]) => [`echoes.${input}`, at] as const),
    ...(paging && 'next' in paging ? [['paging.next', paging.next] as const] : []),
  ];
}

const stepsOf = (response: ResponseProfile) => selectorsOf(response).map(([, at]) => bodyStepsOf(at));

/** Only XML has attributes and text nodes. */
const namesXml = (response: ResponseProfile): boolean => stepsOf(response).some((steps) => steps.some(isXmlLeaf));

/** In XML paths, names alternate with indexes among the elements of that name. */
const mayBeXml = (response: ResponseProfile): boolean =>
  stepsOf(response).some((steps) => steps.length > 0) &&
  stepsOf(response).every((steps) => {
    const elements = isXmlLeaf(steps.at(-1)) ? steps.slice(0, -1) : steps;
    return (
      elements.length % 2 === 0 && elements.every((step, index) => (index % 2 === 0) === (typeof step === 'string'))
    );
  });

/** The media type that the profile states, or else the one that its selectors suggest. */
function mediaOf(response: ResponseProfile, usesXml: boolean): ResponseMedia {
  if (response.media) return response.media;
  if (response.csv) return 'csv';
  return usesXml && mayBeXml(response) ? 'xml' : 'json';
}

/** The values that a look-up has to show, since lists show them among the characteristics. */
function characteristicsOfLists(profile: Profile, { key }: Operation): OperationCodec['characteristicsOfLists'] {
  if (key !== PRODUCT_LOOKUP) return () => [];
  const written = ([ALL_PRODUCTS, UPDATE_PRODUCTS] as const).flatMap((list) => {
    const { composers, response } = codecOf(profile, operationOf(list));
    return fieldsAmongCharacteristics(response.fields ?? {}).map((field) => ({
      field,
      composer: composers[0]?.composer,
    }));
  });
  return (row) => {
    const values = written.map(({ field, composer }) => ({ name: field, value: composer?.wireOf(field, row[field]) }));
    return values.flatMap(({ name, value }) => (typeof value === 'string' && value !== '' ? [{ name, value }] : []));
  };
}

/** Prepares the codec of an operation of a profile. */
export function codecOf(profile: Profile, operation: Operation): OperationCodec {
  const { operations = {} } = profile.data;
  const { request = {}, response = {} } = operations[operation.key] ?? {};
  const usesXml = Object.values(operations).some(
    (each) => each?.response && !each.response.media && namesXml(each.response),
  );
  const media = mediaOf(response, usesXml);
  const { rows } = response;
  const written = Object.entries(writtenFields(profile.data, response.fields ?? {})) as [Field, WrittenBinding][];
  const fields = [...written, ...listedCodeBindings(profile.data, operation.key)];
  const format = { media, response, fields, places: characteristicPlaces(profile.data) };
  const readInputs = requestReader(request);
  return {
    profile: profile.data,
    operation,
    request,
    read(sent) {
      const inputs = readInputs(sent);
      return inputs && decodedQuery(profile.data, request, inputs);
    },
    needsWindow: mentionedInputs(request).has('window'),
    media,
    response,
    echoes: writtenEchoes(profile.data, response.echoes ?? {}),
    characteristicsOfLists: characteristicsOfLists(profile, operation),
    statuses: statusesOf(profile.data, operation.key),
    refusals: refusalsOf(profile.data, operation.key),
    schemas: profile.bodySchemas?.get(operation.key) ?? new Map(),
    composers:
      typeof rows === 'object'
        ? Object.entries(rows).map(([window, at]) => ({ window, composer: composerOf(at, format) }))
        : [{ window: '', composer: composerOf(rows, format) }],
  };
}
