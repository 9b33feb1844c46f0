/** One market: US for products (section 4.3), Total US for performance rows (sections 4.4 and 8). */
import { LIMITS, type ObservableStatementId, type OperationKey, operationOf } from '../contract/index.ts';
import {
  anything,
  defineRule,
  editRow,
  evidenceOf,
  failed,
  type Need,
  nothingToJudge,
  passed,
  type Rule,
  step,
  texts,
  undecided,
} from './index.ts';

/** Spellings nobody can mistake; any other is the profile's to declare, for the document shows no format. */
const PLAIN = new Set([
  'us',
  'usa',
  'unitedstates',
  'unitedstatesofamerica',
  'totalus',
  'totalusa',
  'ustotal',
  'totalunitedstates',
  'unitedstatestotal',
  'totalusmarket',
  'usmarket',
]);
const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '');

interface MarketRule {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly which: 'products' | 'performance';
  readonly subjects: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
}

/** A rule that every row, or the answer as a whole, is for the one market. */
export function marketRule({ id, statement, which, subjects, needs }: MarketRule): Rule {
  const market = which === 'products' ? LIMITS.productMarket : LIMITS.market;
  return defineRule({
    id,
    statement,
    basis: 'stated',
    since: '0.1.0',
    demands: `Every row is for the market ${market}.`,
    how: 'Every market found in the answer or its rows is compared with the spellings the profile declares, or else with the plain ones (US, USA, United States, Total US). One uniform spelling that is unknown and undeclared is inconclusive.',
    subjects,
    needs: (subject) => needs(subject),
    probe: (subject) => ({
      list: step({
        operation: subject,
        observes: anything,
        wants: 'content',
        folds: { markets: texts('market', 1000) },
      }),
    }),
    counterexample: ({ list }) => ({ list: editRow(list, { market: 'Canada' }) }),
    judge(seen, { declares, subject }) {
      const list = seen.list[0];
      if (!list) return nothingToJudge('nothing was read');
      const found = [
        ...list.folds.markets.counts.keys(),
        ...(list.observation?.values.market ?? []).filter((value) => typeof value === 'string'),
      ];
      if (found.length === 0) return nothingToJudge('no market stands where the profile reads one');
      const declared = declares.markets[which];
      const fits = (name: string) => (declared ? declared.includes(name) : PLAIN.has(letters(name)));
      const others = [...new Set(found.filter((name) => !fits(name)))];
      if (others.length === 0) return passed({ ...evidenceOf([list]), distinct: new Set(found).size });
      if (!declared && others.length === 1 && found.every((name) => name === others[0])) {
        return undecided(
          `the market is spelled ${JSON.stringify(others[0])} throughout: declare its spelling under markets.${which} of the profile`,
        );
      }
      return failed(
        others.slice(0, 5).map((name) => ({
          expected: declared ? `the market ${declared.join(' or ')}` : `the market ${market}`,
          actual: `${JSON.stringify(name)} in ${list.folds.markets.counts.get(name) ?? 1} rows of ${operationOf(subject).path}`,
          exchange: list.exchange,
        })),
      );
    },
  });
}
