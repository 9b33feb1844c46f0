/** The template of rules that judge the rows of every filtered list as another rule judges those of the unfiltered one. */
import { PAGING_INPUTS } from '../contract/index.ts';
import {
  type Comparison,
  type Declarations,
  decide,
  defineRule,
  isReadable as isWithoutProblem,
  type Judgement,
  openingOf,
  type Reading,
  type Rule,
  type RuleLiteral,
  type Steps,
  step,
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
    needs: (subject) => [openingOf(subject, 'rows'), ...of.needs(subject)],
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
