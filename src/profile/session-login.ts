/** Sessions: the request that opens one, and where later requests carry its token. */
import { addressProblem, headerNameProblem, headerValueProblem, textProblem } from './http-text.ts';
import type { AuthScheme } from './schema/auth.ts';

export type LoginScheme = Extract<AuthScheme, { scheme: 'login' }>;
type Lines = readonly (readonly [name: string, value: string])[];
type Problem = readonly [path: readonly PropertyKey[], problem: string | undefined];

const TOKEN = '{token}';

/** The line that carries a token. */
export const sessionLine = ({ name, value }: LoginScheme, token: string): readonly [name: string, value: string] => [
  name,
  value.replaceAll(TOKEN, () => token),
];

/** The pairs of a query or a form as texts. */
export const pairsAsTexts = (values: LoginScheme['request']['query'] = {}): Lines =>
  Object.entries(values).map(([name, value]) => [name, String(value)]);

/** The name of a value that is a secret whatever it looks like. */
const SECRET_NAME = /pass|pwd|pin$|secret|key|token|code$/i;

/** The texts of a JSON value with the names of their members. */
function textsOf(value: unknown, name = ''): Lines {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => textsOf(each, Array.isArray(value) ? name : key));
}

/** The texts of the login request with their names. */
const namedTexts = ({ query, headers = {}, form, json }: LoginScheme['request']): Lines => [
  ...pairsAsTexts(query),
  ...Object.entries(headers),
  ...pairsAsTexts(form),
  ...(json === undefined ? [] : textsOf(json)),
];

/** The secret values of a login request. @param isCredential whether a value is one by its format */
export const loginSecrets = ({ request }: LoginScheme, isCredential: (value: string) => boolean) =>
  namedTexts(request)
    .filter(([name, value]) => SECRET_NAME.test(name) || isCredential(value))
    .map(([name, value]) => ({ name, value, isCredential: true as const }));

/** What HTTP forbids in a login request and in the requests that carry its token. */
export function loginProblems({ request, in: place, name, value, token }: LoginScheme): readonly Problem[] {
  const { url, headers = {}, query, form } = request;
  const inRow = typeof token === 'string' ? token : 'at' in token ? token.at : '';
  return [
    [['request', 'url'], addressProblem(url)],
    ...Object.entries(headers).flatMap(([header, text]): Problem[] => [
      [['request', 'headers', header], headerNameProblem(header)],
      [['request', 'headers', header], headerValueProblem(text)],
    ]),
    ...pairsAsTexts(query).map(([pair, text]): Problem => [['request', 'query', pair], textProblem(pair + text)]),
    ...pairsAsTexts(form).map(([pair, text]): Problem => [['request', 'form', pair], textProblem(pair + text)]),
    [
      ['token'],
      typeof inRow === 'string' && inRow.startsWith('@')
        ? 'is a selector within a row; the response of a login has none: write $… or $response.header.NAME'
        : undefined,
    ],
    [['name'], place === 'header' || place === 'cookie' ? headerNameProblem(name) : textProblem(name)],
    [['value'], value.includes(TOKEN) ? headerValueProblem(value) : 'must contain {token}'],
  ];
}
