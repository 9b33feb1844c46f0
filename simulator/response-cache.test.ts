import { expect, test } from 'vitest';
import { createSimulation, type SimulationOptions } from './simulation.ts';

const C = '/PLATFORMAPI/prodRef/v1';

async function start(options: SimulationOptions = {}) {
  const simulation = await createSimulation({ products: 60, ...options });
  const respond = (target: string, headers: Record<string, string> = {}) =>
    simulation.respond({ method: 'GET', origin: 'http://h', target, headers, body: new Uint8Array() });
  /** The text of a body, and whether it came from the cache. */
  const read = (target: string, headers?: Record<string, string>) => {
    const { body } = respond(target, headers);
    const isStreamed = typeof body !== 'string' && !(body instanceof Uint8Array);
    const chunks = isStreamed ? [...(body as Iterable<string | Uint8Array>)] : [body];
    const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
    return { text, isStreamed, isKept: chunks.every((chunk) => chunk instanceof Uint8Array) };
  };
  return { simulation, respond, read };
}

test('the rows of a list are serialised once a data week, and the journal counts each request', async () => {
  const { simulation, read } = await start();
  const first = read(`${C}/allProducts`);
  const second = read(`${C}/allProducts`);
  expect([first.isKept, second.isKept, second.text]).toEqual([false, true, first.text]);
  // The framing of a response does not depend on the cache.
  expect([first.isStreamed, second.isStreamed]).toEqual([true, true]);
  simulation.clock.advanceWeeks(1);
  const later = read(`${C}/allProducts`);
  expect([later.isKept, later.text === first.text]).toEqual([false, false]);
  expect(
    simulation.journal.requests().map(({ id, operation, inputs, status }) => [id, operation, inputs, status]),
  ).toEqual([1, 2, 3].map((id) => [id, `GET ${C}/allProducts`, {}, 200]));
});

test('other requests, edits, behaviors and a reset lead to another response', async () => {
  const { simulation, read } = await start();
  const all = `${C}/allProducts`;
  read(all);
  expect(read(`${all}?limit=3`).isKept).toBe(false);
  expect(read(all, { accept: 'text/csv' }).isKept).toBe(false);
  expect(read(all, { 'user-agent': 'other' }).isKept).toBe(true);
  const { upc } = JSON.parse(read(all).text).products[0] as { upc: string };
  simulation.products.edits.delist(upc);
  expect(read(all).text).not.toContain(upc);
  const fault = await simulation.behaviors.add({ fault: 'bulk-upc-letter' });
  expect(read(all).isKept).toBe(false);
  simulation.behaviors.remove(fault.id);
  expect(read(all).text).not.toContain(upc);
  await simulation.reset();
  expect(read(all).text).toContain(upc);
});

test('a list that changes while it is read is not kept', async () => {
  const { simulation, respond, read } = await start();
  const all = `${C}/allProducts`;
  const [iterator] = [(respond(all).body as Iterable<string>)[Symbol.iterator]()];
  iterator.next();
  simulation.products.edits.delist(simulation.products.at(59, simulation.clock.asOf()).upc);
  while (!iterator.next().done);
  expect(read(all).isKept).toBe(false);
});

test('look-ups and jobs are computed each time, and long lists are not kept', async () => {
  const { respond, read } = await start({ products: 40_000 });
  const lookUp = `${C}/products/042100000177`;
  expect([respond(lookUp).body, respond(lookUp).body].map((body) => typeof body)).toEqual(['string', 'string']);
  read(`${C}/allProducts`);
  expect(read(`${C}/allProducts`).isKept).toBe(false);
});
