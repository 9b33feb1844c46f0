/** Drafts `auth` and `authExcept` from `securitySchemes` and `security` (the document shows no scheme, section 5). */
import type { OperationKey } from '../../contract/index.ts';
import { headerNameProblem, headerValueProblem } from '../http-text.ts';
import { isPlainObject, memberOf, objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { escapeVariables } from './constants.ts';
import { type Description, deref } from './description.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import { quoteText, wordsOf } from './name-words.ts';
import type { DescribedOperation } from './operations.ts';

export interface AuthDraft {
  readonly auth?: unknown;
  readonly authFor?: { readonly [key: string]: unknown };
  readonly authExcept?: readonly OperationKey[];
}

/**
 * The environment variable of a credential.
 * @example variable('apiKeyAuth', 'value') // '${API_KEY_AUTH_VALUE}'
 */
export const variable = (scheme: string, part?: string): string =>
  `\${${[...wordsOf(scheme), ...(part ? [part] : [])]
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z\d_]/g, '')
    .replace(/^(?=\d|$)/, 'AUTH_')}}`;

/** One scheme in the form of a profile, or the reason why a profile cannot express it. */
function schemeOf(
  name: string,
  node: PlainObject,
  scopes: readonly unknown[],
  origin: string,
): { scheme: PlainObject; from: string } | { why: string } {
  const type = textAt(node, 'type');
  const from = `securitySchemes.${name}, ${type}`;
  switch (type) {
    case 'apiKey': {
      const place = textAt(node, 'in');
      const key = escapeVariables(textAt(node, 'name') ?? '');
      const wrong = place === 'header' ? headerNameProblem(key) : headerValueProblem(key);
      if (wrong) return { why: `${from}: its name ${wrong}` };
      if (place === 'cookie')
        return {
          scheme: { scheme: 'headers', headers: { Cookie: `${key}=${variable(name)}` } },
          from: `${from} in a cookie`,
        };
      if (place !== 'header' && place !== 'query') return { why: `${from}: “in” is missing` };
      return { scheme: { scheme: 'apiKey', in: place, name: key, value: variable(name) }, from };
    }
    case 'http': {
      const kind = textAt(node, 'scheme')?.toLowerCase();
      if (kind === 'basic')
        return {
          scheme: { scheme: 'basic', username: variable(name, 'username'), password: variable(name, 'password') },
          from: `${from} basic`,
        };
      if (kind === 'bearer') return { scheme: { scheme: 'bearer', token: variable(name) }, from: `${from} bearer` };
      return {
        why: `${from} ${kind ?? ''}: a profile does not support this scheme; headers: { Authorization: … } may work, and scheme: hmac for a signature`,
      };
    }
    case 'oauth2': {
      const flows = objectAt(node, 'flows');
      const grant =
        textAt(objectAt(flows, 'clientCredentials'), 'tokenUrl') === undefined ? 'password' : 'clientCredentials';
      const flow = objectAt(flows, grant);
      const address = textAt(flow, 'tokenUrl');
      if (address === undefined)
        return {
          scheme: { scheme: 'bearer', token: variable(name, 'token') },
          from: `${from} without clientCredentials or password: a token obtained by hand`,
        };
      const tokenUrl = URL.canParse(address)
        ? address
        : URL.canParse(address, origin)
          ? new URL(address, origin).href
          : undefined;
      if (tokenUrl === undefined)
        return { why: `${from}: its tokenUrl ${quoteText(address)} is relative and the description has no server` };
      const scope = escapeVariables(scopes.filter((each) => typeof each === 'string').join(' '));
      if (!/^https?:/i.test(tokenUrl))
        return { why: `${from}: its tokenUrl ${quoteText(tokenUrl)} is not an http(s) URL` };
      return {
        scheme: {
          scheme: 'oauth2',
          tokenUrl: escapeVariables(tokenUrl),
          clientId: variable(name, 'client_id'),
          clientSecret: variable(name, 'client_secret'),
          ...(scope && { scope }),
          ...(grant === 'password' && {
            grant,
            username: variable(name, 'username'),
            password: variable(name, 'password'),
          }),
        },
        from: `${from} ${grant}`,
      };
    }
    case 'openIdConnect':
      return {
        scheme: { scheme: 'bearer', token: variable(name, 'token') },
        from: `${from}: a token obtained by hand`,
      };
    case 'mutualTLS':
      return {
        scheme: { scheme: 'mtls', cert: variable(name, 'cert'), key: variable(name, 'key') },
        from: `${from}: paths of the certificate and key files`,
      };
    default:
      return { why: `${from}: not a security scheme type of OpenAPI 3` };
  }
}

/** The security requirements of an operation: its own, or else those of the whole description. */
const requirementsOf = (description: Description, { node }: DescribedOperation): unknown =>
  memberOf(node, 'security') ?? memberOf(description.root, 'security');

/** Drafts the scheme that most operations require, and lists the operations that require none. */
export function draftAuth(
  description: Description,
  found: readonly DescribedOperation[],
  draftNotes: DraftNotes,
): AuthDraft {
  const schemes = objectAt(objectAt(description.root, 'components'), 'securitySchemes');
  const groups = new Map<string, { alternatives: readonly unknown[]; keys: OperationKey[] }>();
  const anonymous: OperationKey[] = [];
  for (const each of found) {
    const required = requirementsOf(description, each);
    if (!Array.isArray(required)) continue;
    const requirements = required.filter((one) => isPlainObject(one) && Object.keys(one).length > 0);
    if (required.length === 0) anonymous.push(each.key);
    if (requirements.length === 0) continue;
    const id = JSON.stringify(requirements);
    const group = groups.get(id) ?? { alternatives: requirements, keys: [] as OperationKey[] };
    group.keys.push(each.key);
    groups.set(id, group);
  }
  const [main, ...others] = [...groups.values()].sort((x, y) => y.keys.length - x.keys.length);
  if (!main) {
    if (anonymous.length === found.length && found.length > 0) {
      note(draftNotes, ['auth'], 'stated', 'security: [] everywhere');
      return { auth: { scheme: 'none' } };
    }
    addUndecided(
      draftNotes,
      ['auth'],
      Object.keys(schemes).length > 0
        ? `schemes are described (${Object.keys(schemes).join(', ')}), but no operation requires one`
        : 'the description declares no security; if no credentials are needed, write { scheme: none }',
    );
    return {};
  }
  const origin = found.find((each) => each.origin !== '')?.origin ?? '';
  const readAlternatives = (alternatives: readonly unknown[]) =>
    alternatives.map((alternative) =>
      Object.entries(alternative as PlainObject).map(([name, scopes]) =>
        schemeOf(name, deref(description, schemes[name]).node, Array.isArray(scopes) ? scopes : [], origin),
      ),
    );
  const read = readAlternatives(main.alternatives);
  const usable = read.find((all) => all.every((each) => 'scheme' in each));
  if (!usable)
    addUndecided(
      draftNotes,
      ['auth'],
      read
        .flat()
        .flatMap((each) => ('why' in each ? [each.why] : []))
        .join('; '),
    );
  const authFor: { [key: string]: unknown } = {};
  for (const { keys, alternatives } of others) {
    const own = readAlternatives(alternatives).find((all) => all.every((each) => 'scheme' in each));
    if (own) {
      const listed = own.flatMap((each) => ('scheme' in each ? [each.scheme] : []));
      for (const key of keys) {
        authFor[key] = listed.length === 1 ? listed[0] : listed;
        note(
          draftNotes,
          ['authFor', key],
          'stated',
          own.flatMap((each) => ('from' in each ? [each.from] : [])).join('; '),
        );
      }
      continue;
    }
    addUndecided(
      draftNotes,
      ['authFor'],
      `${keys.join(', ')} require ${alternatives.map((each) => Object.keys(each as PlainObject).join(' and ')).join(' or ')} instead, which a profile cannot express`,
    );
  }
  const drafted = (usable ?? []).flatMap((each) => ('scheme' in each ? [each] : []));
  if (drafted.length > 0) note(draftNotes, ['auth'], 'stated', drafted.map(({ from }) => from).join('; '));
  if (anonymous.length > 0) note(draftNotes, ['authExcept'], 'stated', 'operations with security: []');
  return {
    ...(drafted.length > 0 && {
      auth: drafted.length === 1 ? drafted[0]?.scheme : drafted.map(({ scheme }) => scheme),
    }),
    ...(Object.keys(authFor).length > 0 && { authFor }),
    ...(anonymous.length > 0 && { authExcept: anonymous }),
  };
}
