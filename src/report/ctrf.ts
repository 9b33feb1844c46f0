/** CTRF (Common Test Report Format) 0.0: one test per check; a check that does not apply is no test. */
import { GROUPS, operationOf } from '../contract/index.ts';
import type { Result, Run } from '../run/types.ts';
import { placeOf, problemsOf } from './describe-run.ts';
import { jsonText } from './json-text.ts';
import { type Mark, markOf } from './marks.ts';
import { exchangesOf, resultText } from './result-text.ts';

/** Advice and doubt are `other`: neither is a failure of the service, and neither is a pass. */
const STATUSES = {
  pass: 'passed',
  fail: 'failed',
  error: 'failed',
  advice: 'other',
  inconclusive: 'other',
  waived: 'skipped',
  untested: 'skipped',
  'not-applicable': 'skipped',
} as const satisfies Record<Mark, string>;

function rawStatusOf({ verdict, gating, waived }: Result): string {
  return waived ? `${verdict}, waived` : gating ? verdict : `${verdict}, advisory`;
}

function testOf(result: Result, run: Run) {
  const { group } = operationOf(result.operation);
  const text = resultText(result);
  const [finding] = result.findings;
  const exchanges = exchangesOf(result, run);
  const history = run.history?.checks.find((each) => each.rule === result.rule && each.operation === result.operation);
  const message = finding ? `expected ${finding.expected}; actual ${finding.actual}` : result.note;
  return {
    name: `${result.rule}: ${placeOf(result)}`,
    status: STATUSES[markOf(result)],
    duration: exchanges.reduce((sum, { ms }) => sum + ms, 0),
    suite: [...(result.target === undefined ? [] : [result.target]), GROUPS[group].slug, result.operation],
    rawStatus: rawStatusOf(result),
    tags: [result.basis, `section ${result.section}`],
    ...(message && { message }),
    ...(result.findings.length > 0 && {
      trace: result.findings
        .map(({ expected, actual, exchange = '', row }) =>
          [`expected ${expected}`, `actual ${actual}`, `${exchange}${row === undefined ? '' : ` row ${row}`}`].join(
            '\n',
          ),
        )
        .join('\n\n'),
    }),
    ...(result.retried && { retries: 1 }),
    ...(history?.flakySince && { flaky: true }),
    extra: {
      rule: result.rule,
      operation: result.operation,
      demanded: text.demands,
      evidence: result.evidence,
      ...(result.verdict !== 'pass' && { toDo: text.toDo, explain: text.explain }),
      ...(exchanges.length > 0 && { curl: exchanges.flatMap(({ curl }) => curl ?? []) }),
      ...(result.waiver && { waiver: result.waiver }),
    },
  };
}

/** The CTRF document of a run. */
export function reportToCtrf(run: Run): string {
  const tests: object[] = [];
  const count = { passed: 0, failed: 0, skipped: 0, pending: 0, other: 0 };
  for (const result of run.results) {
    if (result.verdict === 'not-applicable') continue;
    const test = testOf(result, run);
    tests.push(test);
    count[test.status]++;
  }
  const { manifest } = run;
  for (const each of problemsOf(run)) {
    tests.push({ name: each.name, status: 'failed', duration: 0, message: each.message });
    count.failed++;
  }
  const start = Date.parse(manifest.startedAt);
  const timestamp = new Date(start + manifest.durationMs).toISOString();
  return jsonText({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp,
    generatedBy: `mdwi ${manifest.suite}`,
    results: {
      tool: { name: 'mdwi', version: manifest.suite },
      summary: {
        tests: tests.length,
        ...count,
        flaky: run.history?.checks.filter(({ flakySince }) => flakySince).length ?? 0,
        suites: new Set(run.results.map(({ operation }) => operationOf(operation).group)).size,
        start,
        stop: start + manifest.durationMs,
        duration: manifest.durationMs,
        extra: { outcome: run.outcomeInScope, exitCode: run.exitCode, ...(run.reason && { reason: run.reason }) },
      },
      tests,
      environment: {
        appName: manifest.target,
        ...(manifest.targetName && { testEnvironment: manifest.targetName }),
        extra: { profile: manifest.profile, safety: manifest.safety, node: manifest.node },
      },
    },
  });
}
