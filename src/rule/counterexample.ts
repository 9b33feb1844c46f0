/** Tests judges: changes the readings of a pass, as a defect would, after which the judge must fail. */
import type { Field } from '../contract/index.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';
import { fold } from './fold.ts';
import type { Steps } from './step.ts';
import type { EditableReading, EditableReadings, JudgeContext, Judgement, Reading, Rule, Seen } from './types.ts';

type Readings = readonly EditableReading[];
type Cells = { readonly [F in Field]?: Cell };

/** Changes the first reading with rows, or the first one. */
const changeFirst = (list: Readings = [], change: (reading: EditableReading) => EditableReading): Readings => {
  const at = Math.max(
    0,
    list.findIndex((each) => each.rows.length > 0),
  );
  return list.map((each, index) => (index === at ? change(each) : each));
};

/** Replaces the last row of a list, or the last one that matches. */
const replaceRow = (
  list: Readings | undefined,
  by: (row: Row) => readonly Row[],
  matches: (row: Row) => boolean = () => true,
): Readings =>
  changeFirst(list, (reading) => {
    const at = reading.rows.findLastIndex(matches);
    return { ...reading, rows: reading.rows.flatMap((row, index) => (index === at ? by(row) : [row])) };
  });

/** Changes cells of the last row of a list, or of the last one that matches. */
export const editRow = (list: Readings | undefined, cells: Cells, matches?: (row: Row) => boolean): Readings =>
  replaceRow(list, (row) => [{ ...row, ...cells }], matches);

/** Removes the last row of a list, or the last one that matches. */
export const dropRow = (list: Readings | undefined, matches?: (row: Row) => boolean): Readings =>
  replaceRow(list, () => [], matches);

/** Appends a copy of the last row of a list, with other cells. */
export const addRow = (list: Readings | undefined, cells: Cells): Readings =>
  changeFirst(list, (reading) => ({ ...reading, rows: [...reading.rows, { ...reading.rows.at(-1), ...cells }] }));

/** Changes values that are read once per response. */
export const editValues = (
  list: Readings | undefined,
  values: NonNullable<Reading['observation']>['values'],
): Readings =>
  (list ?? []).map(({ observation, ...reading }) => ({
    ...reading,
    ...(observation && { observation: { ...observation, values: { ...observation.values, ...values } } }),
  }));

/** Changes cells of every row, and removes the values that are read once per response. */
export const editAll = (list: Readings | undefined, cells: Cells): Readings =>
  editValues(list, Object.fromEntries(Object.keys(cells).map((name) => [name, []]))).map((reading) => ({
    ...reading,
    rows: reading.rows.map((row) => ({ ...row, ...cells })),
  }));

/** Removes all rows. */
export const emptied = (list: Readings | undefined): Readings =>
  (list ?? []).map((reading) => ({ ...reading, rows: [] }));

/** A value that its converter does not accept. */
export const unreadable = (raw: unknown): Cell => new Unconverted(raw, 'the converter does not accept it');

/** Gives the first response of a step another status and no content. */
export const respondWith = (list: Readings | undefined, status = 404): Readings =>
  changeFirst(list, ({ observation: _, head, signature, ...reading }) => ({
    ...reading,
    rows: [],
    ...(head && { head: { ...head, status } }),
    ...(signature && { signature: { ...signature, status } }),
  }));

/** Replaces the first response of a step by that of another step. */
export const copyResponse = (list: Readings | undefined, other: Readings | undefined): Readings =>
  changeFirst(list, ({ inputs, exchange }) => ({ ...(other?.[0] as EditableReading), inputs, exchange }));

/**
 * Computes the readings of a judge: the folds of the steps over the rows of the editable readings.
 *
 * @example rule.judge(refold(rule.probe(subject, declarations), { list: [reading] }), { subject, declarations })
 */
export function applyFolds<S extends Steps>(steps: S, editable: EditableReadings<S>): Seen<S> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, { folds = {} }]) => [
      name,
      (editable[name as keyof S] ?? []).map(({ rows, ...reading }) => ({
        ...reading,
        ...(reading.observation && { observation: { ...reading.observation, rows: rows.length } }),
        folds: Object.fromEntries(
          Object.entries(folds).map(([as, fold]) => {
            const running = fold.start(reading.inputs);
            rows.forEach((row, index) => {
              running.row(row, index);
            });
            return [as, running.done()];
          }),
        ),
      })),
    ]),
  ) as unknown as Seen<S>;
}

const everything = fold(
  'everything',
  (): Row[] => [],
  (rows, row) => void rows.push({ ...row }),
);

/**
 * Wraps a rule so that each pass is judged again with its counterexample; `onJudged` gets that judgement. Only for small
 * lists, because it stores all rows.
 *
 * @example
 * const caught = new Set<string>();
 * const rules = RULES.map((rule) => applyCounterexample(rule, (judgement) => judgement.verdict === 'fail' && caught.add(rule.id)));
 */
export function applyCounterexample(rule: Rule, onJudged: (judgement: Judgement, context: JudgeContext) => void): Rule {
  const { counterexample } = rule;
  if (!counterexample) return rule;
  return {
    ...rule,
    probe: (subject, declarations) =>
      Object.fromEntries(
        Object.entries(rule.probe(subject, declarations)).map(([name, step]) => [
          name,
          { ...step, folds: { ...step.folds, everything } },
        ]),
      ),
    judge(seen, context) {
      const editable: EditableReadings = Object.fromEntries(
        Object.entries(seen).map(([name, readings]) => [
          name,
          readings.map(({ folds, ...reading }) => ({
            ...reading, // Readings of other rules have no rows.
            rows: (folds.everything ?? []) as readonly Row[],
          })),
        ]),
      );
      const steps = rule.probe(context.subject, context.declarations);
      const judged = rule.judge(applyFolds(steps, editable), context);
      if (judged.verdict !== 'pass') return judged;
      const broken = { ...editable, ...counterexample(editable, context) } as EditableReadings;
      onJudged(rule.judge(applyFolds(steps, broken), context), context);
      return judged;
    },
  };
}
