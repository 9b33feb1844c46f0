/** One market: US for products (section 4.3), Total US for performance rows (sections 4.4 and 8). */
import { MARKET_NAMES, operationOf } from '../contract/index.ts';
import { areOfSeveralAsOfs } from './data-weeks.ts';
import {
  anything,
  type Declarations,
  decide,
  defineRule,
  editRow,
  failed,
  findingIn,
  inconclusive,
  type Judgement,
  type Reading,
  type Rule,
  type RuleLiteral,
  type Steps,
  step,
  texts,
  untested,
} from './index.ts';

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
