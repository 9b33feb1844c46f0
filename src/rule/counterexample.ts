/** Tests judges: changes the readings of a pass, as a defect would, after which the judge must fail. */
import type { Field } from '../contract/index.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';
import type { Fold } from './fold.ts';
import type { Steps } from './step.ts';
import type { EditableReading, EditableReadings, JudgeContext, Judgement, Reading, Rule, Seen } from './types.ts';

const changeFirst = (
  list: readonly EditableReading[],
  change: (reading: EditableReading) => EditableReading,
): readonly EditableReading[] => {
  const at = Math.max(
    0,
    list.findIndex((each) => each.rows.length > 0),
  );
  return list.map((each, index) => (index === at ? change(each) : each));
};

/** Changes cells of the last row of a list, or of the last one that matches. */
export const editRow = (
  list: readonly EditableReading[] | undefined,
  cells: { readonly [F in Field]?: Cell },
  matches: (row: Row) => boolean = () => true,
): readonly EditableReading[] =>
  changeFirst(list ?? [], (reading) => {
    const at = reading.rows.findLastIndex(matches);
    return { ...reading, rows: reading.rows.map((row, index) => (index === at ? { ...row, ...cells } : row)) };
  });

/** Removes the last row of a list, or the last one that matches. */
export const dropRow = (
  list: readonly EditableReading[] | undefined,
  matches: (row: Row) => boolean = () => true,
): readonly EditableReading[] =>
  changeFirst(list ?? [], (reading) => {
    const at = reading.rows.findLastIndex(matches);
    return { ...reading, rows: reading.rows.filter((_, index) => index !== at) };
  });

/** Appends a copy of the last row of a list, with other cells. */
export const addRow = (
  list: readonly EditableReading[] | undefined,
  cells: { readonly [F in Field]?: Cell },
): readonly EditableReading[] =>
  changeFirst(list ?? [], (reading) => ({ ...reading, rows: [...reading.rows, { ...reading.rows.at(-1), ...cells }] }));

/** Changes cells of every row, and removes the values that are read once per response. */
export const editAll = (
  list: readonly EditableReading[] | undefined,
  cells: { readonly [F in Field]?: Cell },
): readonly EditableReading[] =>
  (list ?? []).map((reading) => ({
    ...reading,
    rows: reading.rows.map((row) => ({ ...row, ...cells })),
    ...(reading.observation && {
      observation: {
        ...reading.observation,
        values: { ...reading.observation.values, ...Object.fromEntries(Object.keys(cells).map((name) => [name, []])) },
      },
    }),
  }));

/** Changes values that are read once per response. */
export const editValues = (
  list: readonly EditableReading[] | undefined,
  values: NonNullable<Reading['observation']>['values'],
): readonly EditableReading[] =>
  (list ?? []).map((reading) => ({
    ...reading,
    ...(reading.observation && {
      observation: { ...reading.observation, values: { ...reading.observation.values, ...values } },
    }),
  }));

/** Removes all rows. */
export const emptied = (list: readonly EditableReading[] | undefined): readonly EditableReading[] =>
  (list ?? []).map((reading) => ({ ...reading, rows: [] }));

/** A value that its converter does not accept. */
export const unreadable = (raw: unknown): Cell => new Unconverted(raw, 'the converter does not accept it');

/** Gives the first response of a step another status and no content. */
export const respondWith = (list: readonly EditableReading[] | undefined, status = 404): readonly EditableReading[] =>
  changeFirst(list ?? [], ({ observation: _, head, signature, ...reading }) => ({
    ...reading,
    rows: [],
    ...(head && { head: { ...head, status } }),
    ...(signature && { signature: { ...signature, status } }),
  }));

/** Replaces the first response of a step by that of another step. */
export const copyResponse = (
  list: readonly EditableReading[] | undefined,
  other: readonly EditableReading[] | undefined,
): readonly EditableReading[] =>
  changeFirst(list ?? [], ({ inputs, exchange }) => ({ ...(other?.[0] as EditableReading), inputs, exchange }));

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

const everything: Fold<readonly Row[]> = {
  key: 'everything',
  start() {
    const rows: Row[] = [];
    return { row: (row) => void rows.push({ ...row }), done: () => rows };
  },
};

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
