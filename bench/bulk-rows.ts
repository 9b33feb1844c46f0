/**
 * Reading a bulk list row by row, measured against JSON.parse of the whole text and a loop over it.
 *
 *   node bench/bulk-rows.ts [rows, default 1000000]
 *
 * Each way runs in a process of its own, so that one's garbage is not the other's, and prints its time and peak memory.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadingPlan, readBody } from '../src/reading/read-body.ts';

const FILLER = 'PREMIUM KETTLE COOKED POTATO CHIPS SEA SALT AND CRACKED BLACK PEPPER FAMILY SIZE RESEALABLE BAG';

async function writeList(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('{"market":"Total US","products":[');
  for (let at = 0; at < rows; at++) {
    const row = {
      upc: String(at).padStart(12, '0'),
      description: `${FILLER} ${at}`,
      category: `CATEGORY ${at % 300}`,
      brand: `BRAND ${at % 5000}`,
      sizes: [at % 7, `${at % 40} OZ`],
      activeOn: '2026-11-21',
      dollars: (at * 37) / 100,
    };
    if (!file.write(`${at > 0 ? ',' : ''}${JSON.stringify(row)}`)) await once(file, 'drain');
  }
  file.end('],"asOf":"2026-11-21"}');
  await once(file, 'close');
}

const plan: ReadingPlan = {
  rows: '$.products[*]',
  fields: {
    upc: { at: '@.upc' },
    category: { at: '@.category' },
    activeOn: { at: '@.activeOn' },
    sales4Weeks: { at: '@.dollars' },
    market: { at: '$.market' },
    asOf: { at: '$.asOf' },
  },
};

const WAYS: Readonly<Record<string, (path: string) => Promise<number>>> = {
  async parse(path) {
    let sum = 0;
    const { products } = JSON.parse(readFileSync(path, 'utf8')) as { products: { upc: string; dollars: number }[] };
    for (const { upc, dollars } of products) sum += upc.length + dollars;
    return sum;
  },
  async split(path) {
    let sum = 0;
    const head = { status: 200, reason: 'OK', headers: [['Content-Type', 'application/json']] } as const;
    const { problem } = await readBody(plan, head, createReadStream(path), ({ upc, sales4Weeks }) => {
      sum += (upc as string).length + (sales4Weeks as number);
    });
    if (problem) throw new Error(problem.message);
    return sum;
  },
};

async function measure(way: string, path: string): Promise<void> {
  const started = performance.now();
  const sum = await WAYS[way]?.(path);
  const seconds = (performance.now() - started) / 1000;
  console.log(JSON.stringify({ seconds, rssMb: process.resourceUsage().maxRSS / 1024, sum }));
}

async function compare(rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bulk-rows-'));
  try {
    const path = join(folder, 'list.json');
    await writeList(path, rows);
    console.log(`${rows} rows, ${(statSync(path).size / 1e6).toFixed(0)} MB`);
    let base: number | undefined;
    for (const way of Object.keys(WAYS)) {
      const output = execFileSync(process.execPath, [import.meta.filename, way, path], { encoding: 'utf8' });
      const { seconds, rssMb } = JSON.parse(output) as { seconds: number; rssMb: number };
      base ??= seconds;
      console.log(`${way}: ${seconds.toFixed(2)} s, ratio ${(seconds / base).toFixed(2)}, peak ${rssMb.toFixed(0)} MB`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [first = '1000000', path] = process.argv.slice(2);
await (path ? measure(first, path) : compare(Number(first)));
