/** Each fault and each oddity once, without a port. The matrix of dialects, and gates over all trials: `src/cli/selftest.matrix.test.ts`. */
import { expect, test } from 'vitest';
import { DIALECT_NAMES, type DialectName } from '../../simulator/dialects/names.ts';
import type { Fault } from '../../simulator/faults/fault.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { RULES } from '../../suites/index.ts';
import { evaluate, type FaultResult, isCaught } from './evaluate.ts';
import { performTrial, type Trial, type TrialResult } from './perform-trial.ts';
import { trialsOf } from './trials.ts';

/** Fewer products lose evidence of some faults; oddities need fewer. */
const FEW = { products: 60, withoutPort: true };
const FEWER = { ...FEW, products: 40 };

/** The dialects of a fault or an oddity: first the one whose trials are the fastest. */
const dialectsOf = ({ dialects = DIALECT_NAMES }: { readonly dialects?: readonly DialectName[] }) =>
  dialects.toSorted((one, other) => Number(other === 'reference') - Number(one === 'reference'));

/** Attempts to catch a fault; the first ones cost the least. */
function* attempts(fault: Fault): Generator<Promise<TrialResult>> {
  const inDialect = (dialect: DialectName) => ({ kind: 'fault', name: fault.name, dialect }) as const;
  const [first = 'reference'] = dialectsOf(fault);
  const own = RULES.filter(({ statement }) => statement === fault.statement);
  yield performTrial(inDialect(first), own, FEW);
  // Some show among many products or after the requests of other rules, or are not provable in one dialect.
  for (const dialect of dialectsOf(fault)) yield performTrial(inDialect(dialect), RULES);
}

test.each(FAULTS.map((fault) => [fault.name, fault] as const))('the fault %s is caught', async (_, fault) => {
  const results: TrialResult[] = [];
  for await (const result of attempts(fault)) {
    results.push(result);
    if (isCaught(result as FaultResult)) break;
  }
  expect(evaluate(results, RULES, false).problems).toEqual([]);
});

const plainResults = new Map<string, Promise<TrialResult>>();

/** The result of a dialect without an oddity. */
function plainOf(dialect: DialectName): Promise<TrialResult> {
  const result = plainResults.get(dialect) ?? performTrial({ kind: 'plain', dialect }, RULES, FEWER);
  plainResults.set(dialect, result);
  return result;
}

const oddityTrials = trialsOf({ full: false }).filter(
  (trial): trial is Extract<Trial, { kind: 'oddity' }> => trial.kind === 'oddity' && !trial.empty,
);

/** What changes the connection has its trial in the matrix. */
const WITHOUT_CONNECTION = ODDITIES.filter(({ start }) => start().send === undefined);

test.each(WITHOUT_CONNECTION.map((oddity) => [oddity.name, oddity] as const))(
  'the oddity %s is no violation and leaves the evidence',
  async (name, oddity) => {
    const [dialect = 'reference'] = dialectsOf(oddity);
    const groups = oddityTrials.find((each) => each.name === name)?.groups;
    const trial: Trial = { kind: 'oddity', name, dialect, ...(groups && { groups }) };
    const results = [await plainOf(dialect), await performTrial(trial, RULES, FEWER)];
    expect(evaluate(results, RULES, false).problems).toEqual([]);
  },
);
