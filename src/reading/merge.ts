/** Merges the pages of one list into one observation. */
import type { Field } from '../contract/index.ts';
import { joinDigests } from './digest.ts';
import type { Cell, Observation } from './types.ts';

/**
 * Merges the observations of a list's pages, in order. Each distinct value that is read once per response is kept once, so
 * that a deviating page is visible and a thousand equal pages cost nothing.
 *
 * @param complete whether the last page of the list is included; a problem on any page makes the result incomplete too
 */
export function mergeObservations(pages: readonly Observation[], complete: boolean): Observation {
  const problem = pages.find((page) => page.problem)?.problem;
  const values: { [F in Field]?: readonly Cell[] } = {};
  for (const page of pages) {
    for (const [field, cells] of Object.entries(page.values) as [Field, readonly Cell[]][]) {
      values[field] = distinct([...(values[field] ?? []), ...cells]);
    }
  }
  const pageMetadata = pages.flatMap((page) => page.pageMetadata ?? []);
  return {
    rows: pages.reduce((sum, page) => sum + page.rows, 0),
    complete: complete && pages.every((page) => page.complete),
    values,
    digest: joinDigests(
      pages.map((page) => page.digest),
      values,
    ),
    ...(pageMetadata.length > 0 && { pageMetadata }),
    ...(problem && { problem }),
  };
}

/** Lists and unconverted values cannot be compared, and are all kept. */
const distinct = (cells: readonly Cell[]): readonly Cell[] => [...new Set(cells)];
