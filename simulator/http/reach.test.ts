import { request as httpsRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { type SimulatorOptions, startSimulator } from '../server.ts';

async function start(options: SimulatorOptions) {
  const simulator = await startSimulator({ products: 20, ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}

test('HTTPS with a certificate that is made at the start, which clients verify', async () => {
  const { url, certificate } = await start({ tls: true });
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/);
  const get = (path: string, ca: string | undefined) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      httpsRequest(url + path, { ca }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      })
        .on('error', reject)
        .end();
    });
  const { status } = await get('/PLATFORMAPI/prodRef/v1/allCategories', certificate);
  expect(status).toBe(200);
  await expect(get('/webservices/testService', undefined)).rejects.toThrow(/self-signed|unable to verify/);
});

test('a server on all addresses is known by the addresses of the machine, and its control server needs a token', async () => {
  const { port } = await start({ host: '0.0.0.0' });
  const addresses = Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).filter(({ family }) => family === 'IPv4'),
  );
  for (const { address } of addresses)
    expect((await fetch(`http://${address}:${port}/webservices/testService`)).status).toBe(200);
  expect(addresses.length).toBeGreaterThan(0);
  await expect(startSimulator({ host: '0.0.0.0', control: {} })).rejects.toThrow('needs a token');
  const steered = await start({ host: '0.0.0.0', control: { token: 'mine' } });
  expect((await fetch(`${steered.controlUrl}/clock`)).status).toBe(401);
});

test('a base path is the prefix of all paths', async () => {
  const { url } = await start({ basePath: '/api/v2/' });
  expect(new URL(url).pathname).toBe('/api/v2');
  expect((await fetch(`${url}/webservices/testService`)).status).toBe(200);
  expect((await fetch(new URL('/webservices/testService', url))).status).toBe(404);
});
