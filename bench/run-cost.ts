/**
 * What commands cost as whole processes: help beside bare Node, and runs beside a plain undici script that sends the same
 * requests one after another.
 *
 *   node bench/run-cost.ts [rounds, default 5] [--peers]
 *
 * Runs are measured on the simulator, and on a server of `bench/strangers` whose profile has schemas of bodies. *
 * `--peers` also installs Redocly respect and Newman in a temporary folder and lets them send the requests of the whole run.
 * The package is built first and measured as users run it. The simulator runs in a process of its own; the ways take
 * turns against it, and medians are compared, so that the figures of one run can be compared with each other. Time on the
 * clock depends on what else the machine does; processor time, user and system, depends less on it.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Selection } from '../src/run/types.ts';
import { installPeers, type Peer } from './peers.ts';
import { recordRequests } from './record-requests.ts';
import { buildStranger, type RunningStranger, STRANGERS, startStranger } from './strangers/servers.ts';

const root = join(import.meta.dirname, '..');
const CLI = join(root, 'dist', 'src', 'cli', 'main.js');
const CPU_TIME = pathToFileURL(join(import.meta.dirname, 'cpu-time.mjs')).href;

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1] as number;

/** What processes took, in ms: on the clock, and of the processor. */
interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

const medianCost = (costs: readonly Cost[]): Cost => ({
  wall: median(costs.map(({ wall }) => wall)),
  cpu: median(costs.map(({ cpu }) => cpu)),
});

/** Runs Node with these arguments. A test runner that finds a failure is no error here. */
function measure(args: readonly string[], folder: string): Cost {
  const file = join(folder, 'cpu-time');
  rmSync(file, { force: true });
  const began = performance.now();
  spawnSync(process.execPath, ['--import', CPU_TIME, ...args], {
    stdio: 'ignore',
    env: { ...process.env, CPU_TIME_FILE: file, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  return { wall: performance.now() - began, cpu: Number(readFileSync(file, 'utf8')) };
}

/** A command and what it is compared with, as arguments of Node. Its bound is `factor` times the cost of the other, plus `plusMs`. */
interface Pair {
  readonly name: string;
  readonly command: readonly string[];
  readonly beside: readonly string[];
  readonly besideIs: string;
  readonly factor: number;
  readonly plusMs: number;
  /** Other programs that do the same; for comparison, without a bound. */
  readonly peers: readonly Peer[];
}

/** Its profile has schemas of bodies. */
const STRANGER = 'shelfscope';

/** One rule on one operation: three requests. */
const THREE: Selection = { safety: 'read', rules: ['C.categories-named'] };

async function pairsOf(
  base: string,
  stranger: RunningStranger | undefined,
  folder: string,
  withPeers: boolean,
): Promise<Pair[]> {
  const plain = async (name: string, selection: Selection, server = { baseUrl: base, profile: 'reference' }) => {
    const file = join(folder, `${name}.json`);
    const sent = await recordRequests(server.baseUrl, selection, server.profile);
    writeFileSync(file, JSON.stringify(sent));
    return { sent, script: [join(import.meta.dirname, 'plain-script.mjs'), file] };
  };
  const few = await plain('few', THREE);
  const all = await plain('all', { safety: 'all' });
  const run = [CLI, 'run', '--base-url', base, '--profile', 'reference'];
  const foreign = stranger && (await plain('foreign', { safety: 'all' }, stranger));
  const peersFolder = join(folder, 'peers');
  if (withPeers) mkdirSync(peersFolder);
  return [
    {
      name: 'mdwi --help',
      command: [CLI, '--help'],
      beside: ['--eval', '0'],
      besideIs: 'bare Node',
      factor: 1,
      plusMs: 150,
      peers: [],
    },
    {
      name: `mdwi run, ${few.sent.length} requests`,
      command: [...run, '--safety', THREE.safety, ...(THREE.rules ?? []).flatMap((id) => ['--rule', id])],
      beside: few.script,
      besideIs: 'plain script',
      factor: 1.5,
      plusMs: 200,
      peers: [],
    },
    {
      name: `mdwi run, ${all.sent.length} requests`,
      command: [...run, '--safety', 'all'],
      beside: all.script,
      besideIs: 'plain script',
      factor: 2,
      plusMs: 300,
      peers: withPeers ? installPeers(peersFolder, all.sent) : [],
    },
    ...(stranger && foreign
      ? [
          {
            name: `mdwi run on ${STRANGER}, ${foreign.sent.length} requests`,
            command: [CLI, 'run', '--base-url', stranger.baseUrl, '--profile', stranger.profile, '--safety', 'all'],
            beside: foreign.script,
            besideIs: 'plain script',
            factor: 2,
            plusMs: 300,
            peers: [],
          },
        ]
      : []),
  ];
}

function report({ name, besideIs, factor, plusMs, peers }: Pair, [command, beside, ...others]: readonly Cost[]): void {
  if (!command || !beside) return;
  console.log(`${name} beside ${besideIs}, bound ${factor} × + ${plusMs / 1000} s`);
  for (const [clock, what] of [
    ['wall', 'on the clock'],
    ['cpu', 'of the processor'],
  ] as const) {
    const bound = factor * beside[clock] + plusMs;
    const ratio = (cost: Cost) => (cost[clock] / beside[clock]).toFixed(2);
    console.log(
      `  ${what.padEnd(16)} ${command[clock].toFixed(0).padStart(6)} beside ${beside[clock].toFixed(0).padStart(6)}: ratio ${ratio(command)}, ${(command[clock] / bound).toFixed(2)} of the bound (${command[clock] <= bound ? 'held' : 'broken'})${peers.map((peer, at) => `; ${peer.name} ${ratio(others[at] as Cost)}`).join('')}`,
    );
  }
}

async function compare(rounds: number, withPeers: boolean): Promise<void> {
  execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' });
  const simulator = spawn(process.execPath, [CLI, 'simulate'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-bench-'));
  let stranger: RunningStranger | undefined;
  try {
    const [line] = (await once(simulator.stdout, 'data')) as [Buffer];
    const built = STRANGERS.find((each) => each.name === STRANGER && buildStranger(each));
    stranger = built && (await startStranger(built));
    if (!stranger) console.log(`${STRANGER}: skipped, its language is not installed`);
    const pairs = await pairsOf(line.toString().trim(), stranger, folder, withPeers);
    const programs = pairs.map(({ command, beside, peers }) => [command, beside, ...peers.map((peer) => peer.command)]);
    const costs = programs.map((each) => each.map((): Cost[] => []));
    for (let round = 0; round < rounds; round++)
      for (const [at, each] of programs.entries())
        for (const [nth, args] of each.entries()) costs[at]?.[nth]?.push(measure(args, folder));
    console.log(`${rounds} rounds, whole processes, medians in ms`);
    for (const [at, pair] of pairs.entries()) report(pair, (costs[at] ?? []).map(medianCost));
  } finally {
    simulator.kill('SIGINT');
    await stranger?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [, , ...args] = process.argv;
await compare(Number(args.find((each) => /^\d+$/.test(each)) ?? 5), args.includes('--peers'));
