/** Learns a profile from the answers of a service: candidates by names and values, decided by what they have to do with each other. */
import { isDeepStrictEqual } from 'node:util';
import {
  FIELDS,
  type Field,
  OPERATIONS,
  type OperationKey,
  operationOf,
  SAFETY_LADDER,
  type SafetyClass,
} from '../contract/index.ts';
import { draftFromDescription } from '../profile/openapi/draft.ts';
import { objectAt, type PlainObject } from '../profile/plain-object.ts';
import { createAsker } from './ask.ts';
import { usedTables } from './binding/code-tables.ts';
import { judgeDeclared } from './declared/judge-declared.ts';
import { judgeExercised } from './declared/judge-exercised.ts';
import { matchingSchemas } from './described-schemas.ts';
import { learnCatalogue } from './groups/catalogue.ts';
import { learnServices } from './groups/jobs.ts';
import { beginPerformance, learnPerformance } from './groups/performance.ts';
import { beginProducts, learnProducts } from './groups/products.ts';
import { learnRecordedCatalogue } from './groups/recorded-catalogue.ts';
import { Learner } from './learner.ts';
import { withoutPromises } from './promises.ts';
import { refusalConditions } from './refusals.ts';
import { seenPromises } from './seen-promises.ts';
import { learnStatements } from './statements.ts';
import type { Learned, LearnOptions, LikelyDefect, Question, Settled } from './types.ts';

import { whyNotWhole } from './whole-lists.ts';
import { mergedProfile, unansweredQuestions } from './write/merge.ts';

export type { Learned, LearnOptions } from './types.ts';

const MAX_QUESTIONS = 10;

/**
 * Learns a profile of the service at a base address. It sends requests of the allowed class only, within its limits.
 *
 * @throws ProfileError if the start is not valid
 * @example (await learnProfile({ base, start: { name: 'acme' } })).profile.operations
 */
export async function learnProfile(options: LearnOptions): Promise<Learned> {
  const asker = await createAsker(options);
  const draft = options.description && draftFromDescription(options.description);
  const learner = new Learner(asker, draft, options.description);
  try {
    await beginProducts(learner);
    await beginPerformance(learner);
    if (asker.isDenied()) return describeLearned(learner, {}, options);
    bindAll(learner);
    await learnProducts(learner);
    await learnPerformance(learner);
    if (asker.recorded.size > 0) await learnRecordedCatalogue(learner);
    else await learnCatalogue(learner, { ...draft?.examples, ...objectAt(options.start, 'examples') });
    const jobs = await learnServices(learner);
    bindAll(learner);
    learnStatements(learner);
    const schemas = draft && matchingSchemas(learner, draft.schemas);
    return { ...describeLearned(learner, jobs, options), ...(schemas && schemas.stated.size > 0 && { schemas }) };
  } finally {
    await asker.close();
  }
}

const isSent = (key: OperationKey, safety: 'read' | 'job'): boolean =>
  (SAFETY_LADDER[safety] as readonly SafetyClass[]).includes(operationOf(key).safety);

/** Binds every operation twice: what the first pass settles is evidence for the second. */
function bindAll(learner: Learner): void {
  for (let pass = 0; pass < 2; pass++) for (const key of learner.operations.keys()) learner.bind(key);
}

function describeLearned(learner: Learner, jobs: PlainObject, { start, safety = 'read' }: LearnOptions): Learned {
  const { asker } = learner;
  const drafted = withoutPromises(learner.draft?.profile ?? {}) as PlainObject;
  const { name: _, auth: __, authFor: ___, authExcept: ____, ...described } = drafted;
  const operations: Record<string, PlainObject> = {};
  const settled: Settled[] = [...learner.settled];
  const asked = [...learner.questions];
  const open = [...learner.open];
  const defects = [...learner.defects];
  for (const { key } of OPERATIONS) {
    const known = learner.operations.get(key);
    if (!known || known.answers.length === 0) {
      defects.push(...serverErrors(learner, key));
      // What a description says of an operation that could be asked, but has no answer, is not confirmed.
      if (isSent(key, safety)) continue;
      // How it responds is not seen either: a wrong format would accuse a conforming service.
      const { request } = objectAt(objectAt(drafted, 'operations'), key);
      if (request !== undefined) operations[key] = { request };
      continue;
    }
    const { bound, paging, statements } = known;
    const stated = objectAt(objectAt(start, 'operations'), key);
    // The values of variables stay out of the profile.
    const request = known.request === asker.stated[key]?.request ? stated.request : known.request;
    const partial = whyNotWhole(learner, key);
    if (partial !== undefined) {
      open.push({ path: ['operations', key, 'response', 'rows'], why: `${partial}: state response.paging` });
      operations[key] = { request };
      continue;
    }
    if (learner.unconfirmed.has(key)) {
      const at = ['operations', key, 'response', 'fields', 'jobId'];
      open.push({ path: at, why: 'no status accepts the id at its likeliest place' });
      operations[key] = { request };
      continue;
    }
    if (!bound)
      open.push({ path: ['operations', key, 'response'], why: 'its answers have nothing that is recognised' });
    const response = { ...bound?.learned, ...statements, ...(paging && { paging }) };
    operations[key] = { request, ...(Object.keys(response).length > 0 && { response }) };
    const { demanded = [] } = operationOf(key);
    for (const field of demanded)
      if (bound && !bound.choices.has(field))
        open.push({ path: ['operations', key, 'response', 'fields', field], why: 'no place of the rows has it' });
    settled.push(...(bound?.settled ?? []));
    asked.push(...(bound?.questions ?? []));
    open.push(...(bound?.open ?? []));
    defects.push(...(bound?.defects ?? []), ...serverErrors(learner, key));
  }
  const questions = unansweredQuestions(joined(asked), start);
  const refusal = refusalConditions(
    asker.refusals,
    asker.successes().map(({ document }) => document),
  );
  if (refusal.length > 0 && start.refusal === undefined)
    settled.push({ path: ['refusal'], evidence: `${asker.refusals.length} refusals with a 2xx` });
  const examples = { ...learner.examples, ...objectAt(start, 'examples') };
  const codes = { ...usedTables(learner.tables(), operations), ...objectAt(start, 'codes') };
  const allJobs = { ...objectAt(drafted, 'jobs'), ...jobs };
  const hasAuth = start.auth !== undefined || start.authFor !== undefined;
  const auth = hasAuth ? undefined : asker.recordedAuth;
  if (auth) settled.push({ path: ['auth'], evidence: 'all recorded requests with a success' });
  const seen = {
    ...described,
    ...(auth && { auth }),
    ...(refusal.length > 0 && { refusal }),
    ...start,
    ...(Object.keys(allJobs).length > 0 && { jobs: allJobs }),
    ...(Object.keys(examples).length > 0 && { examples }),
    ...(Object.keys(codes).length > 0 && { codes }),
    ...(Object.keys(operations).length > 0 && { operations }),
  };
  return {
    profile: mergedProfile(start, seen),
    seen: { operations },
    settled,
    questions: questions.slice(0, MAX_QUESTIONS),
    open: [
      ...open,
      ...questions.slice(MAX_QUESTIONS).map(({ path }) => ({ path, why: 'several values are possible' })),
    ],
    promises: [...learner.promises, ...seenPromises(learner)],
    defects,
    answered: [...asker.answered] as OperationKey[],
    requests: asker.requests(),
    bytes: asker.bytes(),
    isLimitReached: asker.isLimitReached(),
    received: asker.received,
    verdicts: [...judgeDeclared(learner), ...judgeExercised(learner)],
  };
}

/** The server errors in answers to requests of the form that an operation accepts. */
function serverErrors(learner: Learner, key: OperationKey): LikelyDefect[] {
  const { request, answers: accepted } = learner.operation(key);
  const answers = learner.asker
    .answersOf(key)
    .filter((answer) => accepted.length === 0 || isDeepStrictEqual(answer.request, request));
  const failed = answers.filter(({ head }) => head.status >= 500);
  const sentence = `${failed.length} of ${answers.length} requests get a ${failed[0]?.head.status}`;
  return failed.length > 0 ? [{ path: ['operations', key, 'request'], sentence }] : [];
}

/** Joins questions that have the same answer: how a kind of values is written, or which of equal places is a field. */
function joined(questions: readonly Question[]): Question[] {
  const groups = Map.groupBy(questions, ({ path, rivals }) => {
    const places = new Set(rivals.map(({ value }) => placeOf(value)));
    const forms = rivals.map(({ value }) => objectAt({ value }, 'value').as ?? '');
    const kind = FIELDS[path.at(-1) as Field]?.kind;
    return JSON.stringify(places.size === 1 && rivals.length > 1 ? [kind, forms] : [path.at(-1), [...places], forms]);
  });
  return [...groups.values()].map(([first, ...others]) => ({
    ...(first as Question),
    ...(others.length > 0 && {
      also: others.map(({ path, rivals }) => ({ path, values: rivals.map(({ value }) => value) })),
    }),
  }));
}

const placeOf = (value: unknown): unknown => (typeof value === 'string' ? value : objectAt({ value }, 'value').at);
