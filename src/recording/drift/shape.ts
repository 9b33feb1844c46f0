/** The common shape of bodies: the types, formats and counts at each path. Its size is bounded. */

const SAMPLE_SIZE = 6;

/** A sample of values: those with the smallest hashes, so that equal contents have equal samples. */
class Sample {
  readonly #values: { readonly hash: number; readonly text: string }[] = [];

  /** @param text called only if the value is added to the sample */
  add(hash: number, text: () => string): void {
    const last = this.#values.at(-1);
    if (this.#values.length >= SAMPLE_SIZE && last && hash >= last.hash) return;
    const at = this.#values.findIndex((each) => each.hash >= hash);
    if (this.#values[at]?.hash === hash) return;
    this.#values.splice(at < 0 ? this.#values.length : at, 0, { hash, text: text() });
    if (this.#values.length > SAMPLE_SIZE) this.#values.pop();
  }

  merge(other: Sample): void {
    for (const { hash, text } of other.#values) this.add(hash, () => text);
  }

  get any(): string | undefined {
    return this.#values[0]?.text;
  }

  /** A value of this sample that is certainly missing on the other side. */
  valueMissingFrom(other: Sample): string | undefined {
    const otherHashes = new Set(other.#values.map(({ hash }) => hash));
    const bound = other.#values.length < SAMPLE_SIZE ? Number.POSITIVE_INFINITY : (other.#values.at(-1)?.hash ?? 0);
    return this.#values.find(({ hash }) => hash < bound && !otherHashes.has(hash))?.text;
  }
}

export const TYPES = ['text', 'number', 'boolean', 'object', 'list'] as const;
export type TypeName = (typeof TYPES)[number];

/** A member of objects: how many have it, and the shape of its values. */
export interface ShapeMember {
  presentCount: number;
  /** How many XML elements have it several times. */
  repeated: number;
  readonly shape: Shape;
}

/** Replaces keys that are data rather than names. */
export const ANY_KEY = '{*}';
/** If there are more names, they are data. */
export const MAX_NAMES = 300;
/** Longer rows of cells are lists, and longer lists of names are data. */
export const MAX_COLUMNS = 200;

export class Shape {
  /** The number of values here, including null. */
  occurrences = 0;
  nulls = 0;
  readonly types = new Map<TypeName, number>();
  /** The formats of texts, with counts. */
  readonly formats = new Map<string, number>();
  blanks = 0;
  readonly members = new Map<string, ShapeMember>();
  items: Shape | undefined;
  /** The number of items in all lists. */
  total = 0;
  /** The number of rows of cells, by number of cells. */
  readonly widths = new Map<number, number>();
  /** The names in a list of names, if all such lists are equal; null if not. */
  names: readonly string[] | null | undefined;
  /** Whether these names are the columns of a table: their order counts. */
  areColumns = false;
  /** The CSV delimiter. */
  delimiter: string | undefined;
  /** The sum of the hashes of all values, independent of their order. */
  sum = 0;
  readonly sample = new Sample();

  count(type: TypeName): number {
    return this.types.get(type) ?? 0;
  }

  get nonNullCount(): number {
    return this.occurrences - this.nulls;
  }

  member(name: string): ShapeMember {
    const known = this.members.get(name);
    if (known) return known;
    const created: ShapeMember = { presentCount: 0, repeated: 0, shape: new Shape() };
    this.members.set(name, created);
    return created;
  }

  ensureItems(): Shape {
    this.items ??= new Shape();
    return this.items;
  }

  /** Adds the counts of another shape. */
  merge(other: Shape): void {
    this.occurrences += other.occurrences;
    this.nulls += other.nulls;
    for (const [type, count] of other.types) this.types.set(type, this.count(type) + count);
    for (const [format, count] of other.formats) this.formats.set(format, (this.formats.get(format) ?? 0) + count);
    this.blanks += other.blanks;
    this.total += other.total;
    for (const [width, count] of other.widths) this.widths.set(width, (this.widths.get(width) ?? 0) + count);
    this.sum = (this.sum + other.sum) >>> 0;
    this.sample.merge(other.sample);
    this.areColumns ||= other.areColumns;
    this.delimiter ??= other.delimiter;
    for (const [name, each] of other.members) {
      const own = this.member(name);
      own.presentCount += each.presentCount;
      own.repeated += each.repeated;
      own.shape.merge(each.shape);
    }
    if (other.items) this.ensureItems().merge(other.items);
    if (other.names !== undefined) this.#setNames(other.names);
  }

  #setNames(names: readonly string[] | null): void {
    if (this.names === undefined) this.names = names;
    else if (names === null || this.names?.join('\n') !== names.join('\n')) this.names = null;
  }

  /** Sets the names of a list, e.g. of columns. */
  setColumnNames(names: readonly string[]): void {
    this.#setNames(names.length > 0 && names.length <= MAX_COLUMNS ? names : null);
  }

  /** The members with rows of cells, and the sibling list with the same number of names. */
  namedTables(): readonly (readonly [columns: Shape, rows: Shape])[] {
    const members = [...this.members.values()].map(({ shape }) => shape);
    return members.flatMap((columns) => {
      const { names } = columns;
      if (!names || new Set(names).size < names.length) return [];
      const fits = ({ items }: Shape): boolean => items?.widths.size === 1 && items.widths.has(names.length);
      return members.filter((rows) => rows !== columns && fits(rows)).map((rows) => [columns, rows] as const);
    });
  }

  /** Names the cells of rows by column names. */
  nameCells(columns: Shape): void {
    columns.areColumns = true;
    const { members } = this.ensureItems();
    const cells = [...members];
    members.clear();
    for (const [position, member] of cells)
      members.set(columns.names?.[Number(position.slice(1, -1))] ?? position, member);
  }

  /** Merges all members into one, because their names are data. */
  mergeMembers(): void {
    const all: ShapeMember = { presentCount: 0, repeated: 0, shape: new Shape() };
    for (const [, each] of this.members) all.shape.merge(each.shape);
    all.presentCount = this.count('object');
    this.members.clear();
    this.members.set(ANY_KEY, all);
  }
}

/** The JSONPath of a member. */
export const memberPath = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) || name === ANY_KEY ? `.${name}` : `['${name.replaceAll("'", "\\'")}']`;
