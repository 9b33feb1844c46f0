import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../simulator/gateway/servers.test.support.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { run } from './run.ts';

test('no report shows a credential of the profile or a value of --secret, in whatever form a server says it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-reports-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
  await run.run(['--base-url', upstream, '--profile', profile, '--operation', path, '--secret', secret, ...reports]);
  for (const [, file] of files) {
    const text = readFileSync(file, 'utf8');
    expect(text.length).toBeGreaterThan(20);
    for (const hidden of [token, secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)])
      expect(text).not.toContain(hidden);
  }
});
