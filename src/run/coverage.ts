/** The coverage of a rule: how many of the items that its steps select were inspected, and how many there are. */
import {
  type Coverage,
  type Each,
  type Evidence,
  isValue,
  type Reading,
  type Row,
  type Steps,
  sourceNames,
} from '../rule/index.ts';

/** Adds up what is counted of the same kind. A sum is known only if all its parts are. */
function addUp(counts: readonly Coverage[]): Coverage[] {
  return [...Map.groupBy(counts, (each) => each.of)].map(([of, parts]) => {
    const sum = (count: (part: Coverage) => number) => parts.reduce((total, part) => total + count(part), 0);
    const isKnown = parts.every(({ known }) => known !== undefined);
    return { of, looked: sum(({ looked }) => looked), ...(isKnown && { known: sum(({ known = 0 }) => known) }) };
  });
}

/** The number of different rows that a list offers to a step; undefined if its response does not show it. */
function rowsIn({ folds, observation }: Reading, { fold, counted, as }: Each): number | undefined {
  if (counted !== undefined) return (folds[counted] as { readonly size: number } | undefined)?.size;
  const fields = Object.keys(as) as (keyof Row)[];
  const values = new Set(fields.flatMap((field) => observation?.values[field] ?? []).map(String));
  if (fold === undefined) return values.size;
  const collected = folds[fold] as { readonly rows?: readonly Row[]; readonly complete?: boolean } | undefined;
  if (!collected?.rows || collected.complete === false) return undefined;
  const rows = collected.rows.map((row) =>
    fields
      .map((field) => row[field])
      .filter(isValue)
      .map(String),
  );
  return new Set([...values, ...rows.filter((row) => row.length > 0).map((row) => row.join('\n'))]).size;
}

/**
 * The coverage of the steps of a unit that take their values from a list.
 * @param readingsOf all readings of a step
 * @param usable those that were judged
 * @example coverageOf(steps, readingsOf, seen) // [{ of: 'products', looked: 24, known: 1000 }]
 */
export function coverageOf(
  steps: Steps,
  readingsOf: (name: string) => readonly Reading[],
  usable: { readonly [name: string]: readonly Reading[] },
): Coverage[] {
  return addUp(
    Object.entries(steps).flatMap(([name, { each }]): Coverage[] => {
      if (!each?.of) return [];
      const looked = new Set((usable[name] ?? []).map(({ inputs }) => JSON.stringify(inputs))).size;
      const counts = sourceNames(each)
        .flatMap(readingsOf)
        .map((reading) => rowsIn(reading, each));
      const known = counts.reduce<number | undefined>(
        (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
        0,
      );
      return [{ of: each.of, looked, ...(known !== undefined && known >= looked && { known }) }];
    }),
  );
}

/** The coverage that a judge states, and that of the steps for what it does not state. */
export const mergeCoverage = (stated: readonly Coverage[], counted: readonly Coverage[]): Coverage[] => [
  ...addUp(stated),
  ...counted.filter(({ of }) => !stated.some((each) => each.of === of)),
];

/** The coverage of a result in words; empty if its rule draws no sample. */
export const coverageOfEvidence = ({ coverage = [] }: Pick<Evidence, 'coverage'>): string =>
  coverage.map(coverageText).join(', ');

/**
 * A coverage in words.
 * @example coverageText({ of: 'products', looked: 24, known: 1000 }) // '24 of 1 000 products'
 */
const coverageText = ({ of, looked, known }: Coverage): string =>
  `${grouped(looked)} ${known === undefined ? '' : `of ${grouped(known)} `}${of}`;

/** A number with narrow groups of digits: `10 000`. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
