/** Other replayers of the same responses: talkback and WireMock, from a folder they were installed into. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadRequest } from './http-load.ts';
import { type Case, headOf, isJson } from './replay-cases.ts';

interface Peer {
  readonly child: ChildProcess;
  readonly url: string;
}

const START_MS = 60_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startAt(
  port: number,
  command: string,
  args: readonly string[],
  [first]: readonly RecordedPair[],
): Promise<Peer> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
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
interface RecordedPair {
  readonly request: LoadRequest;
  readonly body: string;
  readonly headers: readonly [name: string, value: string][];
}

const pairsOf = (cases: readonly Case[]): RecordedPair[] =>
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

async function startTalkback(modules: string, work: string, pairs: readonly RecordedPair[]): Promise<Peer> {
  const tapes = join(work, 'tapes');
  mkdirSync(tapes, { recursive: true });
  const meta = { createdAt: new Date(0).toISOString(), host: 'http://127.0.0.1:1', resHumanReadable: true };
  for (const [at, { request, body, headers }] of pairs.entries()) {
    const { method, target } = request;
    const res = {
      status: 200,
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), [value]])),
      body: JSON.parse(body),
    };
    const sent = request.body;
    const req = {
      ...{ url: target, method, body: sent === undefined ? '' : JSON.parse(sent) },
      headers: sent === undefined ? {} : { 'content-type': 'application/json' },
    };
    const tape = { meta: { ...meta, ...(sent !== undefined && { reqHumanReadable: true }) }, req, res };
    writeFileSync(join(tapes, `${at}.json5`), JSON.stringify(tape));
  }
  const port = await freePort();
  const options = {
    host: meta.host,
    path: tapes,
    port,
    record: 'DISABLED',
    silent: true,
    summary: false,
    allowHeaders: ['content-type'],
  };
  const source = `require(${JSON.stringify(join(modules, 'talkback'))})(${JSON.stringify(options)}).start()`;
  return startAt(port, process.execPath, ['-e', source], pairs);
}

async function startWireMock(modules: string, work: string, pairs: readonly RecordedPair[]): Promise<Peer> {
  const [jar] = globSync(join(modules, 'wiremock/**/wiremock*.jar'));
  if (jar === undefined) throw new Error(`${modules}: there is no WireMock`);
  const mappings = pairs.map(({ request, body, headers }) => ({
    request: {
      ...{ method: request.method, url: request.target },
      ...(request.body !== undefined && { bodyPatterns: [{ equalToJson: request.body }] }),
    },
    response: { status: 200, headers: Object.fromEntries(headers), body },
  }));
  mkdirSync(join(work, 'mappings'), { recursive: true });
  writeFileSync(join(work, 'mappings', 'all.json'), JSON.stringify({ mappings }));
  const port = await freePort();
  const args = ['-jar', jar, '--port', String(port), '--root-dir', work, '--no-request-journal', '--disable-banner'];
  return startAt(port, 'java', args, pairs);
}

/** A mock server of an OpenAPI document: an example per path; it does not look at the body of a request. */
async function startPrism(modules: string, work: string, pairs: readonly RecordedPair[]): Promise<Peer> {
  const paths = pairs.map(({ request, body }) => [
    request.target,
    {
      [request.method.toLowerCase()]: {
        ...(request.body !== undefined && { requestBody: { content: { 'application/json': { schema: {} } } } }),
        responses: { 200: { description: 'OK', content: { 'application/json': { example: JSON.parse(body) } } } },
      },
    },
  ]);
  const info = { title: 'The requests of a recording', version: '1' };
  const file = join(work, 'openapi.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info, paths: Object.fromEntries(paths) }));
  const port = await freePort();
  const cli = join(modules, '@stoplight/prism-cli/dist/index.js');
  return startAt(
    port,
    process.execPath,
    [cli, 'mock', file, '--port', String(port), '--verboseLevel', 'silent'],
    pairs,
  );
}

/**
 * Starts the peers that are installed.
 * @param folder where `npm install --prefix FOLDER talkback @stoplight/prism-cli wiremock` put them; WireMock needs a Java runtime
 * @param work a folder for what they serve: the cases with JSON
 */
export async function startPeers(folder: string, work: string, cases: readonly Case[]): Promise<Record<string, Peer>> {
  const modules = resolve(folder, 'node_modules');
  const starts = { talkback: startTalkback, '@stoplight/prism-cli': startPrism, wiremock: startWireMock };
  const installed = Object.entries(starts).filter(([name]) => existsSync(join(modules, name)));
  if (installed.length === 0)
    throw new Error(
      `--peers ${folder}: install them first: npm install --prefix ${folder} ${Object.keys(starts).join(' ')}`,
    );
  mkdirSync(work, { recursive: true });
  const pairs = pairsOf(cases);
  const peers: Record<string, Peer> = {};
  for (const [name, startPeer] of installed) peers[name] = await startPeer(modules, work, pairs);
  return peers;
}
