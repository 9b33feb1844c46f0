/**
 * What commands cost as whole processes: help beside bare Node, and runs beside a plain undici script that sends the same
 * requests one after another.
 *
 *   node bench/run-cost.ts [rounds, default 5]
 *
 * The package is built first and measured as users run it. The simulator runs in a process of its own; the ways take
 * turns against it, and medians are compared, so that the figures of one run can be set beside each other.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveSource } from '../src/client/live-source.ts';
import type { WireRequest } from '../src/exchange/types.ts';
import { loadProfile } from '../src/profile/load.ts';
import { performRun } from '../src/run/run.ts';
import type { Selection } from '../src/run/types.ts';
import { RULES } from '../suites/index.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** The requests of one run, in the order sent. */
async function recordRequests(base: string, selection: Selection): Promise<Sent[]> {
  const sent: Sent[] = [];
  const live = createLiveSource({ stopAfterRefusals: Number.POSITIVE_INFINITY });
  const source = {
    ...live,
    send: (wire: WireRequest, consume?: Parameters<typeof live.send>[1]) => {
      const body = wire.body && new TextDecoder().decode(wire.body);
      sent.push({ method: wire.method, url: wire.url, headers: wire.headers, ...(body !== undefined && { body }) });
      return live.send(wire, consume);
    },
  };
  await performRun({
    rules: RULES,
    selection,
    profile: await loadProfile('reference'),
    base,
    source,
    strict: false,
    allowInconclusive: false,
    requireConformant: false,
    suiteVersion: 'bench',
  });
  await live.close();
  return sent;
}

const root = join(import.meta.dirname, '..');
const CLI = join(root, 'dist', 'src', 'cli', 'main.js');

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1] as number;

function time(args: readonly string[]): number {
  const began = performance.now();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - began;
}

/** A command and what it is set beside, as arguments of Node; the bound in ms, of what the other takes. */
interface Pair {
  readonly name: string;
  readonly command: readonly string[];
  readonly beside: readonly string[];
  readonly bound: (beside: number) => number;
  readonly rule: string;
}

/** One rule on one operation: three requests. */
const THREE: Selection = { safety: 'read', rules: ['C.categories-named'] };

async function pairsOf(base: string, folder: string): Promise<Pair[]> {
  const plain = async (name: string, selection: Selection): Promise<[file: string, count: number]> => {
    const file = join(folder, `${name}.json`);
    const sent = await recordRequests(base, selection);
    writeFileSync(file, JSON.stringify(sent));
    return [file, sent.length];
  };
  const [three, few] = await plain('three', THREE);
  const [whole, all] = await plain('whole', { safety: 'all' });
  const run = [CLI, 'run', '--base-url', base, '--profile', 'reference'];
  const script = [join(import.meta.dirname, 'plain-script.mjs')];
  return [
    {
      name: 'mdwi --help',
      command: [CLI, '--help'],
      beside: ['--eval', '0'],
      bound: (bare) => bare + 150,
      rule: 'bare Node + 0.15 s',
    },
    {
      name: `mdwi run, ${few} requests`,
      command: [...run, '--safety', THREE.safety, ...(THREE.rules ?? []).flatMap((id) => ['--rule', id])],
      beside: [...script, three],
      bound: (script) => 1.5 * script + 200,
      rule: '1.5 × plain script + 0.2 s',
    },
    {
      name: `mdwi run, ${all} requests`,
      command: [...run, '--safety', 'all'],
      beside: [...script, whole],
      bound: (script) => 3 * script + 1000,
      rule: '3 × plain script + 1 s',
    },
  ];
}

async function compare(rounds: number): Promise<void> {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' });
  const simulator = spawn(process.execPath, [CLI, 'simulate'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-bench-'));
  try {
    const [line] = (await once(simulator.stdout, 'data')) as [Buffer];
    const pairs = await pairsOf(line.toString().trim(), folder);
    const times = pairs.map(() => ({ command: [] as number[], beside: [] as number[] }));
    for (let round = 0; round < rounds; round++)
      for (const [at, { command, beside }] of pairs.entries()) {
        times[at]?.command.push(time(command));
        times[at]?.beside.push(time(beside));
      }
    console.log(`${rounds} rounds, whole processes, medians in ms`);
    for (const [at, { name, bound, rule }] of pairs.entries()) {
      const [command, beside] = [median(times[at]?.command ?? []), median(times[at]?.beside ?? [])];
      const most = bound(beside);
      console.log(
        `${name.padEnd(24)} ${command.toFixed(0).padStart(6)} beside ${beside.toFixed(0).padStart(6)}: ratio ${(command / beside).toFixed(2)}, ${(command / most).toFixed(2)} of the bound (${rule}) ${command <= most ? '(held)' : '(broken)'}`,
      );
    }
  } finally {
    simulator.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  }
}

await compare(Number(process.argv[2] ?? 5));
