/**
 * Rules that state a relation between lists, as data.
 *
 * `sides` names the lists and says of each what is requested, which openings of the profile that needs, and which folds
 * reduce its rows. Needs and probe of the rule follow from them. `compare` gets the reading of each side and returns
 * comparisons; `each(…).isIn(…)` compares products. The ladder makes the judgement of them (`decide` of `verdicts.ts`).
 *
 * @example
 * relationRule({
 *   id: 'C.delta-listed', statement: 'C.delta', basis: 'plausible', since: '0.1.0', subjects: [UPDATE_PRODUCTS],
 *   demands: 'A new or changed product is in the bulk list.',
 *   how: ['The bulk list must contain the UPCs of the 13-week delta.'],
 *   sides: {
 *     delta: rows(UPDATE_PRODUCTS, { weeks: 13, fields: ['upc'], folds: { upcs } }),
 *     bulk: rows(ALL_PRODUCTS, { fields: ['upc'], folds: { upcs } }),
 *   },
 *   counterexample: ({ delta }) => ({ delta: addRow(delta, UNLISTED) }),
 *   compare: ({ delta, bulk }) =>
 *     each(delta).isIn(bulk, { at: delta, kind: 'missing-upcs', expected: 'every UPC of the delta is in the bulk list' }),
 *   nothing: 'the delta is empty',
 * });
 */
import { type DeltaWeeks, type Field, type OpeningId, type OperationKey, operationOf } from '../contract/index.ts';
import type { Row } from '../reading/types.ts';
import type { Declarations } from './declarations.ts';
import type { FoldMap } from './fold.ts';
import type { RuleSetVersion } from './rule-set.ts';
import { type Step, type Steps, step } from './step.ts';
import {
  defineRule,
  type JudgeContext,
  type Judgement,
  type Need,
  type Reading,
  type Rule,
  type RuleLiteral,
} from './types.ts';
import { asUpc, UpcSet } from './upc-set.ts';
import { type Comparison, decide, findingIn, type Ladder } from './verdicts.ts';

/** In place of an operation: the one that the rule judges. */
export const SUBJECT = 'subject';

/** A row that no list contains: the counterexample of an inclusion. */
export const UNLISTED: Row = {
  upc: '999999999993',
  ...Object.fromEntries(
    (['category', 'subCategory', 'manufacturer', 'brand'] as const).map((field) => [field, 'Unlisted']),
  ),
  categoryId: 'unlisted',
};

/** One side of a relation. `R` is what `compare` gets of its readings. */
export interface Side<F extends FoldMap = FoldMap, R = Reading<F>> {
  readonly needs: (subject: OperationKey) => readonly Need[];
  /** Undefined: under this profile nothing is requested. */
  readonly step: (subject: OperationKey, declarations: Declarations) => Step<F> | undefined;
  readonly read: (readings: readonly Reading<F>[]) => R;
}

interface Rows<F extends FoldMap> extends Partial<Omit<Step<F>, 'operation' | 'folds' | 'each'>> {
  readonly each?: (declarations: Declarations) => NonNullable<Step['each']>;
  /** The window of a delta. */
  readonly weeks?: DeltaWeeks;
  /** The fields that the profile must read; alternatives as a list. */
  readonly fields?: readonly (Field | readonly Field[])[];
  readonly folds?: F | ((declarations: Declarations, subject: OperationKey) => F);
}

/** The openings of a list: its request, its rows, the window of a delta, and fields; alternatives as a list. */
export function listNeeds(operation: OperationKey, ...fields: readonly (Field | readonly Field[])[]): Need[] {
  const window = operation.endsWith('/updateProducts') ? ['inputs.window'] : [];
  const read = fields.map((field) => [field].flat().map((each) => `fields.${each}`));
  return needsOf(operation, 'request', 'rows', ...window, ...read.map((of) => (of.length > 1 ? of : String(of))));
}

/** A list that is read to its end, unless `accepts` says otherwise. */
export function rows<F extends FoldMap>(
  of: OperationKey | typeof SUBJECT,
  { weeks, fields = [], folds, each: draw, ...more }: Rows<F> = {},
): Side<F> {
  const operationIn = (subject: OperationKey) => (of === SUBJECT ? subject : of);
  return {
    needs: (subject) => listNeeds(operationIn(subject), ...fields),
    step: (subject, declarations) =>
      step({
        operation: operationIn(subject),
        ...(weeks !== undefined && { inputs: { window: { value: weeks } } }),
        accepts: 'complete',
        ...more,
        ...(draw && { each: draw(declarations) }),
        ...(folds && { folds: typeof folds === 'function' ? folds(declarations, subject) : folds }),
      }),
    read: ([reading]) => reading as Reading<F>,
  };
}

/** A side that may have no reading. */
export const maybe = <F extends FoldMap>({
  step: own,
  ...side
}: Side<F, unknown>): Side<F, Reading<F> | undefined> => ({
  ...side,
  step(...of) {
    const found = own(...of);
    return found && { ...found, optional: true };
  },
  read: ([reading]) => reading,
});

/** A side with any number of readings. */
export const many = <F extends FoldMap>(side: Side<F, unknown>): Side<F, readonly Reading<F>[]> => ({
  ...side,
  read: (readings) => readings,
});

/** A side that is requested under some profiles only, and needs nothing. */
export const onlyIf = <F extends FoldMap>(
  isWanted: (declarations: Declarations, subject: OperationKey) => boolean,
  side: Side<F, unknown>,
): Side<F, Reading<F> | undefined> => ({
  needs: () => [],
  step: (subject, declarations) => (isWanted(declarations, subject) ? side.step(subject, declarations) : undefined),
  read: ([reading]) => reading,
});

// biome-ignore lint/suspicious/noExplicitAny: a side is read with the folds of its own step only
type Sides = { readonly [name: string]: Side<any, any> };

type Read<S extends Sides> = { readonly [N in keyof S]: ReturnType<S[N]['read']> };

/** A relation. */
interface Relation<S extends Sides>
  extends Omit<RuleLiteral<Steps>, 'needs' | 'probe' | 'judge' | 'repeat'>,
    Omit<Ladder, 'nothing' | 'note'> {
  readonly sides: S;
  /** The facts that a profile promises, and other openings that no side needs. */
  readonly promises?: readonly Need[];
  /** Default `pass`; false: one response is a proof, so that the rule is not repeated. */
  readonly repeat?: Rule['repeat'] | false;
  /** Compares the readings, or judges them by itself. */
  readonly compare: (sides: Read<S>, context: JudgeContext) => Comparison | readonly Comparison[] | Judgement;
  /** What it means that nothing was compared. */
  readonly nothing?: Ladder['nothing'] | ((sides: Read<S>, context: JudgeContext) => string | Judgement);
}

/** The steps of sides. */
export const sideSteps = (sides: Sides, subject: OperationKey, declarations: Declarations): Steps =>
  Object.fromEntries(
    Object.entries(sides).flatMap(([name, side]) => {
      const found = side.step(subject, declarations);
      return found ? [[name, found]] : [];
    }),
  );

/** A rule that states a relation between lists. */
export function relationRule<S extends Sides>(relation: Relation<S>): Rule {
  const {
    sides,
    promises = [],
    compare,
    nothing = 'nothing was compared',
    counted,
    evidence,
    repeat = 'pass',
    ...rule
  } = relation;
  const entries = Object.entries(sides);
  return defineRule<Steps>({
    ...rule,
    ...(repeat && { repeat }),
    needs: (subject) => {
      const all = [...promises, ...entries.flatMap(([, side]) => side.needs(subject))];
      return [...new Map(all.map((need) => [String(need), need])).values()];
    },
    probe: (subject, declarations) => sideSteps(sides, subject, declarations),
    judge(seen, context) {
      const read = Object.fromEntries(entries.map(([name, side]) => [name, side.read(seen[name] ?? [])])) as Read<S>;
      const compared = compare(read, context);
      if ('verdict' in compared) return compared;
      return decide(compared, {
        nothing: typeof nothing === 'function' ? nothing(read, context) : nothing,
        ...(counted && { counted }),
        ...(evidence && { evidence }),
      });
    },
  });
}

interface ListOfProducts extends Reading {
  readonly folds: { readonly upcs: UpcSet };
}

/** What an inclusion says if it does not hold. */
interface Inclusion {
  /** The response that is wrong. */
  readonly at: Reading;
  readonly kind: string;
  readonly expected: string;
  /** What is wrong with the products; default: UPCs are missing. */
  readonly actual?: (count: number, examples: string) => string;
  /** Why a wrong product proves nothing. */
  readonly doubt?: string | undefined | ((actual: string) => string | undefined);
  /** The lists whose rows without a readable UPC may be the missing products: C.upc-12-digits reports these rows. */
  readonly readable?: readonly ListOfProducts[];
  /** The compared readings; default: both lists. */
  readonly of?: readonly Reading[];
  readonly since?: RuleSetVersion | undefined;
}

/** A list of products, their UPCs, or some of them. */
type Products = ListOfProducts | UpcSet | readonly string[];

const upcsOf = (products: ListOfProducts | UpcSet): UpcSet =>
  products instanceof UpcSet ? products : products.folds.upcs;
const readingsIn = (...all: readonly Products[]): Reading[] =>
  all.filter((each): each is ListOfProducts => 'exchange' in each);

/**
 * Each product of a list, or each that `where` selects.
 * @example each(smaller).isIn(larger, { at: larger.reading, kind: 'missing-in-4-weeks', expected: '…' })
 */
export function each(list: Products, where?: (upc: string) => boolean) {
  const all = 'length' in list ? undefined : upcsOf(list);
  const selected = (): readonly string[] =>
    (all ? [...all.numbers].map(asUpc) : (list as readonly string[])).filter(where ?? (() => true));
  const some = all && !where ? undefined : selected();
  const compare = (
    other: ListOfProducts | UpcSet,
    { count, first }: { readonly count: number; readonly first: readonly string[] },
    { at, kind, expected, actual = missing, doubt, readable = [], of, since }: Inclusion,
  ): Comparison => {
    const comparison = { of: of ?? readingsIn(list, other), compared: some?.length ?? all?.size ?? 0 };
    if (count === 0) return comparison;
    const shown = actual(count, first.join(', '));
    const unread = readable.reduce((sum, { folds }) => sum + folds.upcs.unread, 0);
    const reason =
      (typeof doubt === 'function' ? doubt(shown) : doubt) ??
      (unread > 0 ? `${unread} rows have no readable UPC, so the lists cannot be compared` : undefined);
    return reason === undefined
      ? { ...comparison, findings: [findingIn(at, kind, expected, shown, since && { since })] }
      : { ...comparison, doubt: reason };
  };
  const ofSome = (isWrong: (upc: string) => boolean) => {
    const wrong = (some ?? selected()).filter(isWrong);
    return { count: wrong.length, first: wrong.slice(0, 5) };
  };
  return {
    /** Is in another list, too. */
    isIn: (other: ListOfProducts | UpcSet, says: Inclusion): Comparison =>
      compare(other, all && !some ? all.missingFrom(upcsOf(other)) : ofSome((upc) => !upcsOf(other).has(upc)), says),
    /** Is not in another list. */
    isNotIn: (other: ListOfProducts | UpcSet, says: Inclusion): Comparison =>
      compare(
        other,
        ofSome((upc) => upcsOf(other).has(upc)),
        says,
      ),
  };
}

const missing = (count: number, examples: string): string => `${count} UPCs are missing, e.g. ${examples}`;

/**
 * The id of an opening of an operation.
 * @example openingOf('GET /PLATFORMAPI/prodRef/v1/allProducts', 'fields.upc') // 'allProducts.fields.upc'
 */
export const openingOf = (subject: OperationKey, part: string): OpeningId =>
  `${operationOf(subject).name}.${part}` as OpeningId;

/**
 * The openings of an operation that a rule needs; of a list, one.
 * @example needsOf(ALL_CATEGORIES, 'request', ['fields.category', 'fields.categoryId'])
 */
export const needsOf = (subject: OperationKey, ...parts: readonly (string | readonly string[])[]): Need[] =>
  parts.map((part) =>
    typeof part === 'string' ? openingOf(subject, part) : part.map((each) => openingOf(subject, each)),
  );

/** The reading of a step that is sent once. A rule is judged only if each of its steps that is not `optional` has one. */
export const onlyReading = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;
