/** Declarations that would accuse a conforming service. Every command refuses a profile that contains one. */
import {
  countableFor,
  type Field,
  isOperationKey,
  isUpc,
  type OpeningId,
  type OperationKey,
  operationOf,
  placeOfField,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import { PAGING_STYLES } from './paging-styles.ts';
import type { OperationProfile, ProfileData } from './schema.ts';
import { compileSelector } from './selector.ts';
import { mentionedInputs } from './template.ts';

export interface UnsafeDeclaration {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
  /** The opening that the accusing rules need. */
  readonly opening?: OpeningId;
}

/** Media types whose values are all rows, without a selector. */
const ROW_BY_ROW = ['ndjson', 'csv'];

const hasRows = ({ response }: OperationProfile): boolean =>
  response?.rows !== undefined || ROW_BY_ROW.includes(response?.media ?? '');

type Found = Iterable<UnsafeDeclaration>;

function* inFields(key: OperationKey, declared: OperationProfile): Found {
  for (const [name, { at, required, nullable }] of Object.entries(declared.response?.fields ?? {})) {
    const field = name as Field;
    const path = ['operations', key, 'response', 'fields', field];
    const opening = `${operationOf(key).name}.fields.${field}` as OpeningId;
    const isMisplaced =
      typeof at === 'string' && placeOfField(key, field) === 'row' && compileSelector(at).scope !== 'row';
    if (isMisplaced && hasRows(declared))
      yield {
        path,
        opening,
        problem: `“${at}” is read once for the whole response, but every row has its own ${field}, which would be reported as missing: write a selector within a row, e.g. "@.${field}"`,
      };
    if (required && nullable)
      yield { path, opening, problem: 'cannot be both required and nullable: remove one of them' };
  }
}

/** If the request cannot select a page, every page is the first one and its rows are counted many times. */
function* inPaging(key: OperationKey, { request, response }: OperationProfile): Found {
  const style = response?.paging?.style;
  const input = style && PAGING_STYLES[style].input;
  if (!request || input === undefined || mentionedInputs(request).has(input)) return;
  yield {
    path: ['operations', key, 'response', 'paging'],
    opening: `${operationOf(key).name}.rows` as OpeningId,
    problem: `pages by ${style}, but the request does not contain {${input}}: every page would be the first one; write e.g. query: { ${input}: "{${input}}" }`,
  };
}

function* inWindows(key: OperationKey, { request, response }: OperationProfile): Found {
  if (typeof response?.rows === 'object' && key !== UPDATE_PRODUCTS)
    yield {
      path: ['operations', key, 'response', 'rows'],
      problem: `has a selector per window, which only the delta (${UPDATE_PRODUCTS}) has: write one selector`,
    };
  const values = Object.entries(request?.spellings?.window ?? {}).map(
    ([weeks, text]) => [weeks, String(text)] as const,
  );
  const duplicate = values.find(([, text], at) => values.slice(0, at).some(([, other]) => other === text));
  if (duplicate)
    yield {
      path: ['operations', key, 'request', 'spellings', 'window', duplicate[0]],
      opening: 'updateProducts.inputs.window',
      problem: 'has the same value for two windows, so both requests would be equal: give each window its own value',
    };
}

/** A count that is read at a wrong place is compared with rows that it does not count. */
function* inCounts(key: OperationKey, { response }: OperationProfile): Found {
  const isPerWindow = typeof response?.rows === 'object';
  for (const [index, { at, of }] of (response?.counts ?? []).entries()) {
    const path = ['operations', key, 'response', 'counts', index];
    const isInRow = typeof at === 'string' && compileSelector(at).scope === 'row';
    const allowed = countableFor(key);
    if (isOperationKey(of) && !allowed.includes(of))
      yield {
        path: [...path, 'of'],
        problem: `${of} returns no rows for a row of this list; allowed here: ${['page', 'list', 'pages', ...allowed].join(', ')}`,
      };
    else if (isOperationKey(of) !== isInRow)
      yield {
        path: [...path, 'at'],
        problem: isInRow
          ? `“${at}” is a selector within a row, but the count is read once per response: write $…`
          : `is read once per response, but each row has its own count of ${of}: write @…`,
      };
    else if (!isInRow && isPerWindow !== (typeof at === 'object'))
      yield {
        path: [...path, 'at'],
        problem: isPerWindow
          ? 'is one selector, but response.rows has one per window: write one per window, { "1": …, "4": …, "13": … }'
          : 'has a selector per window, but response.rows has not: write one selector',
      };
  }
}

const NO_UPC = 'must be a UPC of 12 digits (section 4.3); write it in quotes, which preserve leading zeros';

/** Finds every declaration of a profile that accuses any conforming service. */
export function findUnsafeDeclarations({ operations = {}, examples, unknownUpc }: ProfileData): UnsafeDeclaration[] {
  const upcs = (examples?.upc ?? []).flatMap((each, at): UnsafeDeclaration[] =>
    isUpc(String(each)) ? [] : [{ path: ['examples', 'upc', at], problem: NO_UPC, opening: 'upcExamples' }],
  );
  return [
    ...upcs,
    ...(unknownUpc === undefined || isUpc(unknownUpc) ? [] : [{ path: ['unknownUpc'], problem: NO_UPC }]),
    ...(Object.entries(operations) as [OperationKey, OperationProfile | undefined][]).flatMap(([key, declared]) =>
      declared ? [inFields, inPaging, inWindows, inCounts].flatMap((find) => [...find(key, declared)]) : [],
    ),
  ];
}
