/**
 * How fast the simulator serves, as a share of a bare `node:http` server that sends the same bytes.
 *
 *   node bench/simulator.ts [requests per measurement, default 4000] [rounds, default 3] [profile]
 *
 * With a profile, the simulator is the one of that profile, which must have the paths of the reference dialect, such as
 * `src/profile/bundled/reference.yaml`.
 *
 * Both servers run in processes of their own; the client sends requests over 8 kept connections. What is compared is the
 * processor time that a server takes per response, which another load on the machine disturbs less than the time on the clock.
 * They take turns; the median of the rounds is shown. Look-ups vary over 500 UPCs, lists are one of 1 000 rows each. The
 * bounds to hold: 0.6 for small answers, 0.4 for lists.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const C = '/PLATFORMAPI/prodRef/v1';
const CONNECTIONS = 8;

/** Each case: its requests, in turn. */
const upcs = async (base: string): Promise<string[]> => {
  const { products } = (await (await fetch(`${base}${C}/allProducts?limit=500`)).json()) as {
    products: { upc: string }[];
  };
  return products.map(({ upc }) => `${C}/products/${upc}`);
};

/** Sends the parent the address, and the processor time in microseconds whenever it asks. */
function serve(url: string): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(url);
}

if (process.argv[2] === 'bare') {
  const { createServer } = await import('node:http');
  const upstream = process.argv[3] as string;
  const known = new Map<string, { status: number; type: string; body: Buffer }>();
  createServer(async (request, response) => {
    const target = request.url as string;
    let answer = known.get(target);
    if (!answer) {
      const got = await fetch(upstream + target);
      answer = {
        status: got.status,
        type: got.headers.get('content-type') ?? '',
        body: Buffer.from(await got.arrayBuffer()),
      };
      known.set(target, answer);
    }
    response.writeHead(answer.status, { 'content-type': answer.type, 'content-length': answer.body.length });
    response.end(answer.body);
  }).listen(0, '127.0.0.1', function (this: { address(): unknown }) {
    serve(`http://127.0.0.1:${(this.address() as { port: number }).port}`);
  });
} else if (process.argv[2] === 'simulator') {
  const { startSimulator } = await import('../simulator/server.ts');
  const { dialectOf } = await import('../simulator/dialects/from-profile/dialect.ts');
  const { loadProfile } = await import('../src/profile/load.ts');
  const profile = process.argv[3];
  const dialect = profile === undefined ? 'reference' : dialectOf(await loadProfile(profile));
  serve((await startSimulator({ products: 1000, dialect })).url);
} else {
  const [requests = 4000, rounds = 3] = process.argv.slice(2, 4).map(Number);
  const children = new Map<string, ChildProcess>();
  const start = async (...args: string[]): Promise<string> => {
    const child = fork(fileURLToPath(import.meta.url), args);
    const [url] = (await once(child, 'message')) as [string];
    children.set(url, child);
    return url;
  };
  const [, , , , profile] = process.argv;
  const simulator = await start('simulator', ...(profile === undefined ? [] : [profile]));
  const bare = await start('bare', simulator);
  const cases: Readonly<Record<string, readonly string[]>> = {
    'look-up': await upcs(simulator),
    testService: ['/webservices/testService'],
    'allProducts, 1 000 rows': [`${C}/allProducts`],
    BrandPerformance: ['/RetailMeasurement/v1/BrandPerformance'],
    'updateProducts, 13 weeks': [`${C}/updateProducts?weeks=13`],
  };
  const cpuOf = async (base: string): Promise<number> => {
    const child = children.get(base) as ChildProcess;
    child.send('cpu');
    return ((await once(child, 'message')) as [number])[0];
  };
  /** Responses per second of processor time. */
  const measure = async (base: string, targets: readonly string[]): Promise<number> => {
    const pool = new Pool(base, { connections: CONNECTIONS });
    let sent = 0;
    const worker = async (): Promise<void> => {
      while (sent < requests) {
        sent += 1;
        const { body } = await pool.request({ method: 'GET', path: targets[sent % targets.length] as string });
        await body.dump({ limit: Number.POSITIVE_INFINITY });
      }
    };
    const before = await cpuOf(base);
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    await pool.close();
    return (requests * 1_000_000) / ((await cpuOf(base)) - before);
  };
  const median = (values: number[]): number =>
    values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] as number;
  for (const [name, targets] of Object.entries(cases)) {
    for (const target of targets) await (await fetch(bare + target)).arrayBuffer();
    for (const base of [simulator, bare]) await measure(base, targets);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await measure(simulator, targets));
      theirs.push(await measure(bare, targets));
    }
    console.log(
      `${name.padEnd(26)} ${(median(ours) / median(theirs)).toFixed(2)} of a bare server (${Math.round(median(ours))} responses per second of processor time)`,
    );
  }
  const started = async (): Promise<string> => {
    const response = await fetch(`${simulator}/webservices/mapExport`, { method: 'POST' });
    return ((await response.json()) as { jobId: string }).jobId;
  };
  const status = async (): Promise<number> => {
    const id = await started();
    return measure(simulator, [`/webservices/getMapExportJobStatus?jobId=${id}`]);
  };
  const few = await status();
  for (let at = 0; at < 10_000; at += 1) await started();
  console.log(`job status after 10 000 jobs  ${((await status()) / few).toFixed(2)} of that after one`);
  for (const child of children.values()) child.kill();
}
