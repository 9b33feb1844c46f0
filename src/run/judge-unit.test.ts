import { describe, expect, test } from 'vitest';
import { type OperationKey, operationOf } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import type { Observation } from '../reading/types.ts';
import { BindingValues } from '../rule/binding-doubts.ts';
import { declarationsOf } from '../rule/declarations.ts';
import {
  BLOCKED,
  failed,
  inconclusive,
  type Judgement,
  passed,
  type Reading,
  type Step,
  type Steps,
  untested,
} from '../rule/index.ts';
import { judgeUnit } from './judge-unit.ts';
import { ruleOf } from './perform.test.support.ts';

const BULK: OperationKey = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const declarations = declarationsOf(parseProfile('name: t', 't.yaml'));
const whole: Observation = { rows: 3, complete: true, values: {}, digest: '' };

/** The reading of an answer; without a status none came. */
function reading(status: number | undefined, over: Partial<Reading> = {}): Reading {
  const head = status === undefined ? {} : { head: { status, reasonPhrase: '', headers: [] } };
  return { exchange: '#4', operation: BULK, inputs: {}, folds: {}, ...head, ...over };
}
const good = reading(200, { observation: whole });

/** Judges one step, or several, seen as given; `saw` holds what the judge was shown. */
function judge(
  steps: Steps,
  readings: Record<string, readonly Reading[]>,
  judgement: Judgement | Error = passed({ exchanges: 1 }),
) {
  let saw: Record<string, readonly Reading[]> | undefined;
  const rule = ruleOf('r', {
    judge(seen: Record<string, readonly Reading[]>) {
      saw = seen;
      if (judgement instanceof Error) throw judgement;
      return judgement;
    },
  });
  const told = judgeUnit(
    { rule, subject: operationOf(BULK) },
    steps,
    (name) => readings[name] ?? [],
    declarations,
    new BindingValues(),
  );
  return { ...told, saw };
}
const wanting = (accepts: Step['accepts'], over: Partial<Step> = {}): Steps => ({
  it: { operation: BULK, accepts, ...over },
});
const EACH = { from: 'list', fold: 'rows', as: { upc: 'upc' }, max: 3 } as const;

describe('what serves a step', () => {
  const failure = 'the body broke off';
  const answers: Record<string, Reading> = {
    'a read 200': good,
    'a 200 not read to its end': reading(200, { observation: { ...whole, complete: false } }),
    'a 200 with a problem': reading(200, { observation: { ...whole, problem: { kind: 'syntax', message: 'bad' } } }),
    'a 200 that broke off': reading(200, { observation: whole, failure }),
    'a 200 nobody read': reading(200),
    'a 404': reading(404),
    'a 500': reading(500),
    'a 302': reading(302),
    'a 401': reading(401),
    'a 503': reading(503),
    'no answer': reading(undefined, { failure: 'refused' }),
  };
  const served: Record<Step['accepts'], string[]> = {
    complete: ['a read 200'],
    content: ['a read 200', 'a 200 not read to its end'],
    response: [
      'a read 200',
      'a 200 not read to its end',
      'a 200 with a problem',
      'a 200 nobody read',
      'a 404',
      'a 500',
      'a 302',
    ],
    any: Object.keys(answers),
  };
  test.each(Object.entries(served) as [Step['accepts'], string[]][])('that accepts %s', (accepts, names) => {
    const judged = Object.entries(answers).filter(
      ([, each]) => judge(wanting(accepts), { it: [each] }).verdict === 'pass',
    );
    expect(judged.map(([name]) => name)).toEqual(names);
  });

  test.each([...BLOCKED])('never %i, unless anything will do', (status) => {
    for (const accepts of ['complete', 'content', 'response'] as const) {
      expect(judge(wanting(accepts), { it: [reading(status)] })).toEqual({
        verdict: 'inconclusive',
        because: `#4 ${BULK}: status ${status} prevents a judgement`,
        saw: undefined,
      });
    }
    expect(judge(wanting('any'), { it: [reading(status)] }).verdict).toBe('pass');
  });
});

describe('what a recording does not hold', () => {
  const missing = reading(undefined, { unavailable: true, failure: 'no recording holds this request' });
  const because = `#4 ${BULK}: no recording holds this request`;

  test.each(['complete', 'content', 'response', 'any'] as const)('is untested, though a step accepts %s', (accepts) => {
    expect(judge(wanting(accepts), { it: [missing] })).toEqual({ verdict: 'untested', because, saw: undefined });
  });

  test('leaves a unit untested unless what is there breaks something, or is in doubt itself', () => {
    const steps = {
      list: { operation: BULK, accepts: 'complete' },
      it: { operation: BULK, accepts: 'complete', each: EACH },
    } as Steps;
    const seen = (...it: Reading[]) => ({ list: [good], it });
    expect(judge(steps, seen(missing, good))).toMatchObject({ verdict: 'untested', because });
    expect(judge(steps, seen(missing, good), failed([{ kind: 'k', expected: 'x', actual: 'y' }])).verdict).toBe('fail');
    expect(judge(steps, seen(missing, reading(500), good)).verdict).toBe('inconclusive');
  });

  test.each([true, 'lists', 'withUnknown'] as const)('is left out where answers are gathered: %s', (fromAllRules) => {
    const gathering = wanting('complete', { fromAllRules });
    expect(judge(gathering, { it: [missing, good] })).toMatchObject({ verdict: 'pass', saw: { it: [good] } });
    expect(judge(gathering, { it: [missing] }).verdict).toBe('untested');
  });

  test.each([{}, { each: EACH }])('of an optional step is what its judge does without: %j', (more) => {
    const steps = {
      it: { operation: BULK, accepts: 'complete' },
      more: { operation: BULK, accepts: 'any', optional: true, ...more },
    } as Steps;
    const seen = { it: [good], more: [missing] };
    const broken = failed([{ kind: 'k', expected: 'x', actual: 'y' }]);
    expect(judge(steps, seen)).toMatchObject({ verdict: 'pass', saw: { it: [good], more: [] } });
    expect(judge(steps, seen, broken).verdict).toBe('fail');
    for (const told of [inconclusive('it needs more'), passed({})])
      expect(judge(steps, seen, told)).toMatchObject({ verdict: 'untested', because });
  });
});

describe('steps drawn from an answer', () => {
  const steps = wanting('complete', { each: EACH });

  test('take a refusal as not found for an empty answer', () => {
    for (const status of [404, 204]) {
      const { verdict, saw } = judge(steps, { it: [reading(status)] });
      expect([verdict, saw?.it?.length]).toEqual(['pass', 1]);
    }
    // Of a step that asks for no name it says nothing of the kind.
    expect(judge(wanting('complete'), { it: [reading(404)] }).verdict).toBe('inconclusive');
  });

  test('none of which could be asked leave the unit untested', () => {
    expect(judge(steps, { it: [] })).toMatchObject({
      verdict: 'untested',
      because: expect.stringContaining(`no values for a request of ${BULK}`),
    });
  });

  test('some of which are of no use: what the others break is broken, what they hold is not proved', () => {
    const seen = { it: [good, reading(503), good] };
    const doubt = { verdict: 'inconclusive', because: `#4 ${BULK}: status 503 prevents a judgement` };
    const broken = failed([{ kind: 'k', expected: 'a', actual: 'b' }]);
    const failing = judge(steps, seen, broken);
    expect(failing).toMatchObject(broken);
    expect(failing.saw?.it).toEqual([good, good]);
    expect(judge(steps, seen)).toMatchObject(doubt);
    expect(judge(steps, seen, untested('nothing'))).toMatchObject(doubt);
    expect(judge(steps, seen, inconclusive('else'))).toMatchObject(doubt);
  });

  test('all of which are of no use are not judged', () => {
    expect(judge(steps, { it: [reading(503), reading(500)] })).toMatchObject({
      verdict: 'inconclusive',
      saw: undefined,
    });
  });

  test('that could not be asked because of doubt before them leave the unit in doubt', () => {
    const two: Steps = { first: { ...wanting('complete', { each: EACH }).it } as Step, second: steps.it as Step };
    expect(judge(two, { first: [good, reading(500)], second: [] })).toMatchObject({
      verdict: 'inconclusive',
      because: `#4 ${BULK}: status 500`,
    });
  });
});

test('a control that failed keeps the judge from speaking, whatever else was seen', () => {
  const steps: Steps = { control: { operation: BULK, accepts: 'content' }, probe: { operation: BULK, accepts: 'any' } };
  const told = judge(
    steps,
    { control: [reading(500)], probe: [good] },
    failed([{ kind: 'k', expected: 'a', actual: 'b' }]),
  );
  expect(told).toEqual({ verdict: 'inconclusive', because: `#4 ${BULK}: status 500`, saw: undefined });
});

describe('our own failure', () => {
  test('is a judge that throws', () => {
    expect(judge(wanting('any'), { it: [good] }, new Error('oops'))).toMatchObject({
      verdict: 'error',
      because: 'the rule threw an error: oops',
    });
  });

  test('is a pass that rests on nothing', () => {
    for (const evidence of [{}, { exchanges: 0, rows: 0 }, { distinct: 3 }])
      expect(judge(wanting('any'), { it: [good] }, passed(evidence)).verdict).toBe('error');
    for (const evidence of [{ exchanges: 1 }, { rows: 1 }])
      expect(judge(wanting('any'), { it: [good] }, passed(evidence)).verdict).toBe('pass');
  });
});
