/** Names the operations and schemas of a profile that no response showed. */
import {
  type Input,
  JOB_KINDS,
  JOB_STATUS,
  OPERATIONS,
  type OperationKey,
  operationOf,
  SAFETY_LADDER,
  type Safety,
} from '../../contract/index.ts';
import { exampleValuesOf } from '../../profile/example-values.ts';
import { isImplemented } from '../../profile/filled-openings.ts';
import { startsIn } from '../../profile/job-starts.ts';
import type { JobProfile } from '../../profile/schema/jobs.ts';
import type { Profile } from '../../profile/schema.ts';
import { mentionedInputs } from '../../profile/template.ts';
import { requiredInputsOf } from '../../rule/declarations.ts';
import type { Answer } from '../ask.ts';
import type { Learner } from '../learner.ts';
import type { DeclaredVerdict } from '../types.ts';

/** Judges the operations that can be asked without starting anything. */
export function judgeExercised(learner: Learner): DeclaredVerdict[] {
  const { profile, stated } = learner.asker;
  return OPERATIONS.flatMap(({ key, safety }): DeclaredVerdict[] => {
    const declared = stated[key];
    if (!declared || safety !== 'read' || !isImplemented(profile, key)) return [];
    const answers = learner.asker.answersOf(key);
    const unseen = Object.keys(declared.response?.schemas ?? {}).filter((status) => !isExercised(status, answers));
    return [
      ...judgeOperation(learner, key, answers),
      ...unseen.map((status) => ({
        kind: 'unverified' as const,
        path: ['operations', key, 'response', 'schemas', status],
        sentence: 'no response had this schema, so it is not verified',
      })),
    ];
  });
}

function judgeOperation({ asker }: Learner, key: OperationKey, answers: readonly Answer[]): DeclaredVerdict[] {
  const path = ['operations', key];
  const of = (kind: DeclaredVerdict['kind'], sentence: string): DeclaredVerdict[] => [{ kind, path, sentence }];
  if (answers.some(({ isSuccess }) => isSuccess)) return [];
  const failure = asker.failures.get(key);
  const request = asker.stated[key]?.request;
  const windows: Input[] = request && mentionedInputs(request).has('window') ? ['window'] : [];
  const required = [...requiredInputsOf(asker.profile, key), ...windows];
  // The status of a job that was not started is unknown.
  const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === key);
  const starts = startsIn(kind && asker.profile.data.jobs?.[kind]?.start);
  const isStarted = starts.length === 0 || starts.some(({ operation }) => asker.answered.has(operation));
  const whole = !isStarted
    ? []
    : answers.filter(({ inputs }) => required.every((input) => inputs[input] !== undefined));
  if (whole.length === 0 && failure === undefined) {
    const why = request ? whyNotSent(asker.profile, key) : 'request is not declared';
    return of('unverified', `no request was sent, because ${why}`);
  }
  const { status } = whole[0] ?? {};
  const isOfRequest = status !== undefined && status !== 401 && status !== 403 && status < 500;
  const happened = status === undefined ? failure : `the status is ${status}`;
  const sentence = `no response was successful (${happened}); check the request, its examples and auth with mdwi profile try`;
  return of(isOfRequest ? 'doubt' : 'unverified', sentence);
}

/** Whether a response was validated against the schema of this key. */
const isExercised = (key: string, answers: readonly Answer[]): boolean =>
  answers.some(({ head, status, isSuccess }) => {
    const isRefusal = !isSuccess && head.status >= 200 && head.status <= 299;
    if (key === 'refusal' || isRefusal) return isRefusal && key === 'refusal';
    return key === 'default' ? status >= 400 : key === String(status) || key === `${String(status)[0]}XX`;
  });

function whyNotSent(profile: Profile, key: OperationKey): string {
  const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === key);
  const job = kind && profile.data.jobs?.[kind];
  const missing = requiredInputsOf(profile, key).filter(
    (input) =>
      !(input === 'jobId' && job?.example !== undefined) &&
      exampleValuesOf(profile.data, input, { operation: key }).length === 0,
  );
  if (missing.length === 0) return 'the limit of requests was reached (--max-requests raises it)';
  if (job?.start !== undefined)
    return `it needs {jobId}, the id of a job, which jobs.${kind}.start starts: a run with --safety ${safetyOf(job.start)} verifies it`;
  const advice = kind
    ? `give the id of a job under jobs.${kind}.example, or the POST that starts one under jobs.${kind}.start`
    : 'give examples, or bind the operation that lists them';
  return `it needs ${missing.map((input) => `{${input}}`).join(', ')}, and no value is known that the service accepts: ${advice}`;
}

/** The smallest class of `--safety` with which one of the starts is sent. */
function safetyOf(start: JobProfile['start']): Safety {
  const classes = startsIn(start).map(({ operation }) => operationOf(operation).safety);
  const all = Object.keys(SAFETY_LADDER) as Safety[];
  return all.find((safety) => SAFETY_LADDER[safety].some((each) => classes.includes(each))) ?? 'all';
}
