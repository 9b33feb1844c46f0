/**
 * Replaying beside a bare node:http server that says the same bytes.
 *
 *   node bench/replay.ts [--requests A_ROUND] [--rounds N] [--entries N] [--peers FOLDER]
 *
 * Both servers and the client run in processes of their own; the two are timed in turn. The bounds to hold: at least 0.65
 * of the bare server’s requests per second, memory flat from round to round, a start in less than 0.3 s. A million
 * requests: --requests 200000. With --peers, talkback and WireMock are timed too (bench/replay-peers.ts); both look
 * through all they have for each request, so give them few entries.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startReplay } from '../simulator/replay/replay.ts';
import { toHarEntry } from '../src/recording/format/entry.ts';
import { RECORDED_ORIGIN } from '../src/recording/format/origin.ts';
import type { Provenance } from '../src/recording/format/schema.ts';
import { openRecording } from '../src/recording/store/open-recording.ts';
import { startPeers } from './replay-peers.ts';

const OWN = import.meta.filename;
const CONNECTIONS = 16;
const LEAST_SHARE = 0.65;
const PEERS_ASK_LESS = 4;
const MOST_START_MS = 300;
/** How much more memory a later round may hold than the second, in MB. */
const MOST_GROWTH_MB = 30;

const HEAD = ['Date', 'Sat, 14 Nov 2026 12:00:00 GMT', 'Content-Type', 'application/json', 'X-Request-Id', 'b3'];
const bodyOf = (at: number): string =>
  JSON.stringify({ upc: String(at).padStart(12, '0'), description: 'A product of some length. '.repeat(36) });

function writeRecording(dir: string, entries: number): void {
  const about: Provenance = {
    ...{ schema: 1, name: 'bench', suite: 'bench', recordedAt: new Date(0).toISOString(), source: 'live' },
    ...{ upstream: 'http://service.example', basePath: '', profile: 'empty', lanes: ['main'], masks: [] },
    matching: { headers: [], withoutQuery: [] },
    redaction: { scan: 'clean', placeholders: {}, rules: [], scannedBytes: 0 },
  };
  const lines = (flat: readonly string[]) =>
    flat.flatMap((name, at): [string, string][] => (at % 2 ? [] : [[name, flat[at + 1] as string]]));
  const all = Array.from({ length: entries }, (_, at) => {
    const body = bodyOf(at);
    return toHarEntry(
      {
        key: `GET /product/${at}`,
        order: 0,
        request: { method: 'GET', url: `${RECORDED_ORIGIN}/product/${at}`, headers: [['accept', '*/*']] },
        response: {
          status: 200,
          reasonPhrase: 'OK',
          headers: lines([...HEAD, 'Content-Length', `${body.length}`]),
          body: { text: body },
        },
      },
      String(at),
    );
  });
  const log = { _recordingName: 'main', version: '1.2', creator: { name: 'bench', version: '1' }, entries: all };
  mkdirSync(join(dir, 'bench', 'main_1'), { recursive: true });
  writeFileSync(join(dir, 'bench', 'provenance.json'), JSON.stringify(about));
  writeFileSync(join(dir, 'bench', 'main_1', 'recording.har'), JSON.stringify({ log }, null, 2));
}

async function serveBare(entries: number): Promise<void> {
  const bodies = new Map(Array.from({ length: entries }, (_, at) => [`/product/${at}`, Buffer.from(bodyOf(at))]));
  const server = createServer((request, response) => {
    const body = bodies.get(request.url as string) as Buffer;
    response.sendDate = false;
    response.writeHead(200, 'OK', [...HEAD, 'Content-Length', `${body.length}`]);
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function serveReplay(dir: string): Promise<void> {
  const began = performance.now();
  const { url } = await startReplay({ recording: openRecording(dir, 'bench') });
  console.log(`${url} ${performance.now() - began}`);
}

/** Asks over kept connections, one request at a time on each; resolves to requests per second. */
async function load(url: string, requests: number, entries: number): Promise<number> {
  const { port, host } = new URL(url);
  const asked = Array.from({ length: entries }, (_, at) => `GET /product/${at} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  let [sent, done] = [0, 0];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      socket.setNoDelay(true);
      await new Promise<void>((resolve, reject) => {
        let text = '';
        const next = (): void => {
          if (sent >= requests) {
            socket.end();
            resolve();
          } else socket.write(asked[sent++ % entries] as string);
        };
        socket.on('error', reject).on('data', (chunk: Buffer) => {
          text += chunk.toString('latin1');
          const head = text.indexOf('\r\n\r\n');
          if (head < 0) return;
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
          if (text.length < head + 4 + length) return;
          if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 300)));
          text = '';
          done++;
          next();
        });
        next();
      });
    }),
  );
  return (done / (performance.now() - began)) * 1000;
}

async function start(...args: string[]): Promise<{ child: ChildProcess; url: string; ms: number }> {
  const child = spawn(process.execPath, [OWN, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = '', ms = '0'] = line.toString().trim().split(' ');
  return { child, url, ms: Number(ms) };
}

/** The memory a process holds now, in MB (Linux). */
const memoryMb = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1] as number;

async function compare(requests: number, rounds: number, entries: number, folder?: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'mdwi-bench-'));
  writeRecording(dir, entries);
  const bare = await start('--bare', String(entries));
  const replay = await start('--replay', dir);
  const peers =
    folder === undefined ? {} : await startPeers(folder, join(dir, 'peers'), { count: entries, head: HEAD, bodyOf });
  try {
    const rates: { bare: number[]; replay: number[] } = { bare: [], replay: [] };
    const others = Object.entries(peers).map(([name, { url }]) => ({ name, url, rates: [] as number[] }));
    const memory: number[] = [];
    for (let round = 0; round < rounds; round++) {
      rates.bare.push(await load(bare.url, requests, entries));
      rates.replay.push(await load(replay.url, requests, entries));
      memory.push(memoryMb(replay.child));
      for (const each of others) each.rates.push(await load(each.url, requests / PEERS_ASK_LESS, entries));
    }
    const share = median(rates.replay) / median(rates.bare);
    const growth = (memory.at(-1) as number) - (memory[1] ?? (memory[0] as number));
    const held = (holds: boolean): string => (holds ? '(held)' : '(broken)');
    console.log(
      `${rounds} rounds of ${requests} requests over ${CONNECTIONS} connections, ${entries} entries, medians`,
    );
    console.log(`bare    ${median(rates.bare).toFixed(0)} requests/s`);
    console.log(`replay  ${median(rates.replay).toFixed(0)} requests/s`);
    console.log(`share   ${share.toFixed(2)} ${held(share >= LEAST_SHARE)}`);
    for (const each of others) {
      const rate = median(each.rates);
      console.log(
        `${each.name.padEnd(7)} ${rate.toFixed(0)} requests/s, share ${(rate / median(rates.bare)).toFixed(2)}`,
      );
    }
    console.log(`start   ${replay.ms.toFixed(0)} ms ${held(replay.ms < MOST_START_MS)}`);
    console.log(`memory  ${memory.map((each) => each.toFixed(0)).join(', ')} MB ${held(growth < MOST_GROWTH_MB)}`);
  } finally {
    for (const { child } of [bare, replay, ...Object.values(peers)]) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    rounds: { type: 'string' },
    entries: { type: 'string' },
    peers: { type: 'string' },
  },
  allowPositionals: true,
  strict: false,
});
const [first, second] = process.argv.slice(2);
if (first === '--bare') await serveBare(Number(second));
else if (first === '--replay') await serveReplay(second as string);
else
  await compare(
    Number(values.requests ?? 100_000),
    Number(values.rounds ?? 5),
    Number(values.entries ?? 10_000),
    values.peers as string | undefined,
  );
