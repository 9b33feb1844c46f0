/** Assigns ids of metadata nodes (group B) to the example ids of a profile. */
import type { Input } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';
import { metadataNodes, type NodeKind } from '../../model/metadata.ts';
import type { AliasKind, AliasTable } from './alias-table.ts';
import { idOfNode, qualifiedKinds } from './qualified-ids.ts';

/** The kinds of metadata nodes whose ids are examples of an input. */
export const NODE_KINDS_BY_ALIAS: Partial<Record<AliasKind, readonly NodeKind[]>> = {
  catalogueId: ['catalogue'],
  dimension: ['dimension'],
  group: ['group'],
  hierarchy: ['hierarchy'],
  level: ['groupLevel', 'hierarchyLevel'],
  attribute: ['attribute'],
  measure: ['measure'],
};

const NODE_ALIASES = Object.entries(NODE_KINDS_BY_ALIAS) as [AliasKind & Input, readonly NodeKind[]][];

/** The ids of these kinds that every catalogue has, so that all examples of group B belong to one catalogue. */
function idsOfEveryCatalogue(kinds: readonly NodeKind[], qualified: ReadonlySet<string>): string[] {
  const nodes = metadataNodes().map((node) => ({ ...node, id: idOfNode(node, qualified) }));
  const catalogues = nodes.filter(({ kind }) => kind === 'catalogue');
  const ids = [...new Set(nodes.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id))];
  if (kinds.includes('catalogue')) return ids;
  return ids.filter((id) =>
    catalogues.every(({ key }) =>
      kinds.every((kind) =>
        nodes.some((node) => node.kind === kind && node.id === id && node.key.startsWith(`${key}/`)),
      ),
    ),
  );
}

const tooFew = (ids: readonly string[]): string => `the world has ${ids.length} of them in each catalogue`;

/** Gives each example id of `examples` an id that every catalogue of the world has. */
function aliasExamples(aliases: AliasTable, qualified: ReadonlySet<string>, needsFirstCatalogue: boolean): void {
  for (const [kind, kinds] of NODE_ALIASES) {
    const ids = idsOfEveryCatalogue(kinds, qualified);
    const examples = aliases.examplesOf(kind);
    const [firstExample] = examples;
    const [firstId] = ids as [string];
    if (kind === 'catalogueId' && needsFirstCatalogue && firstExample !== undefined && firstExample !== firstId) {
      aliases.add(kind, firstExample, firstId);
      if (ids.includes(firstExample)) aliases.add(kind, firstId, firstExample);
    }
    for (const [index, example] of examples.entries()) {
      if (ids.includes(example) || aliases.hasProfileValue(kind, example)) continue;
      const free = ids.find((each) => !aliases.hasWorldValue(kind, each) && !examples.includes(each));
      if (free === undefined) aliases.reportUnmatched(kind, index, tooFew(ids));
      else aliases.add(kind, example, free);
    }
  }
}

interface ExampleSet {
  /** Where the examples are in the profile. */
  readonly path: string;
  readonly values: Omit<NonNullable<ProfileData['examples']>, 'byCatalogue'>;
}

const setsByCatalogue = (path: string, byCatalogue: Readonly<Record<string, ExampleSet['values']>> = {}) =>
  Object.entries(byCatalogue).map(([name, values]): ExampleSet => ({ path: `${path}.byCatalogue.${name}`, values }));

/** The examples of one catalogue or operation. */
function specificExamples({ examples, operations = {} }: ProfileData): ExampleSet[] {
  return [
    ...setsByCatalogue('examples', examples?.byCatalogue),
    ...Object.entries(operations).flatMap(([key, { examples: { byCatalogue, ...values } = {} }]): ExampleSet[] => {
      const path = `operations[${JSON.stringify(key)}].examples`;
      return [...setsByCatalogue(path, byCatalogue), { path, values }];
    }),
  ];
}

/** Assigns an id of the world to each example id of group B, and reports the examples without one. */
export function aliasNodes(aliases: AliasTable, profile: ProfileData): void {
  const qualified = qualifiedKinds(profile);
  // If lists take their as-of date from a refresh date, the first example must be the catalogue refreshed at that date.
  aliasExamples(aliases, qualified, profile.dataWeek?.refreshDate !== undefined);
  for (const { path, values } of specificExamples(profile))
    for (const [kind, kinds] of NODE_ALIASES) {
      const ids = idsOfEveryCatalogue(kinds, qualified);
      for (const [index, value] of (values[kind] ?? []).map(String).entries()) {
        if (ids.includes(value) || aliases.hasProfileValue(kind, value)) continue;
        // Such an example is another id of a node, which lists show by its other id.
        if (ids[index] !== undefined) aliases.addRequestOnly(kind, value, ids[index]);
        else aliases.unmatched.push({ key: `${path}.${kind}[${index}]`, why: tooFew(ids) });
      }
    }
}
