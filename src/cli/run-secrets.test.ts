import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serve } from '../../simulator/gateway/servers.test.support.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';
import { run } from './run.ts';

test('no report shows a credential of the profile or a value of --secret, in whatever form a server says it', async () => {
  const folder = newFolder();
  const [token, secret] = ['t0ken-in-the-profile', 'f1ag-value/+x'];
  const upstream = await serve(({ headers }, response) => {
    response.writeHead(500, { 'content-type': 'text/html', 'x-you': headers.authorization });
    response.end(
      `<p>${headers.authorization} ${secret} ${Buffer.from(secret).toString('base64')} ${secret.slice(0, 4)}</p>`,
    );
  });
  const profile = join(folder, 'profile.yaml');
  const path = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
  writeFileSync(profile, `name: acme\nauth: { scheme: bearer, token: ${token} }\noperations:\n  ${path}: {}\n`);
  const files = FORMAT_NAMES.map((name) => [name, join(folder, `report.${name}`)] as const);
  const reports = files.flatMap(([name, file]) => ['--report', `${name}=${file}`]);
  await run(['--base-url', upstream, '--profile', profile, '--operation', path, '--secret', secret, ...reports]);
  for (const [, file] of files) {
    const text = readFileSync(file, 'utf8');
    expect(text.length).toBeGreaterThan(2);
    for (const hidden of [token, secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
      expect(text).not.toContain(hidden);
  }
});

/** A service that hands out tokens and cookies, and shows them in values, texts and encodings; each token is refused once. */
async function echoing() {
  const handedOut: string[] = [];
  const tokens = (n: number) => ({
    access_token: `acc3ss-${n}-${'x7Kq'.repeat(4)}`,
    refresh_token: `r3fresh-${n}-${'p9Lm'.repeat(4)}`,
    id_token: `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"sub":"${n}"}`).toString('base64url')}.s1gn-${n}-${'w3Zt'.repeat(40)}`,
  });
  const cookie = 'c00kie7Kq2xW9sessionLike';
  let refusals = 0;
  const base = await serve(({ headers, url }, response) => {
    if (url === '/token') {
      const fresh = tokens(handedOut.length);
      handedOut.push(...Object.values(fresh));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fresh));
      return;
    }
    const token = headers.authorization?.slice('Bearer '.length) ?? 'none';
    if (refusals++ === 3) return void response.writeHead(401).end();
    const said = [...handedOut, cookie].flatMap((each) => [each, Buffer.from(`x:${each}`).toString('base64')]);
    response.setHeader('set-cookie', [`sid=${cookie}; Path=/`, 'market=US-market-cookie']);
    if (url?.includes('?')) return void response.writeHead(500).end(`not for ${token}: ${said.join(' ')}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items: said.map((each) => ({ gtin: each, market: 'US-market-cookie' })) }));
  });
  return { base, hidden: () => [...handedOut, cookie] };
}

describe('a credential the service gives', () => {
  test.each([
    ['run', []],
    ['record', ['--name', 'echo']],
  ] as const)('is hidden in all that %s writes and prints, renewed ones too', async (command, own) => {
    const folder = newFolder();
    const { base, hidden } = await echoing();
    const profile = join(folder, 'profile.yaml');
    const path = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
    const fields = "{ upc: '@.gtin', market: '@.market' }";
    writeFileSync(
      profile,
      `name: acme
auth: { scheme: oauth2, tokenUrl: "${base}/token", clientId: me, clientSecret: my-client-s3cret }
operations:
  ${path}: { request: {}, response: { rows: '$.items[*]', fields: ${fields} } }
`,
    );
    const reports = FORMAT_NAMES.flatMap((name) => ['--report', `${name}=${join(folder, `report.${name}`)}`]);
    const recordings = own.length > 0 ? ['--recordings', join(folder, 'recordings')] : [];
    const flags = ['--base-url', base, '--profile', profile, '--operation', path, '--verbose', ...reports];
    const { stdout, stderr } = await perform([command, ...flags, ...own, ...recordings]);
    const files = globSync('**/*', { cwd: folder, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'profile.yaml')
      .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
    const all = [stdout, stderr, ...files].join('\n');
    expect(files.length).toBeGreaterThanOrEqual(FORMAT_NAMES.length);
    expect(hidden().length).toBeGreaterThan(4);
    for (const each of hidden()) {
      expect(all).not.toContain(each);
      for (const before of ['', 'x:', 'xx:'])
        expect(all).not.toContain(Buffer.from(`${before}${each}`).toString('base64').replaceAll('=', '').slice(4, -4));
      // A long value is cut where it is shown, and its beginning reveals nothing.
      expect(all).not.toContain(each.slice(0, Math.max(12, each.length / 3)));
    }
    expect(all).toContain('***');
    expect(all).toContain('US-market-cookie');
  });
});
