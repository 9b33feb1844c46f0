/**
 * What a whole run costs beside a plain undici script that sends the same requests one after another.
 *
 *   node bench/run-cost.ts [rounds, default 5]
 *
 * The simulator runs in a process of its own; each way is timed as a whole process, in turn, against it. The bound to
 * hold: a run takes at most three times the plain script, and one second of start-up.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { createLiveSource } from '../src/client/live-source.ts';
import type { WireRequest } from '../src/exchange/types.ts';
import { loadProfile } from '../src/profile/load.ts';
import { performRun } from '../src/run/run.ts';
import { RULES } from '../suites/index.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** The plain script: every request in turn, every body read and thrown away. */
async function sendAll(file: string): Promise<void> {
  const sent = JSON.parse(readFileSync(file, 'utf8')) as Sent[];
  for (const each of sent) {
    const { body } = await request(each.url, {
      method: each.method as 'GET',
      headers: each.headers.flat(),
      body: each.body ?? null,
    });
    await body.dump({ limit: Number.MAX_SAFE_INTEGER });
  }
}

/** The requests of one run, in the order sent. */
async function recordRequests(base: string): Promise<Sent[]> {
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
    selection: { safety: 'all' },
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

const median = (values: readonly number[]): number => values.toSorted((x, y) => x - y)[values.length >> 1] as number;

function time(args: readonly string[]): number {
  const began = performance.now();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return performance.now() - began;
}

async function compare(rounds: number): Promise<void> {
  const cli = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');
  const simulator = spawn(process.execPath, [cli, 'simulate'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const folder = mkdtempSync(join(tmpdir(), 'mdwi-bench-'));
  try {
    const [line] = (await once(simulator.stdout, 'data')) as [Buffer];
    const base = line.toString().trim();
    const file = join(folder, 'requests.json');
    const sent = await recordRequests(base);
    writeFileSync(file, JSON.stringify(sent));
    const runs: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(time([cli, 'run', '--base-url', base, '--profile', 'reference', '--safety', 'all']));
      plain.push(time([import.meta.filename, '--send', file]));
    }
    const [run, script] = [median(runs), median(plain)];
    const bound = 3 * script + 1000;
    console.log(`${sent.length} requests, ${rounds} rounds, whole processes, medians`);
    console.log(`mdwi run      ${run.toFixed(0)} ms`);
    console.log(`plain script  ${script.toFixed(0)} ms`);
    console.log(
      `ratio         ${(run / script).toFixed(2)}; of the bound (3 × plain + 1 s): ${(run / bound).toFixed(2)} ${run <= bound ? '(held)' : '(broken)'}`,
    );
  } finally {
    simulator.kill('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first, second] = process.argv.slice(2);
if (first === '--send') await sendAll(second as string);
else await compare(Number(first ?? 5));
