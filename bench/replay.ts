/**
 * Replay as a share of a bare `node:http` server that sends the same bytes.
 *
 *   node bench/replay.ts [--requests A_ROUND] [--rounds N] [--entries N] [--only CASE] [--peers FOLDER]
 *
 * The servers and the client run in processes of their own and take turns. What is compared is the processor time of a server
 * per response, which another load on the machine disturbs less than the time on the clock; medians of the shares of the rounds. The
 * bounds to hold: 0.65, memory that the number of requests does not change, a start in less than 0.3 s of it. A million requests:
 * --requests 200000. With --peers, other replayers and mock servers are installed from npm into a folder and measured, too
 * (bench/replay-peers.ts); most search all their entries for each request, so give them few entries. Linux only.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startReplay } from '../simulator/replay/replay.ts';
import { openRecording } from '../src/recording/store/open-recording.ts';
import { load } from './http-load.ts';
import { type Case, casesOf, headOf, writeRecording } from './replay-cases.ts';
import { startPeers } from './replay-peers.ts';
import { median, memoryMb, processorSeconds, type ServerProcess, startServer } from './server-process.ts';

const OWN = import.meta.filename;
const LEAST_SHARE = 0.65;
/** Peers get this share of the requests. */
const PEER_REQUESTS = 0.25;
const MOST_START_MS = 300;

async function serveBare(entries: number): Promise<void> {
  const responses = new Map(
    casesOf(entries).flatMap((each) =>
      each.requests.map(({ target }) => {
        const body = each.bodyOf(target);
        return [target, { head: headOf(each, body), body }] as const;
      }),
    ),
  );
  const server = createServer((request, response) => {
    const send = (): void => {
      const { head, body } = responses.get(request.url as string) as { head: string[]; body: Buffer };
      response.sendDate = false;
      response.writeHead(200, 'OK', head);
      response.end(body);
    };
    if (request.method === 'GET') return send();
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk)).on('end', send);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function serveReplay(dir: string): Promise<void> {
  const before = process.cpuUsage();
  const { url } = await startReplay({ recording: openRecording(dir, 'bench') });
  const { user, system } = process.cpuUsage(before);
  console.log(`${url} ${(user + system) / 1000}`);
}

/** Seconds of processor time per response. */
async function measure({ url, child }: Pick<ServerProcess, 'url' | 'child'>, each: Case, count: number) {
  const before = processorSeconds(child);
  await load(url, each.requests, count);
  return (processorSeconds(child) - before) / count;
}

interface Options {
  readonly requests: number;
  readonly rounds: number;
  readonly entries: number;
  readonly only: string | undefined;
  readonly peers: string | undefined;
}

async function compare({ requests, rounds, entries, only, peers }: Options): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'mdwi-bench-'));
  const cases = casesOf(entries);
  writeRecording(dir, cases);
  const bare = await startServer(OWN, '--bare', String(entries));
  const replay = await startServer(OWN, '--replay', dir);
  const others = peers === undefined ? {} : await startPeers(peers, join(dir, 'peers'), cases);
  const servers = { bare, replay, ...others };
  const names = Object.keys(servers);
  const held = (holds: boolean): string => (holds ? '(held)' : '(broken)');
  const memory: number[] = [];
  try {
    console.log(`${rounds} rounds of ${requests} requests, ${entries} entries; responses per processor time`);
    console.log(`| | ${names.slice(1).join(' | ')} |\n|---|${'---|'.repeat(names.length - 1)}`);
    for (const each of cases.filter(({ name }) => only === undefined || name === only)) {
      const seconds = new Map<string, number[]>();
      const measured = Object.entries(servers).filter(([name]) => others[name]?.serves(each) ?? true);
      for (let round = 0; round <= rounds; round++)
        for (const [name, server] of measured) {
          const count = Math.ceil(requests * each.weight * (name in others ? PEER_REQUESTS : 1));
          const taken = await measure(server, each, Math.max(count, each.requests.length));
          // The first round is for the compilers.
          if (round > 0) seconds.set(name, [...(seconds.get(name) ?? []), taken]);
        }
      memory.push(memoryMb(replay.child));
      // What else the machine does changes from round to round.
      const bareSeconds = seconds.get('bare') as number[];
      const shares = names
        .slice(1)
        .map((name) => median((seconds.get(name) ?? []).map((taken, round) => (bareSeconds[round] as number) / taken)));
      const cells = shares.map((share) => (share === undefined ? '' : share.toFixed(2))).join(' | ');
      console.log(`| ${each.name} | ${cells} | ${held((shares[0] as number) >= LEAST_SHARE)}`);
    }
    const ms = Number(replay.words[0]);
    console.log(`start   ${ms.toFixed(0)} ms of processor time ${held(ms < MOST_START_MS)}`);
    console.log(`memory  ${memory.map((each) => each.toFixed(0)).join(', ')} MB after each case`);
  } finally {
    for (const { child } of Object.values(servers)) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    entries: { type: 'string', default: '10000' },
    only: { type: 'string' },
    peers: { type: 'string' },
    bare: { type: 'string' },
    replay: { type: 'string' },
  },
});
const { requests, rounds, entries, only, peers, bare, replay } = values;
if (bare !== undefined) await serveBare(Number(bare));
else if (replay !== undefined) await serveReplay(replay);
else await compare({ requests: +requests, rounds: +rounds, entries: +entries, only, peers });
