/** Templates of rules about the rows of lists: of filtered lists as of unfiltered ones, one market (sections 4.3, 4.4 and 8), required values. */
import { type Field, MARKET_NAMES, operationOf, PAGING_INPUTS } from '../contract/index.ts';
import { areOfSeveralAsOfs } from './data-weeks.ts';
import {
  anything,
  type Comparison,
  combine,
  type Declarations,
  decide,
  defineRule,
  editRow,
  failed,
  fieldDemand,
  findingIn,
  inconclusive,
  isReadable as isWithoutProblem,
  type Judgement,
  judgeTally,
  needsOf,
  plainInputs,
  type Reading,
  type Rule,
  type RuleLiteral,
  type Steps,
  step,
  type Tally,
  tally,
  texts,
  unfiltered,
  untested,
} from './index.ts';

const UNFILTERED: ReadonlySet<string> = new Set([...PAGING_INPUTS, 'window']);

const isReadable = (reading: Reading): boolean => isWithoutProblem(reading) && (reading.observation?.rows ?? 0) > 0;

const hasFilter = ({ inputs }: Reading): boolean => Object.keys(inputs).some((input) => !UNFILTERED.has(input));

/** Whether a response is a readable list that was requested with a filter. */
export const isFilteredList = (reading: Reading): boolean => isReadable(reading) && hasFilter(reading);

const LONGER_NAME =
  'So is one that names its one market in a longer form in filtered lists: a name with the words of the other is inconclusive.';

interface FilteredListsRule extends Pick<RuleLiteral<Steps>, 'id' | 'subjects' | 'demands'> {
  /** The rule about the unfiltered list, with one step `list`. Its judge must be correct for any list of the operation. */
  readonly of: Rule;
  /**
   * Compares a filtered list with the unfiltered ones, if the other rule cannot decide the filtered list alone. Undefined:
   * they agree, or nothing can be compared.
   */
  compare?(filtered: Reading, unfiltered: readonly Reading[], declarations: Declarations): Judgement | undefined;
}

/**
 * A rule: each row of a filtered list meets the demand of another rule. It sends no request: the lists are those that the
 * other rules of the run read.
 *
 * @example filteredListsRule({ id: 'D.filtered-market', subjects: PERFORMANCE_OPERATIONS, of: market, demands: '…' })
 */
export function filteredListsRule({ of, compare, ...rule }: FilteredListsRule): Rule {
  return defineRule<Steps>({
    ...rule,
    statement: of.statement,
    basis: of.basis,
    how: [
      `Every filtered list that any rule received is judged as ${of.id} judges the unfiltered one.`,
      ...(compare ? ['A list that cannot be decided alone is compared with the unfiltered list.'] : []),
      'A list without a value that the profile reads is not judged: its rows may be of another kind.',
    ],
    looksLike: [
      'A server whose filtered rows have fewer members, or none, is legal; only values that are there are judged.',
      ...(compare ? [LONGER_NAME] : []),
    ],
    needs: (subject) => [...needsOf(subject, 'rows'), ...of.needs(subject)],
    probe(subject, declarations): Steps {
      const { list } = of.probe(subject, declarations);
      if (!list) return {};
      return { list, all: step({ ...list, accepts: 'any', fromAllRules: 'lists' }) };
    },
    counterexample({ all = [] }, context) {
      const at = all.findIndex((each) => isFilteredList(each as unknown as Reading));
      const broken = of.counterexample?.({ list: all.slice(at, at + 1) }, context).list?.[0];
      return { all: all.map((each, index) => (index === at ? (broken ?? each) : each)) };
    },
    judge(seen, context) {
      const lists = [...(seen.list ?? []), ...(seen.all ?? [])].filter(isReadable);
      const unfiltered = lists.filter((reading) => !hasFilter(reading));
      const compared = (seen.all ?? []).filter(isFilteredList).map((reading): Comparison => {
        const alone = of.judge({ list: [reading] }, context);
        const other =
          alone.verdict === 'inconclusive' ? compare?.(reading, unfiltered, context.declarations) : undefined;
        if (other?.verdict === 'inconclusive') return { doubt: other.because };
        const judgement = other ?? alone;
        // On basis `profile` the selector may be wrong: the rule about the unfiltered list reports that.
        if (judgement.verdict === 'fail' && (judgement.basis ?? of.basis) === of.basis)
          return { findings: judgement.findings };
        return judgement.verdict === 'pass' ? { of: [reading], compared: 1 } : {};
      });
      return decide(compared, { nothing: 'no filtered list contains the values that this rule judges' });
    },
  });
}

/** Unambiguous names. The profile declares any other name, since the document shows no format. */
const KNOWN_NAMES = new Set(
  'us usa unitedstates unitedstatesofamerica totalus totalusa ustotal totalunitedstates unitedstatestotal totalusmarket usmarket'.split(
    ' ',
  ),
);
const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '');
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const isKnown = (name: string): boolean => KNOWN_NAMES.has(letters(name));

const marketFolds = { markets: texts('market', 1000) };

/** The market names of the rows of a list, and of the list as a whole. */
const marketsIn = ({ folds, observation }: Reading<typeof marketFolds>): string[] => [
  ...folds.markets.counts.keys(),
  ...(observation?.values.market ?? []).filter((value) => typeof value === 'string'),
];

/**
 * Compares the only market of a filtered list, which the profile does not name, with those of the unfiltered lists of the
 * same operation: they are one market. A longer form of the same name proves nothing, nor does a list of another as-of date.
 */
export function compareMarkets(
  filtered: Reading<typeof marketFolds>,
  unfiltered: readonly Reading<typeof marketFolds>[],
  declarations: Declarations,
): Judgement | undefined {
  const [name] = marketsIn(filtered);
  const names = [...new Set(unfiltered.flatMap(marketsIn))];
  if (name === undefined || names.length === 0) return undefined;
  const words = wordsOf(name);
  const others = names.map(wordsOf);
  if (others.some((other) => other.join('') === words.join(''))) return undefined;
  const difference = `the market ${JSON.stringify(name)}, where the unfiltered list names ${JSON.stringify(names[0])}`;
  const isWithin = (some: string[], all: string[]) => some.every((word) => all.includes(word));
  if (others.some((other) => isWithin(other, words) || isWithin(words, other)))
    return inconclusive(
      `a filtered list names ${difference}: declare the names of the market in the profile (markets)`,
    );
  if (areOfSeveralAsOfs([filtered, ...unfiltered], declarations))
    return inconclusive(`a filtered list names ${difference}, but the lists state several as-of dates`);
  const expected = `the market ${JSON.stringify(names[0])}, as in the unfiltered list`;
  const actual = `${JSON.stringify(name)} in the list filtered by ${JSON.stringify(filtered.inputs)}`;
  return failed([findingIn(filtered, 'other-market-than-unfiltered', expected, actual)]);
}

interface MarketRule extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'subjects' | 'needs'> {
  readonly which: keyof typeof MARKET_NAMES;
}

/** A rule: every row, or the response as a whole, has the one market. */
export const marketRule = ({ which, ...rule }: MarketRule): Rule =>
  defineRule({
    ...rule,
    basis: 'stated',
    since: '0.1.0',
    demands: `The market of every row is ${MARKET_NAMES[which]}.`,
    how: [
      'Every market in the response or its rows must be one that the profile declares or, without a declaration, an unambiguous name (US, USA, United States, Total US).',
      'If all rows have the same unknown name, the rule is inconclusive.',
    ],
    reads: [`markets.${which}`],
    probe: (operation) => ({
      list: step({ operation, alsoMatches: anything, accepts: 'content', folds: marketFolds }),
    }),
    counterexample: ({ list }) => ({ list: editRow(list, { market: 'Canada' }) }),
    judge(seen, { declarations, subject }) {
      const [list] = seen.list;
      if (!list) return untested('no list was read');
      const found = marketsIn(list);
      const declared = declarations.markets[which];
      const fits = (name: string) => (declared ? declared.includes(name) : isKnown(name));
      const others = [...new Set(found.filter((name) => !fits(name)))];
      if (!declared && others.length === 1 && found.every((name) => name === others[0]))
        return inconclusive(
          `every market is ${JSON.stringify(others[0])}: if that is the market, declare it under markets.${which} of the profile`,
        );
      const expected = `the market ${declared?.join(' or ') ?? MARKET_NAMES[which]}`;
      const findings = others.slice(0, 5).map((name) => {
        const count = list.folds.markets.counts.get(name) ?? 1;
        const actual = `${JSON.stringify(name)} in ${count} rows of ${operationOf(subject).path}`;
        return findingIn(list, 'other-market', expected, actual);
      });
      const nothing = 'the response contains no market where the profile reads it';
      return decide({ of: [list], compared: new Set(found).size, findings }, { nothing });
    },
  });

interface RequiredRule extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'demands' | 'subjects'> {
  readonly fields: readonly Field[];
}

/** A rule: every row of the unfiltered response contains the fields that the profile marks required. */
export const requiredRule = ({ fields, ...rule }: RequiredRule): Rule =>
  defineRule<Steps>({
    ...rule,
    since: '0.1.0',
    how: 'In every row, a field that the profile marks required must be present and not null.',
    needs: (subject) =>
      needsOf(
        subject,
        'request',
        'rows',
        fields.map((field) => `required.${field}`),
      ),
    probe(operation, declarations) {
      const required = fields.filter((field) => declarations.required(operation, field));
      const folds = Object.fromEntries(required.map((field) => [field, tally(field)]));
      const list = { operation, alsoMatches: unfiltered, accepts: 'content', folds } as const;
      return Object.fromEntries(
        Object.entries(plainInputs(operation)).map(([name, inputs]) => [name, step({ ...list, inputs })]),
      );
    },
    counterexample(seen) {
      const [name = '', list] = Object.entries(seen).find(([, [first]]) => first && first.rows.length > 0) ?? [];
      return { [name]: editRow(list, Object.fromEntries(fields.map((field) => [field, null]))) };
    },
    judge(seen, context) {
      const lists = Object.values(seen).flatMap((all) => all.filter(({ observation }) => observation?.rows !== 0));
      if (lists.length === 0) return untested('the list has no rows');
      const demand = (field: string) =>
        fieldDemand(context, field as Field, `${field} in every row, as the profile states`);
      return combine(
        lists.flatMap((list) =>
          Object.entries(list.folds as Record<string, Tally>).map(([field, found]) =>
            judgeTally(list, found, demand(field)),
          ),
        ),
      );
    },
  });
