/** What a start states of a response: it is read where the learner finds nothing, and is evidence for nothing. */
import type { OperationKey } from '../../contract/index.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import { compileSelector } from '../../profile/selector.ts';
import { Unconverted } from '../../reading/types.ts';
import type { Answer, Asker } from '../ask.ts';
import type { BoundResponse } from '../binding/describe-binding.ts';
import { type RowList, sampled } from '../binding/places.ts';
import { type RowsSelector, readRows } from '../binding/read-rows.ts';

/** The rows that a start states, and the list that they are. */
interface StatedRows {
  readonly rows: RowsSelector;
  readonly list: RowList;
  /** Whether a field of the start has a value in a row. */
  readonly hasValues: boolean;
}

/** The rows that the start states for an operation; undefined if it states none, or nothing answered. */
export function statedRows(asker: Asker, key: OperationKey, answers: readonly Answer[]): StatedRows | undefined {
  const read = answers.filter(({ isSuccess, document }) => isSuccess && document !== undefined);
  const longest = [...read].sort((x, y) => y.text.length - x.text.length)[0];
  if (!longest) return undefined;
  const { shape } = asker.stated[key]?.response ?? {};
  const isTable = longest.media === 'ndjson' || longest.media === 'csv';
  const stated = (asker.stated[key]?.response?.rows ?? (isTable ? '$' : undefined)) as RowsSelector | undefined;
  if (stated === undefined) return undefined;
  /** A path may select the list itself. */
  const items = (selector: string): string => {
    const [only, ...others] = shape ? [] : compileSelector(selector).select(longest.document, longest.head);
    return Array.isArray(only) && others.length === 0 && !selector.endsWith('[*]') ? `${selector}[*]` : selector;
  };
  const rows =
    typeof stated === 'object'
      ? { '1': items(stated['1']), '4': items(stated['4']), '13': items(stated['13']) }
      : items(stated);
  const { fields } = asker.planOf(key, longest.inputs);
  const hasValues = read.some((answer) =>
    sampled(readRows({ rows, shape, fields }, answer), 200).some((row) =>
      Object.values(row).some((cell) => cell !== undefined && cell !== null && !(cell instanceof Unconverted)),
    ),
  );
  const selector = typeof rows === 'object' ? rows['13'] : rows;
  return { rows, list: { selector, names: [], nodes: [], shape }, hasValues };
}

/** A binding with what the start states where the answers decide nothing. */
export function withStated(
  asker: Asker,
  key: OperationKey,
  learned: BoundResponse | undefined,
  stated: StatedRows | undefined,
): BoundResponse | undefined {
  const { fields = {} } = asker.stated[key]?.response ? asker.planOf(key, {}) : {};
  const isInStated = learned?.chosen ? learned.chosen.list.selector === stated?.list.selector : true;
  if (Object.keys(fields).length === 0 || !isInStated) return learned;
  const { rows, list } = stated ?? {};
  const own: PlainObject = { ...(rows !== undefined && { rows }), ...(list?.shape && { shape: list.shape }) };
  const written = asker.stated[key]?.response?.rows;
  return {
    ...(learned ?? NOTHING),
    learned: { ...learned?.learned, ...(stated && written !== undefined && { rows: written }) },
    response: { ...learned?.response, ...own, fields: { ...fields, ...(learned?.response.fields as PlainObject) } },
    likely: { ...fields, ...learned?.likely },
  };
}

const NOTHING = {
  settled: [],
  questions: [],
  open: [],
  defects: [],
  named: [],
  places: [],
  choices: new Map(),
  bits: 0,
};
