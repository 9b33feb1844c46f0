/** One market: US for products (section 4.3), Total US for performance rows (sections 4.4 and 8). */
import { LIMITS, type ObservableStatementId, type OperationKey, operationOf } from '../contract/index.ts';
import {
  anything,
  defineRule,
  editRow,
  evidenceOf,
  failed,
  inconclusive,
  type Need,
  passed,
  type Rule,
  step,
  texts,
  untested,
} from './index.ts';

/** Unambiguous names. The profile declares any other name, since the document shows no format. */
const KNOWN_NAMES = new Set([
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

/** A rule: every row, or the response as a whole, has the one market. */
export function marketRule({ id, statement, which, subjects, needs }: MarketRule): Rule {
  const market = which === 'products' ? LIMITS.productMarket : LIMITS.market;
  return defineRule({
    id,
    statement,
    basis: 'stated',
    since: '0.1.0',
    demands: `The market of every row is ${market}.`,
    how: 'Every market in the response or its rows must be one that the profile declares or, without a declaration, an unambiguous name (US, USA, United States, Total US). If all rows have the same unknown name, the rule is inconclusive.',
    subjects,
    needs: (subject) => needs(subject),
    probe: (subject) => ({
      list: step({
        operation: subject,
        alsoMatches: anything,
        accepts: 'content',
        folds: { markets: texts('market', 1000) },
      }),
    }),
    counterexample: ({ list }) => ({ list: editRow(list, { market: 'Canada' }) }),
    judge(seen, { declarations, subject }) {
      const list = seen.list[0];
      if (!list) return untested('no list was read');
      const found = [
        ...list.folds.markets.counts.keys(),
        ...(list.observation?.values.market ?? []).filter((value) => typeof value === 'string'),
      ];
      if (found.length === 0) return untested('the response contains no market where the profile reads it');
      const declared = declarations.markets[which];
      const fits = (name: string) => (declared ? declared.includes(name) : KNOWN_NAMES.has(letters(name)));
      const others = [...new Set(found.filter((name) => !fits(name)))];
      if (others.length === 0) return passed({ ...evidenceOf([list]), distinct: new Set(found).size });
      if (!declared && others.length === 1 && found.every((name) => name === others[0])) {
        return inconclusive(
          `every market is ${JSON.stringify(others[0])}: if that is the market, declare it under markets.${which} of the profile`,
        );
      }
      return failed(
        others.slice(0, 5).map((name) => ({
          kind: 'other-market',
          expected: declared ? `the market ${declared.join(' or ')}` : `the market ${market}`,
          actual: `${JSON.stringify(name)} in ${list.folds.markets.counts.get(name) ?? 1} rows of ${operationOf(subject).path}`,
          exchange: list.exchange,
        })),
      );
    },
  });
}
