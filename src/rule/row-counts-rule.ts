/** The template of rules about counts in rows that count what another operation returns for the row (section 2). */
import { countableFor, isOperationKey, type OperationKey, operationOf } from '../contract/index.ts';
import { areOfOneAsOf } from './data-weeks.ts';
import {
  type Declarations,
  defineRule,
  failed,
  inconclusive,
  isOk,
  openingOf,
  type PageMetadata,
  passed,
  type Reading,
  type Rule,
  type Steps,
  step,
  untested,
} from './index.ts';
import { type PageComparison, statedNumbers, withPages, withSteadyFindings } from './page-metadata-rule.ts';
import { requiredInputs } from './served-steps.ts';

/** The ids and names of a row that states a count. */
type RowNames = NonNullable<PageMetadata['rowCounts']>[number]['names'];

/** The rows that a response contains for a row of another list. */
export interface CountedRows {
  readonly reading: Reading;
  /** The number of rows, and of different items: a count may mean either. */
  readonly numbers: readonly number[];
}

/** Finds the readings that contain all rows for a row of a list. */
type FindCounted = (list: Reading, names: RowNames) => readonly CountedRows[];

interface RowCountsRule extends Pick<Rule, 'id' | 'statement' | 'subjects' | 'demands' | 'how' | 'looksLike'> {
  /** What the rows are, in the plural, for the coverage. */
  readonly of: string;
  /** The requests of the lists, and of what their rows count. */
  readonly requests: (subject: OperationKey, counted: OperationKey, declarations: Declarations) => Steps;
  /** The folds of a counted list. */
  readonly folds: (declarations: Declarations) => NonNullable<Steps[string]['folds']>;
  /** Indexes the readings of a counted operation. */
  readonly index: (counted: readonly Reading[], subject: OperationKey, declarations: Declarations) => FindCounted;
}

const stepOf = (counted: OperationKey): string => `all of ${counted}`;

/** The operations whose rows the rows of a list count, as the profile states. */
const countedBy = (subject: OperationKey, declarations: Declarations): readonly OperationKey[] =>
  declarations.counts(subject).filter((of) => isOperationKey(of));

/** A comparison with the row that states the count. */
interface RowComparison extends PageComparison {
  readonly stated: number;
  /** The numbers that the counted lists show. */
  readonly actual: readonly number[];
}

/** Several counts that are too low and equal to the greatest one stated may be limited to that number. */
function withoutLimited(ofList: readonly RowComparison[]): readonly RowComparison[] {
  const limit = Math.max(...ofList.map(({ stated }) => stated));
  const wrong = ofList.filter(({ findings }) => findings !== undefined);
  const isLimited =
    limit > 0 &&
    wrong.length > 1 &&
    wrong.length < ofList.length &&
    wrong.every(({ stated, actual }) => stated === limit && actual.every((each) => each > limit));
  if (!isLimited) return ofList;
  return ofList.map(({ findings, ...each }) =>
    findings ? { ...each, doubt: `no row states more than ${limit}, so the counts may be limited to it` } : each,
  );
}

function compareList(
  list: Reading,
  { at, of }: { readonly at: number; readonly of: OperationKey },
  find: FindCounted,
  declarations: Declarations,
): readonly RowComparison[] {
  const isSameWeek = (page: PageMetadata, { observation }: Reading) =>
    areOfOneAsOf([page.asOf, observation?.values.asOf ?? []], [list.operation, of], declarations);
  const ofList = (list.observation?.pageMetadata ?? []).flatMap((page) =>
    (page.rowCounts ?? []).flatMap(({ row, names, counts }): RowComparison[] => {
      const [stated, ...others] = statedNumbers(counts[at] ?? []);
      if (stated === undefined || others.length > 0) return [];
      const all = find(list, names);
      const [first] = all;
      if (!first) return [];
      const sameWeek = all.filter(({ reading }) => isSameWeek(page, reading));
      const compared = sameWeek.length > 0 ? sameWeek : all;
      const name = names.name ?? names.category ?? names.id ?? names.categoryId;
      const about = JSON.stringify([list.inputs, names, of]);
      const shown = (compared[0] ?? first).numbers;
      const comparison = { reading: list, rows: Math.max(...shown), about, stated, actual: shown };
      if (compared.some(({ numbers }) => numbers.includes(stated))) return [comparison];
      const expected = `the number of rows of ${of} for ${JSON.stringify(name)}, which is ${[...new Set(shown)].join(' or ')}`;
      const actual = `row ${row} states ${stated}`;
      if (sameWeek.length === 0)
        return [
          { ...comparison, doubt: `${actual} instead of ${expected}, but both are not shown to be of one data week` },
        ];
      return [{ ...comparison, findings: [{ kind: 'row-count', expected, actual, exchange: list.exchange, row }] }];
    }),
  );
  return withoutLimited(ofList);
}

/** A rule: a row states how many rows another operation returns for it. */
export function rowCountsRule({ of, requests, folds, index, ...rule }: RowCountsRule): Rule {
  return defineRule<Steps>({
    ...rule,
    basis: 'profile',
    since: '0.2.0',
    needs: (subject) => [
      countableFor(subject).map((of) => openingOf(subject, `rowCounts.${operationOf(of).name}`)),
      openingOf(subject, 'request'),
      openingOf(subject, 'rows'),
    ],
    repeat: 'pass',
    probe(subject, declarations): Steps {
      const gather = (operation: OperationKey) =>
        ({ operation, inputs: requiredInputs(operation), accepts: 'any', fromAllRules: 'lists' }) as const;
      const counted = countedBy(subject, declarations);
      const requested = Object.assign({}, ...counted.map((each) => requests(subject, each, declarations))) as Steps;
      return {
        ...Object.fromEntries(
          Object.entries(requested).map(([name, { each, ...rest }]) => {
            // The coverage is that of the counts, not of the requests.
            const { of: _, ...others } = each ?? { of: '' };
            return [name, each ? { ...rest, each: others as typeof each } : rest];
          }),
        ),
        ...Object.fromEntries(
          counted.map((each) => [stepOf(each), step({ ...gather(each), folds: folds(declarations) })]),
        ),
        all: step(gather(subject)),
      };
    },
    counterexample: ({ all = [] }) => ({
      all: all.map((each) =>
        withPages(each, ({ rowCounts = [], ...page }) => ({
          ...page,
          rowCounts: rowCounts.map(({ counts, ...row }) => ({
            ...row,
            counts: counts.map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell + 1000 : cell))),
          })),
        })),
      ),
    }),
    judge(seen, { subject, declarations }) {
      const isComplete = (reading: Reading) =>
        isOk(reading) && reading.observation?.complete === true && !reading.observation.problem;
      const lists = (seen.all ?? []).filter(isComplete);
      const compared = declarations.counts(subject).flatMap((counted, at) => {
        if (!isOperationKey(counted)) return [];
        const find = index((seen[stepOf(counted)] ?? []).filter(isComplete), subject, declarations);
        const ofAll = lists.flatMap((list) => compareList(list, { at, of: counted }, find, declarations));
        return [...Map.groupBy(ofAll, ({ about }) => about).values()].flatMap(withSteadyFindings);
      });
      const findings = compared.flatMap((each) => each.findings ?? []);
      if (findings.length > 0) return failed(findings);
      const doubt = compared.find((each) => each.doubt !== undefined)?.doubt;
      if (doubt !== undefined) return inconclusive(doubt);
      if (compared.length === 0) return untested('no row states a count of rows that were requested');
      const looked = new Set(compared.map(({ about }) => about)).size;
      const stating = lists.flatMap(({ inputs, observation }) =>
        (observation?.pageMetadata ?? []).flatMap(({ rowCounts = [] }) =>
          rowCounts.flatMap(({ names, counts }) =>
            counts.flatMap((cells, at) =>
              statedNumbers(cells).length === 1
                ? [JSON.stringify([inputs, names, declarations.counts(subject)[at]])]
                : [],
            ),
          ),
        ),
      );
      return passed({
        exchanges: new Set(compared.map(({ reading }) => reading)).size,
        rows: compared.reduce((sum, { rows }) => sum + rows, 0),
        distinct: looked,
        coverage: [{ of, looked, known: new Set(stating).size }],
      });
    },
  });
}
