/** Peers of the replay bench in processes of their own, and what they serve. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadRequest } from './http-load.ts';
import { type Case, headOf, isJson } from './replay-cases.ts';

export interface Peer {
  readonly child: ChildProcess;
  readonly url: string;
}

const START_MS = 60_000;

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a command, and waits until it serves the first response. */
export async function startAt(
  port: number,
  command: string,
  args: readonly string[],
  [first]: readonly RecordedPair[],
): Promise<Peer> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < START_MS; waited += 100) {
    const answer = await fetch(`${url}${first?.request.target}`).catch(() => undefined);
    if (answer?.ok && (await answer.text()) !== '') return { child, url };
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${command} ${args.join(' ')} does not serve what it was given`);
}

/** A response in JSON, and its request. */
export interface RecordedPair {
  readonly request: LoadRequest;
  readonly body: string;
  readonly headers: readonly [name: string, value: string][];
}

/** The cases that every peer can serve. */
export const pairsOf = (cases: readonly Case[]): RecordedPair[] =>
  cases.filter(isJson).flatMap((each) =>
    each.requests.map((request) => {
      const body = each.bodyOf(request.target);
      const head = headOf(each, body);
      return {
        ...{ request, body: body.toString() },
        headers: head.flatMap((name, at): [string, string][] => (at % 2 ? [] : [[name, head[at + 1] as string]])),
      };
    }),
  );

/** How a peer is installed and started. */
export interface PeerKind {
  /** The packages of npm; the first one starts it. */
  readonly packages: readonly [string, ...string[]];
  /** Whether it can answer the requests of a case with status 200 and the recorded content. Default: those with JSON. */
  readonly serves?: (each: Case) => boolean;
  /**
   * @param modules a folder `node_modules`
   * @param work a folder for what it serves
   */
  readonly start: (modules: string, work: string, pairs: readonly RecordedPair[]) => Promise<Peer>;
}
