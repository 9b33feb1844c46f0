/** Every judge on trial: what it lets pass on a conforming service is broken in the smallest way, and it must say so. */
import { expect, test } from 'vitest';
import type { DialectName } from '../simulator/dialects/names.ts';
import { ODDITIES } from '../simulator/oddities/index.ts';
import type { SimulationOptions } from '../simulator/simulation.ts';
import type { Profile } from '../src/profile/schema.ts';
import { applyCounterexample, inconclusive, type Rule } from '../src/rule/index.ts';
import { mergePatch, patchedProfile } from '../src/selftest/patched-profile.ts';
import { RULES } from './index.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';
import {
  CODED_MARKET,
  DISTINGUISHED_ITEMS,
  patchedReference,
  STATED_SCHEMAS,
} from './patched-reference.test.support.ts';

/** Servers that keep promises which the reference dialect does not make, with the ids of the rules about these. */
const OTHER_SERVERS = [
  { dialect: 'soap', ids: /^every\.credentials-/ },
  { dialect: 'tabular', ids: /^(A\.job-location|every\.missing-inputs)$/ },
  { dialect: 'terse', ids: /^B\.refresh-day$/ },
  { dialect: 'xml', ids: /^every\.page-sizes$/ },
  { dialect: 'reference', oddity: 'filter-of-unknown-name-refused', ids: /^[CD]\.unknown-(category|name)$/ },
] as const satisfies readonly { readonly dialect: DialectName; readonly oddity?: string; readonly ids: RegExp }[];
/** What judges say of their counterexamples, by rule and operation. */
async function tryRules(rules: readonly Rule[]): Promise<Map<string, string[]>> {
  const said = new Map<string, string[]>(rules.map((rule) => [rule.id, []]));
  const judge = (options: SimulationOptions, profile: Profile, tried: readonly Rule[]) =>
    judgeSimulation(options, {
      profile,
      rules: tried.map((rule) =>
        applyCounterexample(rule, ({ verdict }, { subject }) => said.get(rule.id)?.push(`${subject}: ${verdict}`)),
      ),
    });
  const byServer = Map.groupBy(rules, ({ id }) => OTHER_SERVERS.find(({ ids }) => ids.test(id)));
  const patch = mergePatch(STATED_SCHEMAS, { ...DISTINGUISHED_ITEMS, ...CODED_MARKET });
  await judge({ products: 120 }, await patchedReference(patch), byServer.get(undefined) ?? []);
  for (const { ids, ...server } of OTHER_SERVERS) {
    const own = rules.filter(({ id }) => ids.test(id));
    const { profile } = ODDITIES.find(({ name }) => 'oddity' in server && name === server.oddity) ?? {};
    const patched = await patchedProfile(server.dialect, profile ?? {}, 'oddity.json');
    if (own.length > 0) await judge({ products: 60, ...server }, patched, own);
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
