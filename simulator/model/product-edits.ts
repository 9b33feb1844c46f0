/**
 * Products that a user adds, changes or delists while a simulator runs. An edit belongs to the data week in which it is made,
 * so that lists, look-ups and deltas agree at any date of the clock. Without edits the computed products are returned as they are.
 */
import type { CategoryAssortment } from './assortment.ts';
import { iterable } from './iterable.ts';
import { type CategoryFilter, HISTORY_DAYS, type Products } from './products.ts';
import { wrap } from './random.ts';
import type { Category, Characteristic, Day, Product, ProductRow } from './types.ts';

/** The members of a product that a user may set. */
export interface ProductValues {
  readonly description: string;
  readonly category: string;
  readonly subCategory: string;
  readonly manufacturer: string;
  readonly brand: string;
  readonly characteristics: readonly Characteristic[];
}

/** An edit that contradicts the data, in one sentence. */
export class ProductEditError extends Error {
  override readonly name = 'ProductEditError';
}

export interface ProductEdits {
  /** Adds a product that is not listed now. @throws ProductEditError */
  add(upc: string, values?: Partial<ProductValues>): Product;
  /** Changes a listed product. @throws ProductEditError */
  change(upc: string, values: Partial<ProductValues>): Product;
  /** Removes a listed product from lists and look-ups. @throws ProductEditError */
  delist(upc: string): void;
}

export interface EditableProducts extends Products {
  readonly edits: ProductEdits;
  /** The number of edits so far. */
  revision(): number;
}

interface Edit {
  readonly on: Day;
  readonly kind: 'add' | 'change' | 'delist';
  readonly values: Partial<ProductValues & { readonly categoryId: string }>;
}

export interface EditOptions {
  readonly asOf: () => Day;
  readonly categories: () => readonly Category[];
  readonly assortment: readonly CategoryAssortment[];
  /** Whether a delta lists products that were removed within its window. */
  readonly listsRemovals: boolean;
}

/** The characteristic that states the brand of a product once more. */
const BRAND = 'Brand';

/** The values with the brand that their characteristics state. @throws ProductEditError if there are two */
function withOneBrand(values: Partial<ProductValues>): Partial<ProductValues> {
  const stated = values.characteristics?.find(({ name }) => name === BRAND)?.value;
  if (stated === undefined || stated === values.brand) return values;
  if (values.brand === undefined) return { ...values, brand: stated };
  throw new ProductEditError(`the brand is “${values.brand}”, and the characteristic ${BRAND} is “${stated}”`);
}

/** Makes products editable. */
export function makeEditable(base: Products, options: EditOptions): EditableProducts {
  const { asOf: today, categories, assortment, listsRemovals } = options;
  const editsByUpc = new Map<string, Edit[]>();
  let revision = 0;

  const defaults = (): Omit<Product, 'upc' | 'activeOn' | 'firstActiveOn'> => {
    const { category, categoryId, subCategory, brands } = assortment[0] as CategoryAssortment;
    const { manufacturer, brand } = brands[0] as CategoryAssortment['brands'][number];
    const { market } = base.at(0, today());
    return {
      description: 'Added product',
      category,
      categoryId,
      subCategory,
      manufacturer,
      brand,
      market,
      characteristics: [],
    };
  };
  const applyEdit = (
    upc: string,
    product: Product | undefined,
    { on, kind, values }: Edit,
    asOf: Day,
  ): Product | undefined => {
    if (kind === 'delist') return undefined;
    const start =
      kind === 'add'
        ? { ...defaults(), upc, activeOn: asOf - wrap(asOf - on, HISTORY_DAYS), firstActiveOn: on }
        : product;
    if (!start) return undefined;
    const merged = { ...start, ...values };
    const named = merged.characteristics.filter(({ name }) => name !== BRAND);
    return {
      ...merged,
      characteristics: [{ name: BRAND, value: merged.brand }, ...named],
      ...(asOf - on < HISTORY_DAYS && { changedOn: Math.max(on, start.changedOn ?? on) }),
    };
  };
  /** The product as of a date, or undefined if it is not listed then. */
  const byUpc = (upc: string, asOf: Day): Product | undefined => {
    const edits = editsByUpc.get(upc) ?? [];
    return edits
      .filter(({ on }) => on <= asOf)
      .reduce<Product | undefined>((product, edit) => applyEdit(upc, product, edit, asOf), base.byUpc(upc, asOf));
  };

  const listedRow = (upc: string, asOf: Day): ProductRow | undefined => {
    const product = byUpc(upc, asOf);
    if (!product) return undefined;
    const { characteristics: _, ...row } = product;
    return row;
  };

  function* rows(asOf: Day, matches: CategoryFilter = () => true): Generator<ProductRow> {
    for (const row of base.rows(asOf)) {
      const current = editsByUpc.has(row.upc) ? listedRow(row.upc, asOf) : row;
      if (current && matches(current)) yield current;
    }
    for (const upc of editsByUpc.keys()) {
      const added = base.byUpc(upc, asOf) ? undefined : listedRow(upc, asOf);
      if (added && matches(added)) yield added;
    }
  }
  function* changed(asOf: Day, weeks: number, matches: CategoryFilter = () => true): Generator<ProductRow> {
    const first = asOf - 7 * weeks + 1;
    for (const row of base.changed(asOf, weeks)) if (!editsByUpc.has(row.upc) && matches(row)) yield row;
    for (const upc of editsByUpc.keys()) {
      const product = byUpc(upc, asOf);
      if (product) {
        const { changedOn, firstActiveOn } = product;
        if (changedOn !== undefined && changedOn >= first && matches(product))
          yield { ...product, changeKind: firstActiveOn >= first ? 'new' : 'changed' };
        continue;
      }
      if (!listsRemovals) continue;
      // Of a product that was listed at the reload before: every window with its removal shows it, so that deltas are nested.
      const removedOn = editsByUpc
        .get(upc)
        ?.findLast(({ kind, on }) => kind === 'delist' && on >= first && on <= asOf && byUpc(upc, on - 7))?.on;
      if (removedOn === undefined) continue;
      const earlier = byUpc(upc, removedOn - 1);
      if (earlier && matches(earlier)) yield { ...earlier, changedOn: removedOn, changeKind: 'removed' };
    }
  }

  const validate = ({ category, subCategory, ...others }: Partial<ProductValues>): Edit['values'] => {
    if (category === undefined && subCategory === undefined) return others;
    const named = categories().filter(
      ({ name, subCategories }) =>
        (category === undefined || name === category) &&
        (subCategory === undefined || subCategories.includes(subCategory)),
    );
    const [found] = named;
    const sub = subCategory ?? found?.subCategories[0];
    if (!found || sub === undefined) {
      const known = categories().map(({ name, subCategories }) => `${name} (${subCategories.join(', ')})`);
      throw new ProductEditError(
        `there is no ${subCategory === undefined ? `category “${category}”` : `sub-category “${subCategory}”${category === undefined ? '' : ` of a category “${category}”`}`}; the categories are ${known.join('; ')}`,
      );
    }
    return { ...others, category: found.name, categoryId: found.id, subCategory: sub };
  };
  const record = (upc: string, kind: Edit['kind'], values: Partial<ProductValues>): Product | undefined => {
    const on = today();
    const isListed = byUpc(upc, on) !== undefined;
    if (isListed === (kind === 'add'))
      throw new ProductEditError(
        isListed ? `the product ${upc} is listed already: change it instead` : `there is no product ${upc} to ${kind}`,
      );
    const edit: Edit = { on, kind, values: validate(withOneBrand(values)) };
    revision += 1;
    editsByUpc.set(upc, [...(editsByUpc.get(upc) ?? []).filter((each) => each.on <= on), edit]);
    return byUpc(upc, on);
  };

  return {
    count: base.count,
    at: base.at,
    byUpc,
    revision: () => revision,
    rows: (asOf, matches) => (editsByUpc.size === 0 ? base.rows(asOf, matches) : iterable(() => rows(asOf, matches))),
    changed: (asOf, weeks, matches) =>
      editsByUpc.size === 0 ? base.changed(asOf, weeks, matches) : iterable(() => changed(asOf, weeks, matches)),
    edits: {
      add: (upc, values = {}) => record(upc, 'add', values) as Product,
      change: (upc, values) => record(upc, 'change', values) as Product,
      delist: (upc) => void record(upc, 'delist', {}),
    },
  };
}
