/** Places rows in the form that `response.shape` of a profile declares: the inverse of how the suite reads them. */
import { builtinModule } from '../../../src/builtin-module.ts';
import { base64, utf8 } from '../../../src/bytes.ts';
import { EVERY } from '../../../src/profile/path-steps.ts';
import type { RowShape } from '../../../src/profile/schema.ts';
import { clone } from './lists.ts';
import { RepeatedMembers, SERIALIZERS } from './serialize.ts';
import type { ResponseMedia } from './value.ts';
import { bodyStepsOf, existingNodeAt, put, stepsIn, type WriteStep } from './write-path.ts';

type Members = Record<string, unknown>;

const isWildcard = (step: WriteStep | undefined): boolean => step === EVERY;

/** Writes values one by one where a path finds them: as elements of a list, or as a list. */
function putEach(body: unknown, steps: readonly WriteStep[], values: readonly unknown[]): unknown {
  const end = steps.findIndex(isWildcard);
  if (end < 0) return put(body, steps, values);
  const elements = values.map((value) => put(undefined, steps.slice(end + 1), value));
  return put(body, steps.slice(0, end), elements);
}

/** A row without these members; a row that is only a value is that value. */
function without(row: Members, names: readonly (string | undefined)[]): unknown {
  const rest = Object.entries(row).filter(([name]) => !names.includes(name));
  return rest.length === 1 && rest[0]?.[0] === 'value' ? rest[0][1] : Object.fromEntries(rest);
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** An object of these members; a class of its own if a name is repeated. */
const objectOf = (members: readonly (readonly [string, unknown])[]): unknown =>
  new Set(members.map(([name]) => name)).size === members.length
    ? Object.fromEntries(members)
    : new RepeatedMembers(members);

/** The nodes below a path whose wildcards have these names of keys and parents, outermost first. */
function nest(
  [step, ...rest]: readonly WriteStep[],
  rows: readonly Members[],
  keys: readonly (string | undefined)[],
  parents: readonly (string | undefined)[],
): unknown {
  if (step === undefined) return rows[0] === undefined ? {} : without(rows[0], []);
  if (!isWildcard(step)) return put(undefined, [step], nest(rest, rows, keys, parents));
  const [key, ...lowerKeys] = keys;
  const [parent, ...lowerParents] = parents;
  const isLast = !rest.some(isWildcard);
  const groups = Map.groupBy(rows, (row) =>
    key !== undefined
      ? String(row[key] ?? '')
      : isLast
        ? row
        : JSON.stringify(parent === undefined ? null : row[parent]),
  );
  const children = [...groups].flatMap(([name, group]) => {
    const above = parent === undefined ? {} : ((group[0]?.[parent] ?? {}) as Members);
    const lower = group.map((row) => without(row, [key, parent]));
    const asMembers = lower.map((row) => (typeof row === 'object' && row !== null ? (row as Members) : { value: row }));
    const below = nest(rest, asMembers, lowerKeys, lowerParents);
    const isObject = typeof below === 'object' && below !== null && !Array.isArray(below);
    const child = [name, isObject ? { ...above, ...below } : below] as const;
    // A row that a fault repeats is a member that is repeated.
    return isLast ? lower.flatMap((row) => (isSame(row, lower[0]) ? [child] : [])) : [child];
  });
  return key === undefined ? children.map(([, child]) => child) : objectOf(children as [string, unknown][]);
}

function placeNested(
  body: unknown,
  steps: readonly WriteStep[],
  rows: readonly Members[],
  { keys = [], parents = [] }: RowShape,
) {
  const wildcards = steps.filter(isWildcard).length;
  const above = wildcards - (isWildcard(steps.at(-1)) ? 1 : 0);
  const align = (names: readonly string[], count: number): (string | undefined)[] => [
    ...Array.from({ length: count - names.length }, () => undefined),
    ...names,
  ];
  const first = steps.findIndex(isWildcard);
  const nested = nest(steps.slice(first), rows, align(keys, wildcards), align(parents, above));
  return put(body, steps.slice(0, first), nested);
}

const namesOf = (rows: readonly Members[]): string[] => [...new Set(rows.flatMap(Object.keys))];
const withoutLast = (steps: readonly WriteStep[]) => (isWildcard(steps.at(-1)) ? steps.slice(0, -1) : steps);

function placeCube(
  body: unknown,
  steps: readonly WriteStep[],
  rows: readonly Members[],
  cube: NonNullable<RowShape['cube']>,
) {
  const axes = Object.entries(cube.axes).map(([name, at]) => ({
    name,
    at: bodyStepsOf(at),
    positions: [...new Set(rows.map((row) => row[name] ?? null))],
  }));
  const indexesOf = (row: Members) => axes.map(({ name, positions }) => positions.indexOf(row[name] ?? null));
  const placed = axes.reduce((result, { at, positions }) => putEach(result, at, positions), body);
  if (cube.series !== undefined && cube.separator !== undefined) {
    const { series, separator } = cube;
    const byKey = Map.groupBy(rows, (row) => indexesOf(row).slice(0, -1).join(separator));
    const valuesOf = (all: readonly Members[]) =>
      Object.fromEntries(all.map((row) => [String(indexesOf(row).at(-1)), row.value ?? null]));
    return put(placed, steps, Object.fromEntries([...byKey].map(([key, all]) => [key, { [series]: valuesOf(all) }])));
  }
  if (cube.separator !== undefined)
    return put(
      placed,
      steps,
      Object.fromEntries(rows.map((row) => [indexesOf(row).join(cube.separator), row.value ?? null])),
    );
  const values: unknown[] = Array.from(
    { length: axes.reduce((size, { positions }) => size * positions.length, 1) },
    () => null,
  );
  for (const row of rows) {
    const at = indexesOf(row).reduce(
      (index, position, axis) => index * (axes[axis]?.positions.length ?? 1) + position,
      0,
    );
    values[at] = row.value ?? null;
  }
  return put(placed, steps, rows.length === 0 ? [] : values);
}

function textOf(
  rows: readonly Members[],
  { media, encoding, rows: at = '$[*]', delimiter = ',' }: NonNullable<RowShape['text']>,
) {
  const body = put({}, withoutLast(bodyStepsOf(at)), rows);
  const text = [...SERIALIZERS[media](body, { delimiter, columns: namesOf(rows) })].join('');
  if (encoding === 'plain') return text;
  return base64(encoding === 'gzip' ? builtinModule('node:zlib').gzipSync(text) : utf8(text));
}

function placeRows(
  body: unknown,
  steps: readonly WriteStep[],
  rows: readonly Members[],
  shape: RowShape,
  media: ResponseMedia,
): unknown {
  const { text, zip, columns, cube, keys, parents } = shape;
  if (keys || parents) return placeNested(body, steps, rows, shape);
  if (text) return put(body, stepsIn(media, steps), textOf(rows, text));
  if (cube) return placeCube(body, steps, rows, cube);
  const names = namesOf(rows);
  if (typeof zip === 'object')
    return put(
      body,
      withoutLast(steps),
      names.map((name) =>
        put(
          put({}, bodyStepsOf(zip.name), name),
          bodyStepsOf(zip.cells),
          rows.map((row) => row[name] ?? null),
        ),
      ),
    );
  if (zip)
    return put(body, steps, Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)])));
  if (columns === undefined) return put(body, withoutLast(steps), rows);
  const cells = rows.map((row) => names.map((name) => row[name] ?? null));
  if (columns === 'first') return put(body, withoutLast(steps), [names, ...cells]);
  return put(putEach(body, bodyStepsOf(columns), names), withoutLast(steps), cells);
}

/** The nodes of rows before `pivot`: one per value by key. */
export function unpivot(row: unknown, { key, value, as }: NonNullable<RowShape['pivot']>): Members[] {
  const { [as]: values = {}, ...rest } = row as Members;
  const nodes = Object.entries(values as Members).map(
    ([name, each]) => put(put(clone(rest), bodyStepsOf(key), name), bodyStepsOf(value), each) as Members,
  );
  return nodes.length > 0 ? nodes : [rest];
}

/** Moves the joined node of each row to its place in the body. */
function separate(
  body: unknown,
  name: string,
  declared: NonNullable<RowShape['join']>[string],
  rows: readonly Members[],
): unknown {
  const [at, equals] = [bodyStepsOf(declared.in), bodyStepsOf(declared.equals)];
  const found = new Map<string, unknown>();
  const generated = new Map<string, string>();
  for (const row of rows) {
    const node = row[name];
    delete row[name];
    if (node === undefined || node === null) continue;
    const content = JSON.stringify(node);
    const key = String(existingNodeAt(row, equals) ?? generated.get(content) ?? `k${generated.size + 1}`);
    generated.set(content, key);
    put(row, equals, key);
    found.set(key, declared.where === undefined ? node : put(clone(node), bodyStepsOf(declared.where), key));
  }
  if (declared.where === undefined) return put(body, at, Object.fromEntries(found));
  const last = at.at(-1);
  if (typeof last !== 'object') return put(body, withoutLast(at), [...found.values()]);
  const nodes = [...found.values()].map((node) =>
    last.where.reduce((result, { path, equals: value }) => put(result, path, value), node),
  );
  const others = existingNodeAt(body, at.slice(0, -1));
  return put(body, at.slice(0, -1), [...(Array.isArray(others) ? others : []), ...nodes]);
}

/** Puts rows into a body. */
export function putShaped(
  body: unknown,
  rowsAt: readonly WriteStep[],
  rows: readonly unknown[],
  shape: RowShape,
  media: ResponseMedia,
): unknown {
  const own = rows.map((row) => ({ ...(row as Members) }));
  const separated = Object.entries(shape.join ?? {}).reduce(
    (result, [name, declared]) => separate(result, name, declared, own),
    body,
  );
  const nodes = shape.pivot ? own.flatMap((row) => unpivot(row, shape.pivot as NonNullable<RowShape['pivot']>)) : own;
  return placeRows(separated, rowsAt, nodes, shape, media);
}
