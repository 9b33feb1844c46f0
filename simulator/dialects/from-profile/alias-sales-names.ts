/** Assigns names of categories, manufacturers and brands, and category ids, to the examples of a profile. */
import { SALES_FILTERS } from '../../../src/contract/index.ts';
import type { World } from '../../model/world.ts';
import type { AliasTable } from './alias-table.ts';

/** Names of ASCII letters. They are replaced first, so that responses still have names with special characters. */
const isPlain = (name: string): boolean => /^[A-Za-z][a-z]+ [A-Z][a-z]+$/.test(name);

/** The examples at one index belong together, so they get the names of one row of sales. */
export function aliasSalesNames(aliases: AliasTable, world: World): void {
  const categories = world.answer('allCategories', {});
  const categoryIds = new Map(
    categories.kind === 'categories' ? categories.categories.map(({ id, name }) => [name, id]) : [],
  );
  const salesRows = world.sales.filterNames();
  const rows = [...salesRows.filter(({ category }) => isPlain(category)).toReversed(), ...salesRows];
  type SalesRow = (typeof rows)[number];
  const isKnownName = (field: (typeof SALES_FILTERS)[number], name: string): boolean =>
    salesRows.some((row) => row[field] === name) || (field === 'category' && categoryIds.has(name));
  const mostExamples = Math.max(
    ...[...SALES_FILTERS, 'categoryId' as const].map((field) => aliases.examplesOf(field).length),
  );
  for (let index = 0; index < mostExamples; index += 1) {
    const wanted = SALES_FILTERS.flatMap((field) => {
      const name = aliases.examplesOf(field)[index];
      return name === undefined ? [] : [{ field, name, isKnown: isKnownName(field, name) }];
    });
    const id = aliases.examplesOf('categoryId')[index];
    const isNewId = id !== undefined && ![...categoryIds.values()].includes(id);
    const isFree = (row: SalesRow) =>
      (!isNewId || !aliases.hasWorldValue('categoryId', categoryIds.get(row.category))) &&
      wanted.every(
        ({ field, isKnown }) =>
          isKnown || (!aliases.hasWorldValue(field, row[field]) && !aliases.examplesOf(field).includes(row[field])),
      );
    const hasKnownNames = (row: SalesRow) =>
      wanted.every(({ field, name, isKnown }) => !isKnown || row[field] === name);
    const row = rows.find((each) => isFree(each) && hasKnownNames(each)) ?? rows.find(isFree);
    if (!row) {
      for (const { field, isKnown } of wanted)
        if (!isKnown) aliases.reportUnmatched(field, index, 'the world has no more free names');
      if (isNewId) aliases.reportUnmatched('categoryId', index, 'the world has no more free categories');
      continue;
    }
    for (const { field, name, isKnown } of wanted) if (!isKnown) aliases.add(field, name, row[field]);
    if (isNewId) aliases.add('categoryId', id, categoryIds.get(row.category) as string);
  }
}
