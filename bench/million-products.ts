/**
 * A simulator of a million products: its start, its memory, and its bulk list beside a server that writes ready bytes.
 *
 *   node bench/million-products.ts [products, default 1000000] [rounds, default 7]
 *
 * The simulator is the one of the published package, which is built before. What is compared is the processor time of a server
 * per byte; medians of alternating rounds. The bounds to hold: a start in 2 s of processor time, 150 MB more than a Node process
 * that does nothing, half the rate of ready bytes; 500 aborted lists and 10 000 kept connections leave memory where it was.
 * Linux only.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { median, memoryMb, processorSeconds, type ServerProcess, startServer } from './server-process.ts';

const OWN = import.meta.filename;
const ROOT = join(import.meta.dirname, '..');
const BULK_LIST = '/PLATFORMAPI/prodRef/v1/allProducts';
const LOOK_UP = '/webservices/testService';
const CHUNK = Buffer.alloc(64 * 1024, '{"upc":"042100000177","description":"A product"},');

const MOST_START_MS = 2000;
const MOST_MB = 150;
const LEAST_SHARE = 0.5;
/** How much memory may differ after connections are closed: the collector leaves garbage. */
const MOST_GROWTH_MB = 40;
const ABORTED = 500;
const KEPT = 10_000;
const AT_ONCE = 100;
/** How often connections are opened before memory is compared: after three times it is constant. */
const WARM_UPS = 3;

async function serveReady(bytes: number): Promise<void> {
  const server = createServer(async (_, response) => {
    response.setHeader('content-type', 'application/json');
    for (let sent = 0; sent < bytes && !response.destroyed; sent += CHUNK.length)
      if (!response.write(CHUNK)) await once(response, 'drain');
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function serveSimulator(products: number): Promise<void> {
  const { startSimulator } = (await import(
    join(ROOT, 'dist/src/api/index.js')
  )) as typeof import('../src/api/index.ts');
  const { url } = await startSimulator({ products });
  const { user, system } = process.cpuUsage();
  console.log(`${url} ${(user + system) / 1000}`);
}

async function openSocket(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

const request = (url: string, path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${more}\r\n`;

/** Reads a whole response; resolves to its bytes and to the processor time that the server took for it. */
async function download({ url, child }: ServerProcess): Promise<{ bytes: number; seconds: number }> {
  const before = processorSeconds(child);
  const socket = await openSocket(url);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  socket.write(request(url, BULK_LIST, 'connection: close\r\n'));
  await once(socket, 'close');
  return { bytes, seconds: processorSeconds(child) - before };
}

/** Reads the beginning of a list and closes the connection. */
async function abort({ url }: ServerProcess): Promise<void> {
  const socket = await openSocket(url);
  socket.write(request(url, BULK_LIST));
  await once(socket, 'data');
  socket.destroy();
}

async function keep({ url }: ServerProcess): Promise<Socket> {
  const socket = await openSocket(url);
  socket.write(request(url, LOOK_UP));
  await once(socket, 'data');
  return socket;
}

async function repeat<T>(count: number, action: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count)
    results.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - results.length) }, action))));
  return results;
}

const held = (holds: boolean): string => (holds ? '(held)' : '(broken)');

async function compare(products: number, rounds: number): Promise<void> {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: 'inherit' });
  const simulator = await startServer(OWN, '--simulator', String(products));
  const idle = await startServer('--eval', 'console.log(); setInterval(() => undefined, 60_000)');
  const { bytes } = await download(simulator);
  const ready = await startServer(OWN, '--ready', String(bytes));
  try {
    const ms = Number(simulator.words[0]);
    console.log(`start     ${ms.toFixed(0)} ms of processor time ${held(ms < MOST_START_MS)}`);
    const rates = new Map<ServerProcess, number[]>([
      [simulator, []],
      [ready, []],
    ]);
    for (let round = 0; round < rounds; round++)
      for (const [server, of] of rates) {
        const { bytes, seconds } = await download(server);
        of.push(bytes / seconds / 1_000_000);
      }
    const [own, others] = [...rates.values()].map(median) as [number, number];
    const share = own / others;
    console.log(`list      ${own.toFixed(0)} MB per second of processor time, ready bytes ${others.toFixed(0)}`);
    console.log(`share     ${share.toFixed(2)} ${held(share >= LEAST_SHARE)}`);
    const beyond = memoryMb(simulator.child) - memoryMb(idle.child);
    console.log(
      `memory    ${beyond.toFixed(0)} MB more than a Node process that does nothing ${held(beyond < MOST_MB)}`,
    );
    const settled = async (): Promise<number> => {
      await setTimeout(1000);
      await download(simulator);
      return memoryMb(simulator.child);
    };
    const growthBy = async (name: string, action: () => Promise<void>): Promise<void> => {
      // At first, the process takes memory from the system that it uses again later.
      for (let time = 0; time < WARM_UPS; time++) await action();
      const before = await settled();
      await action();
      const after = await settled();
      const share = (after / before).toFixed(2);
      console.log(`${name} ${share} of the memory after ${WARM_UPS} times ${held(after - before < MOST_GROWTH_MB)}`);
    };
    await growthBy(`${ABORTED} aborted lists`, async () => void (await repeat(ABORTED, () => abort(simulator))));
    await growthBy(`${KEPT} kept connections`, async () => {
      for (const socket of await repeat(KEPT, () => keep(simulator))) socket.destroy();
    });
  } finally {
    for (const { child } of [simulator, idle, ready]) child.kill('SIGKILL');
  }
}

const [first, second] = process.argv.slice(2);
if (first === '--ready') await serveReady(Number(second));
else if (first === '--simulator') await serveSimulator(Number(second));
else await compare(Number(first ?? 1_000_000), Number(second ?? 7));
