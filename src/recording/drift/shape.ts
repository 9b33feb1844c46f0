/** What bodies have in common: which paths hold what, how often, how written. Its size is bounded, whatever theirs is. */
import { Sample } from './hash.ts';

export const TYPES = ['text', 'number', 'boolean', 'object', 'list'] as const;
export type TypeName = (typeof TYPES)[number];

/** A member of objects: in how many of them, and what stood there. */
export interface ShapeMember {
  having: number;
  /** Several in one XML element. */
  repeated: number;
  readonly shape: Shape;
}

/** Keys that are data rather than names stand under this one. */
export const ANY_KEY = '{*}';
/** More names than that are data. */
export const MOST_NAMES = 300;
/** Longer rows of cells are lists, and longer lists of names are data. */
export const MOST_COLUMNS = 200;
export class Shape {
  /** How often a value stood here, null included. */
  seen = 0;
  nulls = 0;
  readonly types = new Map<TypeName, number>();
  /** Of texts. */
  readonly formats = new Map<string, number>();
  /** Numbers that are not whole. */
  decimals = 0;
  blanks = 0;
  readonly members = new Map<string, ShapeMember>();
  items: Shape | undefined;
  /** Items of all lists. */
  total = 0;
  /** Rows of cells by their number of cells, where lists of them stood. */
  readonly widths = new Map<number, number>();
  /** What a list of names says, where all such lists said the same. */
  names: readonly string[] | null | undefined;
  /** What it says are the columns of a table: their order counts. */
  heads = false;
  /** What stands between the cells of CSV. */
  delimiter: string | undefined;
  /** Sum of the hashes of all values: the same for the same values in any order. */
  sum = 0;
  readonly sample = new Sample();

  count(type: TypeName): number {
    return this.types.get(type) ?? 0;
  }

  get valued(): number {
    return this.seen - this.nulls;
  }

  member(name: string): ShapeMember {
    const known = this.members.get(name);
    if (known) return known;
    const made: ShapeMember = { having: 0, repeated: 0, shape: new Shape() };
    this.members.set(name, made);
    return made;
  }

  list(): Shape {
    this.items ??= new Shape();
    return this.items;
  }

  /** Adds what another has met. */
  merge(other: Shape): void {
    this.seen += other.seen;
    this.nulls += other.nulls;
    for (const [type, count] of other.types) this.types.set(type, this.count(type) + count);
    for (const [format, count] of other.formats) this.formats.set(format, (this.formats.get(format) ?? 0) + count);
    this.decimals += other.decimals;
    this.blanks += other.blanks;
    this.total += other.total;
    for (const [width, count] of other.widths) this.widths.set(width, (this.widths.get(width) ?? 0) + count);
    this.sum = (this.sum + other.sum) >>> 0;
    this.sample.merge(other.sample);
    this.heads ||= other.heads;
    this.delimiter ??= other.delimiter;
    for (const [name, each] of other.members) {
      const mine = this.member(name);
      mine.having += each.having;
      mine.repeated += each.repeated;
      mine.shape.merge(each.shape);
    }
    if (other.items) this.list().merge(other.items);
    if (other.names !== undefined) this.#say(other.names);
  }

  #say(names: readonly string[] | null): void {
    if (this.names === undefined) this.names = names;
    else if (names === null || this.names?.join('\n') !== names.join('\n')) this.names = null;
  }

  /** Notes a list of names, e.g. of columns. */
  name(names: readonly string[]): void {
    this.#say(names.length > 0 && names.length <= MOST_COLUMNS ? names : null);
  }

  /** Rows of cells beside a list of as many names. */
  #namedTables(): readonly (readonly [columns: Shape, rows: Shape])[] {
    const members = [...this.members.values()].map(({ shape }) => shape);
    return members.flatMap((columns) => {
      const { names } = columns;
      if (!names || new Set(names).size < names.length) return [];
      const fits = ({ items }: Shape): boolean => items?.widths.size === 1 && items.widths.has(names.length);
      return members.filter((rows) => rows !== columns && fits(rows)).map((rows) => [columns, rows] as const);
    });
  }

  get hasNamedTable(): boolean {
    return this.#namedTables().length > 0;
  }

  /** Rows of cells by the names of their columns, where another member of the object says them. */
  nameCells(): void {
    for (const [columns, { items }] of this.#namedTables()) {
      if (!items) continue;
      columns.heads = true;
      const cells = [...items.members];
      items.members.clear();
      for (const [place, member] of cells)
        items.members.set(columns.names?.[Number(place.slice(1, -1))] ?? place, member);
    }
  }

  /** All members made one, for their names are data. */
  fold(): void {
    const all: ShapeMember = { having: 0, repeated: 0, shape: new Shape() };
    for (const [, each] of this.members) all.shape.merge(each.shape);
    all.having = this.count('object');
    this.members.clear();
    this.members.set(ANY_KEY, all);
  }
}

/** A member as a JSONPath writes it. */
export const memberPath = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) || name === ANY_KEY ? `.${name}` : `['${name.replaceAll("'", "\\'")}']`;
