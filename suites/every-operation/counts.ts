/** A count that a response states equals what it counts, as the profile defines it. The document shows none (section 2). */
import { isOperationKey } from '../../src/contract/index.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import { type Declarations, findingIn, needsOf, type PageMetadata, type Reading } from '../../src/rule/index.ts';
import { type ListComparison, listsRule, statedNumbers, withPages } from '../../src/rule/lists-rule.ts';

const EXPECTED = { page: 'rows of the page', list: 'rows of the list', pages: 'pages of the list' } as const;

/** The pages of a reading, without empty ones after the first: servers differ in what they state behind the end. */
const pagesOf = ({ observation }: Reading) =>
  (observation?.pageMetadata ?? []).filter(({ rows }, at) => at === 0 || rows > 0);

/**
 * Whether a page by number contradicts the total that it states itself, whatever the other pages are: it has more or fewer
 * rows than a list of that length has there.
 */
function contradictsItself(pages: readonly PageMetadata[], index: number, stated: number): boolean {
  const size = pages[0]?.rows ?? 0;
  const isRegular = pages.every(({ rows }, at) => rows === size || (at === pages.length - 1 && rows < size));
  return isRegular && pages[index]?.rows !== Math.max(0, Math.min(size, stated - index * size));
}

/** Whether a list may have this number of pages: an empty one at its end may count, and an empty list may have none. */
function isPossibleNumber({ observation }: Reading, stated: number): boolean {
  const pages = observation?.pageMetadata ?? [];
  const nonempty = pages.filter(({ rows }) => rows > 0).length;
  return stated >= nonempty && stated <= pages.length;
}

/** Whether a page by number contradicts the number of pages that it states itself: it is behind the last, or the last before. */
function contradictsPages(pages: readonly PageMetadata[], index: number, stated: number): boolean {
  const [size, rows] = [pages[0]?.rows ?? 0, pages[index]?.rows ?? 0];
  return rows > 0 && (stated < index + 1 || (stated > index + 1 && rows < size));
}

const CONTRADICTS = { list: contradictsItself, pages: contradictsPages } as const;

function compareCounts(reading: Reading, declarations: Declarations): ListComparison[] {
  const { observation, operation } = reading;
  const about = JSON.stringify(reading.inputs);
  const pages = pagesOf(reading);
  const isSameDataWeek =
    pages.length === 1 ||
    areOfOneAsOf(
      pages.map(({ asOf }) => asOf),
      [operation],
      declarations,
    );
  return declarations.counts(operation).flatMap((of, at) => {
    if (isOperationKey(of)) return [];
    // Without its last page, nobody knows how many rows and pages the list has.
    if (of !== 'page' && !observation?.complete) return [];
    return pages.flatMap((page, index): ListComparison[] =>
      statedNumbers(page.counts[at] ?? []).map((stated) => {
        const rows = of === 'page' ? page.rows : of === 'pages' ? pages.length : (observation?.rows ?? 0);
        if (stated === rows || (of === 'pages' && isPossibleNumber(reading, stated))) return { reading, rows, about };
        const place = pages.length > 1 ? ` on page ${index + 1}` : '';
        const actual = `it states ${stated}${place}`;
        const isProved =
          isSameDataWeek ||
          (of !== 'page' && declarations.pagesByNumber(operation) && CONTRADICTS[of](pages, index, stated));
        if (of !== 'page' && !isProved) {
          const what = of === 'pages' ? 'pages' : 'rows';
          const doubt = `${actual} for ${rows} ${what}, but its pages are not shown to be of one data week`;
          return { reading, rows, about, doubt };
        }
        const expected = `the number of ${EXPECTED[of]}, which has ${rows}`;
        return { reading, rows, about, findings: [findingIn(reading, `${of}-count`, expected, actual)] };
      }),
    );
  });
}

export const counts = listsRule({
  id: 'every.counts',
  demands: 'A count that the response states equals the number of rows, or of pages, that the profile says it counts.',
  how: [
    'In every response that any rule received to a valid request, each count of `response.counts` is compared with the rows of the page, the rows of all pages of the request, or the number of these pages.',
    'A list that is not read to its end, and an empty page after the last one, are not judged.',
    'A total of several pages fails only if all of them contain the same as-of date, or if a page by number has other rows than its own total leaves for it, or another place than its own number of pages.',
    'A count that is right in another response to the same request is inconclusive.',
  ],
  looksLike: [
    'A server whose data is reloaded between two pages, or whose pages come from two replicas, is legal; the as-of date of the pages tells them apart.',
    'A server whose total counts something else, such as the rows before filtering or an estimate, is legal, too: its profile does not list that total.',
  ],
  isBound: (subject, declarations) => declarations.counts(subject).some((of) => !isOperationKey(of)),
  needs: (subject) => needsOf(subject, 'counts', 'request', 'rows'),
  repeat: 'pass',
  isSteady: true,
  compare: (lists, { declarations }) => lists.flatMap((each) => compareCounts(each, declarations)),
  nothing: 'no response states a count where the profile reads it',
  counterexample: withPages((page) => ({
    ...page,
    counts: page.counts.map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell + 1 : cell))),
  })),
});
