/**
 * What it costs to judge a bulk list by every rule that looks at its rows, beside JSON.parse of the same bytes and a loop.
 *
 *   node bench/bulk-rows.ts [rows, default 1000000] [rounds, default 5]
 *
 * A server in a process of its own answers group C from a list it has on disk. The suite judges it with the engine, the
 * reference profile and all rules of that group, as `mdwi run --group C` does: the whole list, and the few hundred small
 * requests beside it. `loopback` is that run over HTTP, spooling included; `memory` takes the whole list from memory
 * instead, in pieces of 64 KiB. `parse` is JSON.parse of the whole text, and a loop that looks at each UPC. The three
 * take turns in one process, and medians are compared. Peak memory is that of a process for each length of the list.
 *
 * The bounds to hold: 1.3 times `parse`, and 80 MB more than the same run over 1 000 rows.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLiveSource } from '../src/client/live-source.ts';
import { bodyFrom } from '../src/exchange/body.ts';
import type { Source } from '../src/exchange/types.ts';
import { loadProfile } from '../src/profile/load.ts';
import { performRun } from '../src/run/run.ts';
import { RULES } from '../suites/index.ts';

const LIST = '/PLATFORMAPI/prodRef/v1/allProducts';
const AS_OF = '2026-11-21';
const CATEGORIES = 300;
/** The categories that the suite asks for one by one are small, so that the list itself is what is measured. */
const [SMALL, IN_SMALL] = [40, 10];
const PIECE = 64 * 1024;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function productAt(at: number) {
  const small = at < SMALL * IN_SMALL;
  const category = small ? Math.floor(at / IN_SMALL) : SMALL + (at % (CATEGORIES - SMALL));
  const brand = `Brand ${at % 5000}`;
  return {
    upc: String(at * 7).padStart(12, '0'),
    description: `${brand} kettle cooked crisps with sea salt, family bag ${at % 40} oz`,
    category: `Category ${String(category).padStart(3, '0')}`,
    categoryId: `C${category}`,
    subCategory: `Sub-category ${at % 900}`,
    manufacturer: `Manufacturer ${at % 700}`,
    brand,
    market: 'US',
    activeOn: `2026-${twoDigits(1 + (at % 10))}-${twoDigits(1 + (at % 28))}`,
  };
}

/** Of the delta: 2 products within one week, 8 within four. */
const changedOn = (at: number): string =>
  at === 0 ? '2026-11-20' : at < 2 ? '2026-11-18' : at < 8 ? '2026-11-05' : '2026-09-15';

async function writeList(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`{"asOf":"${AS_OF}","products":[`);
  for (let at = 0; at < rows; at++) {
    if (!file.write(`${at > 0 ? ',' : ''}${JSON.stringify(productAt(at))}`)) await once(file, 'drain');
  }
  file.end(`],"total":${rows}}`);
  await once(file, 'close');
}

/** Answers group C from the list at `path`; says its port on standard output. */
async function serve(path: string): Promise<void> {
  const small = Array.from({ length: SMALL * IN_SMALL }, (_, at) => productAt(at));
  const used = [...new Set(Array.from({ length: 1000 }, (_, at) => productAt(at).category))];
  const json = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench');
    const category = searchParams.get('category');
    const upc = /^\/PLATFORMAPI\/prodRef\/v1\/products\/(\d{12})$/.exec(pathname)?.[1];
    const known = upc !== undefined && Number(upc) % 7 === 0 && Number(upc) < 7_000_000;
    if (pathname === LIST && category === null) {
      response.writeHead(200, { 'content-type': 'application/json' });
      createReadStream(path).pipe(response);
    } else if (pathname === LIST) {
      json(response, 200, { asOf: AS_OF, products: small.filter((each) => each.category === category) });
    } else if (pathname.endsWith('/v1/allCategories') && pathname.startsWith('/PLATFORMAPI/')) {
      json(response, 200, { categories: used.map((name) => ({ category: name })) });
    } else if (pathname === '/PLATFORMAPI/prodRef/v1/updateProducts') {
      const changed = small.slice(0, Number(searchParams.get('weeks')) * 2);
      const products = changed.map((each, at) => ({ ...each, changedOn: changedOn(at) }));
      json(response, 200, { asOf: AS_OF, products });
    } else if (known) {
      json(response, 200, { ...productAt(Number(upc) / 7), characteristics: [{ name: 'Size', value: '1 kg' }] });
    } else json(response, 404, { title: 'not found' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log((server.address() as AddressInfo).port);
}

/** Takes the whole list from memory and everything else from `source`. */
function withListInMemory(source: Source, bytes: Uint8Array): Source {
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
  };
  return {
    async send(request, consume) {
      if (!request.url.endsWith(LIST)) return source.send(request, consume);
      const startedAt = new Date();
      const response = { status: 200, reason: 'OK', headers: [['content-type', 'application/json']] } as const;
      await consume?.(response, chunks());
      const timing = { startedAt: startedAt.toISOString(), totalMs: Date.now() - startedAt.getTime() };
      return { request, response, body: { ...bodyFrom(bytes), chunks }, redirects: [], timing };
    },
    close: () => source.close(),
  };
}

/** Judges group C as the command line does, and makes sure that nothing was passed over. */
async function judge(base: string, list?: Uint8Array): Promise<void> {
  const live = createLiveSource({ stopAfterRefusals: 1000 });
  const source = list ? withListInMemory(live, list) : live;
  const { data, ...rest } = await loadProfile('reference', {});
  const scope = { strict: false, allowInconclusive: false, requireConformant: false };
  const { results } = await performRun({
    ...scope,
    rules: RULES,
    selection: { groups: ['C'], safety: 'read' },
    profile: { ...rest, data: { ...data, examples: { ...data.examples, upc: [productAt(1).upc] } } },
    base,
    source,
    suiteVersion: 'bench',
  });
  await source.close();
  const odd = results.filter(({ verdict, gating }) => gating && verdict !== 'pass' && verdict !== 'not-applicable');
  if (odd.length > 0) throw new Error(odd.map((each) => `${each.rule}: ${each.verdict}, ${each.note}`).join('\n'));
}

function parse(bytes: Uint8Array): void {
  const { products } = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as {
    products: { upc: string }[];
  };
  for (const { upc } of products) if (upc.length !== 12) throw new Error(`${upc} is no UPC`);
}

const median = (values: readonly number[]): number =>
  [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)] as number;

async function timed(act: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return (performance.now() - began) / 1000;
}

async function takeTurns(base: string, path: string, rounds: number): Promise<void> {
  const bytes = readFileSync(path);
  const ways = { parse: () => parse(bytes), loopback: () => judge(base), memory: () => judge(base, bytes) };
  const seconds: Record<keyof typeof ways, number[]> = { parse: [], loopback: [], memory: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [way, act] of Object.entries(ways)) {
      globalThis.gc?.();
      seconds[way as keyof typeof ways].push(await timed(act));
    }
  }
  for (const [way, each] of Object.entries(seconds))
    console.log(
      `${way}: ${median(each).toFixed(2)} s, ratio ${(median(each) / median(seconds.parse)).toFixed(2)} (${each.map((one) => one.toFixed(2)).join(', ')})`,
    );
}

const child = (...parameters: string[]): string[] => ['--expose-gc', import.meta.filename, ...parameters];

/** Starts the server of a list in a process of its own, for as long as `act` takes. */
async function withServer<T>(path: string, act: (base: string) => T): Promise<T> {
  const server = spawn(process.execPath, child('serve', path), { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    return act(`http://127.0.0.1:${String(port).trim()}`);
  } finally {
    server.kill();
  }
}

async function compare(rows: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bulk-rows-'));
  const run = (...parameters: string[]) => execFileSync(process.execPath, child(...parameters), { encoding: 'utf8' });
  try {
    const peaks: number[] = [];
    for (const each of [1000, rows]) {
      const path = join(folder, `${each}.json`);
      await writeList(path, each);
      await withServer(path, (base) => peaks.push(Number(run('peak', base))));
    }
    const path = join(folder, `${rows}.json`);
    console.log(`${rows} rows, ${(statSync(path).size / 1e6).toFixed(0)} MB`);
    await withServer(path, (base) => process.stdout.write(run('turns', base, path, String(rounds))));
    const [few = 0, many = 0] = peaks;
    console.log(`peak memory: ${many.toFixed(0)} MB, ${(many - few).toFixed(0)} MB more than for 1000 rows`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [first = '1000000', second = '5', third = '', fourth = ''] = process.argv.slice(2);
if (first === 'serve') await serve(second);
else if (first === 'turns') await takeTurns(second, third, Number(fourth));
else if (first === 'peak') {
  await judge(second);
  console.log(process.resourceUsage().maxRSS / 1024);
} else await compare(Number(first), Number(second));
