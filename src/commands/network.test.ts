/** Proxies and certificate authorities, with real servers. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLiveSource } from '../client/live-source.ts';
import { ALL_PRODUCTS, operationOf } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import { startFront } from './front-server.test.support.ts';
import { type Network, networkOf, withDirectHost } from './network.ts';
import { openGateway } from './open-gateway.ts';
import { startProxy } from './proxy-server.test.support.ts';
import { runConformance } from './run-conformance.ts';
import { startSimulatorServer } from './start-simulator.ts';

const pem = (name: string) => fileURLToPath(new URL(`../client/__fixtures__/${name}.pem`, import.meta.url));
/** Writes a certificate authority of Node itself to a file. */
function getOtherAuthority(): string {
  const file = join(newFolder(), 'other.pem');
  writeFileSync(file, rootCertificates[0] as string);
  return file;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers with the Host header and all Cookie lines it received. */
async function serve(scheme: 'http' | 'https'): Promise<number> {
  const answer: Handler = ({ headers, rawHeaders }, response) => {
    const cookies = rawHeaders.filter((_, at) => rawHeaders[at - 1]?.toLowerCase() === 'x-line');
    response.end([headers.host, ...cookies, headers['proxy-authorization'] ?? ''].join('|'));
  };
  const server =
    scheme === 'http'
      ? createHttpServer(answer)
      : createHttpsServer({ cert: readFileSync(pem('cert')), key: readFileSync(pem('key')) }, answer);
  return Number(new URL(await listen(server)).port);
}

async function proxyTo(port: number, credentials?: string) {
  const proxy = await startProxy(port, credentials);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function get(url: string, network: Network, method = 'GET') {
  const source = createLiveSource({ ...network, timeoutMs: 5000 });
  onTestFinished(() => source.close());
  const headers = [
    ['X-Line', 'one'],
    ['X-Line', 'two'],
  ] as const;
  const { response, failure, body } = await source.send({ method, url, headers });
  return { status: response?.status, failure, text: Buffer.from(await body.firstBytes()).toString() };
}

describe('a proxy', () => {
  test('gets http requests in absolute form, with every header line, and its own credentials', async () => {
    const proxy = await proxyTo(await serve('http'), 'me:s3cret-Word');
    const network = networkOf({ proxy: proxy.url.replace('//', '//me:s3cret-Word@') }, {});
    for (const method of ['GET', 'POST']) {
      const { status, text } = await get('http://staging.example/a?b=1', network, method);
      expect([status, text]).toEqual([200, 'staging.example|one|two|']);
    }
    expect(proxy.requests).toEqual(['GET http://staging.example/a?b=1', 'POST http://staging.example/a?b=1']);
    expect(network.secrets).toContain('s3cret-Word');
  });

  test('gets https requests as a tunnel, in which the certificate of the service is checked', async () => {
    const proxy = await proxyTo(await serve('https'));
    const trusting = networkOf({ proxy: proxy.url, ca: pem('cert') }, {});
    const { status, text } = await get('https://localhost/a', trusting);
    expect([status, text]).toEqual([200, 'localhost|one|two|']);
    expect(proxy.requests).toEqual(['CONNECT localhost:443']);
    const { failure } = await get('https://localhost/a', networkOf({ proxy: proxy.url }, {}));
    expect(failure?.kind).toBe('tls');
    expect(failure?.message).toContain('--ca FILE');
  });

  test('that refuses, or is not there, is the cause, without its credentials', async () => {
    const port = await serve('https');
    const proxy = await proxyTo(port, 'me:right');
    const wrong = proxy.url.replace('//', '//me:wr0ng-Word@');
    for (const url of ['http://staging.example/', 'https://staging.example/']) {
      const { failure } = await get(url, networkOf({ proxy: wrong }, {}));
      expect(failure?.kind).toBe('proxy');
      expect(failure?.message).not.toContain('wr0ng');
    }
    await proxy.close();
    const { failure } = await get('http://staging.example/', networkOf({ proxy: wrong }, {}));
    expect(failure?.kind).toBe('proxy');
    expect(failure?.message).toContain('check --proxy, HTTP_PROXY');
  });

  test('of the environment is for its scheme and for hosts that NO_PROXY does not name', async () => {
    const port = await serve('http');
    const proxy = await proxyTo(port);
    const direct = `http://127.0.0.1:${port}/`;
    const env = (more: NodeJS.ProcessEnv): Network => networkOf({}, { HTTP_PROXY: proxy.url, ...more });
    await get(direct, env({}));
    await get(direct, networkOf({}, { http_proxy: proxy.url, HTTP_PROXY: 'http://nowhere.invalid' }));
    expect(proxy.requests.length).toBe(2);
    await get(direct, env({ NO_PROXY: 'other.example, 127.0.0.1' }));
    await get(direct, env({ no_proxy: `127.0.0.1:${port}` }));
    await get(direct, withDirectHost(env({}), direct));
    await get(direct, networkOf({}, { HTTPS_PROXY: proxy.url }));
    expect(proxy.requests.length).toBe(2);
    // A flag wins over the environment.
    await get(direct, networkOf({ proxy: proxy.url }, { NO_PROXY: '*', HTTP_PROXY: 'http://nowhere.invalid' }));
    expect(proxy.requests.length).toBe(3);
  });

  test.each(['socks5://proxy.example', 'http://', 'a b'])('%s is refused in a sentence', (proxy) => {
    expect(() => networkOf({ proxy }, {})).toThrow(/^--proxy: the address of an HTTP proxy is needed/);
    expect(() => networkOf({}, { HTTPS_PROXY: proxy })).toThrow(/^HTTPS_PROXY: /);
  });

  test.each(['100%', '%ff'])('a password with the wrong %% sequence %s is refused, and not shown', (password) => {
    const refused = (): Network => networkOf({}, { HTTP_PROXY: `http://me:${password}@proxy.example` });
    expect(refused).toThrow(/^HTTP_PROXY: the name or password of the proxy has a wrong % sequence: write %25 for %$/);
  });
});

describe('--ca', () => {
  test('adds an authority; without it the failure says what to do', async () => {
    const url = `https://127.0.0.1:${await serve('https')}/`;
    expect((await get(url, networkOf({ ca: pem('cert') }, {}))).status).toBe(200);
    const { failure } = await get(url, networkOf({}, {}));
    expect(failure?.message).toMatch(/not signed by a known authority: give the file of the authority with --ca FILE/);
  });

  test('https to a server that does not speak it says so', async () => {
    const { failure } = await get(`https://127.0.0.1:${await serve('http')}/`, networkOf({}, {}));
    expect(failure?.message).toContain(
      'the service does not speak TLS at this port: start the base address with http://',
    );
  });

  test('is checked before anything is sent', async () => {
    const folder = newFolder();
    const damaged = join(folder, 'damaged.pem');
    await writeFile(damaged, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(() => networkOf({ ca: damaged }, {})).toThrow(/: certificate 1 is damaged/);
    expect(() => networkOf({ ca: pem('key') }, {})).toThrow(/there is no certificate in PEM form/);
    expect(() => networkOf({ ca: join(folder, 'none.pem') }, {})).toThrow(/cannot be read/);
  });
});

describe('a whole run', () => {
  const one = { profile: 'reference', operations: [ALL_PRODUCTS], rules: ['every.served'] } as const;

  /** The reference simulator for every host name, behind a proxy with credentials. */
  async function simulatorBehindProxy() {
    const simulator = await startSimulatorServer({ products: 5 });
    onTestFinished(() => simulator.close());
    const front = await startFront(simulator.url, () => false);
    onTestFinished(() => front.close());
    return proxyTo(Number(new URL(front.url).port), 'me:s3cret-Word');
  }
  const withCredentials = (url: string) => url.replace('//', '//me:s3cret-Word@');

  test('goes through the proxy, and its report does not hold the credentials', async () => {
    const proxy = await simulatorBehindProxy();
    const baseUrl = 'http://staging.example';
    const run = await runConformance({ ...one, baseUrl, proxy: withCredentials(proxy.url) });
    expect(run.outcome).toBe('conformant');
    expect(proxy.requests.length).toBe(run.manifest.requests);
    expect(JSON.stringify(run)).not.toContain('s3cret-Word');
    const refused = await runConformance({ ...one, baseUrl, proxy: proxy.url.replace('//', '//me:wr0ng-Word@') });
    expect(refused.reason).toContain('check --proxy');
    expect(JSON.stringify(refused)).not.toContain('wr0ng-Word');
  });

  test('follows a redirect to another host only where it is named', async () => {
    const simulator = await startSimulatorServer({ products: 5 });
    onTestFinished(() => simulator.close());
    const hosts = new Set<string>();
    const front = await startFront(simulator.url, ({ headers, url }, response) => {
      hosts.add(String(headers.host));
      if (headers.host !== 'staging.example') return false;
      response.writeHead(302, { location: `http://other.example${url}` }).end();
      return true;
    });
    onTestFinished(() => front.close());
    const proxy = await proxyTo(Number(new URL(front.url).port));
    const options = { profile: 'reference', rules: ['C.categories-named'], baseUrl: 'http://staging.example' };
    const closed = await runConformance({ ...options, proxy: proxy.url });
    expect([closed.exitCode, [...hosts]]).toEqual([3, ['staging.example']]);
    expect(closed.results[0]?.note).toContain('--follow-to other.example');
    expect(await runConformance({ ...options, proxy: proxy.url, followTo: ['other.example'] })).toMatchObject({
      exitCode: 0,
    });
    await expect(runConformance({ ...options, followTo: ['http://other'] })).rejects.toThrow(
      /^followTo: must be a host/,
    );
  });

  test('of the simulator never does', async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await runConformance({ ...one, simulator: { products: 5 } })).outcome).toBe('conformant');
  });

  test('is recorded through the proxy: the gateway sends to it', async () => {
    const proxy = await simulatorBehindProxy();
    const folder = newFolder();
    const gateway = await openGateway(
      { name: 'r', recordings: folder },
      {
        upstream: 'http://staging.example',
        profile: await loadProfile('reference'),
        source: 'live',
        network: networkOf({ proxy: withCredentials(proxy.url) }, {}),
      },
    );
    onTestFinished(() => gateway.close());
    const { path } = operationOf(ALL_PRODUCTS);
    expect((await fetch(`${gateway.url}${path}`)).status).toBe(200);
    expect(proxy.requests).toEqual([`GET http://staging.example${path}`]);
  });

  test('trusts NODE_EXTRA_CA_CERTS, also beside --ca', async () => {
    const url = `https://127.0.0.1:${await serve('https')}/`;
    const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      import { createLiveSource } from ${module('../client/live-source.ts')};
      import { networkOf } from ${module('./network.ts')};
      for (const values of [{}, { ca: process.argv[1] }]) {
        const source = createLiveSource(networkOf(values));
        const { response, failure } = await source.send({ method: 'GET', url: process.argv[2], headers: [] });
        console.log(response?.status ?? failure?.message);
        await source.close();
      }`;
    // The authority of --ca is another one: that of NODE_EXTRA_CA_CERTS still counts.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, getOtherAuthority(), url],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: pem('cert') } },
    );
    expect(stdout.trim().split('\n')).toEqual(['200', '200']);
  });
});
