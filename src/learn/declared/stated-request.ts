/** Sends windows and filters as the start states them: what has an effect needs no search. */
import { type Input, type OperationKey, UPDATE_PRODUCTS } from '../../contract/index.ts';
import { type Inputs, mentionedInputs } from '../../profile/template.ts';
import type { Answer } from '../ask.ts';
import { readRows } from '../binding/read-rows.ts';
import { INVENTED, inParameters, parametersFor, pathOfParameter } from '../groups/parameters.ts';
import type { Learner } from '../learner.ts';

/** How long an answer is. */
export const sizeOf = (answer: Answer): number => JSON.stringify(answer.document ?? '').length;
/** Whether two answers have the same content. */
export const isAlike = (one: Answer | undefined, other: Answer | undefined): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(one.document) === JSON.stringify(other.document);

const WINDOWS = [1, 4, 13] as const;

/** Sends each window as the start states it, and returns whether the answers differ. */
export async function keepStatedWindow(learner: Learner): Promise<boolean> {
  const operation = learner.operation(UPDATE_PRODUCTS);
  const request = learner.asker.stated[UPDATE_PRODUCTS]?.request;
  if (!request || !mentionedInputs(request).has('window')) return false;
  const answers: Answer[] = [];
  for (const window of WINDOWS) {
    const answer = await learner.ask(UPDATE_PRODUCTS, { window }, request);
    if (answer?.isSuccess) answers.push(answer);
  }
  const [first, ...others] = answers;
  if (!first) return false;
  Object.assign(operation, { request, answers: [...new Set([answers.at(-1), first])] });
  learner.bind(UPDATE_PRODUCTS);
  const isEffective = answers.length === WINDOWS.length && others.some((each) => !isAlike(first, each));
  if (isEffective) {
    const evidence = `three windows, ${answers.map(sizeOf).join(', ')} characters`;
    learner.settled.push({ path: pathOfParameter(UPDATE_PRODUCTS, request, 'window'), evidence });
    return true;
  }
  const { rows } = operation;
  if (others.length === 2 && rows.length > 0)
    learner.noteWithoutEffect(
      UPDATE_PRODUCTS,
      'window',
      `the responses to the windows ${WINDOWS.join(', ')} are equal`,
    );
  return false;
}

/** Sends a filter as the start states it, and returns whether it has an effect. */
export async function keepStatedFilter(
  learner: Learner,
  key: OperationKey,
  input: Input,
  given: Inputs,
  hasEffect: (answer: Answer) => boolean,
): Promise<boolean> {
  const request = learner.asker.stated[key]?.request;
  const { answers, rows } = learner.operation(key);
  const [usual] = answers;
  if (!usual || !request || !mentionedInputs(request).has(input)) return false;
  // A sub-category may be unique in its category only.
  const above = rows.find((row) => row.subCategory === given.subCategory)?.category;
  const inputs =
    input === 'subCategory' && typeof above === 'string' && mentionedInputs(request).has('category')
      ? { category: above, ...given }
      : given;
  const answer = await learner.ask(key, inputs, request);
  if (!answer?.isSuccess) return false;
  // A service that repeats its last answer confirms nothing.
  if (
    learner.repeats === undefined &&
    hasEffect(answer) &&
    inputs === given &&
    parametersFor(request, input).length > 0
  ) {
    const control = await learner.ask(key, inputs, inParameters(request)([INVENTED], input));
    learner.repeats = control?.isSuccess === true && hasEffect(control);
  }
  if (learner.repeats) return false;
  if (hasEffect(answer)) {
    const { length } = readRows(learner.operation(key).bound?.response ?? {}, answer);
    learner.settled.push({
      path: pathOfParameter(key, request, input),
      evidence: `the ${input} of all ${length} rows`,
    });
    return true;
  }
  if (isAlike(answer, usual) && rows.length > 1)
    learner.noteWithoutEffect(key, input, `the response with {${input}} equals that without it`);
  return false;
}
