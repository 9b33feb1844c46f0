/** Finds how a list is continued: a link, an address, a token, a number of a page or of rows. */
import { type OperationKey, operationOf } from '../../contract/index.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import type { Paging } from '../../profile/schema.ts';
import { compileSelector } from '../../profile/selector.ts';
import { type Answer, linkIn } from '../ask.ts';
import { firstValueAt, placesBeside } from '../binding/beside.ts';
import type { Place } from '../binding/places.ts';
import type { Learner } from '../learner.ts';
import { headersFor } from '../words.ts';
import { findName, inParameters, parametersFor, pathOfParameter } from './parameters.ts';

/** What the learner finds out about the pages of a list. */
export interface FoundPaging {
  readonly paging: PlainObject;
  /** The parameter that selects the page; undefined: the answer has the address of the next one. */
  readonly name?: string | undefined;
  readonly evidence: string;
  readonly second?: Answer | undefined;
}

const NEXT = /next|cursor|token|more|contin|after|marker|bookmark|follow|scroll|restart|resume|weiter|suite|sigui/i;

/** The nodes of the rows as texts. */
const nodesOf = (answer: Answer, rows: string): readonly string[] =>
  compileSelector(rows)
    .select(answer.document, answer.head)
    .map((each) => JSON.stringify(each));

/** Whether an answer has rows, and none of them is among the first ones. */
function isAnotherPage(answer: Answer | undefined, first: readonly string[], rows: string): answer is Answer {
  if (!answer?.isSuccess || answer.document === undefined) return false;
  const seen = new Set(first);
  const nodes = nodesOf(answer, rows);
  return nodes.length > 0 && nodes.filter((each) => seen.has(each)).length <= nodes.length * 0.02;
}

/** Values beside the rows that may lead to the next page. */
const continuations = (answer: Answer): Place[] =>
  placesBeside([answer]).filter(
    ({ names, cells: [value] }) =>
      (typeof value === 'string' || typeof value === 'number') && value !== '' && names.some((name) => NEXT.test(name)),
  );

/**
 * Finds the paging of a list; undefined if it seems to have one page.
 *
 * @param mayBeNumbered whether parameters with the number of a page or of rows are tried, too
 */
export async function findPaging(
  learner: Learner,
  operation: OperationKey,
  answer: Answer,
  rows: string,
  mayBeNumbered: boolean,
): Promise<FoundPaging | undefined> {
  const { asker } = learner;
  const first = nodesOf(answer, rows);
  const link = linkIn(answer, 'next');
  if (link !== undefined) {
    const second = await asker.follow(answer, link);
    if (isAnotherPage(second, first, rows))
      return { paging: { style: 'link' }, evidence: 'the Link header, followed once', second };
  }
  const places = continuations(answer);
  for (const { selector, cells } of places) {
    const target = String(cells[0]);
    if (!/^(https?:\/\/|\/|\?)/.test(target)) continue;
    const second = await asker.follow(answer, target);
    if (isAnotherPage(second, first, rows))
      return { paging: { style: 'next', next: selector }, evidence: 'the address, followed once', second };
  }
  // The answer may be one to a drafted request, with parameters that are not confirmed.
  const { request } = learner.operation(operation);
  const find = (input: 'cursor' | 'page' | 'offset', value: string | number, from: readonly (readonly string[])[]) =>
    findName(asker, {
      operation,
      input,
      carrier: inParameters(request),
      names: from,
      value,
      inputs: answer.inputs,
      hasEffect: (each) => isAnotherPage(each, first, rows),
    });
  const again = (name: string, input: string, value: string | number) =>
    learner.ask(
      operation,
      { ...answer.inputs, [input]: value },
      inParameters(request)([name], input as 'page') as PlainObject,
    );
  for (const { selector, names, cells } of places) {
    const token = cells[0] as string | number;
    const own = [
      names.at(-1) ?? '',
      (names.at(-1) ?? '').replace(/^next_?/i, '').replace(/^./, (letter) => letter.toLowerCase()),
    ];
    const header = /^\$response\.header\.(x-.*)/i.exec(selector)?.[1];
    const name = await find('cursor', token, [
      header === undefined ? [] : [header, ...headersFor('cursor')],
      own.filter((each) => each !== ''),
      ...learner.namesFor(operation, 'cursor'),
      ...(typeof token === 'number' ? learner.namesFor(operation, 'offset') : []),
    ]);
    const second = name === undefined ? undefined : await again(name, 'cursor', token);
    if (name !== undefined && second)
      return {
        paging: { style: 'cursor', next: selector },
        name,
        evidence: `the token, sent as ${name}`,
        second,
      };
  }
  if (!mayBeNumbered || first.length < 3) return undefined;
  const pages = learner.recordedWith(operation, 'page').map((inputs) => Number(inputs.page));
  const [, recorded] = [...new Set(pages)].sort((x, y) => x - y);
  const page = await find('page', recorded ?? 2, learner.namesFor(operation, 'page'));
  if (page !== undefined) {
    const [zero, one] = [await again(page, 'page', 0), await again(page, 'page', 1)];
    const isFirst = (each: Answer | undefined) =>
      each?.isSuccess === true && nodesOf(each, rows).join() === first.join();
    const start = isFirst(one) ? 1 : isFirst(zero) ? 0 : undefined;
    const second = start === 0 ? one : await again(page, 'page', 2);
    if (start !== undefined && isAnotherPage(second, first, rows))
      return {
        paging: { style: 'page', first: start },
        name: page,
        evidence: `${page} ${start} is the first page`,
        second,
      };
  }
  const offset = await find('offset', first.length, learner.namesFor(operation, 'offset'));
  const second = offset === undefined ? undefined : await again(offset, 'offset', first.length);
  if (offset !== undefined && second)
    return {
      paging: { style: 'offset', size: first.length },
      name: offset,
      evidence: `${offset} ${first.length} continues the first ${first.length} rows`,
      second,
    };
  return undefined;
}

/** The second page of a list as the start declares it; undefined if it has no other rows. */
export async function statedSecondPage(
  learner: Learner,
  key: OperationKey,
  answer: Answer,
  rows: string,
  paging: Paging,
): Promise<Answer | undefined> {
  const first = nodesOf(answer, rows);
  const ask = (inputs: Answer['inputs']) => learner.ask(key, { ...answer.inputs, ...inputs });
  const next = async (): Promise<Answer | undefined> => {
    if (paging.style === 'page') return ask({ page: (paging.first ?? 1) + 1 });
    if (paging.style === 'offset') return ask({ offset: first.length });
    const target = paging.style === 'link' ? linkIn(answer, paging.rel ?? 'next') : firstValueAt(paging.next, answer);
    if (target === undefined || target === null || target === '' || target === false) return undefined;
    return paging.style === 'cursor' ? ask({ cursor: String(target) }) : learner.asker.follow(answer, String(target));
  };
  const second = await next();
  return isAnotherPage(second, first, rows) ? second : undefined;
}

/**
 * The paging of another list of the service, where this list ends on its first page: the same header, a member at the same
 * place, or the same parameter, beyond whose first page there are no rows.
 */
export async function pagingLike(
  learner: Learner,
  other: OperationKey,
  key: OperationKey,
  answer: Answer,
  rows: string,
): Promise<FoundPaging | undefined> {
  const { paging, request } = learner.operation(other);
  if (!paging || other === key) return undefined;
  const evidence = `as ${other.split('/').at(-1)}`;
  if (paging.style === 'link') return { paging, evidence };
  const input = paging.style as string;
  const [name] = parametersFor(request, input);
  if (typeof paging.next === 'string')
    return compileSelector(paging.next).select(answer.document, answer.head).length > 0
      ? { paging, name, evidence }
      : undefined;
  if (name === undefined) return undefined;
  const isSent = learner.requests(key).some((request) => parametersFor(request, input).includes(name));
  if (learner.asker.recorded.size > 0 && isSent)
    return { paging, name, evidence: `${evidence}, with the same parameter` };
  const length = nodesOf(answer, rows).length;
  const beyond = await learner.ask(
    key,
    { ...answer.inputs, [input]: input === 'page' ? 9 : length },
    inParameters(learner.operation(key).request)([name], input as 'page') as PlainObject,
  );
  const isEmpty = beyond?.isSuccess === true && nodesOf(beyond, rows).length === 0;
  return isEmpty ? { paging, name, evidence: `${evidence}, and no rows beyond the last page` } : undefined;
}

/** A page of so few rows was asked for. */
const SMALL_PAGE = 3;

/** Finds the parameter with the number of rows of a page. */
export async function learnPageSize(learner: Learner, key: OperationKey, usual: Answer, rows: string): Promise<void> {
  const operation = learner.operation(key);
  if (operationOf(key).group === 'B') return;
  const lengthOf = (answer: Answer) => nodesOf(answer, rows).length;
  if (lengthOf(usual) <= SMALL_PAGE) return;
  const name = await findName(learner.asker, {
    operation: key,
    input: 'pageSize',
    carrier: inParameters(operation.request),
    names: learner.namesFor(key, 'pageSize'),
    value: SMALL_PAGE,
    inputs: usual.inputs,
    hasEffect: (answer) => lengthOf(answer) === SMALL_PAGE,
  });
  if (name === undefined) return;
  operation.request = inParameters(operation.request)([name], 'pageSize') as PlainObject;
  const path = pathOfParameter(key, operation.request, 'pageSize');
  learner.settled.push({ path, evidence: `a page of ${SMALL_PAGE} rows` });
}
