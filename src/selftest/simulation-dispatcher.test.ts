import { expect, onTestFinished, test } from 'vitest';
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { startSimulator } from '../../simulator/server.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { createLiveSource } from '../client/live-source.ts';
import type { Source } from '../exchange/types.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from './simulation-dispatcher.ts';

const PATHS = [
  'GET /PLATFORMAPI/prodRef/v1/allProducts',
  'GET /PLATFORMAPI/prodRef/v1/allCategories?x=%20é',
  'HEAD /PLATFORMAPI/prodRef/v1/allProducts',
  'GET /RetailMeasurement/v1/CategoryPerformance',
  'POST /data-access/v1/Catalogues',
  'POST /webservices/drive',
  'DELETE /webservices/drive',
  'GET /nowhere',
];

/** A response without what a connection adds to it. */
async function responseTo(source: Source, base: string, request: string) {
  const [method = '', path = ''] = request.split(' ');
  const headers: [string, string][] = [['Accept-Encoding', 'gzip, br']];
  const { response, body, failure } = await source.send({
    method,
    url: `${base}${encodeURI(decodeURI(path))}`,
    headers,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks()) chunks.push(chunk);
  const lines = (response?.headers ?? [])
    .map(([name, value]) => [name.toLowerCase(), value.replaceAll(base, 'BASE')])
    .filter(([name = '']) => !['connection', 'keep-alive', 'content-length', 'transfer-encoding'].includes(name))
    .sort();
  const text = Buffer.concat(chunks).toString('latin1').replaceAll(base, 'BASE');
  return { request, status: response?.status, lines, text, failure: failure?.kind };
}

test.each(DIALECT_NAMES)('a simulation responds as the simulator does over HTTP: %s', async (dialect) => {
  const options = { dialect, products: 30 };
  const [simulator, simulation] = await Promise.all([startSimulator(options), createSimulation(options)]);
  const dispatcher = simulationDispatcher(simulation);
  const [http, direct] = [createLiveSource({}), createLiveSource({ dispatcherFor: () => dispatcher })];
  onTestFinished(async () => {
    await Promise.all([http.close(), direct.close()]);
    await simulator.close();
  });
  for (const each of PATHS)
    expect(await responseTo(direct, SIMULATION_ORIGIN, each)).toEqual(await responseTo(http, simulator.url, each));
});

test('a body that fails and one that is longer than permitted are failures', async () => {
  const simulation = await createSimulation({ products: 30, fault: 'bulk-cut-off' });
  const dispatcher = simulationDispatcher(simulation);
  const source = createLiveSource({ dispatcherFor: () => dispatcher });
  const short = createLiveSource({ dispatcherFor: () => dispatcher, maxBodyBytes: 10 });
  onTestFinished(async () => {
    await Promise.all([source.close(), short.close()]);
  });
  const request = { method: 'GET', url: `${SIMULATION_ORIGIN}/PLATFORMAPI/prodRef/v1/allProducts`, headers: [] };
  expect((await source.send(request)).failure?.kind).toBe('truncated');
  expect((await short.send(request)).failure?.kind).toBe('tooLarge');
});
