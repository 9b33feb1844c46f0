/**
 * A large bulk list through the recording gateway beside a plain undici reverse proxy that records nothing.
 *
 *   node bench/gateway.ts [megabytes, default 300] [rounds, default 5]
 *
 * The gateway looks for two secrets, in all encodings. Upstream, proxy and client run in processes of their own; the two ways are timed in turn against the same upstream.
 * The bounds to hold: at least half the plain proxy’s rate in the same round, and less than 300 MB of memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';

const OWN = import.meta.filename;
const CLI = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');

const LEAST_SHARE = 0.5;
const MOST_MB = 300;
const PAUSE_MS = 2000;

async function listen(answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A JSON list of rows with a link to the upstream in each chunk, so that there is something to replace. */
async function serveList(bytes: number): Promise<void> {
  let own = '';
  const rows = (): Buffer => {
    let text = `{"next":"${own}/list?page=2"}`;
    for (let at = 0; text.length < 65_000; at++)
      text += `,\n{"upc":"${String(at).padStart(12, '0')}","description":"A product of some length, number ${at}"}`;
    return Buffer.from(`${text},\n`);
  };
  await listen(async (asked, response) => {
    own = `http://${asked.headers.host}`;
    const chunk = rows();
    response.setHeader('content-type', 'application/json');
    response.write('[');
    for (let sent = 0; sent < bytes && !response.destroyed; sent += chunk.length)
      if (!response.write(chunk)) await once(response, 'drain');
    response.end('{}]');
  });
}

/** As little as a reverse proxy can do. */
async function servePlain(upstream: string): Promise<void> {
  const dispatcher = new Agent();
  await listen(async (asked, response) => {
    const { statusCode, headers, body } = await request(`${upstream}${asked.url}`, { dispatcher });
    response.writeHead(statusCode, headers as Record<string, string>);
    await pipeline(body, response).catch(() => response.destroy());
  });
}

async function start(file: string, ...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

/** The most memory a process ever held, in MB (Linux). */
const peakMb = ({ pid }: ChildProcess): number =>
  Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;

async function download(url: string): Promise<{ ms: number; bytes: number }> {
  const began = performance.now();
  const { body } = await request(url, { headersTimeout: 0, bodyTimeout: 0 });
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  return { ms: performance.now() - began, bytes };
}

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1] as number;

async function compare(megabytes: number, rounds: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'mdwi-bench-'));
  const upstream = await start(OWN, '--list', String(megabytes * 1_000_000));
  const plain = await start(OWN, '--plain', upstream.url);
  const known = ['--secret', 'a1B2c3D4-e5F6+g7H8/i9', '--secret', 'p&ss wörd-2'];
  const own = ['--name', 'bench', '--recordings', dir, ...known];
  const recording = await start(CLI, 'gateway', '--upstream', upstream.url, ...own);
  const rates: { plain: number; recording: number }[] = [];
  const rateOf = async (url: string): Promise<number> => {
    const { ms, bytes } = await download(`${url}/list`);
    // What is still done when the client has all must not slow the other way down.
    await setTimeout(PAUSE_MS);
    return bytes / ms / 1000;
  };
  try {
    for (let round = 0; round <= rounds; round++)
      rates.push({ plain: await rateOf(plain.url), recording: await rateOf(recording.url) });
    // In the first round both are compiled. What else the machine does slows both ways of a round down.
    rates.shift();
    const share = median(rates.map((each) => each.recording / each.plain));
    const peak = peakMb(recording.child);
    const rate = (way: 'plain' | 'recording'): string => median(rates.map((each) => each[way])).toFixed(0);
    console.log(`${megabytes} MB, ${rounds} rounds, medians`);
    console.log(`plain proxy  ${rate('plain')} MB/s, ${peakMb(plain.child).toFixed(0)} MB at most`);
    console.log(`gateway      ${rate('recording')} MB/s, ${peak.toFixed(0)} MB at most`);
    console.log(`share        ${share.toFixed(2)} ${share >= LEAST_SHARE && peak < MOST_MB ? '(held)' : '(broken)'}`);
  } finally {
    for (const { child } of [upstream, plain, recording]) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}

const [first, second] = process.argv.slice(2);
if (first === '--list') await serveList(Number(second));
else if (first === '--plain') await servePlain(second as string);
else await compare(Number(first ?? 300), Number(second ?? 5));
