/**
 * The small data of the world in @mswjs/data: metadata, categories, brands, filters. Its queries are linear scans,
 * so relations are plain key strings, and products, sales and jobs are not stored in it.
 */
import { factory, primaryKey } from '@mswjs/data';
import { type MetadataNode, metadataNodes, type NodeKind } from './metadata.ts';
import { BRAND_NAMES, CATEGORY_NAMES, numberedId, PROSPECT_FILTER_NAMES } from './names.ts';
import type { Category, Item } from './types.ts';

export interface Store {
  readonly categories: () => readonly Category[];
  readonly brands: () => readonly { readonly manufacturer: string; readonly brand: string }[];
  readonly filters: () => readonly Item[];
  readonly node: (key: string) => MetadataNode | undefined;
  readonly children: (parent: string, kind: NodeKind) => readonly MetadataNode[];
  readonly storeSurvey: () => string;
}

/** Creates a filled store. Two stores share nothing. */
export function createStore(): Store {
  const db = factory({
    category: { id: primaryKey(String), name: String },
    subCategory: { key: primaryKey(String), categoryId: String, name: String },
    brand: { key: primaryKey(String), manufacturer: String, brand: String },
    filter: { id: primaryKey(String), name: String },
    node: {
      key: primaryKey(String),
      parent: String,
      kind: String,
      id: String,
      name: String,
      parentItem: String,
      weeksAgo: Number,
    },
    survey: { id: primaryKey(String) },
  });
  for (const [at, [name, subCategories]] of Object.entries(CATEGORY_NAMES).entries()) {
    const { id } = db.category.create({ id: numberedId('cat', at + 1, 2), name });
    for (const each of subCategories) db.subCategory.create({ key: `${id}/${each}`, categoryId: id, name: each });
  }
  for (const [manufacturer, brands] of Object.entries(BRAND_NAMES)) {
    for (const brand of brands) db.brand.create({ key: `${manufacturer}/${brand}`, manufacturer, brand });
  }
  for (const [at, name] of PROSPECT_FILTER_NAMES.entries())
    db.filter.create({ id: numberedId('filter', at + 1, 2), name });
  for (const node of metadataNodes()) db.node.create(node);

  // A request needs several queries, and each one scans all entities; so what is constant is read once.
  const categories = db.category.getAll().map(({ id, name }) => ({
    id,
    name,
    subCategories: db.subCategory.findMany({ where: { categoryId: { equals: id } } }).map((each) => each.name),
  }));
  const nodes = db.node.getAll() as readonly MetadataNode[];
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const below = Map.groupBy(nodes, ({ parent, kind }) => `${parent} ${kind}`);

  return {
    categories: () => categories,
    brands: () => db.brand.getAll().map(({ manufacturer, brand }) => ({ manufacturer, brand })),
    filters: () => db.filter.getAll().map(({ id, name }) => ({ id, name })),
    node: (key) => byKey.get(key),
    children: (parent, kind) => below.get(`${parent} ${kind}`) ?? [],
    storeSurvey: () => db.survey.create({ id: numberedId('survey', db.survey.count() + 1, 6) }).id,
  };
}
