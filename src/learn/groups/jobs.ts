/** Learns group A: what is listed, jobs that are started, and how their status is read (section 4.1). */
import {
  JOB_KINDS,
  JOB_STATUS,
  type JobKind,
  OPERATIONS,
  type OperationKey,
  operationOf,
  operationsOfKind,
} from '../../contract/index.ts';
import { exampleValuesOf } from '../../profile/example-values.ts';
import { headerNameProblem } from '../../profile/http-text.ts';
import { isPlainObject, type PlainObject } from '../../profile/plain-object.ts';
import type { RequestTemplate } from '../../profile/schema.ts';
import type { InputValue } from '../../profile/template.ts';
import { requiredInputsOf } from '../../rule/declarations.ts';
import type { Answer } from '../ask.ts';
import { STEP } from '../described-names.ts';
import type { Learner } from '../learner.ts';
import { withoutPrefix } from '../words.ts';
import { inElements, inJson } from './body-forms.ts';
import { type Carrier, findName, inParameters, namesMentioned, textOfRefusal } from './parameters.ts';

/** A job that was started. */
interface StartedJob {
  readonly start: OperationKey;
  readonly id: InputValue;
}

const HEADERS = [
  'X-Job-Id',
  'X-Ticket',
  'X-Job',
  'Job-Id',
  'X-Request-Id',
  'X-Task-Id',
  'X-Handle',
  'X-Id',
  'Ticket',
  'X-Auftrag',
];

const MAX_SEARCHES = 2;
const LISTS: readonly string[] = ['testService', 'getAllProspectFilters'];

const inHeaders =
  (request: PlainObject): Carrier =>
  (names, input) =>
    ({
      ...request,
      headers: {
        ...(request.headers as object | undefined),
        ...Object.fromEntries(
          names.filter((name) => headerNameProblem(name) === undefined).map((name) => [name, `{${input}}`]),
        ),
      },
    }) as RequestTemplate;

/** Learns the lists of the group, and, where starting jobs is allowed, the jobs. */
export async function learnServices(learner: Learner): Promise<PlainObject> {
  const { profile } = learner.asker;
  for (const { key, group, safety, name } of OPERATIONS) {
    if (group !== 'A' || safety !== 'read' || !(LISTS.includes(name) || learner.asker.stated[key]?.request)) continue;
    const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === key);
    const own = exampleValuesOf(profile.data, 'jobId', { operation: key })[0];
    const jobId = (kind && profile.data.jobs?.[kind]?.example) ?? own;
    const isNeeded = requiredInputsOf(profile, key).includes('jobId');
    if (isNeeded && jobId === undefined) continue;
    if (await learner.begin(key, isNeeded && jobId !== undefined ? { jobId } : {})) learner.bind(key);
  }
  const started = await startJobs(learner);
  const starts = new Map<JobKind, OperationKey[]>();
  let place: IdPlace | undefined;
  // Whether a status refused the job of another kind: each job then has one status.
  let areSeparate = false;
  const claimed = new Set<OperationKey>();
  for (const kind of JOB_KINDS) {
    const key = JOB_STATUS[kind];
    for (const [at, job] of ranked(kind, started).entries()) {
      if (areSeparate && (starts.has(kind) || claimed.has(job.start)) && !isNamed(kind, job.start)) continue;
      const { answers, request } = learner.operation(key);
      let answer = await acceptedAnswer(learner, key, job, answers.length > 0 ? [request] : learner.requests(key));
      const isUnknown = answers.length === 0;
      const sent = ({ carry, name }: IdPlace) => [carry({})([name], 'jobId') as PlainObject];
      if (isUnknown && place) answer ??= await acceptedAnswer(learner, key, job, sent(place));
      // A status that refuses two jobs at any place is of another kind, or carries the id otherwise.
      const mayKnow = isUnknown && at < MAX_SEARCHES && (starts.size === 0 || isNamed(kind, job.start));
      const found = !answer && mayKnow ? await findIdPlace(learner, key, job) : undefined;
      if (found) answer = await acceptedAnswer(learner, key, job, sent(found));
      place = found ?? place;
      if (!answer) {
        areSeparate ||= starts.has(kind) && !isNamed(kind, job.start);
        continue;
      }
      claimed.add(job.start);
      const operation = learner.operation(key);
      operation.request = answer.request as PlainObject;
      operation.answers.push(answer);
      starts.set(kind, [...(starts.get(kind) ?? []), job.start]);
      if (operation.answers.length > 1) break;
    }
    learner.bind(key);
  }
  const accepted = new Set([...starts.values()].flat());
  for (const { start } of started) if (!accepted.has(start)) learner.unconfirmed.add(start);
  return Object.fromEntries(
    [...starts].flatMap(([kind, keys]) => {
      // A status that any job has says nothing about kinds; the name then does.
      const own = keys.filter(
        (key) => isNamed(kind, key) || JOB_KINDS.every((other) => other === kind || !starts.get(other)?.includes(key)),
      );
      if (own.length === 0) return [];
      learner.settled.push({
        path: ['jobs', kind, 'start'],
        evidence: `${operationOf(JOB_STATUS[kind]).name} knows the job`,
      });
      return [[kind, { start: own.length === 1 ? own[0] : own }]];
    }),
  );
}

/** How a request carries the members that a refusal says are missing. */
const STARTS: readonly ((members: PlainObject) => PlainObject)[] = [
  inJson,
  (members) => ({ json: Object.fromEntries(Object.keys(members).map((name) => [name, ['1']])) }),
  (members) => ({ form: Object.fromEntries(Object.keys(members).map((name) => [name, '1'])) }),
];
const IN_XML = inElements('request');
const MAX_MEMBERS = 3;

/**
 * Adds a member that a refusal names, with the members around it; one that is still refused becomes an object. Returns false
 * if the refusal names no other one.
 */
function addNamed(members: Record<string, unknown>, refusal: Answer): boolean {
  for (const name of namesMentioned(refusal).map((each) => each.replaceAll('.', STEP))) {
    if (isPlainObject(members[name])) continue;
    members[name] = name in members ? {} : '1';
    return true;
  }
  return false;
}

/**
 * Starts a job, if need be with the members that refusals name.
 * @param objects the members that have the others in the requests of other starts
 */
async function startJob(learner: Learner, key: OperationKey, objects: Set<string>): Promise<Answer | undefined> {
  const known = learner.requests(key);
  for (const request of known) {
    const answer = await learner.ask(key, {}, request);
    if (answer?.isSuccess) return answer;
  }
  const members: Record<string, unknown> = Object.fromEntries([...objects].map((name) => [name, {}]));
  const bare = await learner.ask(key, {}, { json: {} });
  const isXml = bare !== undefined && !bare.isSuccess && /\bxml\b/i.test(textOfRefusal(bare));
  for (const carry of isXml ? [IN_XML] : STARTS) {
    for (let tries = 0; tries <= MAX_MEMBERS; tries++) {
      const answer = await learner.ask(key, {}, carry(members));
      if (answer?.isSuccess)
        for (const [name, value] of Object.entries(members)) if (isPlainObject(value)) objects.add(name);
      if (!answer || answer.isSuccess) return answer;
      if (Object.keys(members).length >= MAX_MEMBERS || !addNamed(members, answer)) break;
    }
    if (Object.keys(members).length === 0) return undefined;
  }
  return undefined;
}

/** The names by which the first status that is refused without an id says what it lacks. */
async function namesOfJobIds(learner: Learner): Promise<ReadonlySet<string>> {
  if (learner.asker.recorded.size > 0) return new Set();
  for (const kind of JOB_KINDS) {
    const names = namesMentioned(await learner.ask(JOB_STATUS[kind], {}, {}));
    if (names.length > 0) return new Set(names);
  }
  return new Set();
}

/** Starts each job of the allowed class once. */
async function startJobs(learner: Learner): Promise<StartedJob[]> {
  const started: StartedJob[] = [];
  const objects = new Set<string>();
  const recorded = learner.recordedJobIds();
  learner.jobIdNames = await namesOfJobIds(learner);
  for (const key of operationsOfKind('jobStart')) {
    const operation = learner.operation(key);
    const answer = await startJob(learner, key, objects);
    if (answer) {
      operation.request = answer.request as PlainObject;
      operation.answers.push(answer);
    }
  }
  for (const key of operationsOfKind('jobStart')) {
    const operation = learner.operation(key);
    learner.bind(key);
    const likely = learner.valueOf(key, 'jobId');
    const id = recorded.find((each) => mentionsId(operation.answers[0], each)) ?? likely;
    if (id !== likely) learner.unconfirmed.add(key);
    if (typeof id === 'string' || typeof id === 'number') started.push({ start: key, id });
  }
  return started;
}

/** Whether the beginning of a response contains an id. */
const mentionsId = (answer: Answer | undefined, id: InputValue): boolean =>
  answer !== undefined && `${answer.text} ${answer.head.headers.join(' ')}`.includes(String(id));

/** The words by which the name of a start says the kind of its jobs. */
const KIND_WORDS: Readonly<Record<JobKind, RegExp>> = {
  drive: /drive/i,
  fileEnhancement: /enhance/i,
  location: /location/i,
  mapExport: /map/i,
  prospect: /prospect/i,
  variablePull: /variable/i,
  report: /report/i,
};

const isNamed = (kind: JobKind, start: OperationKey): boolean => KIND_WORDS[kind].test(start);

/** The jobs whose start has the name of the kind first. */
const ranked = (kind: JobKind, started: readonly StartedJob[]): StartedJob[] =>
  [...started].sort((x, y) => Number(isNamed(kind, y.start)) - Number(isNamed(kind, x.start)));

/** Where the request of a status carries the id of a job. */
interface IdPlace {
  readonly carry: (request: PlainObject) => Carrier;
  readonly name: string;
}

/** Finds where the request of a status carries the id of a job. */
async function findIdPlace(learner: Learner, key: OperationKey, { id }: StartedJob): Promise<IdPlace | undefined> {
  const usual = await learner.ask(key, {}, {});
  const own = [...learner.operations.values()].flatMap(({ bound }) =>
    (bound?.named ?? []).filter(({ field }) => field === 'jobId').map(({ name }) => withoutPrefix(name)),
  );
  const search = {
    operation: key,
    input: 'jobId' as const,
    value: id,
    usual,
    hasEffect: (answer: Answer) => !usual?.isSuccess || answer.text !== usual.text,
  };
  const name = await findName(learner.asker, {
    ...search,
    carrier: inParameters({}),
    names: [[...new Set(own)], ...learner.namesFor(key, 'jobId')],
  });
  if (name !== undefined) return { carry: inParameters, name };
  const header = await findName(learner.asker, {
    ...search,
    carrier: inHeaders({}),
    names: [HEADERS],
  });
  return header === undefined ? undefined : { carry: inHeaders, name: header };
}

/** The answer to the status of a job, if an invented id has none. */
async function acceptedAnswer(
  learner: Learner,
  key: OperationKey,
  { id }: StartedJob,
  requests: readonly PlainObject[],
): Promise<Answer | undefined> {
  for (const request of requests) {
    const answer = await learner.ask(key, { jobId: id }, request);
    if (!answer?.isSuccess) continue;
    const invented = await learner.ask(key, { jobId: inventedLike(id) }, request);
    if (!invented?.isSuccess || invented.text !== answer.text) return answer;
  }
  return undefined;
}

/** An id of the same form that no job has. */
const inventedLike = (id: InputValue): InputValue =>
  typeof id === 'number'
    ? id + 990_001
    : String(id)
        .replace(/[0-8](?=[^0-8]*$)/, '9')
        .replace(/[a-y](?=[^a-y]*$)/i, 'z');
