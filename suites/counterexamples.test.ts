/** Every judge on trial: what it lets pass on a conforming service is broken in the smallest way, and it must say so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DialectName } from '../simulator/dialects/names.ts';
import { ODDITIES } from '../simulator/oddities/index.ts';
import { type Simulator, startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/api/judge-target.ts';
import type { Profile } from '../src/profile/schema.ts';
import { applyCounterexample, inconclusive, type Rule } from '../src/rule/index.ts';
import { mergePatch } from '../src/selftest/merge-patch.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';
import { RULES } from './index.ts';
import {
  CODED_MARKET,
  DISTINGUISHED_ITEMS,
  patchedReference,
  STATED_SCHEMAS,
} from './patched-reference.test.support.ts';

let simulator: Simulator;
/** Servers that keep promises which the reference dialect does not make, with the ids of the rules about these. */
const OTHER_SERVERS = [
  { dialect: 'soap', ids: /^every\.credentials-/ },
  { dialect: 'tabular', ids: /^(A\.job-location|every\.missing-inputs)$/ },
  { dialect: 'terse', ids: /^B\.refresh-day$/ },
  { dialect: 'xml', ids: /^every\.page-sizes$/ },
  { dialect: 'reference', oddity: 'filter-of-unknown-name-refused', ids: /^[CD]\.unknown-(category|name)$/ },
] as const satisfies readonly { readonly dialect: DialectName; readonly oddity?: string; readonly ids: RegExp }[];
type OtherServer = (typeof OTHER_SERVERS)[number];
const others = new Map<OtherServer, Simulator>();
beforeAll(async () => {
  simulator = await startSimulator({ products: 300 });
  for (const other of OTHER_SERVERS) {
    const { ids: _, ...options } = other;
    others.set(other, await startSimulator({ products: 60, ...options }));
  }
});
afterAll(async () => {
  await simulator.close();
  for (const each of others.values()) await each.close();
});

/** What judges say of their counterexamples, by rule and operation. */
async function tryRules(rules: readonly Rule[]): Promise<Map<string, string[]>> {
  const said = new Map<string, string[]>(rules.map((rule) => [rule.id, []]));
  const judge = async (base: string, profile: Profile, tried: readonly Rule[]) =>
    judgeTarget({
      base,
      profile,
      selection: { safety: 'all' },
      rules: tried.map((rule) =>
        applyCounterexample(rule, ({ verdict }, { subject }) => said.get(rule.id)?.push(`${subject}: ${verdict}`)),
      ),
    });
  const byServer = Map.groupBy(rules, ({ id }) => OTHER_SERVERS.find(({ ids }) => ids.test(id)));
  const patch = mergePatch(STATED_SCHEMAS, { ...DISTINGUISHED_ITEMS, ...CODED_MARKET });
  await judge(simulator.url, await patchedReference(patch), byServer.get(undefined) ?? []);
  for (const [server, { url }] of others) {
    const own = byServer.get(server) ?? [];
    const { profile } = ODDITIES.find(({ name }) => 'oddity' in server && name === server.oddity) ?? {};
    if (own.length > 0) await judge(url, await patchedProfile(server.dialect, profile ?? {}, 'oddity.json'), own);
  }
  return said;
}

test('every rule has a counterexample', () => {
  expect(RULES.filter((rule) => !rule.counterexample).map(({ id }) => id)).toEqual([]);
});

test('every judge catches the counterexample to what it let pass', async () => {
  const said = await tryRules(RULES);
  for (const [id, verdicts] of said) {
    expect(verdicts, `${id} passes nowhere`).not.toEqual([]);
    expect(
      verdicts.filter((each) => !each.endsWith(': fail')),
      id,
    ).toEqual([]);
  }
});

test('a judge that looks no closer is found out', async () => {
  const blind = RULES.filter(({ id }) => ['C.upc-12-digits', 'D.market', 'A.job-status'].includes(id)).map(
    (rule): Rule => ({
      ...rule,
      judge: (seen, context) => {
        const judged = rule.judge(seen, context);
        return judged.verdict === 'fail' ? inconclusive('not looking') : judged;
      },
    }),
  );
  const said = await tryRules(blind);
  expect([...said.values()].flat().some((each) => each.endsWith(': fail'))).toBe(false);
});
