/** Requests are signed on the bytes that are sent. The server of the test computes each signature itself. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAuthOf } from '../profile/auth-schemes.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';
import { openSource } from './hostile-server.test.support.ts';

const KEY = 'k3y-of-the-t3st';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** Starts a server that redirects `/old` to `/new`, and returns what it received. */
async function start() {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ request, body });
    if (request.url?.startsWith('/old')) response.writeHead(307, { location: request.url.replace('old', 'new') });
    response.end('{}');
  });
  return { seen, host: new URL(await listen(server)).host };
}

const sourceOf = (auth: string) =>
  openSource(clientAuthOf(parseProfile(`name: t\nauth: ${auth}`, 't.yaml', { KEY, HEX_KEY: '00ff10' }).data));

const hmac = (algorithm: string, key: string | Buffer, text: string) => createHmac(algorithm, key).update(text);

test('method, target, time and nonce are signed, again after a redirect', async () => {
  const { seen, host } = await start();
  const source = sourceOf(
    `{ scheme: hmac, algorithm: sha256, key: "$\{KEY}", encoding: hex,
       message: "{method}\\n{target}\\n{timestamp}\\n{nonce}",
       headers: { Authorization: "X-HMAC KeyId=me, Ts={timestamp}, Nonce={nonce}, Sig={signature}" } }`,
  );
  const { request, response } = await source.send({ method: 'GET', url: `http://${host}/old/x?b=%2f&a`, headers: [] });
  expect(response?.status).toBe(200);
  expect(request.headers).toEqual([['Authorization', '***']]);
  const nonces = seen.map(({ request: { headers, method, url } }) => {
    const pattern = /^X-HMAC KeyId=me, Ts=(\d+), Nonce=(\S+), Sig=(\w+)$/;
    const [, time, nonce, signature] = pattern.exec(headers.authorization ?? '') ?? [];
    expect(signature).toBe(hmac('sha256', KEY, `${method}\n${url}\n${time}\n${nonce}`).digest('hex'));
    expect(Math.abs(Number(time) * 1000 - Date.now())).toBeLessThan(60_000);
    return nonce;
  });
  expect(seen.map(({ request: { url } }) => url)).toEqual(['/old/x?b=%2f&a', '/new/x?b=%2f&a']);
  expect(new Set(nonces).size).toBe(2);
});

test('headers without the signature, the host and the digest of the body are signed', async () => {
  const { seen, host } = await start();
  const source = sourceOf(
    `{ scheme: hmac, algorithm: sha512, key: "$\{HEX_KEY}", keyEncoding: hex, encoding: base64, timestamp: httpDate,
       message: "(request-target): {lowercaseMethod} {path}\\nhost: {host}\\ndate: {header.X-Date}\\ndigest: {header.digest}\\n{header.Content-Type}\\n{body}",
       headers: { X-Date: "{timestamp}", Digest: "SHA-256={bodySha256Base64}", X-Signature: "{{1}} {signature}" } }`,
  );
  const body = Buffer.from('{"name":"é"}');
  const headers = [['content-type', 'application/json']] as const;
  await source.send({ method: 'POST', url: `http://${host}/p?q=1`, headers, body });
  const [{ request, body: received }] = seen as [Seen];
  const { 'x-date': date, digest, 'x-signature': signature } = request.headers;
  expect(digest).toBe(`SHA-256=${createHash('sha256').update(body).digest('base64')}`);
  expect(date).toMatch(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/);
  const message = `(request-target): post /p\nhost: ${host}\ndate: ${date}\ndigest: ${digest}\napplication/json\n${received}`;
  expect(signature).toBe(`{1} ${hmac('sha512', Buffer.from('00ff10', 'hex'), message).digest('base64')}`);
});

test('a signature in the query covers the sorted query with the other parameters of the scheme', async () => {
  const { seen, host } = await start();
  const source = sourceOf(
    `[{ scheme: apiKey, in: query, name: key, value: k1 },
      { scheme: hmac, algorithm: sha1, key: "$\{KEY}", encoding: base64url, timestamp: milliseconds,
        message: "{sortedQuery}", query: { ts: "{timestamp}", sig: "{signature}" } }]`,
  );
  const { redirects } = await source.send({ method: 'GET', url: `http://${host}/old?b=2&a-b=3&a=1`, headers: [] });
  const urls = seen.map(({ request: { url } }) => String(url));
  for (const url of urls) {
    const [, ts, signature] = /&ts=(\d{13})&sig=([\w-]+)$/.exec(url) ?? [];
    expect(signature).toBe(hmac('sha1', KEY, `a=1&a-b=3&b=2&key=k1&ts=${ts}`).digest('base64url'));
  }
  // The parameters are added once, and a report shows none of them.
  expect(urls.map((url) => url.split('&key=')[0])).toEqual(['/old?b=2&a-b=3&a=1', '/new?b=2&a-b=3&a=1']);
  expect(redirects[0]?.to).toBe(`http://${host}/new?b=2&a-b=3&a=1`);
});

const problem = (auth: string): string => {
  try {
    parseProfile(`name: t\nauth: { scheme: hmac, algorithm: sha256, encoding: hex, ${auth} }`, 't.yaml', {});
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['key: k, message: "{verb}", headers: { A: "{signature}" }', /auth\.message: contains \{verb\}, .*\{method\}/],
  ['key: k, message: "{signature}", headers: { A: "{signature}" }', /auth\.message: contains \{signature\}/],
  ['key: k, message: "{method}", headers: { A: "{sig}" }', /auth\.headers\.A: contains \{sig\}, .*\{signature\}/],
  ['key: k, message: "{method}", headers: { A: "{body}{signature}" }', /auth\.headers\.A: contains \{body\}/],
  ['key: k, message: "{method}", headers: { A: "{timestamp}" }', /auth: must send the signature/],
  ['key: xyz, keyEncoding: hex, message: a, query: { s: "{signature}" }', /auth\.key: is not a key in hex/],
  ['key: k, message: "{{\\"m\\":\\"{method}\\"}}", query: { s: "{signature}" }', /^none$/],
])('%s: one sentence', (auth, sentence) => {
  expect(problem(auth)).toMatch(sentence);
  expect(problem(auth)).not.toContain('xyz');
});
