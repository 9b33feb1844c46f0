import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../src/commands/run-conformance.ts';
import { startDialectSimulator } from '../../../src/commands/start-simulator.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const auth = {
  scheme: 'hmac',
  algorithm: 'sha256',
  key: 'k3y-of-the-t3st',
  encoding: 'hex',
  message: '{method}\n{target}\n{host}\n{timestamp}',
  headers: { Authorization: 'X-HMAC KeyId=me, Ts={timestamp}, Sig={signature}' },
  query: { nonce: '{nonce}' },
} as const;
const profileOf = (given: object = {}) =>
  ({
    name: 'mine',
    auth: { ...auth, ...given },
    operations: { [BULK]: { request: {}, response: { rows: '$.items', fields: { upc: '@.upc' } } } },
  }) as const;

async function start() {
  const simulator = await startDialectSimulator(profileOf(), { products: 20, basePath: '/api' });
  onTestFinished(() => simulator.close());
  const { host, pathname } = new URL(simulator.url);
  const target = `${pathname}/PLATFORMAPI/prodRef/v1/allProducts?nonce=n1`;
  const signed = (seconds: number, key: string = auth.key, message = target) => {
    const signature = createHmac('sha256', key).update(`GET\n${message}\n${host}\n${seconds}`).digest('hex');
    return `X-HMAC KeyId=me, Ts=${seconds}, Sig=${signature}`;
  };
  const get = async (authorization: string) =>
    (await fetch(`http://${host}${target}`, { headers: { authorization } })).status;
  return { simulator, signed, get };
}

test('a valid signature is accepted, also by a clock that is a few minutes off', async () => {
  const { signed, get } = await start();
  const now = Math.floor(Date.now() / 1000);
  expect([await get(signed(now)), await get(signed(now - 200)), await get(signed(now + 200))]).toEqual([200, 200, 200]);
});

test('another key, message, time or form is refused', async () => {
  const { signed, get } = await start();
  const now = Math.floor(Date.now() / 1000);
  const refused = [
    signed(now, 'other'),
    signed(now, auth.key, '/elsewhere'),
    signed(now - 400),
    signed(now + 400),
    signed(now).replace('KeyId=me', 'KeyId=you'),
    signed(now).replace(/Ts=\d+/, `Ts=${now - 1}`),
    'X-HMAC',
    '',
  ];
  expect(await Promise.all(refused.map(get))).toEqual(refused.map(() => 401));
});

test('a run signs its requests; with another key all are refused', async () => {
  const { simulator } = await start();
  const verdicts = async (given: object) => {
    const run = await runConformance({ baseUrl: simulator.url, profile: profileOf(given), rules: ['C.upc-12-digits'] });
    return run.results.map(({ verdict }) => verdict).filter((each) => each !== 'not-applicable');
  };
  expect(await verdicts({})).toContain('pass');
  expect(await verdicts({ key: 'another-key' })).not.toContain('pass');
});
