/** Recognises the names of secrets: of headers, parameters, members and elements. */

/**
 * The kind of secret a name denotes. `password`: hidden whatever its value. `credential`: sent by clients to authenticate;
 * in a response its value must have the format of a secret. `handle`: issued by services and distinguished by clients; its
 * value must always have the format of a secret, because jobs and pages have handles with such names.
 */
export type SecretKind = 'password' | 'credential' | 'handle';

const PASSWORD = /(?:password|passwd|passphrase|passwort|motdepasse)$|^(?:pwd|userpwd|dbpwd)$/;

const CREDENTIAL =
  /(?:clientsecret|appsecret|apisecret|consumersecret|sharedsecret|authsecret|secretkey|secretaccesskey|apikey|appkey|accesskey|authkey|privatekey|subscriptionkey|functionskey|licensekey|clientassertion|codeverifier|(?:api|access|auth|bearer|id|refresh|security)token)$|^(?:secret|(?:xamz|xgoog)(?:signature|credential)|(?:oauth)?signature|sig|hmac|authorization|proxyauthorization|credentials?)$/;

/** A token for the next page, or a token type, is not a credential. */
const NOT_SECRET =
  /(?:page|next|prev|previous|continuation|sync|delta|cursor|skip|resume|watermark|paging|position|offset|start|marker)token$/;

const HANDLE =
  /token$|session$|(?:session|sess)(?:id|key)$|^(?:sid|jwt|samlresponse|samlrequest|assertion|awsaccesskeyid|accesskeyid)$|aspnetsessionid/;

/** Most headers whose names end in `key` contain a secret; these do not. */
const NOT_SECRET_KEY_HEADER =
  /(?:idempotency|websocket|cache|surrogate|partition|sort|routing|correlation|dedup\w*)key$/;

const cache = new Map<string, SecretKind | undefined>();
/** The cache size: bodies may contain any number of names. */
const MAX_CACHED = 2000;

/** Letters and digits of a name in lower case: `X-Api-Key`, `apiKey` and `api_key` are one name. */
export const normalisedName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function classify(normalised: string): SecretKind | undefined {
  if (PASSWORD.test(normalised)) return 'password';
  if (CREDENTIAL.test(normalised)) return 'credential';
  return HANDLE.test(normalised) && !NOT_SECRET.test(normalised) ? 'handle' : undefined;
}

/**
 * The kind of secret that the name of a member, parameter, element or path segment denotes; undefined: none.
 * @example secretKindOf('client_secret') // 'credential'
 * @example secretKindOf('nextPageToken') // undefined
 */
export function secretKindOf(name: string): SecretKind | undefined {
  if (cache.has(name)) return cache.get(name);
  if (cache.size >= MAX_CACHED) cache.clear();
  const kind = classify(normalisedName(name));
  cache.set(name, kind);
  return kind;
}

/** `secretKindOf` for the name of a header. */
export function secretKindOfHeader(name: string): SecretKind | undefined {
  const normalised = normalisedName(name);
  if (/signature\d*$/.test(normalised)) return 'credential';
  if (normalised.endsWith('key') && !NOT_SECRET_KEY_HEADER.test(normalised)) return 'credential';
  return secretKindOf(name);
}

/**
 * Strings in lower case, one of which occurs in every text with a secret that its name or format identifies. Long texts
 * without any of these are not searched further.
 */
export const KEYWORDS: readonly string[] = [
  ...['token', 'secret', 'passw', 'passphrase', 'motdepasse', 'mot_de_passe', 'pwd"', 'pwd=', 'pwd>', 'pwd:'],
  ...['apikey', 'api_key', 'api-key', 'api.key', 'appkey', 'app_key', 'app-key', 'authkey', 'auth_key', 'auth-key'],
  ...['accesskey', 'access_key', 'access-key', 'privatekey', 'private_key', 'private-key', 'private key'],
  ...['subscription', 'functions', 'licensekey', 'license_key', 'license-key', 'assertion', 'verifier'],
  ...['session', 'sessid', 'sid"', 'sid=', 'sid>', 'jwt"', 'jwt=', 'jwt>', 'jwt\\"', 'samlre', '.eyj'],
  ...['authorization', 'credential', 'signature', 'hmac', 'sig"', 'sig=', 'sig>', 'bearer ', 'basic '],
  ...['akia', 'asia', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'aiza', 'sk_live_', 'rk_live_'],
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
];
