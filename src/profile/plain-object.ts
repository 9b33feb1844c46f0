/** Type-safe access to parsed YAML and JSON of unknown structure. */

/** An object of parsed YAML or JSON, not a list. */
export type PlainObject = Readonly<Record<string, unknown>>;

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own member of a plain object; undefined if the value is not one or lacks the member. */
export const memberOf = (value: unknown, name: string): unknown =>
  isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const objectAt = (value: unknown, name: string): PlainObject => {
  const found = memberOf(value, name);
  return isPlainObject(found) ? found : {};
};

export const listMember = (value: unknown, name: string): readonly unknown[] => {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found : [];
};

export const textAt = (value: unknown, name: string): string | undefined => {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, name: string): number | undefined => {
  const found = memberOf(value, name);
  return typeof found === 'number' ? found : undefined;
};

/** The names of all members, at any depth. */
export function memberNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(memberNames);
  return isPlainObject(value) ? Object.entries(value).flatMap(([name, each]) => [name, ...memberNames(each)]) : [];
}

export type Scalar = string | number | boolean;
export const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

/** Evaluates a JSON Pointer (RFC 6901, as a URI fragment). */
export function pointAt(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => decoded(token).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, token) => (Array.isArray(node) ? node[Number(token)] : memberOf(node, token)), root);
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** Whether a value contains lists and objects of data within each other on more than so many levels. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  (Array.isArray(value) || (isPlainObject(value) && Object.getPrototypeOf(value) === Object.prototype)) &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1)));
