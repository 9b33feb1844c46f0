/** The template of rules that judge the rows of every filtered list as another rule judges those of the unfiltered one. */
import { type OperationKey, PAGING_INPUTS } from '../contract/index.ts';
import {
  type Basis,
  defineRule,
  type Evidence,
  evidenceOf,
  type Finding,
  failed,
  isOk,
  openingOf,
  passed,
  type Reading,
  type Rule,
  type Steps,
  step,
  untested,
} from './index.ts';

const UNFILTERED: ReadonlySet<string> = new Set([...PAGING_INPUTS, 'window']);

/** Whether a response is a readable list that was requested with a filter. */
export const isFilteredList = (reading: Reading): boolean =>
  isOk(reading) &&
  reading.observation !== undefined &&
  reading.observation.problem === undefined &&
  reading.observation.rows > 0 &&
  Object.keys(reading.inputs).some((input) => !UNFILTERED.has(input));

interface FilteredListsRule {
  readonly id: string;
  readonly subjects: readonly OperationKey[];
  /** The rule about the unfiltered list, with one step `list`. Its judge must be correct for any list of the operation. */
  readonly of: Rule;
  /** The demand on a row, in one sentence. */
  readonly demands: string;
}

/**
 * A rule: each row of a filtered list meets the demand of another rule. It sends no request: the lists are those that the
 * other rules of the run read.
 *
 * @example filteredListsRule({ id: 'D.filtered-market', subjects: PERFORMANCE_OPERATIONS, of: market, demands: '…' })
 */
export function filteredListsRule({ id, subjects, of, demands }: FilteredListsRule): Rule {
  return defineRule<Steps>({
    id,
    statement: of.statement,
    basis: of.basis,
    since: '0.2.0',
    demands,
    how: `Every filtered list that any rule received is judged as ${of.id} judges the unfiltered one. A list without a value that the profile reads is not judged: its rows may be of another kind.`,
    looksLike:
      'A server whose filtered rows have fewer members, or none, is legal; only values that are there are judged.',
    subjects,
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
      const findings: Finding[] = [];
      const judged: Reading[] = [];
      for (const reading of (seen.all ?? []).filter(isFilteredList)) {
        const judgement = of.judge({ list: [reading] }, context);
        // On basis `profile` the selector may be wrong: the rule about the unfiltered list reports that.
        const isCertain = (basis: Basis | undefined) => basis === undefined || basis === of.basis;
        if (judgement.verdict === 'fail' && isCertain(judgement.basis)) findings.push(...judgement.findings);
        if (judgement.verdict === 'pass') judged.push(reading);
      }
      if (findings.length > 0) return failed(findings);
      if (judged.length === 0) return untested('no filtered list contains the values that this rule judges');
      const evidence: Evidence = evidenceOf(judged);
      return passed({ ...evidence, distinct: judged.length });
    },
  });
}
