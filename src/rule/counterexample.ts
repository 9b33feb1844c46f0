/** Putting judges on trial: what they saw and let pass is broken on purpose, and they must say so. */
import type { Field } from '../contract/index.ts';
import { type Cell, type Row, Unconverted } from '../reading/types.ts';
import type { Fold } from './folds.ts';
import type {
  EditableReading,
  EditableReadings,
  JudgeContext,
  Judgement,
  Reading,
  Rule,
  Seen,
  Steps,
} from './types.ts';

const changeFirst = (
  list: readonly EditableReading[],
  change: (witness: EditableReading) => EditableReading,
): readonly EditableReading[] => {
  const at = Math.max(
    0,
    list.findIndex((each) => each.rows.length > 0),
  );
  return list.map((each, index) => (index === at ? change(each) : each));
};

/** The last row of a list, or the last one that fits, holds other cells. */
export const editRow = (
  list: readonly EditableReading[] | undefined,
  cells: { readonly [F in Field]?: Cell },
  fits: (row: Row) => boolean = () => true,
): readonly EditableReading[] =>
  changeFirst(list ?? [], (witness) => {
    const at = witness.rows.findLastIndex(fits);
    return { ...witness, rows: witness.rows.map((row, index) => (index === at ? { ...row, ...cells } : row)) };
  });

/** A list lacks its last row, or the last one that fits. */
export const dropRow = (
  list: readonly EditableReading[] | undefined,
  fits: (row: Row) => boolean = () => true,
): readonly EditableReading[] =>
  changeFirst(list ?? [], (witness) => {
    const at = witness.rows.findLastIndex(fits);
    return { ...witness, rows: witness.rows.filter((_, index) => index !== at) };
  });

/** A list ends with one row more: its last one with other cells. */
export const addRow = (
  list: readonly EditableReading[] | undefined,
  cells: { readonly [F in Field]?: Cell },
): readonly EditableReading[] =>
  changeFirst(list ?? [], (witness) => ({ ...witness, rows: [...witness.rows, { ...witness.rows.at(-1), ...cells }] }));

/** Every row of a list, and what stands once for all of them, holds other cells. */
export const editAll = (
  list: readonly EditableReading[] | undefined,
  cells: { readonly [F in Field]?: Cell },
): readonly EditableReading[] =>
  (list ?? []).map((witness) => ({
    ...witness,
    rows: witness.rows.map((row) => ({ ...row, ...cells })),
    ...(witness.observation && {
      observation: {
        ...witness.observation,
        values: { ...witness.observation.values, ...Object.fromEntries(Object.keys(cells).map((name) => [name, []])) },
      },
    }),
  }));

/** What stands once for the answer is something else. */
export const editValues = (
  list: readonly EditableReading[] | undefined,
  values: NonNullable<Reading['observation']>['values'],
): readonly EditableReading[] =>
  (list ?? []).map((witness) => ({
    ...witness,
    ...(witness.observation && {
      observation: { ...witness.observation, values: { ...witness.observation.values, ...values } },
    }),
  }));

/** The lists of a step have no rows. */
export const emptied = (list: readonly EditableReading[] | undefined): readonly EditableReading[] =>
  (list ?? []).map((witness) => ({ ...witness, rows: [] }));

/** A value that was found but is not what its converter reads. */
export const unreadable = (raw: unknown): Cell => new Unconverted(raw, 'it is not what the converter reads');

/** The first answer of a step has another status, and nothing is read of it. */
export const answerWith = (list: readonly EditableReading[] | undefined, status = 404): readonly EditableReading[] =>
  changeFirst(list ?? [], ({ observation: _, head, signature, ...witness }) => ({
    ...witness,
    rows: [],
    ...(head && { head: { ...head, status } }),
    ...(signature && { signature: { ...signature, status } }),
  }));

/** The first answer of a step is the one another step got. */
export const answerLike = (
  list: readonly EditableReading[] | undefined,
  other: readonly EditableReading[] | undefined,
): readonly EditableReading[] =>
  changeFirst(list ?? [], ({ inputs, exchange }) => ({ ...(other?.[0] as EditableReading), inputs, exchange }));

/**
 * What a judge would have seen: the folds of the steps over the rows of the witnesses.
 *
 * @example rule.judge(refold(rule.probe(subject, declares), { list: [witness] }), { subject, declares })
 */
export function refold<S extends Steps>(steps: S, witnesses: EditableReadings<S>): Seen<S> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, { folds = {} }]) => [
      name,
      (witnesses[name as keyof S] ?? []).map(({ rows, ...reading }) => ({
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
 * A rule that, where it passes, is tried at once on its counterexample; `tell` hears what it says of it. For small lists:
 * all rows are kept.
 *
 * @example
 * const caught = new Set<string>();
 * const rules = RULES.map((rule) => tried(rule, (judgement) => judgement.verdict === 'fail' && caught.add(rule.id)));
 */
export function applyCounterexample(rule: Rule, tell: (judgement: Judgement, context: JudgeContext) => void): Rule {
  const { counterexample } = rule;
  if (!counterexample) return rule;
  return {
    ...rule,
    probe: (subject, declares) =>
      Object.fromEntries(
        Object.entries(rule.probe(subject, declares)).map(([name, step]) => [
          name,
          { ...step, folds: { ...step.folds, everything } },
        ]),
      ),
    judge(seen, context) {
      const witnesses: EditableReadings = Object.fromEntries(
        Object.entries(seen).map(([name, readings]) => [
          name,
          readings.map(({ folds, ...reading }) => ({
            ...reading, // Readings gathered from other rules carry none.
            rows: (folds.everything ?? []) as readonly Row[],
          })),
        ]),
      );
      const steps = rule.probe(context.subject, context.declares);
      const judged = rule.judge(refold(steps, witnesses), context);
      if (judged.verdict !== 'pass') return judged;
      const broken = { ...witnesses, ...counterexample(witnesses, context) } as EditableReadings;
      tell(rule.judge(refold(steps, broken), context), context);
      return judged;
    },
  };
}
