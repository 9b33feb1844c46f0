/** Judges what a profile declares by the evidence for all candidates: a declared binding is one of them. */
import { type Input, OPERATIONS, type OperationKey } from '../../contract/index.ts';
import { counted, quoted } from '../../format-values.ts';
import { isPlainObject, memberOf } from '../../profile/plain-object.ts';
import { flowText } from '../../profile/yaml-flow.ts';
import type { Answer } from '../ask.ts';
import type { Learner } from '../learner.ts';
import { seenPromises, WEEKDAYS } from '../seen-promises.ts';
import type { DeclaredVerdict, ProfilePath } from '../types.ts';
import { judgeFields } from './judge-fields.ts';

/** Fewer dates show no weekday. */
const MIN_DATES = 5;

/** Judges every field, input and example of the operations that answered, and what the profile promises. */
export function judgeDeclared(learner: Learner): DeclaredVerdict[] {
  const { operations = {} } = learner.asker.profile.data;
  return OPERATIONS.flatMap(({ key }) => {
    const declared = operations[key];
    return declared && learner.operation(key).answers.length > 0
      ? [...judgeRequest(learner, key), ...judgeSchemas(learner, key)]
      : [];
  }).concat(judgeFields(learner), judgeExamples(learner), judgePromises(learner));
}

const doubtOf = (path: ProfilePath, sentence: string): DeclaredVerdict => ({ kind: 'doubt', path, sentence });

/** Judges the inputs of the declared request: those without effect, and requests in whose place others are accepted. */
function judgeRequest(learner: Learner, key: OperationKey): DeclaredVerdict[] {
  const path = ['operations', key, 'request'];
  const { request } = learner.operation(key);
  const stated = learner.asker.stated[key]?.request;
  if (!stated) return [];
  const evidence = learner.settled.filter((each) => each.path[1] === key && each.path[2] === 'request');
  const says = evidence.map((each) => each.evidence).join(', ');
  const without = learner.withoutEffect.filter(({ operation }) => operation === key);
  const differs = !isPlainObject(request) || JSON.stringify(request) !== JSON.stringify(stated);
  const better = differs && says !== '' ? `; the service accepts ${JSON.stringify(request)} (${says})` : '';
  if (without.length > 0)
    return without.map(({ sentence }) =>
      doubtOf(path, `${sentence}${better || '; check the parameter and its spellings'}`),
    );
  const asked = learner.asker.answersOf(key).filter((answer) => answer.request === stated);
  if (asked.length > 0 && asked.every(({ isSuccess }) => !isSuccess) && better !== '')
    return [doubtOf(path, `no response was successful (the status is ${asked[0]?.status})${better}`)];
  return says !== '' && !differs ? [{ kind: 'confirmed', path, sentence: says }] : [];
}

/** Reports the first violation of a schema. */
function judgeSchemas(learner: Learner, key: OperationKey): DeclaredVerdict[] {
  const breach = learner.asker.answersOf(key).find((each) => each?.breach)?.breach;
  if (!breach) return [];
  const { at, expected, actual, stated } = breach;
  const sentence = `a response violates the schema at ${at || '/'}: expected ${expected}, found ${actual}; correct the schema or the service`;
  return [doubtOf(['operations', key, 'response', 'schemas', stated], sentence)];
}

/** Statuses that are about the values of a request. */
const REFUSED = new Set([400, 404, 406, 409, 410, 422]);

/** The input that a request was sent for: the last one. */
const inputOf = ({ inputs }: Answer): Input | undefined => Object.keys(inputs).at(-1) as Input | undefined;

/** Judges the examples: those that no list has and that an operation always refuses, while it accepts other values. */
function judgeExamples(learner: Learner): DeclaredVerdict[] {
  const { examples = {} } = learner.asker.profile.data;
  const listed = new Set([...learner.operations.values()].flatMap(({ rows }) => rows.map(({ id }) => String(id))));
  return Object.entries(examples).flatMap(([input, values]): DeclaredVerdict[] => {
    if (!Array.isArray(values)) return [];
    const sent = OPERATIONS.flatMap(({ key }) => learner.asker.answersOf(key)).filter(
      (answer) => answer && inputOf(answer) === input && answer.request === requestOf(learner, answer.operation),
    );
    return [...Map.groupBy(sent, ({ operation }) => operation)].flatMap(([operation, all]): DeclaredVerdict[] => {
      const own = all.filter((answer) =>
        values.some((value) => String(value) === String(answer.inputs[input as Input]) && !listed.has(String(value))),
      );
      if (
        own.length === 0 ||
        !all.some(({ isSuccess }) => isSuccess) ||
        own.some(({ status, refusal }) => !REFUSED.has(status) && !refusal)
      )
        return [];
      const sentence = `${operation} refuses ${counted(own.length, 'value')} as {${input}}, such as ${quoted(String(own[0]?.inputs[input as Input]))}, with status ${own[0]?.status}; name the value that this operation accepts, or correct its request`;
      return [doubtOf(['examples', input], sentence)];
    });
  });
}

const requestOf = (learner: Learner, key: OperationKey): unknown => learner.operation(key).request;

/** Judges what the profile promises of statuses, of computed figures and of data weeks. */
function judgePromises(learner: Learner): DeclaredVerdict[] {
  const { data } = learner.asker.profile;
  const stated = [...learner.promises, ...seenPromises(learner)].flatMap(({ path, value, seen }): DeclaredVerdict[] => {
    const own = path.reduce<unknown>((node, step) => memberOf(node, String(step)), data);
    const isOther =
      path[0] === 'statuses'
        ? Array.isArray(own) && (value as unknown[]).some((each) => !own.includes(each))
        : path.at(-1) === 'of' && own !== undefined && own !== value;
    if (!isOther) return [];
    return [doubtOf(path, `${seen}: ${flowText(value)}, not ${flowText(own)}; correct the profile or the service`)];
  });
  return [...stated, ...judgeWeekdays(learner)];
}

/** Reports dates of data weeks of which most are on another weekday than weeks end or begin. */
function judgeWeekdays(learner: Learner): DeclaredVerdict[] {
  const { dataWeek } = learner.asker.profile.data;
  const last = WEEKDAYS.indexOf(dataWeek?.endsOn as (typeof WEEKDAYS)[number]);
  return (['activeOn', 'changedOn', 'firstActiveOn'] as const).flatMap((field): DeclaredVerdict[] => {
    const meaning = dataWeek?.[field] ?? 'day';
    if (last < 0 || meaning === 'day') return [];
    const days = [...learner.operations.values()].flatMap(({ rows }) =>
      rows.flatMap((row) => (typeof row[field] === 'number' ? [row[field]] : [])),
    );
    // A day of difference may be a time zone, and the newest week may not be complete; an ISO week ends on a Sunday.
    const others = days.filter((day) => ![0, 1, 6].includes((day - last + (meaning === 'weekStarting' ? 6 : 7)) % 7));
    if (days.length < MIN_DATES || others.length < days.length / 2) return [];
    const does = meaning === 'weekEnding' ? 'ends' : 'starts';
    const sentence = `the date is in ${others.length} of ${counted(days.length, 'value')} on another weekday than a data week ${does}; correct it (day?) or dataWeek.endsOn`;
    return [doubtOf(['dataWeek', field], sentence)];
  });
}
