/** Requests, wall time, processor time and memory of a run at each depth on 1 000 and 10 000 products, in ratios to `standard`. */

import { startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/commands/judge-target.ts';
import { DEFAULT_SEED, DEPTHS, type Depth } from '../src/contract/index.ts';
import { loadProfile } from '../src/profile/load.ts';

const sizes = process.argv.slice(2).map(Number);

async function measure(products: number, depth: Depth) {
  const profile = await loadProfile('reference');
  const simulator = await startSimulator({ dialect: 'reference', products });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 100);
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  try {
    const selection = { safety: 'all', sampling: { depth, seed: DEFAULT_SEED } } as const;
    const run = await judgeTarget({ base: simulator.url, profile, selection, wait: async () => undefined });
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(usedBefore);
    const cpu = (user + system) / 1_000_000;
    return { outcome: run.outcomeInScope, requests: run.manifest.requests, seconds, cpu, rss: peak / 2 ** 20 };
  } finally {
    clearInterval(timer);
    await simulator.close();
  }
}

// The first run also loads and compiles the code.
await measure(100, 'standard');

for (const products of sizes.length > 0 ? sizes : [1000, 10_000]) {
  const measured: (Awaited<ReturnType<typeof measure>> & { depth: Depth })[] = [];
  for (const depth of DEPTHS) measured.push({ depth, ...(await measure(products, depth)) });
  const standard = measured.find(({ depth }) => depth === 'standard');
  if (!standard) throw new Error('standard is missing');
  console.log(`${products} products`);
  for (const { depth, outcome, requests, seconds, cpu, rss } of measured) {
    const ratio = (value: number, of: number) => `${(value / of).toFixed(2)} ×`;
    console.log(
      `  ${depth.padEnd(8)}  ${requests} requests (${ratio(requests, standard.requests)})  ${seconds.toFixed(1)} s (${ratio(seconds, standard.seconds)})  processor ${cpu.toFixed(1)} s (${ratio(cpu, standard.cpu)})  at most ${rss.toFixed(0)} MB  ${outcome}`,
    );
  }
}
