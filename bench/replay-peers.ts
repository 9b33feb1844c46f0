/** Other replayers and mock servers of the same responses, which the bench installs from npm. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { JSON_SERVER, MOCKOON, MSW } from './mock-peers.ts';
import { freePort, type Peer, type PeerKind, pairsOf, type RecordedPair, startAt } from './peer-process.ts';
import { type Case, isJson } from './replay-cases.ts';

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

const KINDS: readonly PeerKind[] = [
  { packages: ['talkback'], start: startTalkback },
  { packages: ['@stoplight/prism-cli'], start: startPrism },
  // The package contains the jar; it needs a Java runtime.
  { packages: ['wiremock'], start: startWireMock },
  MOCKOON,
  MSW,
  JSON_SERVER,
];

/** A peer that runs, and the cases that it can serve. */
export interface StartedPeer extends Peer {
  readonly serves: (each: Case) => boolean;
}

/**
 * Installs what is missing and starts the peers. One that cannot be started is left out, with a message.
 * @param folder where npm installs them: one that no project uses
 * @param work a folder for what they serve: the cases with JSON
 */
export async function startPeers(
  folder: string,
  work: string,
  cases: readonly Case[],
): Promise<Record<string, StartedPeer>> {
  const modules = resolve(folder, 'node_modules');
  const missing = KINDS.flatMap(({ packages }) => packages).filter((name) => !existsSync(join(modules, name)));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...missing], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const peers: Record<string, StartedPeer> = {};
  for (const { packages, serves = isJson, start } of KINDS) {
    const [name] = packages;
    const own = join(work, name.replace(/\W/g, '-'));
    mkdirSync(own, { recursive: true });
    try {
      peers[name] = { ...(await start(modules, own, pairsOf(cases.filter(serves)))), serves };
    } catch (error) {
      console.log(`${name} is left out: ${(error as Error).message}`);
    }
  }
  return peers;
}
