/** Jobs that were never started and maps that were never saved, where the profile states what they get (section 7: not shown). */
import { JOB_KINDS, type JobKind, type OperationKey } from '../../src/contract/index.ts';
import {
  collect,
  type Declarations,
  decide,
  describeResponse,
  isBlocking,
  isOk,
  needsOf,
  otherStatus,
  type Reading,
  type ReadingsOf,
  respondWith,
  type Step,
  type Steps,
  step,
} from '../../src/rule/index.ts';
import { isEmpty, jobIds, jobKindOf, mayPrecede, startStep, statusStep } from '../../src/rule/job-status.ts';
import { MALFORMED, NO_CONTENT } from '../../src/rule/replaced-values.ts';
import { requiredInputs } from '../../src/rule/served.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';
import { type Invention, unlistedLike } from '../../src/rule/unlisted-value.ts';
import { jobRule } from './job-status.ts';

const UNSTATED = 418;
/** The steps that read the started jobs of the kind. */
const OWN = 'own jobs';
/** The steps that request the status of a job of another kind. */
const OTHER = 'of kind';

/** The other kinds whose jobs the profile starts, those after this one first. */
function otherKinds(kind: JobKind, { job, draw }: Declarations): readonly JobKind[] {
  const at = JOB_KINDS.indexOf(kind);
  return [...JOB_KINDS.slice(at + 1), ...JOB_KINDS.slice(0, at)]
    .filter((each) => job(each).starts.length > 0)
    .slice(0, draw('otherJobKinds'));
}

const UNKNOWN_STATUS = { accepts: 'any', optional: true, mayBeUnknown: true, repetition: 40 } as const;

/** The names of the steps that start jobs, this kind first. */
const startsOf = (subject: OperationKey, declarations: Declarations): readonly string[] => [
  'start',
  ...otherKinds(jobKindOf(subject), declarations).map((kind) => `start ${kind}`),
];

const noId = (kind: JobKind): string => `no id is known that no job has: set one in jobs.${kind}.unknown`;

/** Ids that no job has: the one that the profile states, or ones like that of a started job, beyond a sequence of them. */
function neverIssued(
  subject: OperationKey,
  { job, seed }: Declarations,
  started: readonly Reading[],
): Invention | undefined {
  const { unknown } = job(jobKindOf(subject));
  if (unknown !== undefined)
    return { values: [unknown], why: 'which the profile states', isRare: true, isLearned: true };
  const [like, ...others] = started.flatMap(jobIds);
  return like === undefined ? undefined : unlistedLike(like, others, () => false, seed).find(({ isRare }) => isRare);
}

/** Requests the status of a job that was never started. */
function neverStartedStep(subject: OperationKey, declarations: Declarations): Step {
  const { unknown } = declarations.job(jobKindOf(subject));
  const { each, ...withoutId } = statusStep(subject, 'start', UNKNOWN_STATUS);
  if (unknown !== undefined || !each) return step({ ...withoutId, inputs: { jobId: { value: unknown ?? '' } } });
  const from = startsOf(subject, declarations);
  return step({
    ...withoutId,
    each: {
      ...each,
      from,
      select: (sources, of) =>
        of('start').some((each) => jobIds(each).length > 0)
          ? (neverIssued(subject, declarations, sources)?.values ?? []).slice(0, 1).map((jobId) => ({ jobId }))
          : [],
      key: `never issued id of ${subject}`,
    },
  });
}

/**
 * Starts a job of each of some other kinds and requests its status as that of a job of this kind, unless this kind may have
 * issued its id. The steps `own jobs` send nothing: they read the ids of the jobs that all rules started.
 */
function otherKindSteps(subject: OperationKey, declarations: Declarations): Steps {
  const kind = jobKindOf(subject);
  const own = { accepts: 'any', fromAllRules: true, when: () => false } as const;
  const steps: { [name: string]: Step } = Object.fromEntries(
    declarations.job(kind).starts.map((start, at) => [`${OWN} ${at}`, startStep(start, own)]),
  );
  for (const other of otherKinds(kind, declarations)) {
    const [start] = declarations.job(other).starts;
    if (!start) continue;
    const started = `start ${other}`;
    const when = (of: ReadingsOf): boolean => {
      const issued = of('start').flatMap(jobIds);
      const ofOther = of(started).flatMap(jobIds);
      return ofOther.every((id) => issued.every((each) => !mayPrecede(id, each)));
    };
    steps[started] = startStep(start, { accepts: 'any', optional: true });
    steps[`${OTHER} ${other}`] = statusStep(subject, started, { ...UNKNOWN_STATUS, after: ['start'], when });
  }
  return steps;
}

export const unknownJob = jobRule({
  id: 'A.unknown-job',
  demands:
    'The status of a job that this service never started as one of this kind is what the profile states in the statuses.unknown of the status operation itself.',
  how: [
    'The status is requested with an id like that of a started job (or the `unknown` id of the profile) that no job has, and with the ids of jobs of three other kinds (quick: one, thorough: all).',
    'The status must be one of statuses.unknown.',
    'An id that the service may have issued before, and a refusal of its format, prove nothing.',
  ],
  looksLike:
    'A service that counts the jobs of each kind separately is legal and knows the id of another kind as one of its own; an id whose number is not greater than that of a started job is therefore not requested.',
  promise: 'operations.….statuses.unknown',
  status: ['request', 'inputs.jobId'],
  repeat: 'inconclusive',
  isStated: ({ ownStatuses }, subject) => ownStatuses(subject).unknown !== undefined,
  unjudged: (subject) => noId(jobKindOf(subject)),
  probe(subject, declarations, { starts: [start], unknown }): Steps {
    if (!start && unknown === undefined) return {};
    const never = neverStartedStep(subject, declarations);
    return start ? { start: startStep(start), never, ...otherKindSteps(subject, declarations) } : { never };
  },
  counterexample: ({ never }) => ({ never: respondWith(never, UNSTATED) }),
  judge(seen, { subject, declarations, kind }) {
    const stated = declarations.statuses(subject);
    const { unknown = [] } = stated;
    const never = seen.never ?? [];
    // A service that counts the jobs of each kind may have issued the id to a job of this kind meanwhile.
    const readingsOf = (prefix: string) =>
      Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(prefix) ? readings : []));
    const ownIds = new Set(readingsOf(OWN).flatMap(jobIds));
    const requests = [...never, ...readingsOf(OTHER).filter(({ inputs }) => !ownIds.has(String(inputs.jobId)))];
    const started = startsOf(subject, declarations).flatMap((name) => seen[name] ?? []);
    const form = neverIssued(subject, declarations, started);
    const isRead = declarations.readsBody(subject);
    const isStated = ({ head }: Reading): boolean => unknown.includes(head?.status ?? 0);
    const isJudged = (reading: Reading): boolean => {
      const status = reading.head?.status ?? 0;
      if (isStated(reading)) return true;
      if (status === 0 || isBlocking(status, stated) || MALFORMED.has(status)) return false;
      if (isOk(reading) && (isRead ? isEmpty(reading) : status === NO_CONTENT)) return false;
      // An id of another kind may have a format that this operation does not accept.
      if (!never.includes(reading)) return isOk(reading);
      return form?.isLearned === true || (isOk(reading) && isRead);
    };
    const findingOf = (reading: Reading) => {
      const { jobId } = reading.inputs;
      const [accepted, about] = never.includes(reading)
        ? (['never-issued-known', `job ${jobId}, which was never started (${form?.why})`] as const)
        : (['other-kind-known', `job ${jobId} of another kind`] as const);
      return otherStatus(reading, 'unknown', { about, accepted }, declarations);
    };
    const judged = requests.filter(isJudged);
    const findings = judged.filter((reading) => !isStated(reading)).map(findingOf);
    const [first] = requests;
    const nothing = first
      ? `the status of job ${first.inputs.jobId} got ${describeResponse(first)}, which proves nothing: if the service refuses the form of the id, set one that no job has in jobs.${kind}.unknown`
      : noId(kind);
    return decide({ compared: judged.length, findings }, { nothing, evidence: { exchanges: judged.length } });
  },
});

const SAVED_MAP = 'GET /webservices/getSaveMap';

export const unknownMap = unknownValueRule({
  id: 'A.unknown-map',
  statement: 'A.content',
  demands:
    'A request for a map that was never saved gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: [
    'The example map of the profile is requested, and then a map with an id of the same form.',
    'The rule fails if two such ids get a map, no content, or an error that the profile does not state.',
    'A refusal of the format and an overload prove nothing.',
  ],
  looksLike:
    'A server on which another client saved a map with such an id is legal and looks like this violation; two ids of a random form that both get a map tell them apart.',
  subjects: [SAVED_MAP],
  needs: (subject) => needsOf(subject, 'inputs.mapId', 'request'),
  inputs: () => ['mapId'],
  draw: 'unknownValues',
  requests(operation) {
    const folds = { items: collect(['id'], 10) };
    return { lists: {}, listed: step({ operation, inputs: requiredInputs(operation), accepts: 'any', folds }) };
  },
});
