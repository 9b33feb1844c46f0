/** Every judge on trial: what it lets pass on a conforming service is broken in the smallest way, and it must say so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../simulator/server.ts';
import { judgeTarget } from '../src/api/judge-target.ts';
import { loadProfile } from '../src/profile/load.ts';
import type { Profile } from '../src/profile/schema.ts';
import { applyCounterexample, inconclusive, type Rule } from '../src/rule/index.ts';
import { mergePatch } from '../src/selftest/merge-patch.ts';
import { RULES } from './index.ts';
import {
  CODED_MARKET,
  DISTINGUISHED_ITEMS,
  patchedReference,
  STATED_SCHEMAS,
} from './patched-reference.test.support.ts';

let simulator: Simulator;
/** The dialects that keep promises which the reference dialect does not make, by the ids of the rules about these. */
const OTHER_DIALECTS = { soap: /^every\.credentials-/, tabular: /^A\.job-location$/ };
const others = new Map<string, Simulator>();
beforeAll(async () => {
  simulator = await startSimulator({ products: 300 });
  for (const dialect of Object.keys(OTHER_DIALECTS))
    others.set(dialect, await startSimulator({ products: 60, dialect }));
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
  const dialectOf = ({ id }: Rule) => Object.entries(OTHER_DIALECTS).find(([, ids]) => ids.test(id))?.[0] ?? '';
  const byDialect = Map.groupBy(rules, dialectOf);
  const patch = mergePatch(STATED_SCHEMAS, { ...DISTINGUISHED_ITEMS, ...CODED_MARKET });
  await judge(simulator.url, await patchedReference(patch), byDialect.get('') ?? []);
  for (const [dialect, { url }] of others) {
    const own = byDialect.get(dialect) ?? [];
    if (own.length > 0) await judge(url, await loadProfile(dialect), own);
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
