/** The credentials of a profile as security schemes: names and places, never values. */
import { OPERATIONS, type OperationKey } from '../../../contract/index.ts';
import { authKeyOf, type ComputedScheme, computedKindOf, placesOf, schemesOfKey } from '../../auth-schemes.ts';
import type { PlainObject } from '../../plain-object.ts';
import type { AuthScheme } from '../../schema/auth.ts';
import type { ProfileData } from '../../schema.ts';
import { withoutSecretParts } from '../../url-query.ts';

const isSignature = (scheme: AuthScheme): scheme is ComputedScheme<'signature'> =>
  computedKindOf(scheme) === 'signature';

/** The security schemes of one scheme of a profile: each header of `headers` is one. */
function securitySchemesOf(scheme: AuthScheme): PlainObject[] {
  switch (scheme.scheme) {
    case 'basic':
      return [{ type: 'http', scheme: 'basic' }];
    case 'bearer':
      return [{ type: 'http', scheme: 'bearer' }];
    case 'oauth2': {
      const scopes = Object.fromEntries(
        (scheme.scope ?? '').split(' ').flatMap((each) => (each ? [[each, each]] : [])),
      );
      return [{ type: 'oauth2', flows: { [scheme.grant]: { tokenUrl: withoutSecretParts(scheme.tokenUrl), scopes } } }];
    }
    case 'login':
      return scheme.in === 'body' ? [] : [{ type: 'apiKey', in: scheme.in, name: scheme.name }];
    case 'mtls':
      return [{ type: 'mutualTLS' }];
    default: {
      const { headers, query } = placesOf(scheme);
      const description = isSignature(scheme) && `A signature: HMAC-${scheme.algorithm.toUpperCase()} of the request.`;
      const keyIn = (place: 'header' | 'query') => (name: string) => ({
        type: 'apiKey',
        in: place,
        name,
        ...(description && { description }),
      });
      return [...headers.map(keyIn('header')), ...query.map(keyIn('query'))];
    }
  }
}

export interface Security {
  /** `components.securitySchemes` */
  readonly securitySchemes: PlainObject;
  /** The security requirements of an operation; undefined: the profile states none. */
  requirementOf(key: OperationKey): readonly PlainObject[] | undefined;
}

export function securityOf(data: ProfileData): Security {
  const written = new Map<string, { readonly name: string; readonly security: PlainObject }>();
  /** The name of a security scheme. Other credentials of the same form are another scheme: they are for other operations. */
  const nameOf = (security: PlainObject, scheme: AuthScheme): string => {
    const id = JSON.stringify([security, scheme]);
    const known = written.get(id)?.name;
    if (known !== undefined) return known;
    const name = String(security.name ?? security.scheme ?? security.type).replace(/[^\w.-]/g, '_');
    const isTaken = [...written.values()].some((each) => each.name === name);
    const unique = isTaken ? `${name}${written.size + 1}` : name;
    written.set(id, { name: unique, security });
    return unique;
  };
  const requirements = new Map<OperationKey, readonly PlainObject[]>();
  for (const { key } of OPERATIONS) {
    const schemes = schemesOfKey(data, authKeyOf(data, key));
    if (data.authExcept?.includes(key)) requirements.set(key, []);
    else if (schemes.length > 0) {
      const entries = schemes.flatMap((scheme) =>
        securitySchemesOf(scheme).map((each): [string, string[]] => [
          nameOf(each, scheme),
          scheme.scheme === 'oauth2' ? (scheme.scope ?? '').split(' ').filter((scope) => scope !== '') : [],
        ]),
      );
      requirements.set(key, entries.length > 0 ? [Object.fromEntries(entries)] : []);
    }
  }
  return {
    securitySchemes: Object.fromEntries([...written.values()].map(({ name, security }) => [name, security])),
    requirementOf: (key) => requirements.get(key),
  };
}
