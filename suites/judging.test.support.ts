/** Judges called directly, with made-up answers: every branch of each, without a server. */
import { describe, expect, test } from 'vitest';
import type { OperationKey } from '../src/contract/index.ts';
import type { Inputs } from '../src/profile/template.ts';
import type { Observation } from '../src/reading/types.ts';
import { declarationsOf } from '../src/rule/declarations.ts';
import {
  type Declarations,
  type EditableReading,
  type EditableReadings,
  type Judgement,
  type Reading,
  type Row,
  type Rule,
  refold,
  type Steps,
} from '../src/rule/index.ts';
import { amended } from './amended.test.support.ts';
import { RULES } from './index.ts';

/** A made-up answer: 200 with no row and no value unless it says otherwise. */
export interface Answer {
  readonly rows?: readonly Row[];
  readonly values?: Observation['values'];
  /** `null`: no answer came. */
  readonly status?: number | null;
  readonly inputs?: Inputs;
  readonly headers?: readonly (readonly [string, string])[];
  readonly complete?: boolean;
  readonly problem?: Observation['problem'];
  readonly schema?: Reading['schema'];
  /** The text by which the answers of paths are told apart. */
  readonly body?: string;
  readonly operation?: OperationKey;
}

export type Answers = { readonly [step: string]: Answer | readonly Answer[] };

function witnessOf(name: string, at: number, operation: OperationKey, answer: Answer): EditableReading {
  const {
    rows = [],
    values = {},
    status = 200,
    inputs = {},
    complete = true,
    problem,
    schema,
    body = '',
    headers = [],
  } = answer;
  const shared = { exchange: `#${name}-${at}`, operation: answer.operation ?? operation, inputs, rows };
  if (status === null) return { ...shared, failure: 'the connection was refused' };
  return {
    ...shared,
    head: { status, reason: '', headers },
    signature: { url: `http://host/${name}`, status, type: 'application/json', location: '', body },
    ...(schema && { schema }),
    ...(status >= 200 &&
      status < 300 && {
        observation: {
          rows: rows.length,
          complete,
          values,
          digest: JSON.stringify([rows, values]),
          ...(problem && { problem }),
        },
      }),
  };
}

export interface Setting {
  /** Default: the rule's first. */
  readonly subject?: OperationKey;
  /** What is declared otherwise than by the reference profile, as a merge patch. */
  readonly profile?: { readonly [member: string]: unknown };
}

const ruleOf = (id: string): Rule => RULES.find((each) => each.id === id) as Rule;

/** The steps of a rule under the reference profile, otherwise as the setting says. */
export async function stepsOf(id: string, { subject, profile = {} }: Setting = {}): Promise<Steps> {
  const rule = ruleOf(id);
  return rule.probe(subject ?? (rule.subjects[0] as OperationKey), declarationsOf(await amended(profile)));
}

/** What a judge says of made-up answers. Steps that are not named saw nothing. */
function judgeAnswers(id: string, answers: Answers, declarations: Declarations, subject?: OperationKey): Judgement {
  const rule = ruleOf(id);
  const context = { subject: subject ?? (rule.subjects[0] as OperationKey), declarations };
  const steps = rule.probe(context.subject, declarations);
  const strange = Object.keys(answers).filter((name) => !(name in steps));
  if (strange.length > 0) throw new Error(`${id} has no step ${strange.join()}, only ${Object.keys(steps).join()}`);
  const witnesses: EditableReadings = Object.fromEntries(
    Object.entries(answers).map(([name, given]) => [
      name,
      [given].flat().map((each, at) => witnessOf(name, at, steps[name]?.operation as OperationKey, each)),
    ]),
  );
  const judged = rule.judge(refold(steps, { ...noneOf(steps), ...witnesses }), context);
  const exchanges = Object.values(witnesses).flatMap((list) => list.map(({ exchange }) => exchange));
  if (judged.verdict === 'pass') expect(judged.evidence.exchanges).toBeGreaterThan(0);
  // A finding is told in words, and stands in an exchange that was seen.
  if (judged.verdict === 'fail') {
    expect(judged.findings).not.toEqual([]);
    for (const finding of judged.findings) {
      expect(finding).toMatchObject({ expected: expect.stringMatching(/./), actual: expect.stringMatching(/./) });
      expect(exchanges).toContain(finding.exchange);
    }
  }
  return judged;
}

const noneOf = (steps: object): EditableReadings => Object.fromEntries(Object.keys(steps).map((name) => [name, []]));

/** `fail (profile)`: the verdict and, where it is not the rule's own, what it rests on. */
const told = (judged: Judgement): string =>
  'basis' in judged && judged.basis ? `${judged.verdict} (${judged.basis})` : judged.verdict;

/** One case: what is special about it, the answers, what the judge must say (`fail (profile)`), and more of it. */
export type Case = readonly [says: string, answers: Answers, verdict: string, also?: object];

/** Holds a judge to its cases. */
export function judgeCases(id: string, setting: Setting, cases: readonly Case[]): void {
  const { subject, profile = {} } = setting;
  const declared = amended(profile).then(declarationsOf);
  describe(`${id} ${subject ?? ''} ${JSON.stringify(profile)}`, () => {
    test.each(cases.map((each) => [each[0], each] as const))('%s', async (_, [, answers, verdict, also = {}]) => {
      const judged = judgeAnswers(id, answers, await declared, subject);
      expect(told(judged), JSON.stringify(judged)).toBe(verdict);
      expect(judged).toMatchObject(also);
    });
  });
}

/** The number of a day, as readings hold dates. */
export const day = (iso: string): number => Date.parse(iso) / 86_400_000;

/** So many UPCs, one row each, from a first number on. */
export const products = (count: number, cells: Row = {}, from = 1): Row[] =>
  Array.from({ length: count }, (_, at) => ({ upc: String(from + at).padStart(12, '0'), ...cells }));
