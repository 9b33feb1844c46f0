import { expect, test } from 'vitest';
import { startSimulatorServer } from './start-simulator.ts';
import './to-conform.ts';

test('toConform passes for a client without mistakes, and shows the mistakes of another', async () => {
  await using simulator = await startSimulatorServer({ products: 20 });
  expect(() => expect(simulator.client()).toConform()).toThrow('the simulator received no request');
  for (const wrong of [simulator, simulator.client, undefined])
    expect(() => expect(wrong).toConform()).toThrow('toConform takes the verdict on a client');
  await fetch(`${simulator.url}/webservices/testService`);
  expect(simulator.client()).toConform();
  expect(() => expect(simulator.client()).not.toConform()).toThrow('nothing is wrong with 1 requests');
  await fetch(`${simulator.url}/PLATFORMAPI/prodRef/v1/products/1`);
  expect(() => expect(simulator.client()).toConform()).toThrow(
    'request 2, GET /PLATFORMAPI/prodRef/v1/products/1: a UPC is a string of 12 digits',
  );
});
