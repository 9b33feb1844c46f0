import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listen } from '../resources.test.support.ts';
import type { ClientCertificate } from './credentials.ts';
import { openSource } from './hostile-server.test.support.ts';
import { createLiveSource } from './live-source.ts';

const pem = (name: string) => fileURLToPath(new URL(`./__fixtures__/${name}.pem`, import.meta.url));
const [cert, key] = [readFileSync(pem('cert')), readFileSync(pem('key'))];
const own: ClientCertificate = { scheme: 'mtls', cert: pem('cert'), key: pem('key'), ca: pem('cert') };

/** An HTTPS server that answers with whom it takes the client for. */
async function serve(): Promise<string> {
  const server = createServer(
    { cert, key, ca: cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => response.end((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody'),
  );
  return `${(await listen(server)).replace('http', 'https')}/`;
}

const open = (auth: ClientCertificate[]) => openSource({ auth });

describe('a client certificate', () => {
  test('is sent over reused and new connections, but not with anonymous requests', async () => {
    const url = await serve();
    const source = open([own]);
    const seen: string[] = [];
    for (const more of [{}, { method: 'POST' }, { anonymous: true }]) {
      const { body } = await source.send({ method: 'GET', url, headers: [], ...more });
      seen.push(Buffer.from(await body.firstBytes()).toString());
    }
    expect(seen).toEqual(['localhost', 'localhost', 'nobody']);
  });

  test('whose file is missing is reported at once', () => {
    expect(() => createLiveSource({ auth: [{ ...own, key: '/nowhere/key.pem' }] })).toThrow(
      /^the key file of the profile’s mtls auth cannot be read: .*nowhere/,
    );
  });
});

test('an untrusted certificate is a failure of kind tls', async () => {
  const url = await serve();
  const { failure } = await open([]).send({ method: 'GET', url, headers: [] });
  expect(failure?.kind).toBe('tls');
  expect(failure?.message).toMatch(/self-signed/);
});
