/**
 * A service whose data does not change but whose responses do: the simulator behind a server that generates ids, times, tags
 * and the order of members for every response.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { random, randomBytes, randomInt, randomUUID } from '../seeded-random.test.support.ts';

/** Formats of job ids. */
const ID_GENERATORS = {
  uuid: () => randomUUID(),
  hex: () => randomBytes(12).toString('hex'),
  long: () => `JOB-${randomBytes(9).toString('base64url')}`,
  /** As many digits as could be a figure, but no year, because every date contains one. */
  short: () => String(randomInt(3000, 9999)),
} as const;
export type IdFormat = keyof typeof ID_GENERATORS;

export interface VolatileService {
  readonly dialect?: string;
  readonly products?: number;
  readonly ids?: IdFormat;
  /** Whether envelopes and heads have parts that differ each time. */
  readonly noise?: boolean;
  /** Changes the text of a response, e.g. one value of it. */
  readonly change?: (text: string, path: string) => string;
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => ({ name, each: shuffled(each), by: random() }));
  return Object.fromEntries(members.sort((a, b) => a.by - b.by).map(({ name, each }) => [name, each]));
}

function noisy(text: string, type: string): string {
  if (type.includes('json')) {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
    const meta = { requestId: randomUUID(), generatedAt: new Date().toISOString(), took: random() };
    return JSON.stringify(shuffled({ ...value, meta }));
  }
  if (!type.includes('xml')) return text;
  const prolog = Math.max(text.lastIndexOf('-->'), text.lastIndexOf('?>'), 0);
  const attributes = `took="${random()}" trace="${randomUUID()}"`;
  return text.slice(0, prolog) + text.slice(prolog).replace(/<([A-Za-z][\w:]*)/, `<$1 ${attributes}`);
}

/** Starts such a service and returns its address. */
export async function startVolatileService({
  ids,
  noise = false,
  change,
  ...world
}: VolatileService = {}): Promise<string> {
  const simulator = await startSimulator({ products: 30, ...world } as Parameters<typeof startSimulator>[0]);
  /** Maps ids of the simulator to issued ids, and back. */
  const issuedIds = new Map<string, string>();
  const simulatorIds = new Map<string, string>();
  let ownUrl = '';
  const newId = (generate: () => string): string => {
    const id = generate();
    return simulatorIds.has(id) ? newId(generate) : id;
  };
  const withIssuedIds = (text: string): string => {
    if (!ids) return text;
    return text.replace(/\b[a-zA-Z]+-\d{6}\b/g, (id) => {
      if (!/^(?:drive|file|location|map-?export|prospect|variable|report|list|job)/i.test(id)) return id;
      const issued = issuedIds.get(id) ?? newId(ID_GENERATORS[ids]);
      issuedIds.set(id, issued);
      simulatorIds.set(issued, id);
      return issued;
    });
  };
  const withSimulatorIds = (text: string): string =>
    [...simulatorIds].reduce((all, [issued, id]) => (all.includes(issued) ? all.replaceAll(issued, id) : all), text);
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      ['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
        ? []
        : [[name, withSimulatorIds(String(value).replaceAll(ownUrl, simulator.url))]],
    ) as [string, string][];
    const upstreamResponse = await fetch(
      `${simulator.url}${withSimulatorIds((request.url ?? '').replaceAll(encodeURIComponent(ownUrl), encodeURIComponent(simulator.url)))}`,
      {
        method: request.method ?? 'GET',
        headers,
        redirect: 'manual',
        ...(parts.length > 0 && {
          body: Buffer.from(
            withSimulatorIds(Buffer.concat(parts).toString('latin1').replaceAll(ownUrl, simulator.url)),
            'latin1',
          ),
        }),
      },
    );
    const type = upstreamResponse.headers.get('content-type') ?? '';
    const plain = withIssuedIds(
      Buffer.from(await upstreamResponse.arrayBuffer())
        .toString('latin1')
        .replaceAll(simulator.url, ownUrl),
    );
    const changed = noise && plain !== '' ? noisy(plain, type) : plain;
    const text = change?.(changed, request.url ?? '') ?? changed;
    for (const [name, value] of upstreamResponse.headers)
      if (!['connection', 'content-length', 'transfer-encoding', 'keep-alive'].includes(name))
        response.setHeader(name, withIssuedIds(value.replaceAll(simulator.url, ownUrl)));
    if (noise) {
      response.setHeader('x-node', randomBytes(4).toString('hex'));
      response.setHeader('etag', `"${randomUUID()}"`);
      response.setHeader('x-csrf-token', randomBytes(16).toString('hex'));
    }
    response.statusCode = upstreamResponse.status;
    response.end(Buffer.from(text, 'latin1'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ownUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await simulator.close();
  });
  return ownUrl;
}
