/** Each code of a response is listed where the profile says that the codes are. The document shows no response shape (section 2). */
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
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';

type PageMetadata = NonNullable<NonNullable<Reading['observation']>['pageMetadata']>[number];
type CodeStatement = NonNullable<PageMetadata['codes']>[number];

/** Why a code that the table does not list is no proof; undefined if it is one. */
function doubtOf({ operation }: Reading, page: PageMetadata, codes: CodeStatement, declarations: Declarations) {
  const { from } = codes;
  if (!codes.complete) return `the table of ${from} was not read to its end`;
  if (!from || areOfOneAsOf([page.asOf, codes.asOf], [operation, from], declarations)) return undefined;
  return `the list and the table of ${from} are not shown to be of one data week: bind asOf in both`;
}

interface Comparison {
  readonly reading: Reading;
  readonly known: number;
  readonly findings: readonly Finding[];
  readonly doubts: readonly string[];
}

function compareCodes(reading: Reading, declarations: Declarations): Comparison[] {
  return (reading.observation?.pageMetadata ?? []).flatMap((page) =>
    (page.codes ?? []).map((codes): Comparison => {
      const { field, known, unlisted, unread, from } = codes;
      if (unread !== undefined)
        return { reading, known: 0, findings: [], doubts: [`the table of ${field}: ${unread}`] };
      const doubt = doubtOf(reading, page, codes, declarations);
      const findings = unlisted.map(
        ({ code, row }): Finding => ({
          kind: `${field}-unlisted`,
          expected: `each code at ${field} is listed by ${from ?? '`codes` of the profile'}`,
          actual: `${JSON.stringify(code)} is not`,
          exchange: reading.exchange,
          ...(row !== undefined && { row }),
        }),
      );
      const doubts = doubt === undefined ? [] : findings.map(({ actual }) => `${actual} listed, but ${doubt}`);
      return { reading, known, findings: doubt === undefined ? findings : [], doubts };
    }),
  );
}

/** Adds a code that no table lists. */
const withUnlisted = (reading: EditableReading): EditableReading => ({
  ...reading,
  ...(reading.observation?.pageMetadata && {
    observation: {
      ...reading.observation,
      pageMetadata: reading.observation.pageMetadata.map((page) => ({
        ...page,
        // A table that the profile lists needs no as-of date.
        codes: page.codes?.map(({ from: _, ...codes }) => ({
          ...codes,
          complete: true,
          unlisted: [{ code: 'another' }],
        })),
      })),
    },
  }),
});

export const codesListed = defineRule<Steps>({
  id: 'every.codes',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands: 'Each code of a list has a meaning in the table that the profile names.',
  how: 'In every response that any rule received to a valid request, each value of a field with `code` is looked up in its table: as it is, numbers with any leading zeros. A code that the table of an operation does not list fails only if that table was read to its end and both responses contain one as-of date. Codes that the table does not use are legal.',
  looksLike:
    'A server that adds a code in the weekly reload is legal: the list of the new week contains a code that the table of the week before does not; the as-of dates of both tell them apart.',
  subjects: listOperations(),
  needs: () => ['codes'],
  repeat: 'pass',
  probe: (subject, declarations) =>
    declarations.codes(subject).length === 0
      ? {}
      : { ...listRequests(subject), all: step({ operation: subject, accepts: 'any', fromAllRules: 'lists' }) },
  counterexample: ({ all = [] }) => ({ all: all.map(withUnlisted) }),
  judge(seen, { declarations }) {
    const readings = (seen.all ?? []).filter((each) => isOk(each) && !each.observation?.problem);
    const compared = readings.flatMap((each) => compareCodes(each, declarations));
    const findings = compared.flatMap((each) => each.findings);
    if (findings.length > 0) return failed(findings);
    const [doubt] = compared.flatMap((each) => each.doubts);
    if (doubt !== undefined) return inconclusive(doubt);
    const decided = compared.filter(({ known }) => known > 0);
    if (decided.length === 0) return untested('no response contains a code where the profile reads it');
    return passed({
      exchanges: new Set(decided.map(({ reading }) => reading)).size,
      rows: decided.reduce((sum, { known }) => sum + known, 0),
    });
  },
});
