/** Tests of the client without the service: `npx vitest run`. */
import { createSimulator } from 'mdwi-conformance';
import { afterEach, beforeEach, expect, test } from 'vitest';
import 'mdwi-conformance/vitest';
import { Client } from './client.ts';

const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const simulator = await createSimulator({ baseUrl: 'https://api.example', products: 100 });
const client = new Client(simulator.url, simulator.fetch);

beforeEach(() => simulator.reset());
afterEach(() => expect(simulator.client()).toConform());

test('finds a product without its leading zeros', async () => {
  simulator.products.edits.add('000000000017', { description: 'Oat flakes' });
  expect(await client.product('17')).toMatchObject({ upc: '000000000017', description: 'Oat flakes' });
});

test('a product that changes is in the delta', async () => {
  simulator.clock.advanceWeeks(1);
  const upcs = async () => (await client.changed(1)).map(({ upc }) => upc);
  expect(await upcs()).not.toContain('042100000177');
  simulator.products.edits.change('042100000177', { description: 'Tea' });
  expect(await upcs()).toContain('042100000177');
});

test('tries again when the service is busy, and gives up after three times', async () => {
  await simulator.behaviors.add({ response: { status: 503 } }, { operation: DELTA, times: 2 });
  expect(await client.changed(4)).not.toEqual([]);
  expect(simulator.requests(DELTA).map(({ status }) => status)).toEqual([503, 503, 200]);
  await simulator.behaviors.add({ response: { status: 503 } }, { operation: DELTA });
  await expect(client.changed(4)).rejects.toThrow('status 503');
});

test('a connection that is reset, or cut within the body, is an error', async () => {
  await simulator.behaviors.add({ resetConnection: true }, { times: 1 });
  await expect(client.changed(4)).rejects.toThrow(TypeError);
  await simulator.behaviors.add({ truncateAfterBytes: 20 }, { times: 1 });
  await expect(client.changed(4)).rejects.toThrow();
});
