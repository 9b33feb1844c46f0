import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseProfile } from '../profile/parse-profile.ts';
import { curlCredentialsOf, toCurl } from './curl.ts';
import { printable } from './printable.ts';
import type { WireRequest } from './types.ts';

const requestOf = (more: Partial<WireRequest>): WireRequest => ({
  method: 'GET',
  url: 'http://h/p',
  headers: [],
  ...more,
});
/** The words a shell makes of the command. */
const words = (command: string): string[] =>
  execFileSync('bash', ['-c', `set -- ${command}; for w in "$@"; do printf '%s\\0' "$w"; done`])
    .toString()
    .split('\0')
    .slice(0, -1);

const ODD_URL = "http://h/a/../b?x=[1]&y='$(z)`";
const ODD_HEADERS = ["X-A: it's", 'X-A: $HOME', 'X-Empty: '].map((each) => each.split(': ') as [string, string]);
const fileOf = (length: number): string[] => ['--data-binary', `@body-of-${length}-bytes`];

test.each<[what: string, sent: Partial<WireRequest>, words: readonly string[], url?: string]>([
  ['a plain GET', { headers: [['accept', '*/*']] }, []],
  ['HEAD', { method: 'HEAD' }, ['--head']],
  ['an odd method', { method: "M'!" }, ['-X', "M'!"]],
  [
    'URL, header lines and quotes as they are',
    { method: 'POST', url: ODD_URL, headers: ODD_HEADERS },
    ['-X', 'POST', '-H', "X-A: it's", '-H', 'X-A: $HOME', '-H', 'X-Empty;'],
    ODD_URL,
  ],
  [
    'a text body that begins with @ and spans lines',
    { method: 'POST', headers: [['Content-Type', 'a/b']], body: Buffer.from('@it\'s\n"é"') },
    ['-X', 'POST', '-H', 'Content-Type: a/b', '--data-raw', '@it\'s\n"é"'],
  ],
  [
    'a body without a media type, which curl must not add, and of a GET, which stays one',
    { body: Buffer.from('x') },
    ['-X', 'GET', '-H', 'Content-Type:', '--data-raw', 'x'],
  ],
  ...[Buffer.alloc(5000, 'a'), Buffer.from([0xff, 0xfe]), Buffer.from('a\0b')].map(
    (body): [string, Partial<WireRequest>, string[]] => [
      `a long or binary body of ${body.length} bytes`,
      { method: 'PUT', body },
      ['-X', 'PUT', '-H', 'Content-Type:', ...fileOf(body.length)],
    ],
  ),
])('the command carries %s', (_, sent, expected, url = 'http://h/p') => {
  expect(words(toCurl(requestOf(sent)))).toEqual(['curl', '-sS', '-i', '-g', ...expected, '--path-as-is', url]);
});

test('is one line that no terminal interprets, whatever the request contains', () => {
  const text = "\u001b[2J\u009b\u202e\r\n::error::x ##[error]'\\x41";
  const made = toCurl(requestOf({ method: 'POST', url: `http://h/${text}`, body: Buffer.from(text) }));
  expect(printable(made)).toBe(made);
  expect(words(made)).toEqual(expect.arrayContaining([text, `http://h/${text}`]));
});

const env = (name: string): string => `$\{${name}}`;
const request: WireRequest = { method: 'GET', url: 'http://h/p', headers: [['authorization', '***']] };
const curlOf = (auth: string, values: NodeJS.ProcessEnv, sent: WireRequest = request): string =>
  toCurl(sent, curlCredentialsOf(parseProfile(`name: x\n${auth}`, 'x.yaml', values, 'keep')));
/** The words a shell passes on. */
const wordsOf = (command: string, values: Record<string, string>): string[] =>
  execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], { env: values, encoding: 'utf8' })
    .trimEnd()
    .split('\n');

const SECRET = `a"b$c\`d'e`;
test.each([
  [
    'a key',
    `auth: { scheme: apiKey, in: header, name: X-Api-Key, value: "${env('ACME_KEY')}" }`,
    '-H "X-Api-Key: $ACME_KEY"',
    `X-Api-Key: ${SECRET}`,
  ],
  [
    'a key in the query',
    `auth: { scheme: apiKey, in: query, name: k, value: "${env('ACME_KEY')}" }`,
    '"http://h/p?k=$ACME_KEY"',
    `http://h/p?k=${SECRET}`,
  ],
  [
    'a token',
    `auth: { scheme: bearer, token: "${env('ACME_KEY')}" }`,
    '-H "authorization: Bearer $ACME_KEY"',
    `authorization: Bearer ${SECRET}`,
  ],
  [
    'a password',
    `auth: { scheme: basic, username: al, password: "${env('ACME_KEY')}" }`,
    '-u "al:$ACME_KEY"',
    `al:${SECRET}`,
  ],
  [
    'a part of a header',
    `auth: { scheme: headers, headers: { X-K: "k=${env('ACME_KEY')}x;" } }`,
    '-H "X-K: k=$' + '{ACME_KEY}x;"',
    `X-K: k=${SECRET}x;`,
  ],
])('%s of the environment', (_, auth, word, passed) => {
  for (const values of [{}, { ACME_KEY: SECRET }]) {
    const command = curlOf(auth, values);
    expect(command).toContain(word);
    expect(command).not.toContain('***');
    expect(command).not.toContain('$c');
    expect(wordsOf(command, { ACME_KEY: SECRET })).toContain(passed);
  }
});

test('a literal value in the file becomes a variable, explained after the command', () => {
  const command = curlOf('auth: { scheme: apiKey, in: header, name: X-K, value: s3cret-key }', {});
  expect(command).toMatch(/-H "X-K: \$API_KEY" .* # API_KEY is auth\.value of the profile$/);
  expect(command).not.toContain('s3cret');
});

test('fetched tokens, and certificates', () => {
  const oauth = `auth: { scheme: oauth2, tokenUrl: "http://t/t?x=1", clientId: a, clientSecret: "${env('S')}" }`;
  expect(curlOf(oauth, { S: 'clientsecret' })).toMatch(
    /"authorization: Bearer \$ACCESS_TOKEN".*# ACCESS_TOKEN is a token of http:\/\/t\/t$/,
  );
  expect(curlOf('auth: { scheme: mtls, cert: a.pem, key: b.pem }', {})).toContain("--cert 'a.pem' --key 'b.pem'");
});

test.each([
  ['header', '-H "S: s $SESSION_TOKEN"', 'a token of /login'],
  ['query', '"http://h/p?S=s $SESSION_TOKEN"', 'a token of /login'],
  ['cookie', '-b "S=s $SESSION_TOKEN"', 'a token of /login'],
  ['body', "'http://h/p'", 'a token of /login, to be added as S to the body'],
])('the token of a session in the %s', (place, word, note) => {
  const login = `auth: { scheme: login, request: { url: "/login?k=1" }, token: $.t, in: ${place}, name: S, value: "s {token}" }`;
  const command = curlOf(login, {}, { ...request, headers: [] });
  expect(command).toContain(word);
  expect(command).toMatch(new RegExp(`# SESSION_TOKEN is ${note}$`));
});

test('a signature is a variable, and a note states how it is computed', () => {
  const hmac = `auth: { scheme: hmac, algorithm: sha256, key: "${env('ACME_KEY')}", message: "{method}{timestamp}", encoding: hex,
  headers: { authorization: 'X id="me", t={timestamp}, s={signature}' }, query: { nonce: "{nonce}" } }`;
  for (const values of [{}, { ACME_KEY: SECRET }]) {
    const command = curlOf(hmac, values);
    expect(command).toContain(
      '# TIMESTAMP is seconds since 1970; SIGNATURE is the HMAC-SHA256 in hex of auth.message with the key auth.key of the profile; NONCE is a random UUID',
    );
    expect(command).not.toContain('***');
    expect(wordsOf(command, { TIMESTAMP: '17', SIGNATURE: 'ab', NONCE: 'n' })).toEqual(
      expect.arrayContaining(['authorization: X id="me", t=17, s=ab', 'http://h/p?nonce=n']),
    );
  }
});

test('values of the environment anywhere in the request are variables', () => {
  const sent: WireRequest = {
    method: 'POST',
    url: 'http://h/p?t=ten%2Fant',
    headers: [['x-tenant', 'ten/ant']],
    body: Buffer.from('{"tenant":"ten/ant"}'),
  };
  const command = curlOf(`headers: { X-Tenant: "${env('TENANT')}" }`, { TENANT: 'ten/ant' }, sent);
  expect(command).not.toMatch(/ten(\/|%2F)ant/);
  expect(wordsOf(command, { TENANT: 'ten/ant' })).toEqual(
    expect.arrayContaining(['x-tenant: ten/ant', '{"tenant":"ten/ant"}']),
  );
});

test('a response cannot make the shell expand a variable, and an anonymous request has no credentials', () => {
  const sent = { ...request, headers: [['x-a', '\uE000HOME\uE001 $HOME']] as const };
  const auth = `auth: { scheme: bearer, token: "${env('ACME_KEY')}" }`;
  expect(wordsOf(curlOf(auth, { ACME_KEY: 'abcd' }, sent), { HOME: 'leaked', ACME_KEY: 'abcd' })).toContain(
    'x-a: \uE000HOME\uE001 $HOME',
  );
  expect(curlOf(auth, { ACME_KEY: 'abcd' }, { ...sent, anonymous: true })).not.toContain('ACME_KEY');
});
