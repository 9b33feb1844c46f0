/** Finds lists that a described response has instead of one list of rows: one per window, or one per kind of name. */

import { type Field, SALES_FILTERS } from '../../contract/index.ts';
import { type DescribedFormat, describedValues, listsIn, type RowLocation } from './described-values.ts';
import type { Description } from './description.ts';
import { matchFields } from './fields.ts';
import { joinWords } from './name-words.ts';
import type { ResolvedSchema } from './resolved-schema.ts';
import { WINDOW_NAMES, type WindowName, windowFromName, windowFromText } from './windows.ts';

/** Returns three lists of products, one per window; undefined if the response has no such lists. */
export function windowLists(
  description: Description,
  root: ResolvedSchema,
  format: DescribedFormat,
): { rows: Record<WindowName, string>; place: RowLocation } | undefined {
  const found = new Map<WindowName, RowLocation>();
  for (const place of listsIn(description, root, format)) {
    const name = place.names.find((each) => windowFromName(each) !== undefined) ?? place.names.at(-1) ?? '';
    const window = windowFromName(name) ?? windowFromText(place.schema.description);
    if (window !== undefined) found.set(window, place);
  }
  const [one, four, thirteen] = WINDOW_NAMES.map((each) => found.get(each));
  if (!one || !four || !thirteen) return undefined;
  return { rows: { '1': one.selector, '4': four.selector, '13': thirteen.selector }, place: thirteen };
}

/**
 * Returns the separate lists of names in the metadata of group D: `{ categories: [{ name, subCategories }],
 * brands: […] }`. Undefined if rows combine them.
 */
export function nameLists(
  description: Description,
  root: ResolvedSchema,
  format: DescribedFormat,
): Partial<Record<Field, string>> | undefined {
  const found: Partial<Record<Field, string>> = {};
  const visit = (locations: readonly RowLocation[], prefix: string, depth: number): void => {
    for (const { selector, names, schema: resolvedSchema } of locations) {
      const full = `${prefix}${selector.slice(1)}`;
      const resourceName = joinWords(names.at(-1) ?? '')
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
        .replace(/name$/, '');
      const field = SALES_FILTERS.find((each) => joinWords(each) === resourceName);
      if (field && found[field] === undefined) {
        if (resolvedSchema.members.size === 0 && resolvedSchema.type !== 'array') found[field] = full;
        else {
          const values = describedValues(description, resolvedSchema, '@', format).filter(
            ({ names: own }) => own.length === 1,
          );
          const names = values.filter(
            (describedValue) =>
              [`${resourceName}name`, 'name', resourceName, 'label', 'title'].includes(
                joinWords(describedValue.names[0] ?? ''),
              ) && describedValue.schema.type !== 'array',
          );
          const [name] = names;
          if (names.length === 1 && name) found[field] = `${full}${name.selector.slice(1)}`;
        }
      }
      if (depth < 3 && resolvedSchema.members.size > 0)
        visit(listsIn(description, resolvedSchema, 'json'), full, depth + 1);
    }
  };
  if (format === 'xml') return undefined;
  const lists = listsIn(description, root, format);
  visit(lists, '$', 0);
  const together = lists.some(
    ({ schema: resolvedSchema }) =>
      matchFields(
        SALES_FILTERS,
        'GET /RetailMeasurement/v1/BrandPerformance/Metadata',
        describedValues(description, resolvedSchema, '@', format),
      ).size > 1,
  );
  return together || Object.keys(found).length === 0 ? undefined : found;
}
