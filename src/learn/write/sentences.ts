/** Sentences about what is learned, each one printable line. */
import { printable } from '../../exchange/printable.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import { flowText, YAML_WIDTH } from '../../profile/yaml-flow.ts';
import type { ProfilePath, Question } from '../types.ts';
import { maskedQuotes, maskedValue } from './masked.ts';

export interface SentenceOptions {
  /** Shows values of the service in evidence and examples; by default they are masked. */
  readonly showValues?: boolean | undefined;
  /** The ids of the rules that a question blocks. */
  readonly unlocks?: ((question: Question) => readonly string[]) | undefined;
}

/** How many rules of a question are named, as many as fit. */
const MAX_RULES = [3, 2, 1];

/** A location for people: `GET /…/allProducts: response.fields.upc`. */
export function locationText([root, operation, ...rest]: ProfilePath): string {
  const isOfOperation = root === 'operations' && rest.length > 0;
  return isOfOperation
    ? `${String(operation)}: ${formatLocation(rest)}`
    : formatLocation([root, operation, ...rest].filter((step) => step !== undefined));
}

/** The location of several keys that differ in one step: `GET /…/allProducts: response.fields.{upc, category}.required`. */
export function jointLocation(paths: readonly ProfilePath[]): string {
  const [first = []] = paths;
  const at = first.findIndex((step, index) => paths.some((path) => path[index] !== step));
  if (at < 0) return locationText(first);
  const steps = `{${paths.map((path) => String(path[at])).join(', ')}}`;
  return locationText(first.with(at, 'MANY')).replace('MANY', () => steps);
}

/** A sentence that may quote values of the service, as one printable line; values are masked unless `showValues`. */
export const maskedSentence = (text: string, showValues = false): string =>
  printable(showValues ? text : maskedQuotes(text));

/** A question as lines: its key with the rules that need it, other keys with the same answer, its rivals with their evidence. */
export function describeQuestion(
  question: Question,
  { showValues, unlocks }: SentenceOptions,
): { readonly title: string; readonly also: readonly string[]; readonly rivals: readonly string[] } {
  const rules = unlocks?.(question) ?? [];
  const titles = MAX_RULES.map((max) => {
    const more = rules.length > max ? ` and ${rules.length - max} more` : '';
    return `${locationText(question.path)}${rules.length === 0 ? '' : `, for ${rules.slice(0, max).join(', ')}${more}`}`;
  });
  const others = Map.groupBy(question.also ?? [], ({ path }) => JSON.stringify(path.slice(0, -1)));
  return {
    also: [...others.values()].map((keys) => printable(`   also ${jointLocation(keys.map(({ path }) => path))}`)),
    title: printable(titles.find((each) => each.length < YAML_WIDTH - 5) ?? (titles.at(-1) as string)),
    rivals: question.rivals.map(({ value, evidence, example }) => {
      const shown = example === undefined ? '' : `, e.g. ${showValues ? flowText(example) : maskedValue(example)}`;
      return printable(`${flowText(value)}: ${maskedSentence(evidence, showValues)}${shown}`);
    }),
  };
}
