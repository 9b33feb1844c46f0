/** Checks the requests that a profile declares against HTTP syntax before anything is sent. */
import { INPUT_NAMES, type Input } from '../contract/index.ts';
import { schemeRow, schemesIn } from './auth-schemes.ts';
import { headerNameProblem, headerValueProblem, textProblem } from './http-text.ts';
import { startsIn } from './job-starts.ts';
import type { ProfileData, RequestTemplate } from './schema.ts';
import { inputsIn } from './template.ts';

export interface Unsendable {
  readonly path: readonly PropertyKey[];
  /** The problem, as the end of a sentence; never contains the value itself. */
  readonly problem: string;
}

type Path = readonly PropertyKey[];

const problemAt = (path: Path, problem: string | undefined): Unsendable[] =>
  problem === undefined ? [] : [{ path, problem }];

const headerAt = (path: Path, name: string, value: string): Unsendable[] => [
  ...problemAt(path, headerNameProblem(name)),
  ...problemAt(path, headerValueProblem(value)),
];

const headersAt = (path: Path, headers: Readonly<Record<string, string>> = {}): Unsendable[] =>
  Object.entries(headers).flatMap(([name, value]) => headerAt([...path, name], name, value));

/** The problems of every string in a part of a profile, keys included. */
function textsAt(path: Path, part: unknown): Unsendable[] {
  if (typeof part === 'string') return problemAt(path, textProblem(part));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [
    ...problemAt([...path, key], textProblem(key)),
    ...textsAt([...path, Array.isArray(part) ? Number(key) : key], value),
  ]);
}

/** The values that the profile declares for an input that a template mentions. */
function valuesOf(input: Input, path: Path, template: RequestTemplate, examples: ProfileData['examples']) {
  const written = Object.entries(template.spellings?.[input] ?? {});
  return [
    ...written.map(([neutral, value]) => ({ path: [...path, 'spellings', input, neutral], value })),
    ...(examples?.[input] ?? [])
      .map((value, at) => ({ path: ['examples', input, at] as Path, value }))
      .filter(({ value }) => !written.some(([neutral]) => neutral === String(value))),
  ];
}

function inRequest(template: RequestTemplate, path: Path, examples: ProfileData['examples']): Unsendable[] {
  const { spellings: _, headers = {}, ...rest } = template;
  const filled = Object.entries(headers).flatMap(([name, text]) =>
    inputsIn(text).flatMap((input) =>
      valuesOf(input, path, template, examples).flatMap(({ path: place, value }) => {
        const problem = headerValueProblem(String(value));
        return problemAt(
          place,
          problem && `${problem}, and {${input}} is used in the header ${name} of ${String(path[1])}`,
        );
      }),
    ),
  );
  return [
    ...headersAt([...path, 'headers'], headers),
    ...filled,
    ...(template.raw ? problemAt([...path, 'raw', 'type'], headerValueProblem(template.raw.type)) : []),
    ...textsAt(path, rest),
    ...textsAt([...path, 'spellings'], template.spellings),
  ];
}

/** Finds everything a profile would send that HTTP forbids: header names and values, prefixes, URLs, lone surrogates. */
export function findUnsendable({
  auth,
  authFor,
  headers,
  prefixes,
  examples,
  operations,
  ...data
}: ProfileData): Unsendable[] {
  return [
    ...schemesIn({ auth, authFor }).flatMap(({ scheme, path }) =>
      schemeRow(scheme)
        .problems(scheme)
        .flatMap(([member, problem]) => problemAt([...path, ...member], problem)),
    ),
    ...headersAt(['headers'], headers),
    ...Object.entries(prefixes ?? {}).flatMap(([key, prefix]) =>
      problemAt(
        ['prefixes', key],
        /[^\x21-\xff]/.test(prefix)
          ? 'contains a character that is not allowed in a URL; write it percent-encoded'
          : undefined,
      ),
    ),
    ...INPUT_NAMES.flatMap((input) => textsAt(['examples', input], examples?.[input])),
    ...textsAt(['unknownUpc'], data.unknownUpc),
    ...Object.entries(operations ?? {}).flatMap(([key, declared]) =>
      declared?.request ? inRequest(declared.request, ['operations', key, 'request'], examples) : [],
    ),
    ...Object.entries(data.jobs ?? {}).flatMap(([kind, { start }]) =>
      startsIn(start).flatMap(({ request, path }) =>
        request ? inRequest(request, ['jobs', kind, ...path, 'request'], examples) : [],
      ),
    ),
  ];
}
