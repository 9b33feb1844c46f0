/** Finds lists of which only one page was read: a run would take that page for the whole list, and report what is missing. */

import { FILTER_INPUTS, listOperations, type OperationKey, operationOf } from '../contract/index.ts';
import type { Answer } from './ask.ts';
import { placesBeside } from './binding/beside.ts';
import { rowListsIn } from './binding/places.ts';
import { readRows } from './binding/read-rows.ts';
import { rowNodes } from './binding/shaped-lists.ts';
import type { Learner } from './learner.ts';

const TOTAL = /total|count|records|hits|results|anzahl/i;
const NEXT = /next|more|cursor|continu/i;
/** The next reload is no next page. */
const DATED = /date|day|week|time|refresh|reload|update/i;
/** Lists of different content have an equal number of rows by chance; two of so many do not. */
const MIN_PAGE = 5;

/** Why a list without paging seems to go on; undefined if nothing shows it. */
export function whyNotWhole(learner: Learner, key: OperationKey): string | undefined {
  const { bound, paging, answers } = learner.operation(key);
  const rows = bound?.response.rows;
  const [first] = answers;
  if (!bound || paging || !first || first.isPartial || typeof rows !== 'string' || !listOperations().includes(key))
    return undefined;
  const sent = learner.asker.recorded.get(key)?.pages;
  if (sent !== undefined) return `clients send ${sent}`;
  const nodesOf = (answer: Answer) => rowNodes(bound.response, answer) ?? [];
  const all = learner.asker
    .successes()
    .filter((answer) => answer.operation === key && !answer.isPartial && learner.isSentAsSettled(answer));
  const isUnfiltered = ({ inputs }: Answer): boolean => FILTER_INPUTS.every((input) => inputs[input] === undefined);
  for (const answer of new Set([first, ...all.filter(isUnfiltered)])) {
    const sign = signOfMore(answer, rows, nodesOf(answer).length);
    if (sign !== undefined) return sign;
  }
  const sizes = new Map<number, Set<string>>();
  for (const answer of all) {
    const nodes = nodesOf(answer);
    const known = sizes.get(nodes.length) ?? new Set();
    sizes.set(nodes.length, known.add(JSON.stringify(nodes)));
  }
  const longest = Math.max(0, ...sizes.keys());
  if (longest >= MIN_PAGE && (sizes.get(longest)?.size ?? 0) > 1 && mayBePage(learner, key, longest))
    return `different lists have the same number of rows, ${longest}`;
  return hasStrangers(learner, key, all) ? 'a filtered list has rows that the whole list lacks' : undefined;
}

/** Whether lists within the rows have so many nodes. */
const isBelow = ({ document }: Answer, rows: string, count: number): boolean =>
  rowListsIn(document).some(({ selector, nodes }) => selector.startsWith(rows) && nodes.length === count);

/** What beside the rows of a response says that there are more; undefined: nothing does. */
function signOfMore(answer: Answer, rows: string, count: number): string | undefined {
  for (const { names, cells } of placesBeside([answer])) {
    const [name = '', value] = [names.at(-1) ?? '', cells[0]];
    const total = TOTAL.test(name) ? Number(value) : Number.NaN;
    if (Number.isInteger(total) && total > count && !isBelow(answer, rows, total))
      return `the response has ${count} rows, and its ${name} is ${total}`;
    const isNext = NEXT.test(name) && !DATED.test(name);
    if (isNext && value !== '' && value !== false && value !== 0 && typeof value !== 'number')
      return `the response has a ${name}`;
  }
  return undefined;
}

/** Whether a number of rows may be the size of a page: the trees of group B often have equally many items at each node. */
function mayBePage(learner: Learner, key: OperationKey, size: number): boolean {
  const { group } = operationOf(key);
  if (group !== 'B') return true;
  const others = [...learner.operations].filter(([other]) => operationOf(other).group === group);
  const isLonger = others.some(([, { bound, answers }]) =>
    answers.some((answer) => bound && (rowNodes(bound.response, answer)?.length ?? 0) > size),
  );
  return !isLonger && (size % 5 === 0 || Number.isInteger(Math.log2(size)));
}

/** Whether a filtered list has rows that the list without the filter lacks. */
function hasStrangers(learner: Learner, key: OperationKey, all: readonly Answer[]): boolean {
  const { bound } = learner.operation(key);
  if (!bound) return false;
  const idsOf = (answer: Answer) =>
    readRows(bound.response, answer).map(({ upc, category, subCategory, manufacturer, brand, id }) =>
      JSON.stringify([upc ?? [category, subCategory, manufacturer, brand], id]),
    );
  const unfiltered = ({ inputs }: Answer) => Object.keys(inputs).every((input) => input === 'window');
  return all.filter(unfiltered).some((whole) => {
    const known = new Set(idsOf(whole));
    return all
      .filter(
        (answer) =>
          FILTER_INPUTS.some((input) => answer.inputs[input] !== undefined) &&
          answer.inputs.window === whole.inputs.window,
      )
      .some((answer) => idsOf(answer).some((each) => !known.has(each)));
  });
}
