/** The bundled profiles of 0.1.0, which state none of the facts that 0.2.0 added, are judged as they were. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SAFETY_LADDER } from '../src/contract/index.ts';
import { parseProfile } from '../src/profile/parse-profile.ts';
import { declarationsOf } from '../src/rule/declarations.ts';
import { BASES } from '../src/rule/index.ts';
import { prepare, selectUnits } from '../src/run/units.ts';
import { RULES } from './index.ts';
import { judgeSimulation } from './judge-in-process.test.support.ts';

const DIALECTS = ['hypermedia', 'reference', 'tabular', 'terse', 'xml'] as const;

async function loadOld(dialect: (typeof DIALECTS)[number]) {
  const file = `${import.meta.dirname}/__fixtures__/releases/0.1.0/bundled-profiles/${dialect}.yaml`;
  return parseProfile(await readFile(file, 'utf8'), file);
}

test.each(DIALECTS)(
  'no gating rule is untested because the %s profile of 0.1.0 leaves a new opening open',
  async (dialect) => {
    const profile = await loadOld(dialect);
    const declarations = declarationsOf(profile);
    const gating = RULES.filter(({ basis }) => BASES[basis].gating);
    const untested = selectUnits(gating, { safety: 'all' }).flatMap((unit) => {
      const decided = prepare(unit, profile, declarations, SAFETY_LADDER.all);
      return 'verdict' in decided && decided.verdict === 'untested'
        ? [`${unit.rule.id} ${unit.subject.name}: ${decided.because}`]
        : [];
    });
    expect(untested).toEqual([]);
  },
);

test('a service is conformant under its profile of 0.1.0', async () => {
  const run = await judgeSimulation({ dialect: 'hypermedia', products: 50 }, { profile: await loadOld('hypermedia') });
  const undecided = run.results.filter(
    ({ gating, verdict }) => gating && verdict !== 'pass' && verdict !== 'not-applicable',
  );
  expect(undecided.map(({ rule, operation, note }) => `${rule} ${operation}: ${note}`)).toEqual([]);
  expect([run.outcome, run.exitCode]).toEqual(['conformant', 0]);
});
