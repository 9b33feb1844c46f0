/** The status of a job that the service never started, where the profile states what it is (section 7: not shown). */
import { JOB_KINDS, JOB_STATUS, type JobKind } from '../../src/contract/index.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type Finding,
  failed,
  isBlocking,
  isOk,
  kindOfStatus,
  openingOf,
  passed,
  type Row,
  respondWith,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { isEmpty, jobIds, jobKindOf, startStep, statusStep } from '../../src/rule/job-status.ts';
import { mayPrecede, unissuedIdLike } from '../../src/rule/unissued-id.ts';

const UNSTATED = 418;
/** The steps that read the started jobs of the kind. */
const OWN = 'own jobs';

/** Statuses of an id whose format the service does not accept. */
const MALFORMED: ReadonlySet<number> = new Set([400, 414, 422]);

/** Another kind whose jobs the profile starts. */
function otherKind(kind: JobKind, { job }: Declarations): JobKind | undefined {
  const at = JOB_KINDS.indexOf(kind);
  return [...JOB_KINDS.slice(at + 1), ...JOB_KINDS.slice(0, at)].find((each) => job(each).starts.length > 0);
}

const unissuedRows =
  (seed: number) =>
  (rows: readonly Row[]): Row[] =>
    rows.flatMap(({ jobId }) => {
      const id = typeof jobId === 'string' ? unissuedIdLike(jobId, seed) : undefined;
      return id === undefined ? [] : [{ jobId: id }];
    });

export const unknownJob = defineRule<Steps>({
  id: 'A.unknown-job',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'The status of a job that this service never started as one of this kind is what the profile states in the statuses.unknown of the status operation itself.',
  how: 'The status is requested with an id like that of a started job (or the `unknown` id of the profile) that no job has, and with the id of a job of another kind. The status must be one of statuses.unknown. An id that the service may have issued before, and a refusal of its format, prove nothing.',
  looksLike:
    'A service that counts the jobs of each kind separately is legal and knows the id of another kind as one of its own; an id whose number is not greater than that of a started job is therefore not requested.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, openingOf(subject, 'request'), openingOf(subject, 'inputs.jobId')],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    const kind = jobKindOf(subject);
    const { starts, unknown } = declarations.job(kind);
    const [start] = starts;
    if (declarations.ownUnknown(subject) === undefined || (!start && unknown === undefined)) return {};
    const steps: { [name: string]: Step } = {};
    const never = statusStep(subject, 'start', { accepts: 'any', optional: true, mayBeUnknown: true, repetition: 40 });
    if (start) steps.start = startStep(start);
    const { each, ...fixed } = never;
    steps.never =
      unknown !== undefined || !each
        ? step({ ...fixed, inputs: { jobId: { value: unknown ?? '' } } })
        : step({ ...never, each: { ...each, choose: unissuedRows(declarations.seed) } });
    const other = otherKind(kind, declarations);
    const [startOther] = other ? declarations.job(other).starts : [];
    if (!start || !startOther) return steps;
    starts.forEach((each, at) => {
      // The jobs that all rules started, without a request of its own.
      steps[`${OWN} ${at}`] = startStep(each, {
        accepts: 'any',
        optional: true,
        fromAllRules: true,
        when: () => false,
      });
    });
    steps.startOther = startStep(startOther);
    steps.ofOtherKind = statusStep(subject, 'startOther', {
      accepts: 'any',
      optional: true,
      mayBeUnknown: true,
      repetition: 40,
      after: ['start'],
      when: (of) => {
        const own = of('start').flatMap(jobIds);
        return of('startOther')
          .flatMap(jobIds)
          .every((id) => own.every((each) => !mayPrecede(id, each)));
      },
    });
    return steps;
  },
  counterexample: ({ never }) => ({ never: respondWith(never, UNSTATED) }),
  judge(seen, { subject, declarations }) {
    const stated = declarations.statuses(subject);
    const { unknown = [] } = stated;
    // A service that counts the jobs of each kind may have issued the id to a job of this kind meanwhile.
    const own = new Set(
      Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(OWN) ? readings.flatMap(jobIds) : [])),
    );
    const others = (seen.ofOtherKind ?? []).filter(({ inputs }) => !own.has(String(inputs.jobId)));
    const requests = [...(seen.never ?? []), ...others];
    const judged = requests.filter((reading) => {
      const { status } = reading.head ?? { status: 0 };
      if (unknown.includes(status)) return true;
      if (status === 0 || isBlocking(status, stated) || MALFORMED.has(status)) return false;
      // An id of another kind may have a format that this operation does not accept.
      return isOk(reading) ? !isEmpty(reading) : (seen.never ?? []).includes(reading);
    });
    const findings = judged
      .filter(({ head }) => !unknown.includes(head?.status ?? 0))
      .map((reading): Finding => {
        const isOther = (seen.ofOtherKind ?? []).includes(reading);
        return {
          kind: isOk(reading) ? (isOther ? 'other-kind-known' : 'never-issued-known') : kindOfStatus(reading),
          expected: `status ${unknown.join(' or ')} for ${isOther ? `job ${reading.inputs.jobId} of another kind` : `job ${reading.inputs.jobId}, which was never started`}, as the profile states in statuses.unknown of ${subject}`,
          actual: describeResponse(reading),
          exchange: reading.exchange,
        };
      });
    if (findings.length > 0) return failed(findings);
    if (judged.length > 0) return passed({ exchanges: judged.length, distinct: judged.length });
    const [reading] = requests;
    return untested(
      reading
        ? `the request got ${describeResponse(reading)}, which proves nothing`
        : `no id is known that no job has: set one in jobs.${jobKindOf(subject)}.unknown`,
    );
  },
});
