/** What `mdwi profile learn` and `mdwi profile why` print about what was learned. */
import { isOperationKey, OPENINGS, OPERATIONS, type Opening } from '../../contract/index.ts';
import { counted, sizeText } from '../../format-values.ts';
import type { Learned, ProfilePath, Question } from '../../learn/types.ts';
import { differingKeys } from '../../learn/write/merge.ts';
import { describeQuestion, locationText, maskedSentence } from '../../learn/write/sentences.ts';
import { isPlainObject, memberOf, type PlainObject } from '../../profile/plain-object.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import type { RequestTemplate } from '../../profile/schema.ts';
import { mentionedInputs } from '../../profile/template.ts';
import { flowText } from '../../profile/yaml-flow.ts';
import { UsageError } from '../../usage-error.ts';
import type { Start } from './learn-start.ts';
import { rulesNeeding } from './openings.ts';

/** The rules that need what a question leaves open. */
export const rulesUnlockedBy = ({ path, rivals, also = [] }: Question): string[] => [
  ...new Set([
    ...rulesUnlockedAt(
      path,
      rivals.map(({ value }) => value),
    ),
    ...also.flatMap((each) => rulesUnlockedAt(each.path, each.values)),
  ]),
];

const rulesUnlockedAt = (path: ProfilePath, values: readonly unknown[]): string[] =>
  openingsAt(path, values).flatMap(({ id }) => rulesNeeding(id));

/** The openings that a key fills with one of these values. */
export function openingsAt(path: ProfilePath, values: readonly unknown[]): Opening[] {
  const key = formatLocation(path);
  const isWithin = (inner: string, outer: string) =>
    inner === outer || (/^[.[]/.test(inner.slice(outer.length)) && inner.startsWith(outer));
  const inputs =
    path[2] === 'request'
      ? values.flatMap((value) => [...mentionedInputs({ raw: value } as unknown as RequestTemplate)])
      : [];
  const counted = path[3] === 'counts' ? values.map((value) => memberOf(value, 'of')) : [];
  return OPENINGS.filter(({ fill, operation, part }) => {
    if (part?.kind === 'input') return operation === path[1] && inputs.includes(part.input);
    if (part?.kind === 'rowCounts') return operation === path[1] && counted.includes(part.of);
    if (part?.kind === 'counts' && counted.some((of) => isOperationKey(String(of)))) return false;
    return inputs.length === 0 && (isWithin(key, fill) || isWithin(fill, key));
  });
}

/** One line with the numbers, one with what it cost. The text may contain unredacted credentials. */
export function summariseLearned(learned: Learned, isInterrupted: boolean): string[] {
  const { answered, settled, questions, open, defects, promises, requests, bytes, isLimitReached } = learned;
  const piles = [
    `${answered.length} of ${counted(OPERATIONS.length, 'operation')} answered`,
    `${counted(settled.length, 'key')} settled`,
    counted(questions.length, 'question'),
    `${open.length} open`,
    counted(defects.length, 'likely defect'),
    `${counted(promises.length, 'promise')} seen`,
  ];
  return [
    piles.join(', '),
    `${counted(requests, 'request')}, ${sizeText(bytes)}${isLimitReached && !isInterrupted ? '; a limit ended it: --max-requests raises it' : ''}`,
    ...defects.map(({ path, sentence }) => `likely defect: ${locationText(path)}: ${maskedSentence(sentence)}`),
  ];
}

/** The value at a path; undefined if there is none. */
export const valueAt = (tree: unknown, path: ProfilePath): unknown =>
  path.reduce<unknown>((node, step) => {
    // A binding without options is its selector.
    if (typeof node === 'string' && step === 'at') return node;
    return Array.isArray(node) || isPlainObject(node) ? (node as PlainObject)[String(step)] : undefined;
  }, tree);

/** The keys of the file that differ from `--profile`, and those that the responses contradict. The file is kept. */
export const describeDifferences = ({ own, given }: Start, { verdicts }: Learned): string[] => [
  ...differingKeys(own, given).map(
    (path) => `differs: ${locationText(path)}: the file is kept; --profile states ${flowText(valueAt(given, path))}`,
  ),
  ...verdicts
    .filter(({ kind }) => kind === 'doubt')
    .map(({ path, sentence }) => `probably wrong, and kept: ${locationText(path)}: ${maskedSentence(sentence)}`),
];

/** What was found out about the keys whose location contains a text. Throws UsageError if there are none. */
export function describeKey(key: string, learned: Learned, showValues: boolean | undefined): string[] {
  const options = { showValues, unlocks: rulesUnlockedBy };
  const has = ({ path }: { readonly path: ProfilePath }) => formatLocation(path).includes(key);
  const say = (path: ProfilePath, what: string, sentence: string) =>
    `${formatLocation(path)}: ${what}: ${maskedSentence(sentence, showValues)}`;
  const lines = [
    ...learned.settled
      .filter(has)
      .map(({ path, evidence }) => say(path, `settled as ${flowText(valueAt(learned.profile, path))}`, evidence)),
    ...learned.questions
      .filter((each) => [each, ...(each.also ?? [])].some(has))
      .flatMap((question) => {
        const { title, also, rivals } = describeQuestion(question, options);
        return [`${title}: a question`, ...also, ...rivals.map((rival) => `  - ${rival}`)];
      }),
    ...learned.open.filter(has).map(({ path, why }) => say(path, 'open', why)),
    ...learned.promises
      .filter(has)
      .map(({ path, value, seen }) => say(path, `a promise, never learned; ${flowText(value)} was seen`, seen)),
    ...learned.defects.filter(has).map(({ path, sentence }) => say(path, 'likely defect', sentence)),
  ];
  if (lines.length > 0) return lines;
  const opening = OPENINGS.find(({ fill }) => fill.includes(key));
  if (opening) return [`${opening.fill}: open: no response shows ${opening.asks}`];
  throw new UsageError(`${key} is no key that is learned; mdwi profile openings FILE lists those of openings`);
}
