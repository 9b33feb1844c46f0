/**
 * A run over a link with a long round trip and TLS, beside a plain undici script that keeps its connections.
 *
 *   node bench/distant.ts [milliseconds of a round trip, default 40] [rounds, default 3]
 *
 * A proxy delays each byte by half a round trip, and the first one of a connection by a whole one, as its handshake does.
 * Jobs are left out, because a run pauses for them. The bounds to hold: 1.15 × the time of the script, and connections for
 * at most 5 % of the requests.
 */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordRequests } from './record-requests.ts';
import { median, startServer } from './server-process.ts';

const CLI = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');
const MOST = 1.15;
const MOST_CONNECTIONS = 0.05;
const GROUPS = ['B', 'C', 'D'] as const;

/** Forwards what a socket receives after a delay. */
function forward(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), delayMs));
  from.on('close', () => setTimeout(() => to.destroy(), delayMs));
  from.on('error', () => undefined);
}

async function startDistantProxy(port: number, roundTripMs: number) {
  let connections = 0;
  const server = createServer({ noDelay: true }, (client) => {
    connections++;
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    client.pause();
    setTimeout(() => client.resume(), roundTripMs);
    forward(client, upstream, roundTripMs / 2);
    forward(upstream, client, roundTripMs / 2);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => server.close(),
    /** The connections since the last call. */
    connections() {
      const count = connections;
      connections = 0;
      return count;
    },
  };
}

const run = promisify(execFile);

/** Seconds on the clock. */
async function secondsOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now();
  await run(process.execPath, args, { env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
  return (performance.now() - began) / 1000;
}

const [roundTripMs = 40, rounds = 3] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'mdwi-distant-'));
const certificate = join(folder, 'certificate.pem');
const near = await startServer(CLI, 'simulate');
const far = await startServer(CLI, 'simulate', '--tls', '--tls-cert-out', certificate, '--allow-host', 'localhost');
try {
  const proxy = await startDistantProxy(Number(new URL(far.url).port), roundTripMs);
  const base = `https://localhost:${proxy.port}`;
  const sent = await recordRequests(near.url, { safety: 'all', groups: GROUPS });
  const requests = join(folder, 'requests.json');
  writeFileSync(requests, JSON.stringify(sent.map((each) => ({ ...each, url: each.url.replace(near.url, base) }))));
  const ways = {
    run: [
      CLI,
      'run',
      '--base-url',
      base,
      '--profile',
      'reference',
      '--safety',
      'all',
      '--ca',
      certificate,
      '--quiet',
      ...GROUPS.flatMap((group) => ['--group', group]),
    ],
    script: [join(import.meta.dirname, 'plain-script.mjs'), requests],
  };
  const seconds: Record<keyof typeof ways, number[]> = { run: [], script: [] };
  let share = 0;
  for (let round = 0; round < rounds; round++)
    for (const name of ['run', 'script'] as const) {
      seconds[name].push(await secondsOf(ways[name], { NODE_EXTRA_CA_CERTS: certificate }));
      const connections = proxy.connections();
      if (name === 'run') share = Math.max(share, connections / sent.length);
    }
  const held = (holds: boolean): string => (holds ? '(held)' : '(broken)');
  const ratio = median(seconds.run) / median(seconds.script);
  console.log(
    `${sent.length} requests, round trips of ${roundTripMs} ms and TLS, ${rounds} rounds, medians in s on the clock`,
  );
  console.log(
    `run ${median(seconds.run).toFixed(1)} beside script ${median(seconds.script).toFixed(1)}: ${ratio.toFixed(2)} ${held(ratio <= MOST)}`,
  );
  console.log(`connections for ${(share * 100).toFixed(1)} % of the requests ${held(share <= MOST_CONNECTIONS)}`);
  proxy.close();
} finally {
  near.child.kill('SIGINT');
  far.child.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true });
}
