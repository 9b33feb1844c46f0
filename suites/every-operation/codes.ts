/** Each code of a response is in the table that the profile names for it. The document shows no response shape (section 2). */
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import { type Declarations, type Finding, openingOf, type PageMetadata, type Reading } from '../../src/rule/index.ts';
import { type ListComparison, listsRule, withPages } from '../../src/rule/lists-rule.ts';

type CodeUsage = NonNullable<PageMetadata['codes']>[number];

/** Why a code that the table does not list is no proof; undefined if it is one. */
function doubtOf({ operation }: Reading, page: PageMetadata, codes: CodeUsage, declarations: Declarations) {
  const { from } = codes;
  if (!codes.complete) return `the table of ${from} was not read to its end`;
  if (!from || areOfOneAsOf([page.asOf, codes.asOf], [operation, from], declarations)) return undefined;
  return `the list and the table of ${from} are not shown to be of one data week: bind asOf in both`;
}

function compareCodes(reading: Reading, declarations: Declarations): ListComparison[] {
  return (reading.observation?.pageMetadata ?? []).flatMap((page) =>
    (page.codes ?? []).flatMap((codes): ListComparison[] => {
      const { field, known, unlisted, unread, from } = codes;
      if (unread !== undefined) return [{ reading, rows: 0, doubt: `the table of ${field}: ${unread}` }];
      const findings = unlisted.map(
        ({ code, row }): Finding => ({
          kind: `${field}-unlisted`,
          expected: `each code at ${field} is listed by ${from ?? '`codes` of the profile'}`,
          actual: `${JSON.stringify(code)} is not`,
          exchange: reading.exchange,
          ...(row !== undefined && { row }),
        }),
      );
      const doubt = doubtOf(reading, page, codes, declarations);
      if (findings[0] && doubt !== undefined)
        return [{ reading, rows: known, doubt: `${findings[0].actual} listed, but ${doubt}` }];
      return known + findings.length === 0 ? [] : [{ reading, rows: known, findings }];
    }),
  );
}

export const codesListed = listsRule({
  id: 'every.codes',
  demands: 'Each code of a list has a meaning in the table that the profile names.',
  how: 'In every response that any rule received to a valid request, each value of a field with `code` is looked up in its table: as it is, numbers with any leading zeros. A code that the table of an operation does not list fails only if that table was read to its end and both responses contain one as-of date. Codes that the table does not use are legal.',
  looksLike:
    'A server that adds a code in the weekly reload is legal: the list of the new week contains a code that the table of the week before does not; the as-of dates of both tell them apart.',
  needs: () => ['codes'],
  repeat: 'pass',
  isBound: (subject, { codes, isFilled }) => codes(subject).length > 0 && isFilled(openingOf(subject, 'request')),
  unjudged: (subject, { codes }) =>
    codes(subject).length > 0 ? 'the profile states no request of the list' : undefined,
  compare: (lists, { declarations }) => lists.flatMap((each) => compareCodes(each, declarations)),
  nothing: 'no response contains a code where the profile reads it',
  // A code that no table lists. A table that the profile lists needs no as-of date.
  counterexample: withPages(({ codes = [], ...page }) => ({
    ...page,
    codes: codes.map(({ from: _, ...each }) => ({ ...each, complete: true, unlisted: [{ code: 'another' }] })),
  })),
});
