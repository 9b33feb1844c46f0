import { type DeltaWeeks, LIMITS, UPDATE_PRODUCTS } from '../contract/index.ts';
import { kindFolds } from './delta-kinds.ts';
import { anything, extent, type Reading, step, tally, upcs } from './index.ts';

export const deltaStep = (weeks: DeltaWeeks) =>
  step({
    operation: UPDATE_PRODUCTS,
    inputs: { window: { value: weeks } },
    accepts: 'complete',
    folds: { upcs, dates: extent('changedOn'), all: tally('changedOn') },
  });

const optionalStep = (weeks: DeltaWeeks) => step({ ...deltaStep(weeks), optional: true });

export const deltaSteps = () => ({ one: optionalStep(1), four: optionalStep(4), thirteen: optionalStep(13) });

const kindStep = (weeks: DeltaWeeks) => step({ ...deltaStep(weeks), folds: kindFolds, optional: true });

/** The deltas with the kind of change that each row shows. */
export const kindSteps = () => ({ one: kindStep(1), four: kindStep(4), thirteen: kindStep(13) });

/** The dates of a delta can be judged in filtered responses, too. */
const datedStep = (weeks: DeltaWeeks) => step({ ...optionalStep(weeks), alsoMatches: anything });

export const datedSteps = () => ({ one: datedStep(1), four: datedStep(4), thirteen: datedStep(13) });

/** The requested windows, the smallest first. */
export const windowsOf = <R extends Reading>(seen: {
  readonly one: readonly R[];
  readonly four: readonly R[];
  readonly thirteen: readonly R[];
}): { readonly weeks: DeltaWeeks; readonly reading: R }[] =>
  [seen.one, seen.four, seen.thirteen].flatMap(([reading], at) =>
    reading ? [{ weeks: LIMITS.deltaWeeks[at] as DeltaWeeks, reading }] : [],
  );

export const deltaNeeds = ['updateProducts.request', 'updateProducts.rows', 'updateProducts.inputs.window'] as const;
