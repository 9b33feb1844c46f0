/** The servers of `bench/strangers`: how to build and start each. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How to build a server, if needed, and how to start it. `DIR` is its folder, `OUT` a temporary one. */
export interface Stranger {
  readonly name: string;
  /** The environment variables that its profile needs: the keys of a public demonstration. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly build?: readonly string[];
  readonly start: readonly string[];
}

export const STRANGERS: readonly Stranger[] = [
  { name: 'meridian', start: ['python3', 'DIR/server.py'] },
  { name: 'oxbow', start: ['perl', 'DIR/server.pl'] },
  {
    name: 'kestrel',
    build: ['javac', '-nowarn', '-d', 'OUT', 'DIR/Server.java'],
    start: ['java', '-XX:TieredStopAtLevel=1', '-cp', 'OUT', 'Server'],
  },
  {
    name: 'ferrum',
    build: ['rustc', '--edition', '2021', '-A', 'warnings', '-o', 'OUT/server', 'DIR/server.rs'],
    start: ['OUT/server'],
  },
  { name: 'tinplate', build: ['gcc', '-O1', '-w', '-o', 'OUT/server', 'DIR/server.c'], start: ['OUT/server'] },
  {
    name: 'shelfscope',
    keys: {
      SS_OPS_KEY: 'ops-7f31c2',
      SS_CATALOG_KEY: 'cat-22d9e0',
      SS_ITEM_KEY: 'item-90ab44',
      SS_PANEL_KEY: 'panel-4c1e77',
    },
    start: ['ruby', 'DIR/server.rb'],
  },
  {
    name: 'kontrast',
    keys: { REGAL_PANEL_PW: 'Pn-9032', REGAL_DESK_PW: 'Dk-4417' },
    build: ['go', 'build', '-o', 'OUT/server', 'DIR/main.go'],
    start: ['OUT/server'],
  },
];

const here = import.meta.dirname;
const out = mkdtempSync(join(tmpdir(), 'strangers-'));
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill();
  rmSync(out, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A command with its folders filled in. */
export const commandOf = ({ name }: Stranger, words: readonly string[]): [string, ...string[]] => {
  const [program = '', ...rest] = words.map((word) =>
    word.replace('DIR', join(here, name)).replace('OUT', join(out, name)),
  );
  return [program, ...rest];
};

/** Builds a server and sets the keys of its profile. Returns false if its language is not installed. */
export function buildStranger(stranger: Stranger): boolean {
  Object.assign(process.env, stranger.keys);
  const [program] = commandOf(stranger, stranger.build ?? stranger.start);
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error) return false;
  if (stranger.build) {
    mkdirSync(join(out, stranger.name), { recursive: true });
    const [builder, ...rest] = commandOf(stranger, stranger.build);
    execFileSync(builder, rest, { stdio: 'ignore' });
  }
  return true;
}

/** A running server with the profile of a newcomer. */
export interface RunningStranger {
  readonly baseUrl: string;
  readonly profile: string;
  close(): Promise<void>;
}

/** Starts a server that is built. */
export async function startStranger(stranger: Stranger, flags: readonly string[] = []): Promise<RunningStranger> {
  const [program, ...args] = commandOf(stranger, stranger.start);
  const child = spawn(program, [...args, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill();
    await exited;
    children.delete(child);
  };
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
  const baseUrl = /http:\S+/.exec(String(line))?.[0];
  if (baseUrl !== undefined) return { baseUrl, profile: join(here, stranger.name, 'profile.yaml'), close };
  await close();
  throw new Error(`${stranger.name} ${flags.join(' ')} does not start`);
}
