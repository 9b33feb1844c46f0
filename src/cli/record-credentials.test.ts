/** A recording of a service with signatures or sessions is replayed without them, and contains none. */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startDialectSimulator } from '../api/start-simulator.ts';
import { bundledPath } from '../profile/bundled.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const REFERENCE = readFileSync(bundledPath('reference.yaml'), 'utf8');
const KEY = 'k3y-0f-the-c1ient';

const HMAC = `
  scheme: hmac
  algorithm: sha256
  key: "$\{ACME_KEY}"
  message: "{method}\\n{target}\\n{host}\\n{timestamp}\\n{bodySha256Hex}"
  encoding: base64
  headers: { Authorization: "ACME KeyId=me, Sig={signature}", X-Time: "{timestamp}" }
  query: { nonce: "{nonce}" }`;

async function mdwi(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  const env = { ...process.env, ACME_KEY: KEY };
  return promisify(execFile)(process.execPath, [MAIN, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

async function recordAndReplay(auth: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-credentials-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const profile = join(folder, 'acme.yaml');
  writeFileSync(profile, REFERENCE.replace('auth: { scheme: none }', `auth:${auth}\nauthRequired: [C, D]`));
  process.env.ACME_KEY = KEY;
  onTestFinished(() => void delete process.env.ACME_KEY);
  const simulator = await startDialectSimulator(profile, { products: 30 });
  onTestFinished(() => simulator.close());
  const target = ['--base-url', simulator.url, '--profile', profile];
  const rules = ['C.lookup-listed', 'B.metadata-listed'].flatMap((rule) => ['--rule', rule]);
  const own = ['--name', 'acme', '--recordings', folder, ...rules, '--safety', 'read'];
  const recorded = await mdwi(['record', ...target, ...own]);
  const replayed = await mdwi([
    'run',
    '--recordings',
    'acme',
    '--recordings-dir',
    folder,
    '--profile',
    profile,
    ...rules,
  ]);
  const texts = globSync('acme/**/*.*', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'latin1'));
  return { recorded, replayed, text: texts.join('\n') };
}

const provable = ({ stdout }: { readonly stdout: string }) => /provable .*/.exec(stdout)?.[0];

// The service of the profile opens the session in the response of one of its operations.
const LOGIN = `
  scheme: login
  request: { method: GET, url: /webservices/testService, query: { account: acme-retail, pin: "$\{ACME_KEY}" } }
  token: $.DATA.SID
  in: PLACE
  name: NAME`;

test('sessions, in the query of some requests and in the bodies of others', async () => {
  const inBodies = LOGIN.replace('PLACE', 'body').replace('NAME', 'ticket').replaceAll('\n', '\n  ');
  const { recorded, replayed, text } = await recordAndReplay(
    `${LOGIN.replace('PLACE', 'query').replace('NAME', 'sid')}\nauthFor:\n  B:${inBodies}`,
  );
  expect([recorded.code, provable(recorded)]).toEqual([0, provable(replayed)]);
  expect(replayed.code).toBe(0);
  expect(text).not.toMatch(/mdwi-[\da-f]{8}-|k3y-0f/);
});

test('signatures', async () => {
  const { recorded, replayed, text } = await recordAndReplay(HMAC);
  expect([recorded.code, provable(recorded)]).toEqual([0, provable(replayed)]);
  expect(replayed.code).toBe(0);
  expect(text).toContain('mdwiAuthorization');
  expect(text).not.toMatch(/Sig=|nonce=[\da-f]{8}-|k3y-0f/);
});
