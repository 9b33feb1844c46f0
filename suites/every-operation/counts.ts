/** A count that a response states equals what it counts, as the profile defines it. The document shows none (section 2). */
import { listOperations } from '../../src/contract/index.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  type Declarations,
  defineRule,
  type EditableReading,
  type Finding,
  failed,
  inconclusive,
  isOk,
  openingOf,
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';

/** A comparison of one stated count with the rows. */
interface Comparison {
  readonly reading: Reading;
  readonly rows: number;
  readonly finding?: Finding;
  /** Why a difference is no proof. */
  readonly doubt?: string;
}

/** The pages of a reading, without empty ones after the first: servers differ in what they state behind the end. */
const pagesOf = ({ observation }: Reading) =>
  (observation?.pageMetadata ?? []).filter(({ rows }, at) => at === 0 || rows > 0);

/** A count is never negative; services write -1 for an unknown one. */
const numbersOf = (cells: readonly unknown[]): number[] =>
  cells.filter((each): each is number => typeof each === 'number' && each >= 0);

type Pages = NonNullable<NonNullable<Reading['observation']>['pageMetadata']>;

/**
 * Whether a page by number contradicts the total that it states itself, whatever the other pages are: it has more or fewer
 * rows than a list of that length has there.
 */
function contradictsItself(pages: Pages, index: number, stated: number): boolean {
  const size = pages[0]?.rows ?? 0;
  const isRegular = pages.every(({ rows }, at) => rows === size || (at === pages.length - 1 && rows < size));
  return isRegular && pages[index]?.rows !== Math.max(0, Math.min(size, stated - index * size));
}

function compareCounts(reading: Reading, declarations: Declarations): Comparison[] {
  const { observation, exchange, operation } = reading;
  const pages = pagesOf(reading);
  const isSameDataWeek =
    pages.length === 1 ||
    areOfOneAsOf(
      pages.map(({ asOf }) => asOf),
      [operation],
      declarations,
    );
  return declarations.counts(operation).flatMap((of, at) => {
    // Without its last page, nobody knows how many rows the list has.
    if (of === 'list' && !observation?.complete) return [];
    return pages.flatMap((page, index): Comparison[] =>
      numbersOf(page.counts[at] ?? []).map((stated) => {
        const rows = of === 'page' ? page.rows : (observation?.rows ?? 0);
        if (stated === rows) return { reading, rows };
        const place = pages.length > 1 ? ` on page ${index + 1}` : '';
        const actual = `it states ${stated}${place}`;
        const isProved =
          isSameDataWeek || (declarations.pagesByNumber(operation) && contradictsItself(pages, index, stated));
        if (of === 'list' && !isProved)
          return {
            reading,
            rows,
            doubt: `${actual} for ${rows} rows, but its pages are not shown to be of one data week`,
          };
        const expected = `the number of rows of ${of === 'page' ? 'the page' : 'the list'}, which has ${rows}`;
        return { reading, rows, finding: { kind: `${of}-count`, expected, actual, exchange } };
      }),
    );
  });
}

/** Adds one to the stated counts of a reading. */
const miscount = (reading: EditableReading): EditableReading => ({
  ...reading,
  ...(reading.observation?.pageMetadata && {
    observation: {
      ...reading.observation,
      pageMetadata: reading.observation.pageMetadata.map((page) => ({
        ...page,
        counts: page.counts.map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell + 1 : cell))),
      })),
    },
  }),
});

export const counts = defineRule<Steps>({
  id: 'every.counts',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands: 'A count that the response states equals the number of rows that the profile says it counts.',
  how: 'In every response that any rule received to a valid request, each count of `response.counts` is compared with the rows of the page, or of all pages of the request. A list that is not read to its end, and an empty page after the last one, are not judged. A total of several pages fails only if all of them contain the same as-of date, or if a page by number has other rows than its own total leaves for it. A count that is right in another response to the same request is inconclusive.',
  looksLike:
    'A server whose data is reloaded between two pages, or whose pages come from two replicas, is legal; the as-of date of the pages tells them apart. A server whose total counts something else, such as the rows before filtering or an estimate, is legal, too: its profile does not list that total.',
  subjects: listOperations(),
  needs: (subject) => [openingOf(subject, 'counts'), openingOf(subject, 'request'), openingOf(subject, 'rows')],
  repeat: 'pass',
  probe: (subject) => ({
    ...listRequests(subject),
    all: step({ operation: subject, accepts: 'any', fromAllRules: 'lists' }),
  }),
  counterexample: ({ all = [] }) => ({ all: all.map(miscount) }),
  judge(seen, { declarations }) {
    const readings = (seen.all ?? []).filter((each) => isOk(each) && !each.observation?.problem);
    const compared = readings.flatMap((each) => compareCounts(each, declarations));
    if (compared.length === 0) return untested('no response states a count where the profile reads it');
    const byRequest = Map.groupBy(compared, ({ reading }) => JSON.stringify(reading.inputs));
    const findings: Finding[] = [];
    const doubts: string[] = [];
    for (const ofRequest of byRequest.values()) {
      const wrong = ofRequest.flatMap(({ finding }) => finding ?? []);
      doubts.push(...ofRequest.flatMap(({ doubt }) => doubt ?? []));
      const isSteady = ofRequest.every(({ reading }) =>
        ofRequest.some((each) => each.reading === reading && (each.finding ?? each.doubt)),
      );
      if (isSteady) findings.push(...wrong);
      else if (wrong[0])
        doubts.push(`${wrong[0].actual} instead of ${wrong[0].expected}, but not in each response to the request`);
    }
    if (findings.length > 0) return failed(findings);
    if (doubts[0] !== undefined) return inconclusive(doubts[0]);
    const lists = new Set(compared.map(({ reading }) => reading));
    return passed({
      exchanges: lists.size,
      rows: compared.reduce((sum, { rows }) => sum + rows, 0),
      distinct: byRequest.size,
    });
  },
});
