/** Inverts selectors: the places at which a value is written, so that a selector finds it. */
import { jsonpath } from 'json-p3';
import { EVERY, type PathStep } from '../path-steps.ts';
import { type Selector, simpleStep } from '../selector.ts';

const { NameSelector, FilterSelector } = jsonpath.selectors;
const { BooleanLiteral, InfixExpression, NumberLiteral, PrefixExpression, RelativeQuery, StringLiteral } =
  jsonpath.expressions;
type Expression = jsonpath.expressions.FilterExpression;

/** `@.period=='4W'`, `@[0]=='UPC'`, or `!@.prior`: when `equals` is undefined, the member must be absent. */
interface Condition {
  readonly path: readonly (string | number)[];
  readonly equals: string | number | boolean | undefined;
}
/** The element of a list that matches all conditions; it is created when it is missing. */
export interface Where {
  readonly where: readonly Condition[];
}
export type WriteStep = PathStep | Where;

/** The operands of an operator that is written between several, e.g. `a && b && c`. */
const operandsOf = (expression: Expression, operator: string): Expression[] =>
  expression instanceof InfixExpression && expression.operator === operator
    ? [...operandsOf(expression.left, operator), ...operandsOf(expression.right, operator)]
    : [expression];

/** The names and indexes of `@.a[0]`; undefined for another expression. */
function pathOf(expression: Expression): Condition['path'] | undefined {
  const steps = expression instanceof RelativeQuery ? expression.path.segments.map(simpleStep) : [EVERY];
  return steps.some((step) => step === undefined || step === EVERY) ? undefined : (steps as Condition['path']);
}

function conditionOf(expression: Expression): Condition | undefined {
  const isNot = expression instanceof PrefixExpression;
  const isEqual = expression instanceof InfixExpression && expression.operator === '==';
  const path = isNot ? pathOf(expression.right) : isEqual ? pathOf(expression.left) : undefined;
  if (path === undefined || isNot) return path && { path, equals: undefined };
  const { right } = expression as jsonpath.expressions.InfixExpression;
  const isLiteral = [BooleanLiteral, NumberLiteral, StringLiteral].some((each) => right instanceof each);
  return isLiteral ? { path, equals: (right as { value?: string | number | boolean }).value } : undefined;
}

function filterSteps(expression: Expression): (WriteStep | undefined)[] {
  // An element that has a member at all is any element that the simulator writes.
  if (operandsOf(expression, '&&').every((each) => pathOf(each))) return [EVERY];
  return operandsOf(expression, '||').map((alternative) => {
    const where = operandsOf(alternative, '&&').map(conditionOf);
    return where.includes(undefined) ? undefined : { where: where as Condition[] };
  });
}

/** The places of a selector, several for `@['a', 'b']` and `||`; undefined when a step cannot be written. */
export function writePlaces({ steps, query }: Selector): WriteStep[][] | undefined {
  if (steps) return [[...steps]];
  if (!query) return undefined;
  let places: WriteStep[][] = [[]];
  for (const segment of query.segments) {
    const { selectors } = segment;
    const [first] = selectors;
    const isUnion = selectors.length > 1 && selectors.every((each) => each instanceof NameSelector);
    const found = isUnion
      ? selectors.map(({ name }) => name as string)
      : selectors.length === 1 && first instanceof FilterSelector && !segment.toString().startsWith('..')
        ? filterSteps(first.expression.expression)
        : [simpleStep(segment)];
    if (found.includes(undefined)) return undefined;
    places = places.flatMap((place) => (found as WriteStep[]).map((step): WriteStep[] => [...place, step]));
  }
  return places;
}
