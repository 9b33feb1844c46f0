/** Traffic of clients nobody here would write, and what judging it comes to. */
import { expect } from 'vitest';
import type { DialectName } from '../../../simulator/dialects/names.ts';
import { createSimulation, type SimulationOptions } from '../../../simulator/simulation.ts';
import { RULES } from '../../../suites/index.ts';
import { createLiveSource } from '../../client/live-source.ts';
import { OPERATIONS } from '../../contract/index.ts';
import { buildRequest } from '../../exchange/request.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import { clientAuthOf } from '../../profile/auth-schemes.ts';
import type { Profile } from '../../profile/schema.ts';
import { performRun } from '../../run/run.ts';
import type { Result, Run } from '../../run/types.ts';
import { patchedProfile } from '../../selftest/patched-profile.ts';
import { SIMULATION_ORIGIN, simulationDispatcher } from '../../selftest/simulation-dispatcher.ts';
import { judgeTraffic } from './judge-traffic.ts';
import type { ObservedExchange, ObservedTraffic } from './map-traffic.ts';

const SCOPE = { strict: false, allowInconclusive: false, requireConformant: false } as const;
const still = async (): Promise<void> => undefined;

/** Sends, and keeps what came with the time it came at. */
export class Capturing implements Source {
  readonly exchanges: ObservedExchange[] = [];
  readonly #live: Source;
  #now = Date.parse('2026-11-20T09:00:00Z');

  constructor({ profile: { data }, dispatcherFor }: Pick<Service, 'profile' | 'dispatcherFor'>) {
    const limits = { stopAfterRefusals: 1_000_000, wait: still };
    this.#live = createLiveSource({ ...clientAuthOf(data), ...limits, dispatcherFor });
  }

  async send(...asked: Parameters<Source['send']>): Promise<Exchange> {
    const exchange = await this.#live.send(...asked);
    this.#now += 50;
    const id = `#${this.exchanges.length + 1}`;
    if (exchange.response) this.exchanges.push({ id, exchange, startedAt: this.#now, endedAt: this.#now + 20 });
    return exchange;
  }

  close(): Promise<void> {
    return this.#live.close();
  }
}

/** The suites’ own traffic, and the verdicts they came to. */
export async function runAndCapture(service: Service): Promise<{ run: Run; capturing: Capturing }> {
  const { base, profile } = service;
  const capturing = new Capturing(service);
  const run = await performRun({
    ...SCOPE,
    rules: RULES,
    selection: { safety: 'all' },
    profile,
    base,
    source: capturing,
    suiteVersion: 't',
    wait: still,
  });
  return { run, capturing };
}

/** What the judge makes of what was seen. */
export async function judgeSeen(
  base: string,
  profile: Profile,
  exchanges: readonly ObservedExchange[],
  over: Partial<ObservedTraffic> = {},
) {
  const traffic: ObservedTraffic = { base, exchanges, hasFixedData: false, ...over };
  return judgeTraffic({ ...SCOPE, rules: RULES, selection: { safety: 'all' }, profile, traffic, suiteVersion: 't' });
}

export const withoutTimes = (exchanges: readonly ObservedExchange[]): ObservedExchange[] =>
  exchanges.map(({ id, exchange }) => ({ id, exchange }));

/** Rule and operation of every failure that gates, and of every error of ours. */
export const failuresIn = ({ results }: Run): string[] =>
  results
    .filter(({ verdict, gating }) => verdict === 'error' || (verdict === 'fail' && gating))
    .map(({ rule, operation, findings: [first], note }: Result) => `${rule} ${operation}: ${first?.actual ?? note}`);

const SENSE: Record<string, readonly (string | number)[]> = {
  upc: ['042100000177', '660133988943', '999999999993', '12345', 'abc', ' 042100000177', '0042100000177'],
  category: ['Tea', 'Coffee', 'tea', 'Nope', 'Tea & Infusions'],
  categoryId: ['cat-01', 'x'],
  subCategory: ['Green Tea', 'X'],
  manufacturer: ['Acme', 'Zzz'],
  brand: ['Sun', 'Moon', 'Q'],
  window: [1, 4, 13, 2, 52, 'x'],
  jobId: ['1', 'nope'],
  page: [1, 2, 3, 99, 0],
  offset: [0, 50, 9999],
  pageSize: [1, 50, 100_000],
};

/** A request that makes more or less sense, drawn with the next number. */
function draw(base: string, profile: Profile, next: () => number): WireRequest {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const { key, name, inputs: own } = pick(OPERATIONS);
  const asked = [...own, 'page', 'offset', 'pageSize'] as const;
  const inputs = Object.fromEntries(
    asked.flatMap((input) => {
      const values = [
        ...(SENSE[input] ?? ['x']),
        ...((profile.data.examples as Record<string, string[]>)?.[input] ?? []),
      ];
      return next() < (name === 'products' || name.startsWith('get') ? 0.9 : 0.5) ? [[input, pick(values)]] : [];
    }),
  );
  const luck = next();
  const variant = luck < 0.05 ? { method: pick(['PUT', 'DELETE', 'GET', 'POST']) } : {};
  const { statuses: _, ...request } = buildRequest(base, key, profile, inputs, variant);
  if (luck < 0.9) return request;
  if (luck < 0.93) return { ...request, url: `${request.url}${request.url.includes('?') ? '&' : '?'}_=${luck}` };
  if (luck < 0.96)
    return {
      ...request,
      headers: [
        ...request.headers,
        pick([
          ['range', 'bytes=0-9'],
          ['x-tenant', '7'],
          ['x-http-method', 'PUT'],
        ] as const),
      ],
    };
  return { ...request, anonymous: true };
}

/** A client that asks this and that, some of it again, in no order. */
async function wander(service: Service, requests: number): Promise<ObservedExchange[]> {
  const { base, profile } = service;
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0;
    return state / 0x1_0000_0000;
  };
  const capturing = new Capturing(service);
  for (let at = 0; at < requests; at++) {
    const again = next() < 0.3 ? capturing.exchanges[Math.floor(next() * capturing.exchanges.length)] : undefined;
    await capturing.send(again?.exchange.request ?? draw(base, profile, next));
  }
  await capturing.close();
  return capturing.exchanges;
}

/** A simulation without a port. */
export interface Service {
  readonly base: string;
  readonly profile: Profile;
  readonly dispatcherFor: () => ReturnType<typeof simulationDispatcher>;
}

export async function serve(dialect: DialectName, options: SimulationOptions = {}): Promise<Service> {
  const dispatcher = simulationDispatcher(await createSimulation({ dialect, products: 60, ...options }));
  return { base: SIMULATION_ORIGIN, profile: await patchedProfile(dialect), dispatcherFor: () => dispatcher };
}

/** Judges what odd clients see of a conforming service. */
export async function expectNoFailures(dialect: DialectName): Promise<void> {
  const service = await serve(dialect);
  const { base, profile } = service;
  const odd = await wander(service, 100);
  for (const seen of [odd, withoutTimes(odd)])
    expect(failuresIn((await judgeSeen(base, profile, seen)).run)).toEqual([]);
}

/** Judges the suites’ own traffic with a dialect, which is judged as the suites judge it. */
export async function expectSameVerdicts(dialect: DialectName): Promise<void> {
  const service = await serve(dialect);
  const { base, profile } = service;
  const { run, capturing } = await runAndCapture(service);
  await capturing.close();
  const { run: judged, summary } = await judgeSeen(base, profile, capturing.exchanges);
  expect(failuresIn(judged)).toEqual([]);
  const verdicts = (of: Run) => new Map(of.results.map((each) => [`${each.rule} ${each.operation}`, each.verdict]));
  const own = verdicts(run);
  const lost = [...verdicts(judged)].filter(([unit, verdict]) => verdict !== own.get(unit)).map(([unit]) => unit);
  // Another form of an operation that needs no credentials is asked with them: by another client, as it were.
  // Observed traffic does not show which ids the service never issued.
  const isUndecided = /^(every\.unversioned|A\.unknown-(job|map)|B\.unknown-id|C\.lookup-after-unknown)/;
  expect(lost.filter((unit) => !isUndecided.test(unit))).toEqual([]);
  expect(summary.read).toBeGreaterThan(300);
}
