/** Puts what is learned into the document of a profile: what the document states stays as it is. */
import { isDeepStrictEqual } from 'node:util';
import { Document, isAlias, isMap, isScalar, type Node, type Pair, visit, YAMLMap } from 'yaml';
import { FIELD_NAMES, OPERATIONS } from '../../contract/index.ts';
import { isPlainObject, memberOf, type PlainObject } from '../../profile/plain-object.ts';
import { response } from '../../profile/schema/response.ts';
import { profileSchema } from '../../profile/schema.ts';
import type { Question } from '../types.ts';

type Path = readonly PropertyKey[];

const OPERATION_KEYS = OPERATIONS.map(({ key }) => key);
const PARTS = ['request', 'response', 'examples', 'statuses', 'none'];

/** The order of the keys of a map; others follow as they come. */
function orderAt(path: Path): readonly string[] {
  const [root, , part, inner] = path;
  if (root === undefined) return Object.keys(profileSchema.shape);
  if (root !== 'operations') return [];
  if (path.length === 1) return OPERATION_KEYS;
  if (path.length === 2) return PARTS;
  if (path.length === 3 && part === 'response') return Object.keys(response.shape);
  return path.length === 4 && inner === 'fields' ? FIELD_NAMES : [];
}

/** What a key is without it. */
const DEFAULTS: readonly (readonly [key: string, value: unknown, of: (parent: PlainObject) => boolean])[] = [
  ['first', 1, ({ style }) => style === 'page'],
  ['rel', 'next', ({ style }) => style === 'link'],
];

/** Whether a path is that of a field or an echo, which is a selector if it has no options. */
const isBinding = ([root, , part, inner, ...rest]: Path): boolean =>
  root === 'operations' && part === 'response' && (inner === 'fields' || inner === 'echoes') && rest.length === 1;

/** The value as an author writes it: without defaults, and a binding without options as its selector. */
function shortest(value: unknown, path: Path): unknown {
  if (!isPlainObject(value)) return value;
  if (isBinding(path) && Object.keys(value).length === 1 && 'at' in value) return value.at;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, each]) =>
        each !== undefined && !DEFAULTS.some(([name, fallback, of]) => key === name && each === fallback && of(value)),
    ),
  );
}

const keyOf = ({ key }: Pair): string => {
  const value = isScalar(key) ? key.value : key;
  return typeof value === 'symbol' ? MERGE_KEY : String(value);
};

/** Whether every key of a value is stated. */
const isStated = (value: unknown, stated: unknown): boolean =>
  !isPlainObject(value) ||
  !isPlainObject(stated) ||
  Object.entries(value).every(([key, each]) => key in stated && isStated(each, stated[key]));

/** Adds the members of another map (YAML 1.1). */
const MERGE_KEY = '<<';

/** Values that are kept or taken as a whole: a part of one does not go with a part of another. */
const WHOLE = ['auth', 'request', 'paging', 'shape'];
/** Where fields are read: those of another place do not go with these. */
const PLACE_OF_FIELDS = ['media', 'csv', 'rows', 'shape'];

/** Whether keys of a learned value can be added to a stated one. */
const isAddable = (stated: PlainObject, learned: PlainObject, path: Path): boolean =>
  !WHOLE.includes(String(path.at(-1))) &&
  (path.at(-1) !== 'response' ||
    PLACE_OF_FIELDS.every((key) => !(key in stated) || isDeepStrictEqual(stated[key], learned[key])));

function nodeOf(document: Document, value: unknown, path: Path): Node {
  if (!isPlainObject(value)) return document.createNode(value, { aliasDuplicateObjects: false }) as Node;
  const map = new YAMLMap();
  mergeMap(document, map, value, path);
  return map;
}

/** Writes a copy of a shared map in place of each of its aliases. */
function expandAliases(document: Document, shared: YAMLMap, anchor: string): void {
  delete shared.anchor;
  visit(document, {
    Alias(_, { source }) {
      if (source !== anchor) return undefined;
      const copy = shared.clone() as YAMLMap;
      visit(copy, { Collection: (__, inner) => void delete inner.anchor });
      return copy;
    },
  });
}

function mergeMap(document: Document, map: YAMLMap, learned: PlainObject, path: Path): void {
  const order = orderAt(path);
  const inherited = map.items.some((each) => keyOf(each) === MERGE_KEY)
    ? (map.toJS(document, { maxAliasCount: -1 }) as PlainObject)
    : {};
  for (const [key, given] of Object.entries(learned)) {
    const at = [...path, key];
    const value = shortest(given, at);
    if (value === undefined) continue;
    const pair = map.items.find((each) => keyOf(each) === key);
    if (!pair && key in inherited) {
      const stated = inherited[key];
      if (!isPlainObject(value) || !isPlainObject(stated)) continue;
      if (isStated(value, stated) || !isAddable(stated, value, at)) continue;
      // The map that is inherited does not get what is added here.
      const own = nodeOf(document, stated, at) as YAMLMap;
      mergeMap(document, own, value, at);
      map.items.push(document.createPair(key, own) as Pair);
    } else if (!pair) {
      const rank = order.indexOf(key);
      const next = rank < 0 ? -1 : map.items.findIndex((each) => order.indexOf(keyOf(each)) > rank);
      const added = document.createPair(key, nodeOf(document, value, at)) as Pair;
      map.items.splice(next < 0 ? map.items.length : next, 0, added);
    } else if (isPlainObject(value)) {
      const shared = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
      if (!isMap(shared)) continue;
      const stated = shared.toJS(document, { maxAliasCount: -1 });
      if (!isAddable(stated, value, at)) continue;
      // The other places of an anchor do not get what is added here.
      if (shared.anchor !== undefined && !isStated(value, stated)) expandAliases(document, shared, shared.anchor);
      if (isMap(pair.value)) mergeMap(document, pair.value, value, at);
    }
  }
}

/** Adds the keys that the document lacks, in the order of the schema among those that it has. */
export function mergeLearned(document: Document, learned: PlainObject): void {
  const root = isMap(document.contents) ? document.contents : new YAMLMap();
  // JSON becomes YAML with a key on each line.
  root.flow = false;
  document.contents = root;
  mergeMap(document, root as YAMLMap, learned, []);
}

/** What a profile states, with the keys of another one that it lacks. */
export function mergedProfile(stated: PlainObject, other: PlainObject): PlainObject {
  const document = new Document(stated, { aliasDuplicateObjects: false });
  mergeLearned(document, other);
  return document.toJS({ maxAliasCount: -1 });
}

/** The keys that both profiles state, with different values. */
export function differingKeys(stated: unknown, other: unknown, path: Path = []): Path[] {
  if (isBinding(path) && isPlainObject(stated) !== isPlainObject(other))
    return differingKeys(withOptions(stated), withOptions(other), path);
  if (!isPlainObject(stated) || !isPlainObject(other) || WHOLE.includes(String(path.at(-1))))
    return isDeepStrictEqual(shortest(stated, path), shortest(other, path)) ? [] : [path];
  return Object.keys(stated).flatMap((key) =>
    key in other ? differingKeys(stated[key], other[key], [...path, key]) : [],
  );
}

const withOptions = (binding: unknown): unknown => (isPlainObject(binding) ? binding : { at: binding });

/** The questions whose keys a profile does not state. */
export function unansweredQuestions(questions: readonly Question[], profile: PlainObject): Question[] {
  const isOpen = ({ path }: { readonly path: Path }) =>
    path.reduce<unknown>((node, step) => memberOf(node, String(step)), profile) === undefined;
  return questions.flatMap((question) => {
    const also = question.also?.filter(isOpen) ?? [];
    const { also: _, ...alone } = question;
    const rest = also.length > 0 ? { ...alone, also } : alone;
    if (isOpen(question)) return [rest];
    const [first, ...others] = also;
    if (!first) return [];
    const rivals = question.rivals.map((rival, at) => ({ ...rival, value: first.values[at] }));
    return [{ path: first.path, rivals, ...(others.length > 0 && { also: others }) }];
  });
}
