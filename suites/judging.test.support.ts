/** Calls judges directly with fake responses, so that tests cover every branch without a server. */
import { describe, expect, test } from 'vitest';
import type { Depth, OperationKey } from '../src/contract/index.ts';
import { DEFAULT_SAMPLING } from '../src/contract/sampling.ts';
import type { Inputs } from '../src/profile/template.ts';
import type { Observation } from '../src/reading/types.ts';
import { declarationsOf } from '../src/rule/declarations.ts';
import {
  applyFolds,
  type Declarations,
  type EditableReading,
  type EditableReadings,
  type Judgement,
  type Reading,
  type Row,
  type Rule,
  type Steps,
} from '../src/rule/index.ts';
import { RULES } from './index.ts';
import { patchedReference } from './patched-reference.test.support.ts';

/** A fake response; default: status 200 without rows and values. */
export interface FakeResponse {
  readonly rows?: readonly Row[];
  readonly values?: Observation['values'];
  /** `null`: there is no response. */
  readonly status?: number | null;
  readonly inputs?: Inputs;
  readonly headers?: readonly (readonly [string, string])[];
  readonly complete?: boolean;
  readonly stated?: Observation['pageMetadata'];
  readonly problem?: Observation['problem'];
  readonly schema?: Reading['schema'];
  /** The text that distinguishes the responses of paths. */
  readonly body?: string;
  readonly operation?: OperationKey;
  /** No further request follows. */
  readonly exhausted?: true;
}

export type FakeResponses = { readonly [step: string]: FakeResponse | readonly FakeResponse[] };

function readingOf(name: string, at: number, operation: OperationKey, answer: FakeResponse): EditableReading {
  const {
    rows = [],
    values = {},
    status = 200,
    inputs = {},
    complete = true,
    stated: pageMetadata,
    problem,
    schema,
    body = '',
    headers = [],
  } = answer;
  const shared = {
    exchange: `#${name}-${at}`,
    operation: answer.operation ?? operation,
    inputs,
    rows,
    ...(answer.exhausted && { exhausted: answer.exhausted }),
  };
  if (status === null) return { ...shared, failure: 'the connection was refused' };
  return {
    ...shared,
    head: { status, reasonPhrase: '', headers },
    signature: { url: `http://host/${name}`, status, type: 'application/json', location: '', body },
    ...(schema && { schema }),
    ...(status >= 200 &&
      status < 300 && {
        observation: {
          rows: rows.length,
          complete,
          ...(pageMetadata && { pageMetadata }),
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
  /** Changes to the reference profile, as a merge patch. */
  readonly profile?: { readonly [member: string]: unknown };
  /** Default: standard. */
  readonly depth?: Depth;
}

const ruleOf = (id: string): Rule => RULES.find((each) => each.id === id) as Rule;

/** The steps of a rule under the reference profile with the changes of the setting. */
export async function stepsOf(id: string, { subject, profile = {} }: Setting = {}): Promise<Steps> {
  const rule = ruleOf(id);
  return rule.probe(subject ?? (rule.subjects[0] as OperationKey), declarationsOf(await patchedReference(profile)));
}

/** Judges fake responses. Steps that are not named have no reading. */
function judgeFakes(id: string, answers: FakeResponses, declarations: Declarations, subject?: OperationKey): Judgement {
  const rule = ruleOf(id);
  const context = { subject: subject ?? (rule.subjects[0] as OperationKey), declarations };
  const steps = rule.probe(context.subject, declarations);
  const unknownSteps = Object.keys(answers).filter((name) => !(name in steps));
  if (unknownSteps.length > 0)
    throw new Error(`${id} has no step ${unknownSteps.join()}, only ${Object.keys(steps).join()}`);
  const readings: EditableReadings = Object.fromEntries(
    Object.entries(answers).map(([name, given]) => [
      name,
      [given].flat().map((each, at) => readingOf(name, at, steps[name]?.operation as OperationKey, each)),
    ]),
  );
  const judged = rule.judge(applyFolds(steps, { ...emptySteps(steps), ...readings }), context);
  const exchanges = Object.values(readings).flatMap((list) => list.map(({ exchange }) => exchange));
  if (judged.verdict === 'pass') expect(judged.evidence.exchanges).toBeGreaterThan(0);
  // A finding has texts, and names one of the given exchanges.
  if (judged.verdict === 'fail') {
    expect(judged.findings).not.toEqual([]);
    for (const finding of judged.findings) {
      expect(finding).toMatchObject({ expected: expect.stringMatching(/./), actual: expect.stringMatching(/./) });
      expect(exchanges).toContain(finding.exchange);
    }
  }
  return judged;
}

const emptySteps = (steps: object): EditableReadings =>
  Object.fromEntries(Object.keys(steps).map((name) => [name, []]));

/** The verdict, and its basis if that differs from the basis of the rule: `fail (profile)`. */
const formatVerdict = (judged: Judgement): string =>
  'basis' in judged && judged.basis ? `${judged.verdict} (${judged.basis})` : judged.verdict;

/**
 * One case: its title, the fake responses, the expected verdict, with the kinds of findings if these matter (`fail (profile)`,
 * `fail: other-job`), and further expected members or the reason.
 */
export type Case = readonly [title: string, answers: FakeResponses, verdict: string, expectedDetails?: object | RegExp];

/** Tests a judge with its cases. */
export function judgeCases(id: string, setting: Setting, cases: readonly Case[]): void {
  const { subject, profile = {}, depth } = setting;
  const sampling = { ...DEFAULT_SAMPLING, ...(depth && { depth }) };
  const declared = patchedReference(profile).then((patched) => declarationsOf(patched, sampling));
  describe(`${id} ${subject ?? ''} ${JSON.stringify(profile)}`, () => {
    test.each(cases.map((each) => [each[0], each] as const))(
      '%s',
      async (_, [, answers, verdict, expectedDetails = {}]) => {
        const judged = judgeFakes(id, answers, await declared, subject);
        const [expected, kinds] = verdict.split(': ');
        expect(formatVerdict(judged), JSON.stringify(judged)).toBe(expected);
        if (kinds) expect(judged).toMatchObject({ findings: kinds.split(', ').map((kind) => ({ kind })) });
        if (expectedDetails instanceof RegExp)
          expect(judged).toMatchObject({ because: expect.stringMatching(expectedDetails) });
        else expect(judged).toMatchObject(expectedDetails);
      },
    );
  });
}

/** A date as a day number, as in readings. */
export const day = (iso: string): number => Date.parse(iso) / 86_400_000;

/** Rows with consecutive UPCs, from a first number on. */
export const products = (count: number, cells: Row = {}, from = 1): Row[] =>
  Array.from({ length: count }, (_, at) => ({ upc: String(from + at).padStart(12, '0'), ...cells }));
