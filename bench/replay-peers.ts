/** Other replayers over the same answers: talkback and WireMock, from a folder they were installed into. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What each answer is made of: `GET /product/N`, this head and a body. */
export interface Answers {
  readonly count: number;
  readonly head: readonly string[];
  bodyOf(at: number): string;
}

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

async function startAt(port: number, command: string, args: readonly string[]): Promise<Peer> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < START_MS; waited += 100) {
    const answer = await fetch(`${url}/product/0`).catch(() => undefined);
    if (answer?.ok && (await answer.text()) !== '') return { child, url };
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`${command} ${args.join(' ')} does not serve what it was given`);
}

const headersOf = ({ head, bodyOf }: Answers, at: number): [string, string][] => [
  ...head.flatMap((name, index): [string, string][] => (index % 2 ? [] : [[name, head[index + 1] as string]])),
  ['Content-Length', String(bodyOf(at).length)],
];

async function startTalkback(modules: string, work: string, answers: Answers): Promise<Peer> {
  const tapes = join(work, 'tapes');
  mkdirSync(tapes, { recursive: true });
  const meta = { createdAt: new Date(0).toISOString(), host: 'http://127.0.0.1:1', resHumanReadable: true };
  for (let at = 0; at < answers.count; at++) {
    const res = {
      status: 200,
      headers: Object.fromEntries(headersOf(answers, at).map(([name, value]) => [name.toLowerCase(), [value]])),
      body: JSON.parse(answers.bodyOf(at)),
    };
    const req = { url: `/product/${at}`, method: 'GET', headers: {}, body: '' };
    writeFileSync(join(tapes, `${at}.json5`), JSON.stringify({ meta, req, res }));
  }
  const port = await freePort();
  const options = {
    host: meta.host,
    path: tapes,
    port,
    record: 'DISABLED',
    silent: true,
    summary: false,
    allowHeaders: [],
  };
  const source = `require(${JSON.stringify(join(modules, 'talkback'))})(${JSON.stringify(options)}).start()`;
  return startAt(port, process.execPath, ['-e', source]);
}

async function startWireMock(modules: string, work: string, answers: Answers): Promise<Peer> {
  const [jar] = globSync(join(modules, 'wiremock/**/wiremock*.jar'));
  if (jar === undefined) throw new Error(`${modules}: there is no WireMock`);
  const mappings = Array.from({ length: answers.count }, (_, at) => ({
    request: { method: 'GET', url: `/product/${at}` },
    response: { status: 200, headers: Object.fromEntries(headersOf(answers, at)), body: answers.bodyOf(at) },
  }));
  mkdirSync(join(work, 'mappings'), { recursive: true });
  writeFileSync(join(work, 'mappings', 'all.json'), JSON.stringify({ mappings }));
  const port = await freePort();
  const args = ['-jar', jar, '--port', String(port), '--root-dir', work, '--no-request-journal', '--disable-banner'];
  return startAt(port, 'java', args);
}

/**
 * Starts the peers that are installed.
 * @param folder where `npm install --prefix FOLDER talkback wiremock` put them; WireMock needs a Java runtime
 * @param work a folder for what they serve
 */
export async function startPeers(folder: string, work: string, answers: Answers): Promise<Record<string, Peer>> {
  const modules = resolve(folder, 'node_modules');
  if (!existsSync(join(modules, 'talkback')))
    throw new Error(`--peers ${folder}: install them first: npm install --prefix ${folder} talkback wiremock`);
  return {
    talkback: await startTalkback(modules, work, answers),
    wiremock: await startWireMock(modules, work, answers),
  };
}
