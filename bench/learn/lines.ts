/** What `--verbose` prints: one line per binding that is wrong or not settled. */
import type { OperationKey } from '../../src/contract/index.ts';
import type { Learned, ProfilePath } from '../../src/learn/types.ts';
import { isPlainObject } from '../../src/profile/plain-object.ts';
import type { Binding } from './bindings.ts';

/** An operation without the common part of its path. */
export const shortName = (operation: OperationKey): string =>
  operation.replace(/ .*?\/(?:v1|webservices)\/(?:Catalogue\/)?/, ' …/');

/** A binding on one line: `@.marke`, `@.on as us`, or JSON. */
function shortText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isPlainObject(value) && typeof value.at === 'string') {
    const { at, as, required: _, nullable: __, ...rest } = value;
    const others = Object.entries(rest).map(([name, each]) => ` ${name} ${JSON.stringify(each)}`);
    return `${at}${as === undefined ? '' : ` as ${as}`}${others.join('')}`;
  }
  return JSON.stringify(value) ?? 'nothing';
}

const isSamePath = (one: ProfilePath, other: ProfilePath): boolean =>
  one.length <= other.length && one.every((key, at) => String(key) === String(other[at]));

/** Why a binding of the true profile is not settled: it is a question, open, or not mentioned at all. */
function whyNotSettled({ path, label }: Binding, { questions, open }: Learned): string {
  const concerns = (other: ProfilePath): boolean =>
    isSamePath(path, other) ||
    (label.startsWith('inputs.') &&
      isSamePath(path.slice(0, 3), other) &&
      other.map(String).includes(String(path.at(-1))));
  const question = questions.find((each) => concerns(each.path));
  if (question) return `question: ${question.rivals.map(({ value }) => shortText(value)).join(' | ')}`;
  const left = open.find((each) => concerns(each.path));
  return left ? `open: ${left.why}` : 'not mentioned';
}

/** A line about a binding; undefined if it is settled and right. */
export function lineOf(binding: Binding, learned: Learned): string | undefined {
  const { operation, label, truth, learned: found, isRight } = binding;
  const name = shortName(operation);
  const stated = truth === undefined ? 'true nothing' : `true ${shortText(truth)}`;
  if (found === undefined)
    return truth !== undefined && learned.answered.includes(operation)
      ? `${name} ${label}: ${stated} (${whyNotSettled(binding, learned)})`
      : undefined;
  if (isRight) return undefined;
  return `${name} ${label}: ${stated}, learned ${shortText(found)} (${isRight === undefined ? 'undecided' : 'WRONG'})`;
}
