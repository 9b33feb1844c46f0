/** The authentication schemes of profiles. A new scheme is its keys in `schema/auth.ts` and one row here; the compiler names what one that is computed needs besides. */
import { type OperationKey, operationOf } from '../contract/index.ts';
import {
  fillVariables,
  type HmacScheme,
  holdsSignature,
  keyBytes,
  meaningOfVariable,
  variableProblem,
} from './hmac/sign.ts';
import { TIMESTAMP_FORMATS } from './hmac/timestamps.ts';
import { addressProblem, basic, headerNameProblem, headerValueProblem, textProblem } from './http-text.ts';
import type { AuthScheme } from './schema/auth.ts';
import type { ProfileData } from './schema.ts';
import { loginProblems, loginSecrets, sessionLine } from './session-login.ts';

type Path = readonly PropertyKey[];
type SchemeName = AuthScheme['scheme'];
type Lines = readonly (readonly [name: string, value: string])[];

/** The credentials of a scheme; `options` are options of curl. */
export interface SchemeCredentials {
  readonly headers?: Lines;
  readonly query?: Lines;
  readonly options?: Lines;
}

/** A secret value of a scheme. `isCredential`: it is one by its place, whatever it looks like. */
export interface SchemeSecret {
  readonly name: string;
  readonly value: string;
  readonly isCredential?: true;
}

/** How a command writes values of the profile: as shell variables. Paths begin at the scheme. */
export interface CommandValues {
  /** Returns the value with variables in place of secrets; a literal becomes a variable named `ownName`. */
  value(path: Path, value: string, ownName: string): string;
  /** Whether the profile takes any part of the value from the environment. */
  isFromEnvironment(path: Path): boolean;
  /** Returns a variable for a token that the server at `url` issues, and notes its meaning with a `remark`. */
  token(name: string, url: string, remark?: string): string;
  /** Returns a variable for a value that is computed for each request, and notes its meaning. */
  computed(name: string, meaning: string): string;
  /** Where a member is in the profile, e.g. `auth.key`. */
  place(path: Path): string;
}

/** Names of headers, query parameters, and members of JSON and form bodies, that carry credentials. */
interface CredentialPlaces {
  readonly headers: readonly string[];
  readonly query: readonly string[];
  readonly members?: readonly string[];
}

/**
 * The schemes whose credentials are no fixed text: a request carries a token that the client gets, a signature of the request, or
 * a certificate. The compiler demands code for each in the client and in the simulator.
 */
export const COMPUTED_SCHEMES = {
  oauth2: 'token',
  login: 'token',
  hmac: 'signature',
  mtls: 'certificate',
} as const satisfies { readonly [S in SchemeName]?: 'token' | 'signature' | 'certificate' };
type Computed = typeof COMPUTED_SCHEMES;
type ComputedKind = Computed[keyof Computed];

/** The schemes of a kind. */
export type ComputedScheme<K extends ComputedKind = ComputedKind> = Extract<
  AuthScheme,
  { scheme: { [S in keyof Computed]: Computed[S] extends K ? S : never }[keyof Computed] }
>;

/** What makes the credentials of a scheme; undefined: they are a fixed text. */
export const computedKindOf = ({ scheme }: Pick<AuthScheme, 'scheme'>): ComputedKind | undefined =>
  (COMPUTED_SCHEMES as { readonly [S in SchemeName]?: ComputedKind })[scheme];

interface SchemeRow<S extends AuthScheme> {
  /** Whether it sets the Authorization header. */
  readonly authorization?: true;
  /** What HTTP forbids, by the path of the member; undefined where it allows the value. */
  problems(scheme: S): readonly (readonly [path: Path, problem: string | undefined])[];
  secrets(scheme: S, isCredential: (value: string) => boolean): readonly SchemeSecret[];
  /** What each request carries, if that is a fixed text. */
  readonly credentials?: (scheme: S) => SchemeCredentials;
  /** Where the credentials are, if they are no fixed text. Absent: in those of `credentials`, or in Authorization. */
  readonly places?: (scheme: S) => CredentialPlaces;
  inCommand(scheme: S, values: CommandValues): SchemeCredentials;
}

/** RFC 7617, section 2: a user name ends at the first colon, and neither the name nor the password contains control characters. */
const userNameProblem = (text: string): string | undefined =>
  text.includes(':') ? 'contains a colon, which ends a user name in Basic credentials' : controlCharacterProblem(text);

function controlCharacterProblem(text: string): string | undefined {
  return /\p{Cc}/u.test(text) ? `${headerValueProblem(text) ?? 'contains a control character'}` : undefined;
}

/** User and password, or client and secret, as the Basic scheme joins them (RFC 7617; RFC 6749 escapes both). */
const joined = (name: string, user: string, password: string): SchemeSecret[] => [
  { name, value: `${user}:${password}` },
  { name, value: `${encodeURIComponent(user)}:${encodeURIComponent(password)}` },
];

const shellName = (text: string): string =>
  text
    .replace(/\W+/g, '_')
    .replace(/^(?=\d|$)/, 'X')
    .toUpperCase();

/** The headers and query parameters of a signature, each with its path. */
const carriersOf = ({ headers = {}, query = {} }: HmacScheme) =>
  Object.entries({ headers, query }).flatMap(([part, templates]) =>
    Object.entries(templates).map(([name, template]) => ({
      path: [part, name],
      isHeader: part === 'headers',
      name,
      template,
    })),
  );

function hmacProblems(scheme: HmacScheme): (readonly [Path, string | undefined])[] {
  const carriers = carriersOf(scheme);
  const wrongKey = `is not a key in ${scheme.keyEncoding === 'hex' ? 'hex' : 'Base64'}, as keyEncoding states`;
  return [
    [['key'], keyBytes(scheme) ? undefined : wrongKey],
    [['message'], textProblem(scheme.message) ?? variableProblem(scheme.message, 'message')],
    ...carriers.flatMap(({ path, isHeader, name, template }) => [
      [path, isHeader ? headerNameProblem(name) : textProblem(name)] as const,
      [path, isHeader ? headerValueProblem(template) : textProblem(template)] as const,
      [path, variableProblem(template, 'carrier')] as const,
    ]),
    [
      [],
      carriers.some(({ template }) => holdsSignature(template))
        ? undefined
        : 'must send the signature: write {signature} in a text of headers or query',
    ],
  ];
}

/** Writes the variables of a template as shell variables, and notes what they mean. */
function carrierInCommand(scheme: HmacScheme, path: Path, template: string, values: CommandValues): string {
  const written = values.isFromEnvironment(path) ? values.value(path, template, 'SIGNED') : template;
  const computed = (name: string): string => {
    const variable = shellName(name.replace(/[A-Z]/g, '_$&'));
    if (name === 'timestamp') return values.computed(variable, TIMESTAMP_FORMATS[scheme.timestamp].means);
    if (name !== 'signature') return values.computed(variable, meaningOfVariable(name));
    const [message, key] = [values.place(['message']), values.place(['key'])];
    const algorithm = `HMAC-${scheme.algorithm.toUpperCase()}`;
    return values.computed(
      variable,
      `the ${algorithm} in ${scheme.encoding} of ${message} with the key ${key} of the profile`,
    );
  };
  return fillVariables(written, computed);
}

type RowOf<S extends AuthScheme> = S extends ComputedScheme
  ? SchemeRow<S> & { readonly credentials?: never }
  : SchemeRow<S> & Required<Pick<SchemeRow<S>, 'credentials'>>;

const AUTH_SCHEMES: { readonly [S in SchemeName]: RowOf<Extract<AuthScheme, { scheme: S }>> } = {
  none: {
    problems: () => [],
    secrets: () => [],
    credentials: () => ({}),
    inCommand: () => ({}),
  },
  apiKey: {
    problems: ({ in: location, name, value }) =>
      location === 'query'
        ? [
            [['name'], textProblem(name)],
            [['value'], textProblem(value)],
          ]
        : [
            [['name'], headerNameProblem(name)],
            [['value'], headerValueProblem(value)],
          ],
    secrets: ({ value }) => [{ name: 'api key', value, isCredential: true }],
    credentials: ({ in: location, name, value }) =>
      location === 'header' ? { headers: [[name, value]] } : { query: [[name, value]] },
    inCommand({ in: location, name, value }, values) {
      const line = [name, values.value(['value'], value, 'API_KEY')] as const;
      return location === 'header' ? { headers: [line] } : { query: [line] };
    },
  },
  basic: {
    authorization: true,
    problems: ({ username, password }) => [
      [['username'], userNameProblem(username)],
      [['password'], controlCharacterProblem(password)],
    ],
    secrets: ({ username, password }) => [
      { name: 'password', value: password, isCredential: true },
      ...joined('basic credentials', username, password),
    ],
    credentials: ({ username, password }) => ({ headers: [['authorization', basic(username, password)]] }),
    inCommand({ username, password }, values) {
      const user = values.isFromEnvironment(['username']) ? values.value(['username'], username, 'USERNAME') : username;
      return { options: [['-u', `${user}:${values.value(['password'], password, 'PASSWORD')}`]] };
    },
  },
  bearer: {
    authorization: true,
    problems: ({ token }) => [[['token'], headerValueProblem(token)]],
    secrets: ({ token }) => [{ name: 'bearer token', value: token, isCredential: true }],
    credentials: ({ token }) => ({ headers: [['authorization', `Bearer ${token}`]] }),
    inCommand: ({ token }, values) => ({
      headers: [['authorization', `Bearer ${values.value(['token'], token, 'TOKEN')}`]],
    }),
  },
  headers: {
    problems: ({ headers }) =>
      Object.entries(headers).flatMap(([name, value]) => [
        [['headers', name], headerNameProblem(name)] as const,
        [['headers', name], headerValueProblem(value)] as const,
      ]),
    // A tenant or a market is no secret: such a value is hidden in its header only.
    secrets: ({ headers }, isCredential) =>
      Object.entries(headers)
        .filter(([, value]) => isCredential(value))
        .map(([name, value]) => ({ name, value })),
    credentials: ({ headers }) => ({ headers: Object.entries(headers) }),
    inCommand: ({ headers }, values) => ({
      headers: Object.entries(headers).map(([name, value]) => [
        name,
        values.value(['headers', name], value, shellName(name)),
      ]),
    }),
  },
  oauth2: {
    authorization: true,
    problems: ({ tokenUrl, grant, username, password }) => [
      [['tokenUrl'], addressProblem(tokenUrl)],
      [
        ['grant'],
        grant === 'password' && (username === undefined || password === undefined)
          ? 'is password, which needs username and password beside it'
          : undefined,
      ],
    ],
    secrets: ({ clientId, clientSecret, password }) => [
      { name: 'client secret', value: clientSecret, isCredential: true },
      ...(password === undefined ? [] : [{ name: 'password', value: password, isCredential: true as const }]),
      ...joined('client credentials', clientId, clientSecret),
    ],
    inCommand: ({ tokenUrl }, values) => ({
      headers: [['authorization', `Bearer ${values.token('ACCESS_TOKEN', tokenUrl)}`]],
    }),
  },
  hmac: {
    problems: hmacProblems,
    secrets: ({ key }) => [{ name: 'hmac key', value: key, isCredential: true }],
    places: ({ headers = {}, query = {} }) => ({ headers: Object.keys(headers), query: Object.keys(query) }),
    inCommand(scheme, values) {
      const lines = carriersOf(scheme).map(({ path, isHeader, name, template }) => ({
        isHeader,
        line: [name, carrierInCommand(scheme, path, template, values)] as const,
      }));
      return {
        headers: lines.flatMap(({ isHeader, line }) => (isHeader ? [line] : [])),
        query: lines.flatMap(({ isHeader, line }) => (isHeader ? [] : [line])),
      };
    },
  },
  login: {
    problems: loginProblems,
    secrets: loginSecrets,
    places: ({ in: place, name }) => ({
      headers: place === 'header' ? [name] : place === 'cookie' ? ['cookie'] : [],
      query: place === 'query' ? [name] : [],
      members: place === 'body' ? [name] : [],
    }),
    inCommand(scheme, values) {
      const { in: place, name, request } = scheme;
      const token = values.token(
        'SESSION_TOKEN',
        request.url,
        place === 'body' ? `, to be added as ${name} to the body` : '',
      );
      const line = sessionLine(scheme, token);
      if (place === 'cookie') return { options: [['-b', line.join('=')]] };
      if (place === 'body') return {};
      return place === 'header' ? { headers: [line] } : { query: [line] };
    },
  },
  mtls: {
    problems: () => [],
    secrets: ({ passphrase }) =>
      passphrase === undefined ? [] : [{ name: 'passphrase', value: passphrase, isCredential: true }],
    inCommand: ({ cert, key, ca, passphrase }, values) => ({
      options: [
        ['--cert', cert],
        ['--key', key],
        ...(ca === undefined ? [] : [['--cacert', ca] as const]),
        ...(passphrase === undefined
          ? []
          : [['--pass', values.value(['passphrase'], passphrase, 'PASSPHRASE')] as const]),
      ],
    }),
  },
};

/** The row of a scheme. */
export const schemeRow = (scheme: AuthScheme): SchemeRow<AuthScheme> =>
  AUTH_SCHEMES[scheme.scheme] as SchemeRow<AuthScheme>;

/** The headers, query parameters and members of bodies that carry the credentials of a scheme. */
export function placesOf(scheme: AuthScheme): CredentialPlaces {
  const { authorization, credentials, places } = schemeRow(scheme);
  if (places) return places(scheme);
  const { headers = [], query = [] } = credentials?.(scheme) ?? {};
  const names = (lines: Lines): string[] => lines.map(([name]) => name);
  return { headers: authorization ? ['authorization'] : names(headers), query: names(query) };
}

/** Credentials of a profile: those of all operations, and those of groups and operations. */
type ProfileAuth = Pick<ProfileData, 'auth' | 'authFor'>;
type Declared = AuthScheme | readonly AuthScheme[] | undefined;

/** A scheme with its path; `of` is the key of `authFor` that it belongs to. */
interface PlacedScheme {
  readonly scheme: AuthScheme;
  readonly path: Path;
  readonly of?: string;
}

const listed = (declared: Declared, path: Path): PlacedScheme[] =>
  [declared ?? []].flat().map((scheme, at) => ({ scheme, path: Array.isArray(declared) ? [...path, at] : path }));

/** Every scheme of a profile with its path, whether the profile names none, one or a list. */
export const schemesIn = ({ auth, authFor = {} }: ProfileAuth): readonly PlacedScheme[] => [
  ...listed(auth, ['auth']),
  ...Object.entries(authFor).flatMap(([of, declared]) =>
    listed(declared, ['authFor', of]).map((each) => ({ ...each, of })),
  ),
];

/** The key of `authFor` with the credentials of an operation; undefined: those of `auth`. */
export const authKeyOf = ({ authFor }: ProfileAuth, operation: OperationKey): string | undefined =>
  [operation, operationOf(operation).group].find((key) => authFor?.[key] !== undefined);

/** The schemes of a key of `authFor`, or those of `auth`. */
export const schemesOfKey = (data: ProfileAuth, key: string | undefined): readonly AuthScheme[] =>
  schemesIn(data)
    .filter(({ of }) => of === key)
    .map(({ scheme }) => scheme);

/** The schemes that a client needs, by the key of `authFor`. */
export const clientAuthOf = (
  data: ProfileAuth,
): { readonly auth: readonly AuthScheme[]; readonly authFor: Readonly<Record<string, readonly AuthScheme[]>> } => ({
  auth: schemesOfKey(data, undefined),
  authFor: Object.fromEntries(Object.keys(data.authFor ?? {}).map((key) => [key, schemesOfKey(data, key)])),
});
