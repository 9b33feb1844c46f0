/**
 * The templates of rules about equal requests of lists, and of drawn subjects such as look-ups: within one data week each
 * gets the same content, whatever content coding it accepts (sections 4.2 to 4.4 and 8). Only an as-of date in the
 * responses shows that they belong to one week.
 */
import type { Field, OperationKey } from '../contract/index.ts';
import { type CollectedRows, comparedRows, countContent, differenceOfRows, digestOfContent } from './compare-rows.ts';
import { statedAsOf } from './data-weeks.ts';
import { acceptedCoding, callOrder, distinctParts, equalCall, shuffleBySeed } from './draws.ts';
import {
  type Declarations,
  type DrawName,
  defineRule,
  describeResponse,
  dropRow,
  type Each,
  type EditableReading,
  type EditableReadings,
  evidenceOf,
  type Finding,
  type FoldMap,
  failed,
  isOk,
  type Reading,
  type ReadingsOf,
  type Row,
  type Rule,
  type RuleLiteral,
  type Step,
  type Steps,
  step,
  untested,
} from './index.ts';
import { type Call, type CallTexts, judgeCalls } from './repeated-calls.ts';

type Texts = Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'since' | 'demands' | 'subjects' | 'needs'>;

interface Stable<F extends FoldMap> extends Texts, Pick<CallTexts<Reading<F>>, 'filteredPart' | 'isOpaque'> {
  readonly lists: (subject: OperationKey, declarations: Declarations) => Readonly<Record<string, Step<F>>>;
  /** The steps that supply ids for the lists. */
  readonly sources?: (subject: OperationKey, declarations: Declarations) => Steps;
  /** Describes the difference between two readings; undefined if they are equal. */
  readonly compare: (first: Reading<F>, second: Reading<F>) => string | undefined;
  /** The number of compared items. */
  readonly size: (reading: Reading<F>) => number;
  /** Whether the profile states that the contents of two lists differ. */
  readonly areDistinct?: (subject: OperationKey, declarations: Declarations) => boolean;
  /** What is equal in every reading; default: the rows. */
  readonly expected?: string;
  /** The smallest defect; default: a row less in the second reading. */
  readonly counterexample?: (seen: EditableReadings, second: string) => Partial<EditableReadings>;
}

/** One list, whose rows are compared by some fields. */
export const rowsBy = (operation: OperationKey, name: string, fields: readonly Field[]) => ({
  lists: () => ({ [name]: step({ operation, accepts: 'complete', folds: comparedRows(fields) }) }),
  compare: differenceOfRows,
  size: countContent,
});

const REPLICAS =
  'A server with two replicas, one of them a data week behind, is legal and looks like this violation; the as-of dates in the responses tell them apart';

/**
 * Requests each list several times. The first call is the one of other rules; the further ones follow in a shuffled order,
 * each after the one before.
 */
function repeatLists(lists: Readonly<Record<string, Step>>, declarations: Declarations): Steps {
  const names = Object.keys(lists);
  const steps: Record<string, Step> = {};
  for (const [name, list] of Object.entries(lists)) steps[`${name} 1`] = { ...list, optional: true };
  let after = Object.keys(steps);
  const order = callOrder(names.length, declarations.draw('equalCalls') - 1, declarations.seed);
  for (const [place, at] of order.entries()) {
    const nth = 2 + order.slice(0, place).filter((each) => each === at).length;
    const call = `${names[at]} ${nth}`;
    steps[call] = { ...equalCall(lists[names[at] as string] as Step, nth, declarations), after, optional: true };
    after = [call];
  }
  return steps;
}

export function stableRule<F extends FoldMap>({
  lists,
  sources,
  compare,
  size,
  areDistinct,
  filteredPart,
  isOpaque,
  expected = 'the same rows in every reading',
  counterexample,
  ...texts
}: Stable<F>): Rule {
  return defineRule<Steps>({
    ...texts,
    basis: 'derived',
    how: [
      'Each list is requested three times (quick: twice, thorough: five times) in a shuffled order, and each further request accepts another content coding; the last one follows all other requests of the run.',
      `A difference is a failure if the responses contain one as-of date, or if two lists that the profile calls different got the content of one another${filteredPart ? ', or if a reading contains exactly the rows of one category or name of another, as if it were filtered' : ''}; otherwise it is inconclusive, and the report names the calls that differ.`,
    ],
    looksLike: `${REPLICAS}.`,
    probe: (subject, declarations) => ({
      ...sources?.(subject, declarations),
      ...repeatLists(lists(subject, declarations) as Readonly<Record<string, Step>>, declarations),
    }),
    counterexample(seen) {
      const second = Object.keys(seen).find((name) => name.endsWith(' 2')) as string;
      return counterexample?.(seen, second) ?? { [second]: dropRow(seen[second]) };
    },
    judge(seen, { subject, declarations }) {
      // Equal contents have the same number.
      const contents: Reading<F>[] = [];
      const numberOf = (reading: Reading<F>): number => {
        const at = contents.findIndex((each) => compare(each, reading) === undefined);
        return at < 0 ? contents.push(reading) - 1 : at;
      };
      const calls = Object.entries(seen).flatMap(([name, [given]]): Call<Reading<F>>[] => {
        const [, list, nth] = /^(.*) (\d+)$/.exec(name) ?? [];
        if (!given || list === undefined) return [];
        const reading = given as Reading<F>;
        const asOf = statedAsOf(reading, declarations);
        return [
          { reading, subject: list, nth: Number(nth), content: numberOf(reading), isFound: size(reading) > 0, asOf },
        ];
      });
      const distinct = calls.reduce((sum, { nth, reading }) => sum + (nth === 1 ? size(reading) : 0), 0);
      return judgeCalls(
        calls,
        {
          difference: compare,
          filteredPart,
          kind: (list) => `changed-${list.replaceAll(' ', '-')}`,
          expected,
          nothing: 'there is no row to compare',
          isOpaque,
          areDistinct: areDistinct?.(subject, declarations) ?? false,
        },
        evidenceOf(
          calls.map(({ reading }) => reading),
          distinct,
        ),
      );
    },
  });
}

interface StableDraw
  extends Texts,
    Pick<RuleLiteral<Steps>, 'looksLike'>,
    Pick<CallTexts, 'isOpaque' | 'isRarelyReloaded'> {
  readonly draw: DrawName;
  /** What is drawn, in the plural. */
  readonly of: string;
  /** The step that supplies the subjects, its fold with their rows, and the inputs that they give. */
  readonly source: (
    subject: OperationKey,
    declarations: Declarations,
  ) => { readonly step: Step; readonly fold: string } & Pick<Each, 'as' | 'choose'>;
  readonly request: (subject: OperationKey, declarations: Declarations) => Step<CollectedRows>;
  /** Other rules send the same requests: their responses are the first ones. */
  readonly sharesFirst?: true;
  /** Changes the readings of one part in the smallest way that is a failure. */
  readonly defect: (readings: readonly EditableReading[]) => readonly EditableReading[];
  /** Whether a 2xx contains what is requested. */
  readonly isFound: (reading: Reading<CollectedRows>) => boolean;
  /** What is wrong in one response by itself. */
  readonly check?: (reading: Reading<CollectedRows>) => Finding | undefined;
}

const SOURCE = 'source';
/** The requests that other rules send, too. */
const FIRST = 'first';

/**
 * The subjects that are requested in addition if a response differs: with these, replicas chosen at random do not follow
 * the number of the call.
 */
export const FURTHER_SUBJECTS = 9;

/** Whether a response shows what the service knows: every.sound-answer judges server errors and broken bodies. */
function isComparable(reading: Reading): boolean {
  const { head, observation } = reading;
  if (!isOk(reading)) return (head?.status ?? 500) < 500;
  return observation !== undefined && observation.problem === undefined && observation.complete;
}

/** Describes how two responses differ; undefined if they are equal. */
function differenceOf(one: Reading<CollectedRows>, other: Reading<CollectedRows>): string | undefined {
  if (isOk(one) && isOk(other)) return differenceOfRows(one, other);
  if (one.head?.status === other.head?.status) return undefined;
  return `${describeResponse(one)}, then ${describeResponse(other)}`;
}

/** The content of a response as a text that is equal for equal contents. */
const contentOf = (reading: Reading<CollectedRows>): string =>
  isOk(reading) ? digestOfContent(reading) : `status ${reading.head?.status}`;

/** Whether equal requests got different responses, unless all responses differ from one another. */
function areDifferent(readings: readonly Reading[]): boolean {
  const comparable = (readings as readonly Reading<CollectedRows>[]).filter(isComparable);
  const contents = [...Map.groupBy(comparable, ({ inputs }) => JSON.stringify(inputs)).values()].map((equal) => ({
    calls: equal.length,
    different: new Set(equal.map(contentOf)).size,
  }));
  return contents.some(({ different }) => different > 1) && contents.some(({ calls, different }) => different < calls);
}

export function stableDrawRule({
  draw,
  of,
  source,
  request,
  sharesFirst,
  isOpaque,
  isRarelyReloaded,
  defect,
  isFound,
  check,
  looksLike = [],
  ...texts
}: StableDraw): Rule {
  return defineRule<Steps>({
    ...texts,
    basis: 'derived',
    looksLike: [`${REPLICAS}, or the order: a replica does not follow the number of the call.`, ...[looksLike].flat()],
    how: [
      `At depth standard, some ${of} are requested three times each (thorough: more of them, five times each), in a shuffled order and with several content codings${sharesFirst ? ', after the request that other rules send' : ''}.`,
      `If a response differs, the same happens for nine further ${of}.`,
      `A difference is a failure if the responses contain one as-of date, or if all ${of} depend on the number of the call${isRarelyReloaded ? ' or on the coding' : ''}; otherwise it is inconclusive, and the report names the calls that differ.`,
    ],
    probe(subject, declarations) {
      const { step, fold, as, choose } = source(subject, declarations);
      const count = declarations.draw(draw);
      if (count === 0) return { [SOURCE]: step };
      const partsOf = (subjects: number) =>
        distinctParts(callOrder(subjects, declarations.draw('equalCalls'), declarations.seed));
      const drawn = partsOf(count);
      const further = partsOf(FURTHER_SUBJECTS).map((part) => part.map((nth) => count + nth));
      const inDrawnOrder = (rows: readonly Row[]): readonly Row[] =>
        choose
          ? shuffleBySeed(choose(rows), declarations.seed)
          : [...shuffleBySeed(rows.slice(0, count), declarations.seed), ...rows.slice(count)];
      const steps: Record<string, Step> = {
        [SOURCE]: step,
        ...(sharesFirst && {
          [FIRST]: {
            ...request(subject, declarations),
            each: { from: SOURCE, fold, as, max: count, choose: (rows) => inDrawnOrder(rows).slice(0, count) },
            accepts: 'response',
            optional: true,
          },
        }),
      };
      for (const [at, part] of [...drawn, ...further].entries()) {
        const acceptEncoding = acceptedCoding(at);
        const choosePart = (rows: readonly Row[]): readonly Row[] => {
          const subjects = inDrawnOrder(rows);
          return part.flatMap((nth) => subjects[nth] ?? []);
        };
        steps[`part ${at + 1}`] = {
          ...request(subject, declarations),
          each: { from: SOURCE, fold, as, max: part.length, choose: choosePart },
          ...(acceptEncoding !== undefined && { variant: { acceptEncoding } }),
          accepts: 'response',
          // No other rule sends these requests.
          repetition: at + 1,
          after: at > 0 ? [`part ${at}`] : sharesFirst ? [FIRST] : [],
          ...(at >= drawn.length && {
            when: (of: ReadingsOf) =>
              areDifferent([...(sharesFirst ? of(FIRST) : []), ...drawn.flatMap((_, nth) => of(`part ${nth + 1}`))]),
          }),
          optional: true,
        };
      }
      return steps;
    },
    counterexample(seen) {
      const part = Object.keys(seen).findLast((name) => name !== SOURCE && (seen[name]?.length ?? 0) > 0) as string;
      return { [part]: defect(seen[part] ?? []) };
    },
    judge(seen, { subject, declarations }) {
      if (declarations.draw(draw) === 0)
        return untested(`at depth ${declarations.depth} no request is repeated for drawn ${of}`);
      const { as } = source(subject, declarations);
      const counts = new Map<string, number>();
      const readings = Object.entries(seen).flatMap(([name, list]) =>
        name === SOURCE ? [] : (list as readonly Reading<CollectedRows>[]),
      );
      const calls = readings.flatMap((reading): Call<typeof reading>[] => {
        const values = Object.values(as).flatMap((input) => reading.inputs[input as keyof typeof reading.inputs] ?? []);
        const requested = values.join(', ');
        const nth = (counts.get(requested) ?? 0) + 1;
        counts.set(requested, nth);
        if (!isComparable(reading)) return [];
        const asOf = statedAsOf(reading, declarations);
        const isKnown = isOk(reading) && isFound(reading);
        return [{ reading, subject: requested, nth, content: contentOf(reading), isFound: isKnown, asOf }];
      });
      const compared = calls.map(({ reading }) => reading);
      const findings = compared.flatMap((reading) => (isOk(reading) && check?.(reading)) || []);
      if (findings.length > 0) return failed(findings);
      return judgeCalls(
        calls,
        {
          difference: differenceOf,
          kind: () => 'changed',
          expected: 'the same content in every response',
          nothing: `no response contains one of the requested ${of}`,
          isOpaque,
          isRarelyReloaded,
        },
        { ...evidenceOf(compared, counts.size), coverage: [{ of, looked: counts.size }] },
      );
    },
  });
}
