/** Which names announce a secret: of headers, parameters, members, elements. */

/**
 * What a name announces. `password`: hidden whatever it is. `credential`: brought by clients to prove who they are;
 * in an answer it must look like a secret. `handle`: minted by services, and told apart by clients; must look like a
 * secret everywhere, for jobs and pages have handles with such names.
 */
export type SecretKind = 'password' | 'credential' | 'handle';

const PASSWORD = /(?:password|passwd|passphrase|passwort|motdepasse)$|^(?:pwd|userpwd|dbpwd)$/;

const CREDENTIAL =
  /(?:clientsecret|appsecret|apisecret|consumersecret|sharedsecret|authsecret|secretkey|secretaccesskey|apikey|appkey|accesskey|authkey|privatekey|subscriptionkey|functionskey|licensekey|clientassertion|codeverifier|(?:api|access|auth|bearer|id|refresh|security)token)$|^(?:secret|(?:xamz|xgoog)(?:signature|credential)|(?:oauth)?signature|sig|hmac|authorization|proxyauthorization|credentials?)$/;

/** A token that leads to the next page or names what kind of token there is proves nothing about who asks. */
const NO_SECRET =
  /(?:page|next|prev|previous|continuation|sync|delta|cursor|skip|resume|watermark|paging|position|offset|start|marker)token$/;

const HANDLE =
  /token$|session$|(?:session|sess)(?:id|key)$|^(?:sid|jwt|samlresponse|samlrequest|assertion|awsaccesskeyid|accesskeyid)$|aspnetsessionid/;

/** Headers end in `key` more often than not when they carry one; these do not. */
const NO_KEY_HEADER = /(?:idempotency|websocket|cache|surrogate|partition|sort|routing|correlation|dedup\w*)key$/;

const known = new Map<string, SecretKind | undefined>();
/** Bodies can hold any number of names. */
const MOST_KNOWN = 2000;

/** Letters and digits of a name in small letters: `X-Api-Key`, `apiKey` and `api_key` are one name. */
export const normalisedName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function classify(bare: string): SecretKind | undefined {
  if (PASSWORD.test(bare)) return 'password';
  if (CREDENTIAL.test(bare)) return 'credential';
  return HANDLE.test(bare) && !NO_SECRET.test(bare) ? 'handle' : undefined;
}

/**
 * What the name of a member, parameter, element or path segment announces.
 * @example secretKindOf('client_secret') // 'credential'
 * @example secretKindOf('nextPageToken') // undefined
 */
export function secretKindOf(name: string): SecretKind | undefined {
  if (known.has(name)) return known.get(name);
  if (known.size >= MOST_KNOWN) known.clear();
  const kind = classify(normalisedName(name));
  known.set(name, kind);
  return kind;
}

/** The same for the name of a request’s or an answer’s header line. */
export function secretKindOfHeader(name: string): SecretKind | undefined {
  const bare = normalisedName(name);
  if (/signature\d*$/.test(bare)) return 'credential';
  if (bare.endsWith('key') && !NO_KEY_HEADER.test(bare)) return 'credential';
  return secretKindOf(name);
}

/**
 * In small letters, what stands in every long text that may hold a secret by its name or shape. Texts without any of
 * these are not looked at more closely.
 */
export const ANCHORS: readonly string[] = [
  ...['token', 'secret', 'passw', 'passphrase', 'motdepasse', 'mot_de_passe', 'pwd"', 'pwd=', 'pwd>', 'pwd:'],
  ...['apikey', 'api_key', 'api-key', 'api.key', 'appkey', 'app_key', 'app-key', 'authkey', 'auth_key', 'auth-key'],
  ...['accesskey', 'access_key', 'access-key', 'privatekey', 'private_key', 'private-key', 'private key'],
  ...['subscription', 'functions', 'licensekey', 'license_key', 'license-key', 'assertion', 'verifier'],
  ...['session', 'sessid', 'sid"', 'sid=', 'sid>', 'jwt"', 'jwt=', 'jwt>', 'jwt\\"', 'samlre', '.eyj'],
  ...['authorization', 'credential', 'signature', 'hmac', 'sig"', 'sig=', 'sig>', 'bearer ', 'basic '],
  ...['akia', 'asia', 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'aiza', 'sk_live_', 'rk_live_'],
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
];
