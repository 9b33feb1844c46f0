/** HTTPS of `mdwi simulate` as clients in other processes see it. */

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSimulator } from '../commands/start-simulator.ts';
import { firstOutput, startMain } from '../processes.test.support.ts';
import { newFolder } from '../resources.test.support.ts';
import { simulate } from './simulate.ts';

const pem = (name: string) => join(import.meta.dirname, `../client/__fixtures__/${name}.pem`);
const PATH = '/webservices/testService';
const OWN = ['--tls-cert', pem('cert'), '--tls-key', pem('key')];

/** Starts a simulator in a process of its own. Returns its address. */
const start = (...flags: string[]): Promise<string> =>
  firstOutput(startMain(['simulate', '--products', '20', ...flags]).child);

const statusOf = (url: string, tls: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer }) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { ...tls, agent: false }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });

/** Trusts a certificate as Python does by default, and as Python 3.13 does. */
const PYTHON = `
import ssl, sys, urllib.request
context = ssl.create_default_context(cafile=sys.argv[2])
context.verify_flags |= ssl.VERIFY_X509_STRICT
print(urllib.request.urlopen(sys.argv[1], context=context).status)
`;

test('clients in Node and Python trust the certificate that --tls-cert-out writes before the address is printed', async () => {
  const file = join(newFolder(), 'certs/simulator.pem');
  const url = (await start('--tls', '--tls-cert-out', file)) + PATH;
  expect(await statusOf(url, { ca: readFileSync(file) })).toBe(200);
  await expect(statusOf(url, {})).rejects.toThrow('self-signed');
  expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE');
  const byName = url.replace('127.0.0.1', 'localhost');
  expect((await promisify(execFile)('python3', ['-c', PYTHON, byName, file])).stdout).toBe('200\n');
});

test('--tls-client-ca accepts clients with a certificate of these authorities only, also for a profile with mtls', async () => {
  const profile = join(newFolder(), 'acme.yaml');
  writeFileSync(
    profile,
    `name: acme\nauth: { scheme: mtls, cert: ${pem('cert')}, key: ${pem('key')}, ca: ${pem('cert')} }\n`,
  );
  const url = (await start(...OWN, '--tls-client-ca', pem('cert'), '--profile', profile)) + PATH;
  const [ca, key] = [readFileSync(pem('cert')), readFileSync(pem('key'))];
  expect(await statusOf(url, { ca, cert: ca, key })).toBe(200);
  await expect(statusOf(url, { ca })).rejects.toThrow(/certificate|ECONNRESET|socket hang up/);
  const sentence =
    'auth is not simulated: client certificates are checked by a server with --tls and --tls-client-ca only';
  expect((await createSimulator({ profile })).approximations).toEqual([sentence]);
});

test('--tls-client-ca demands certificates for those operations only that need one by the profile', async () => {
  const profile = join(newFolder(), 'acme.yaml');
  const mtls = `{ scheme: mtls, cert: ${pem('cert')}, key: ${pem('key')} }`;
  writeFileSync(
    profile,
    `name: acme\nauth: { scheme: none }\nauthFor: { A: ${mtls} }\noperations: { GET ${PATH}: { request: {} } }\n`,
  );
  const url = await start(...OWN, '--tls-client-ca', pem('cert'), '--profile', profile);
  const [ca, key] = [readFileSync(pem('cert')), readFileSync(pem('key'))];
  const bulk = '/PLATFORMAPI/prodRef/v1/allProducts';
  expect(await statusOf(url + PATH, { ca, cert: ca, key })).toBe(200);
  expect(await statusOf(url + PATH, { ca })).toBe(401);
  expect([await statusOf(url + bulk, { ca }), await statusOf(url + bulk, { ca, cert: ca, key })]).toEqual([200, 200]);
});

test.each([
  [['--tls-cert-out', 'a.pem'], '--tls-cert-out: needs --tls'],
  [['--tls-client-ca', pem('cert')], '--tls-client-ca: needs --tls'],
  [['--tls', '--tls-client-ca', pem('key')], 'the file is not a readable PEM file of this kind'],
  [['--tls', '--tls-client-ca', 'none.pem'], '--tls-client-ca "none.pem": the file does not exist'],
  [['--tls', '--tls-cert-out', join(pem('cert'), 'a.pem')], 'a part of the path is a file, not a folder'],
  [['--tls-cert', pem('cert')], '--tls-cert and --tls-key: both are needed'],
])('%j is refused', async (flags, says) => {
  await expect(simulate(flags)).rejects.toThrow(says);
});

test('the command names the addresses by which other machines reach it', async () => {
  const { child, ended } = startMain(['simulate', '--host', '0.0.0.0', '--base-path', '/api']);
  const { port } = new URL(await firstOutput(child));
  child.kill('SIGTERM');
  expect((await ended).err).toContain(`mdwi simulate: other machines reach it at http://${hostname()}:${port}/api`);
});
