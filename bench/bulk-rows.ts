/**
 * What it costs to judge a bulk list by every rule that looks at its rows, beside JSON.parse of the same bytes and a loop.
 *
 *   node bench/bulk-rows.ts [rows, default 1000000] [rounds, default 5]
 *
 * A server in a process of its own answers group C from a list it has on disk. The suite judges it through the engine,
 * with a profile of that server and all rules, as `mdwi run --group C` does.
 *
 * | way | does |
 * |---|---|
 * | `parse` | decodes the bytes, which are in memory, JSON.parse of the whole text, a loop that looks at each UPC |
 * | `fetch + parse` | the same with bytes that come over loopback |
 * | `memory` | judges the list, which comes from memory in pieces of 64 KiB; all else goes over loopback |
 * | `loopback` | judges the list as it comes over loopback, spooled to disk on the way |
 *
 * They take turns in one process; medians are compared, of the time on the clock, and of the processor time that all
 * threads of the process took, which another load on the machine disturbs less. Judging is what a run takes more than the same run over 1 000
 * rows, whose few hundred requests beside the list are the same. Rules that ask for the list once more read a second
 * list: the time of that is left out, and told. Peak memory is that of a whole run in a process of its own.
 *
 * The bounds to hold: 1.3 times `parse`, and 80 MB more than over 1 000 rows.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { createLiveSource } from '../src/client/live-source.ts';
import { bodyFrom } from '../src/exchange/body.ts';
import type { Exchange, Source } from '../src/exchange/types.ts';
import { parseProfile } from '../src/profile/parse-profile.ts';
import { performRun } from '../src/run/run.ts';
import { RULES } from '../suites/index.ts';

const LIST = '/PLATFORMAPI/prodRef/v1/allProducts';
const AS_OF = '2026-11-21';
const CATEGORIES = 300;
/** Some categories are small, so that the list itself is what is measured. */
const [SMALL, IN_SMALL] = [40, 10];
const PIECE = 64 * 1024;

/** UPCs come in no order; doing it twice undoes it. */
const shuffle = (at: number): number => at ^ 0x2aaaa;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function productAt(at: number) {
  const small = at < SMALL * IN_SMALL;
  const category = small ? Math.floor(at / IN_SMALL) : SMALL + (at % (CATEGORIES - SMALL));
  const brand = `Brand ${at % 5000}`;
  return {
    upc: String(shuffle(at) * 7).padStart(12, '0'),
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

/** What the server of the bench implements, with the facts that its few data can prove. */
const PROFILE = `
name: bench
implements: [C]
examples: { upc: ["${productAt(1).upc}"], category: [Category 000], window: [1, 4, 13] }
unknownUpc: "999999999993"
dataWeek: { endsOn: saturday, activeOn: day, changedOn: day, firstDay: excluded }
markets: { products: [US] }
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response: { rows: "$.categories[*]", fields: { category: { at: "@.category", required: true } } }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: { query: { category: "{category}" } }
    response:
      rows: $.products[*]
      fields:
        upc: { at: "@.upc", as: upc, required: true }
        category: { at: "@.category", required: true }
        asOf: { at: $.asOf, as: iso }
        market: { at: "@.market", required: true }
        activeOn: { at: "@.activeOn", as: iso, required: true }
  GET /PLATFORMAPI/prodRef/v1/products/{upc}:
    request: {}
    response:
      rows: $
      fields: { upc: { at: "@.upc", as: upc, required: true }, category: "@.category", characteristics: "@.characteristics[*]" }
  GET /PLATFORMAPI/prodRef/v1/updateProducts:
    request: { query: { weeks: "{window}" } }
    response:
      rows: $.products[*]
      fields:
        upc: { at: "@.upc", as: upc, required: true }
        category: { at: "@.category", required: true }
        changedOn: { at: "@.changedOn", as: iso, required: true }
        asOf: { at: $.asOf, as: iso }
`;

/** The products of a category: of a small one in a row, of any other at equal distances. */
function productsOf(category: number, rows: number) {
  if (category < 0 || category >= CATEGORIES) return [];
  if (category < SMALL) return Array.from({ length: IN_SMALL }, (_, at) => productAt(category * IN_SMALL + at));
  const step = CATEGORIES - SMALL;
  const first = SMALL * IN_SMALL + ((category - SMALL - ((SMALL * IN_SMALL) % step) + step) % step);
  return Array.from({ length: Math.ceil((rows - first) / step) }, (_, at) => productAt(first + at * step));
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
async function serve(path: string, rows: number): Promise<void> {
  const small = Array.from({ length: SMALL * IN_SMALL }, (_, at) => productAt(at));
  const used = [...new Set(Array.from({ length: 1000 }, (_, at) => productAt(at).category))];
  const json = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench');
    const category = searchParams.get('category');
    const upc = /^\/PLATFORMAPI\/prodRef\/v1\/products\/(\d{12})$/.exec(pathname)?.[1];
    const known = upc !== undefined && Number(upc) % 7 === 0 && Number(upc) < 100_000_000;
    if (pathname === LIST && category === null) {
      response.writeHead(200, { 'content-type': 'application/json' });
      createReadStream(path).pipe(response);
    } else if (pathname === LIST) {
      json(response, 200, {
        asOf: AS_OF,
        products: productsOf(Number(/^Category (\d{3})$/.exec(category ?? '')?.[1] ?? -1), rows),
      });
    } else if (pathname.endsWith('/v1/allCategories') && pathname.startsWith('/PLATFORMAPI/')) {
      json(response, 200, { categories: used.map((name) => ({ category: name })) });
    } else if (pathname === '/PLATFORMAPI/prodRef/v1/updateProducts') {
      const changed = small.slice(0, Number(searchParams.get('weeks')) * 2);
      const products = changed.map((each, at) => ({ ...each, changedOn: changedOn(at) }));
      json(response, 200, { asOf: AS_OF, products });
    } else if (known) {
      json(response, 200, {
        ...productAt(shuffle(Number(upc) / 7)),
        characteristics: [{ name: 'Size', value: '1 kg' }],
      });
    } else json(response, 404, { title: 'not found' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log((server.address() as AddressInfo).port);
}

interface Cost {
  readonly seconds: number;
  /** Seconds of processor time, of all threads. */
  readonly processor: number;
}

const NO_COST: Cost = { seconds: 0, processor: 0 };
const less = (one: Cost, other: Cost): Cost => ({
  seconds: one.seconds - other.seconds,
  processor: one.processor - other.processor,
});

/** Gives what was spent since it was called. */
function startClock(): () => Cost {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - began) / 1000, processor: (user + system) / 1e6 };
  };
}

/** Sends with `source`, but takes the whole list from memory where it is given; notes what a second reading costs. */
function watchList(source: Source, bytes?: Uint8Array) {
  const chunks = async function* (all: Uint8Array) {
    for (let at = 0; at < all.length; at += PIECE) yield all.subarray(at, at + PIECE);
  };
  const watch = { readings: 0, again: NO_COST };
  async function fromMemory(all: Uint8Array, ...[request, consume]: Parameters<Source['send']>): Promise<Exchange> {
    const startedAt = new Date().toISOString();
    const response = { status: 200, reasonPhrase: 'OK', headers: [['content-type', 'application/json']] } as const;
    await consume?.(response, chunks(all));
    const body = { ...bodyFrom(all), chunks: () => chunks(all) };
    return { request, response, body, redirects: [], timing: { startedAt, totalMs: 0 } };
  }
  const send: Source['send'] = async (request, consume) => {
    if (!request.url.endsWith(LIST)) return source.send(request, consume);
    const spent = startClock();
    const exchange = await (bytes ? fromMemory(bytes, request, consume) : source.send(request, consume));
    if (watch.readings++ > 0) watch.again = spent();
    return exchange;
  };
  return { watch, source: { send, close: () => source.close() } satisfies Source };
}

/** Judges group C as the command line does; what it cost, a second reading of the list left out. */
async function judge(base: string, list?: Uint8Array): Promise<{ cost: Cost; readings: number }> {
  const { source, watch } = watchList(createLiveSource({ stopAfterRefusals: 1000 }), list);
  const spent = startClock();
  const { results } = await performRun({
    rules: RULES,
    selection: { groups: ['C'], safety: 'read' },
    profile: parseProfile(PROFILE, 'bench', {}),
    base,
    source,
    strict: false,
    allowInconclusive: false,
    requireConformant: false,
    suiteVersion: 'bench',
  });
  const cost = less(spent(), watch.again);
  await source.close();
  // Nothing may be passed over.
  const odd = results.filter(({ verdict, gating }) => gating && verdict !== 'pass' && verdict !== 'not-applicable');
  if (odd.length > 0) throw new Error(odd.map((each) => `${each.rule}: ${each.verdict}, ${each.note}`).join('\n'));
  return { cost, readings: watch.readings };
}

function parse(bytes: Uint8Array): void {
  const { products } = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) as {
    products: { upc: string }[];
  };
  for (const { upc } of products) if (upc.length !== 12) throw new Error(`${upc} is no UPC`);
}

const median = (values: readonly number[]): number =>
  [...values].sort((x, y) => x - y)[Math.floor(values.length / 2)] as number;

async function costOf(act: () => unknown): Promise<Cost> {
  const spent = startClock();
  await act();
  return spent();
}

async function fetchAll(base: string): Promise<Uint8Array> {
  const { body } = await request(`${base}${LIST}`);
  return Buffer.from(await body.arrayBuffer());
}

/** `few` and `many`: where the server of 1 000 rows and that of all rows stand, and the file of each list. */
async function takeTurns(few: string, fewFile: string, many: string, manyFile: string, rounds: number): Promise<void> {
  const [small, large] = [readFileSync(fewFile), readFileSync(manyFile)];
  let readings = 0;
  const judging = async (fromMemory: boolean): Promise<Cost> => {
    const rest = await judge(few, fromMemory ? small : undefined);
    globalThis.gc?.();
    const whole = await judge(many, fromMemory ? large : undefined);
    readings = whole.readings;
    return less(whole.cost, rest.cost);
  };
  const ways = {
    parse: () => costOf(() => parse(large)),
    'fetch + parse': () => costOf(async () => parse(await fetchAll(many))),
    memory: () => judging(true),
    loopback: () => judging(false),
  };
  const costs = new Map(Object.keys(ways).map((way): [string, Cost[]] => [way, []]));
  // The first round warms everything up.
  for (let round = 0; round <= rounds; round++) {
    for (const [way, act] of Object.entries(ways)) {
      globalThis.gc?.();
      const cost = await act();
      if (round > 0) costs.get(way)?.push(cost);
    }
  }
  for (const measure of ['seconds', 'processor'] as const) {
    const all = (way: string): number[] => (costs.get(way) ?? []).map((cost) => cost[measure]);
    const ratio = (way: keyof typeof ways, to: keyof typeof ways): string =>
      `${(median(all(way)) / median(all(to))).toFixed(2)} × ${to}`;
    console.log(measure === 'seconds' ? 'seconds on the clock' : 'seconds of processor time');
    for (const way of costs.keys())
      console.log(
        `  ${way}: ${median(all(way)).toFixed(2)} (${all(way)
          .map((each) => each.toFixed(2))
          .join(', ')})`,
      );
    console.log(`  from memory ${ratio('memory', 'parse')}`);
    console.log(`  over loopback ${ratio('loopback', 'parse')}, ${ratio('loopback', 'fetch + parse')}`);
  }
  console.log(`a run reads the list ${readings} times; one reading is timed`);
}

const child = (...parameters: string[]): string[] => ['--expose-gc', import.meta.filename, ...parameters];

/** Starts the server of a list in a process of its own; `stop` ends it. */
async function startServer(path: string, rows: number): Promise<{ readonly base: string; readonly stop: () => void }> {
  const server = spawn(process.execPath, child('serve', path, String(rows)), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return { base: `http://127.0.0.1:${String(port).trim()}`, stop: () => server.kill() };
}

async function compare(rows: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bulk-rows-'));
  const run = (...parameters: string[]) => execFileSync(process.execPath, child(...parameters), { encoding: 'utf8' });
  const files = ['few.json', 'many.json'].map((name) => join(folder, name)) as [string, string];
  const servers: { readonly base: string; readonly stop: () => void }[] = [];
  try {
    await writeList(files[0], 1000);
    await writeList(files[1], rows);
    console.log(`${rows} rows, ${(statSync(files[1]).size / 1e6).toFixed(0)} MB`);
    for (const [at, file] of files.entries()) servers.push(await startServer(file, at === 0 ? 1000 : rows));
    const [few, many] = servers.map(({ base }) => base) as [string, string];
    const [fewMb, manyMb] = [few, many].map((base) => Number(run('peak', base))) as [number, number];
    console.log(`peak memory: ${manyMb.toFixed(0)} MB, ${(manyMb - fewMb).toFixed(0)} MB more than over 1000 rows`);
    process.stdout.write(run('turns', few, files[0], many, files[1], String(rounds)));
  } finally {
    for (const { stop } of servers) stop();
    rmSync(folder, { recursive: true });
  }
}

const [first = '1000000', ...more] = process.argv.slice(2);
const [second = '5', third = '', fourth = '', fifth = '', sixth = ''] = more;
if (first === 'serve') await serve(second, Number(third));
else if (first === 'turns') await takeTurns(second, third, fourth, fifth, Number(sixth));
else if (first === 'peak') {
  await judge(second);
  console.log(process.resourceUsage().maxRSS / 1024);
} else await compare(Number(first), Number(second));
