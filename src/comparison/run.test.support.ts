/** Runs for tests of comparisons, made of the results that matter. */
import { ALL_PRODUCTS } from '../contract/index.ts';
import { decideOutcome, fractionsOf } from '../run/outcome.ts';
import type { Result, Run } from '../run/types.ts';

/** A result of `rule` on the bulk list; `prints` are the fingerprints of its findings. */
export function resultWith(
  rule: string,
  verdict: Result['verdict'],
  { prints, ...over }: Partial<Result> & { readonly prints?: readonly string[] } = {},
): Result {
  const findings = prints?.map((fingerprint) => ({ expected: 'a UPC', actual: 'none', fingerprint }));
  return {
    rule,
    operation: ALL_PRODUCTS,
    statement: 'C.upc-length',
    section: '8',
    basis: 'stated',
    gating: true,
    verdict,
    waived: false,
    evidence: verdict === 'pass' ? { exchanges: 1, rows: 100, distinct: 90 } : { exchanges: 0, rows: 0, distinct: 0 },
    findings: findings ?? (verdict === 'fail' ? [{ expected: 'a UPC', actual: 'none' }] : []),
    ...over,
  };
}

/** A run with these results, with the outcome and exit code that they have. */
export function runWith(results: readonly Result[], manifest: Partial<Run['manifest']> = {}): Run {
  const whole: Run['manifest'] = {
    suite: '0.2.0',
    target: 'https://staging.example/api',
    profile: 'acme (acme.yaml)',
    groups: ['C'],
    safety: 'read',
    strict: false,
    startedAt: '2026-11-22T03:00:00.000Z',
    durationMs: 10,
    requests: 1,
    node: 'v24.0.0',
    profileHash: 'p1',
    ...manifest,
  };
  const { strict, allowInconclusive = false, requireConformant = false, interrupted } = whole;
  const decided = decideOutcome(results, { strict, allowInconclusive, requireConformant, interrupted });
  return {
    schema: 1,
    ...decided,
    outcomeInScope: `${decided.outcome} (C, ${whole.safety})`,
    manifest: whole,
    fractions: fractionsOf(results),
    results,
    exchanges: [],
    openings: [],
  };
}
