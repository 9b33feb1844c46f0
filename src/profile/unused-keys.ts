/** Finds keys of a profile that no rule and no request reads: probably mistakes, but never accusations. */
import {
  ALL_PRODUCTS,
  echoedInputs,
  type Field,
  INPUT_NAMES,
  type Input,
  JOB_KINDS,
  JOB_STATUS,
  listOperations,
  OPERATIONS,
  type OpeningId,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  placeOfField,
  SALES_FIGURES,
} from '../contract/index.ts';
import { isPromised } from './auth-promises.ts';
import { closestWord } from './did-you-mean.ts';
import { isImplemented, operationsOfOneReload } from './filled-openings.ts';
import { startsIn } from './job-starts.ts';
import type { FieldBinding, OperationProfile, Profile } from './schema.ts';
import { compileSelector } from './selector.ts';
import { mentionedInputs } from './template.ts';

export interface UnusedKey {
  readonly path: readonly PropertyKey[];
  /** What is not read, and why, as a sentence about the location. */
  readonly why: string;
  /** The opening that remains unfilled because of it. */
  readonly opening?: OpeningId;
}

const LOOKUP: OperationKey = 'GET /PLATFORMAPI/prodRef/v1/products/{upc}';

/** A statement about the rows of a field that no rule reads. */
function inRowStatements(key: OperationKey, field: Field, { nullable }: FieldBinding): UnusedKey[] {
  const isFigure = (SALES_FIGURES as readonly Field[]).includes(field);
  if (!nullable || isFigure || !operationOf(key).demanded?.includes(field)) return [];
  const path = ['operations', key, 'response', 'fields', field, 'nullable'];
  return [{ path, why: `the document demands ${field}, so that a missing one is a failure` }];
}

function inFields(key: OperationKey, { response }: OperationProfile): UnusedKey[] {
  const hasRows = response?.rows !== undefined || ['ndjson', 'csv'].includes(response?.media ?? '');
  const fields = Object.entries(response?.fields ?? {}) as [Field, FieldBinding][];
  return fields.flatMap(([field, binding]): UnusedKey[] => {
    const { at } = binding;
    const path = ['operations', key, 'response', 'fields', field];
    const opening = `${operationOf(key).name}.fields.${field}` as OpeningId;
    const place = placeOfField(key, field);
    if (place === undefined) {
      const read = operationOf(key).fields.join(', ') || 'none';
      return [{ path, why: `no rule reads ${field} at this operation; fields that are read: ${read}` }];
    }
    const inRow = typeof at === 'string' && compileSelector(at).scope === 'row';
    if (inRow && !hasRows)
      return [{ path, opening, why: `“${at}” is a selector within a row, but response.rows is not declared` }];
    if (inRow && place === 'response')
      return [
        {
          path,
          opening,
          why: `“${at}” is a selector within a row, but the ${field} is read once per response: write $…`,
        },
      ];
    return inRowStatements(key, field, binding);
  });
}

/** Texts of a template with an unknown name in braces, with the input that was probably meant. */
function mistypedInputs(path: readonly PropertyKey[], part: unknown): UnusedKey[] {
  if (typeof part === 'string') {
    return [...part.replace(/\{\{|\}\}/g, '').matchAll(/\{([A-Za-z]+)\}/g)].flatMap(([, word = '']) => {
      if ((INPUT_NAMES as readonly string[]).includes(word)) return [];
      const closest = closestWord(word, INPUT_NAMES);
      if (closest === undefined) return [];
      return [
        {
          path,
          why: `{${word}} is not an input and is sent as written (did you mean {${closest}}?); literal braces are {{ }}`,
        },
      ];
    });
  }
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, each]) =>
    mistypedInputs([...path, Array.isArray(part) ? Number(name) : name], each),
  );
}

function inRequest(key: OperationKey, { request, response }: OperationProfile): UnusedKey[] {
  if (!request) return [];
  const path = ['operations', key, 'request'];
  const { spellings = {}, codes = {}, ...template } = request;
  const mentioned = mentionedInputs(request);
  const used: readonly string[] = [...operationOf(key).inputs, ...(response?.paging ? PAGING_INPUTS : [])];
  const pagingAdvice = (input: Input) =>
    (PAGING_INPUTS as readonly Input[]).includes(input) ? ': declare response.paging' : '';
  return [
    ...mistypedInputs(path, template),
    ...[...mentioned]
      .filter((input) => !used.includes(input))
      .map((input) => ({
        path,
        why: `{${input}} is never filled at this operation, so every member that mentions it is left out${pagingAdvice(input)}`,
      })),
    ...Object.entries({ spellings, codes }).flatMap(([part, inputs]) =>
      Object.keys(inputs)
        .filter((input) => !mentioned.has(input as Input) && !key.includes(`{${input}}`))
        .map((input) => ({ path: [...path, part, input], why: `the request does not mention {${input}}` })),
    ),
  ];
}

function inStatements(key: OperationKey, { request, response }: OperationProfile): UnusedKey[] {
  const path = ['operations', key, 'response'];
  const sent = request ? mentionedInputs(request) : new Set<Input>();
  const allowed = echoedInputs(key);
  const echoes = (Object.keys(response?.echoes ?? {}) as Input[]).flatMap((input): UnusedKey[] => {
    if (!allowed.includes(input))
      return [
        {
          path: [...path, 'echoes', input],
          why: `no rule compares ${input} here; inputs that are compared: ${allowed.join(', ') || 'none'}`,
        },
      ];
    return sent.has(input)
      ? []
      : [{ path: [...path, 'echoes', input], why: `the request does not mention {${input}}` }];
  });
  if (response?.counts === undefined || listOperations().includes(key)) return echoes;
  return [...echoes, { path: [...path, 'counts'], why: 'the response is no list' }];
}

function inOperation(profile: Profile, key: OperationKey, declared: OperationProfile): UnusedKey[] {
  if (!isImplemented(profile, key))
    return [
      { path: ['operations', key], why: 'implements does not claim this operation, so no request is sent to it' },
    ];
  const { response } = declared;
  return [
    ...inFields(key, declared),
    ...inRequest(key, declared),
    ...inStatements(key, declared),
    ...(response?.csv && response.media !== undefined && response.media !== 'csv'
      ? [{ path: ['operations', key, 'response', 'csv'], why: `response.media is ${response.media}, not csv` }]
      : []),
  ];
}

/** The tables of codes that an operation names. */
const tablesNamedBy = ({ request, response }: OperationProfile): string[] => [
  ...Object.values(request?.codes ?? {}),
  ...Object.values(response?.fields ?? {}).flatMap(({ code }) => code ?? []),
  ...Object.values(response?.echoes ?? {}).flatMap((echo) => ('code' in echo && echo.code) || []),
];

/** Finds every key of a profile that no rule and no request uses. */
export function findUnusedKeys(profile: Profile): UnusedKey[] {
  const { examples = {}, operations = {}, statuses, jobs, codes = {}, ...data } = profile.data;
  const claimed = OPERATIONS.map(({ key }) => key).filter((key) => isImplemented(profile, key));
  const mentioned = new Set<string>(
    claimed.flatMap((key) => [
      ...(key.includes('{upc}') ? ['upc'] : []),
      ...(operations[key]?.request ? mentionedInputs(operations[key].request) : []),
    ]),
  );
  const unusedUnless = (isRead: boolean, path: readonly PropertyKey[], why: string): UnusedKey[] =>
    isRead ? [] : [{ path, why }];
  const looksUp = claimed.includes(LOOKUP);
  const namedTables = new Set(claimed.flatMap((key) => tablesNamedBy(operations[key] ?? {})));
  return [
    ...(Object.entries(operations) as [OperationKey, OperationProfile][]).flatMap(([key, declared]) =>
      inOperation(profile, key, declared),
    ),
    ...Object.keys(examples.unknown ?? {}).flatMap((input) =>
      unusedUnless(
        claimed.some((key) => {
          const { request, statuses: own } = operations[key] ?? {};
          return own?.unknown && request && mentionedInputs(request).has(input as Input);
        }),
        ['examples', 'unknown', input],
        `no request with {${input}} has statuses.unknown of its own`,
      ),
    ),
    ...Object.keys(examples)
      .filter((key) => key !== 'byCatalogue' && key !== 'unknown')
      .flatMap((input) =>
        unusedUnless(
          mentioned.has(input),
          ['examples', input],
          `no request of a claimed operation mentions {${input}}`,
        ),
      ),
    ...unusedUnless(
      statuses?.missing === undefined,
      ['statuses', 'missing'],
      'it is read at an operation only: operations["…"].statuses.missing',
    ),
    ...unusedUnless(data.unknownUpc === undefined || looksUp, ['unknownUpc'], `${LOOKUP} is not claimed`),
    ...JOB_KINDS.flatMap((kind) => {
      const job = jobs?.[kind];
      if (!job) return [];
      return [
        ...unusedUnless(claimed.includes(JOB_STATUS[kind]), ['jobs', kind], `${JOB_STATUS[kind]} is not claimed`),
        ...startsIn(job.start).flatMap(({ operation, request, path }) => [
          ...unusedUnless(
            job.example !== undefined || operations[operation]?.response?.fields?.jobId !== undefined,
            ['jobs', kind, ...path],
            `the location of the job id is missing: bind response.fields.jobId of ${operation}`,
          ),
          ...mistypedInputs(['jobs', kind, ...path, 'request'], { ...request, spellings: undefined }),
        ]),
      ];
    }),
    ...(['listed', 'firstActiveBefore'] as const).flatMap((promise) =>
      (data.products?.[promise] || []).flatMap((field, at) =>
        unusedUnless(
          operations[ALL_PRODUCTS]?.response?.fields?.[field] !== undefined,
          ['products', promise, at],
          `${ALL_PRODUCTS} does not bind response.fields.${field}`,
        ),
      ),
    ),
    ...unusedUnless(
      !data.dataWeek?.oneReload || operationsOfOneReload(profile).length > 1,
      ['dataWeek', 'oneReload'],
      'fewer than two of its operations bind response.fields.asOf',
    ),
    ...Object.keys(codes).flatMap((name) =>
      unusedUnless(
        namedTables.has(name),
        ['codes', name],
        'no field, echo or input of a claimed operation names this table with `code` or `codes`',
      ),
    ),
    ...(data.authExcept ?? []).flatMap((key, at) =>
      unusedUnless(claimed.includes(key), ['authExcept', at], `${key} is not claimed`),
    ),
    ...unusedUnless(
      data.authFor?.limited === undefined || claimed.some((key) => isPromised(data, 'authLimited', key)),
      ['authFor', 'limited'],
      '`authLimited` names no claimed operation that refuses these credentials',
    ),
  ];
}
