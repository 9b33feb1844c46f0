/**
 * The vitest entry: shows a run's verdicts as tests, one per rule and operation. Embedded, it is given a finished run;
 * in a checkout it makes one, against BASE_URL (with PROFILE and SAFETY), or without these against the built-in simulator.
 */
import { describe, expect, inject, test } from 'vitest';
import { judgeTarget } from '../src/api/judge-target.ts';
import { namedTarget, selectionOf } from '../src/api/selection.ts';
import { hiddenIn } from '../src/cli/report-options.ts';
import { GROUPS, type Group, operationOf } from '../src/contract/index.ts';
import { mapTexts } from '../src/exchange/map-texts.ts';
import { printable } from '../src/exchange/printable.ts';
import { loadProfile } from '../src/profile/load.ts';
import type { Result, Run } from '../src/run/types.ts';
import { secretValuesOf } from '../src/secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../src/secrets/received.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A finished run as JSON, when embedded. */
    mdwiRun?: string;
    /** Whom to judge, in a checkout. */
    mdwiTarget?: { BASE_URL?: string; PROFILE?: string; SAFETY?: string };
  }
}

async function makeRun(): Promise<Run> {
  const { BASE_URL, PROFILE, SAFETY } = inject('mdwiTarget') ?? {};
  const values = { 'base-url': BASE_URL, profile: PROFILE, safety: SAFETY };
  const base = namedTarget(values, 'BASE_URL');
  const selection = selectionOf(values);
  const name = PROFILE ?? (base === undefined ? 'reference' : 'empty');
  const simulator =
    base === undefined ? await (await import('../src/cli/start-simulator.ts')).startDialectSimulator(name) : undefined;
  try {
    const profile = await loadProfile(name);
    const received: ReceivedCredential[] = [];
    const judged = await judgeTarget({
      base: base ?? (simulator?.url as string),
      profile,
      selection,
      onCredential: (credential) => received.push(credential),
    });
    return hiddenIn(judged, secretValuesOf(profile, [], received));
  } finally {
    await simulator?.close();
  }
}

const provided = inject('mdwiRun');
const run = mapTexts(provided ? (JSON.parse(provided) as Run) : await makeRun(), printable);

const tell = (result: Result): string =>
  result.findings.map((each) => `expected ${each.expected}; actual ${each.actual}`).join('\n') ||
  (result.note ?? result.verdict);

for (const [group, { title }] of Object.entries(GROUPS) as [Group, { title: string }][]) {
  const results = run.results.filter((each) => operationOf(each.operation).group === group);
  if (results.length === 0) continue;
  describe(`${group}. ${title}`, () => {
    for (const result of results) {
      const { verdict } = result;
      // What was not decided is no green test: it is shown as skipped, with its reason in the name.
      const undecided =
        verdict === 'untested' || verdict === 'not-applicable' || (!result.gating && verdict !== 'pass');
      const name = `${result.rule} · ${result.operation}`;
      if (undecided) test.skip(`${name} (${verdict}: ${tell(result)})`, () => {});
      else test(name, () => expect(verdict, tell(result)).toBe('pass'));
    }
  });
}

test('the run as a whole', () => {
  expect(run.exitCode, run.reason ?? run.outcomeInScope).toBe(0);
});
