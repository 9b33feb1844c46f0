/** Finds whether a 2xx response is a refusal, by the conditions of a profile. */
import type { RefusalCondition } from '../profile/schema.ts';
import { compileSelector, type Selector, type StatusAndHeaders } from '../profile/selector.ts';
import { textOfElement } from './element-text.ts';

/** What makes a 2xx response a refusal. */
export interface Refusal {
  /** The condition in words, without text of the response: `$.status is "ERROR"`. */
  readonly because: string;
  /** The status with which HTTP says the same, if the profile states one. */
  readonly like?: number;
}

export interface BoundRefusal {
  readonly selector: Selector;
  readonly condition: RefusalCondition;
}

export const bindRefusals = (conditions: readonly RefusalCondition[]): readonly BoundRefusal[] =>
  conditions.map((condition) => ({ selector: compileSelector(condition.at), condition }));

/** Null and blank texts are no values. */
const hasValue = (node: unknown): boolean =>
  node !== undefined && node !== null && !(typeof node === 'string' && node.trim() === '');

/** An empty list or object: a list of errors without errors, or a list of rows without rows, which is no refusal either. */
const isEmpty = (node: unknown): boolean => typeof node === 'object' && Object.keys(node ?? {}).length === 0;

function applies({ selector, condition }: BoundRefusal, document: unknown, head: StatusAndHeaders): string | undefined {
  const { is, isNot, present } = condition;
  const found = selector
    .select(document, head)
    .map((node) => textOfElement(node) ?? node)
    .filter(hasValue);
  const isOneOf = (listed: readonly unknown[]) =>
    found.find((node) => listed.some((each) => String(each) === String(node)));
  if (present === true) return found.some((node) => !isEmpty(node)) ? `${selector.source} is present` : undefined;
  if (present === false) return found.length === 0 ? `${selector.source} is absent` : undefined;
  if (is) {
    const node = isOneOf(is);
    return node === undefined ? undefined : `${selector.source} is ${JSON.stringify(node)}`;
  }
  if (!isNot || found.length === 0 || isOneOf(isNot) !== undefined) return undefined;
  return `${selector.source} is not ${isNot.map((each) => JSON.stringify(each)).join(' or ')}`;
}

/** The first condition that applies to a document and its head; undefined if it is no refusal. */
export function findRefusal(
  refusals: readonly BoundRefusal[],
  document: unknown,
  head: StatusAndHeaders,
): Refusal | undefined {
  for (const each of refusals) {
    const because = applies(each, document, head);
    const { like } = each.condition;
    if (because !== undefined) return { because, ...(like !== undefined && { like }) };
  }
  return undefined;
}
