/** Two shapes of the same answers, before and now: what became of each path. */

import { type DifferenceKind, driftClassOf, short, type UnassignedDifference } from './classes.ts';
import { example, exampleValue, of, typesOf } from './examples.ts';
import { LIKELY, missChance, UNLIKELY } from './sampling.ts';
import { memberPath, type Shape, TYPES } from './shape.ts';
import { areTables, foldAlike, holders, isElsewhere, isNextPage, nameColumns } from './shape-forms.ts';
import { FREE, isFamiliar } from './text-format.ts';
import { isVolatileValue } from './volatile-values.ts';

export interface CompareOptions {
  /** All is text: CSV and XML. */
  readonly untyped: boolean;
  /** Paths are written as those of XML. */
  readonly xml: boolean;
  /** Answers name something made just then, e.g. a job. */
  readonly mints: boolean;
  /** The lists are shorter than before, so that they may well end before the page they ended on. */
  readonly shorter: boolean;
  readonly tell: (found: UnassignedDifference) => void;
}

/** Compares what stands at one place, and below it. */
export class ShapeComparison {
  readonly #options: CompareOptions;

  constructor(options: CompareOptions) {
    this.#options = options;
  }

  #tell(kind: DifferenceKind, path: string, count: string, was?: string, is?: string): void {
    const { tell } = this.#options;
    tell({
      class: driftClassOf(kind),
      kind,
      path,
      count,
      ...(was !== undefined && { was: short(was) }),
      ...(is !== undefined && { is: short(is) }),
    });
  }

  #below(path: string, name: string): string {
    if (name.startsWith('[')) return `${path}${name}`;
    return this.#options.xml ? `${path}/${name === '#text' ? 'text()' : name}` : `${path}${memberPath(name)}`;
  }

  /** Returns whether anything was told of this place or one below it. */
  shapes(was: Shape, is: Shape, path: string, inList = false): boolean {
    if (was.delimiter !== is.delimiter) {
      this.#tell('delimiter', 'body', of(is.seen, is.seen), was.delimiter, is.delimiter);
      return true;
    }
    const type = this.#types(was, is, path);
    if (type) return true;
    const format = this.#formats(was, is, path);
    const names = this.#columns(was, is, path);
    const members = this.#members(was, is, path, inList);
    const items = this.#items(was, is, path);
    if (format || names || members || items) return true;
    return this.#values(was, is, path, inList);
  }

  #types(was: Shape, is: Shape, path: string): boolean {
    if (was.valued === 0 || is.valued === 0) return false;
    const strange = TYPES.filter((each) => is.count(each) > 0 && was.count(each) === 0);
    const often = strange.reduce((sum, each) => sum + is.count(each), 0);
    if (often === 0) return false;
    const kind = missChance(often / is.valued, was.valued) <= LIKELY ? 'type' : 'rarely';
    this.#tell(
      kind,
      path,
      of(often, is.valued),
      `${typesOf(was)} ${exampleValue(was)}`,
      `${strange.join(' or ')} ${exampleValue(is, was)}`,
    );
    return kind === 'type';
  }

  #formats(was: Shape, is: Shape, path: string): boolean {
    const [before, now] = [was.count('text'), is.count('text')];
    if (before === 0 || now === 0) return false;
    const typed = !this.#options.untyped;
    if (is.blanks > 0 && was.blanks === 0 && !was.formats.has(FREE)) {
      const kind = missChance(is.blanks / now, before) <= LIKELY ? 'null' : 'rarely';
      this.#tell(kind, path, of(is.blanks, now), example(was), '""');
      if (kind === 'null') return true;
    }
    if (was.formats.size === 0) return false;
    const strange = [...is.formats].filter(([format]) => !isFamiliar(format, was.formats, typed));
    const often = strange.reduce((sum, [, count]) => sum + count, 0);
    if (often === 0) return false;
    const kind = missChance(often / now, before) <= LIKELY ? 'format' : 'rarely';
    const [[format] = ['']] = strange;
    this.#tell(
      kind,
      path,
      of(often, now),
      `${example(was, is)} (${[...was.formats.keys()].join(', ')})`,
      `${example(is, was)} (${format})`,
    );
    return kind === 'format';
  }

  /** Names of columns: their order counts, and a new one counts as long as it is the last. */
  #columns(was: Shape, is: Shape, path: string): boolean {
    const [before, now] = [was.names, is.names];
    if (!before || !now || !was.heads || !is.heads) return false;
    const kept = now.filter((name) => before.includes(name));
    const stayed = before.filter((name) => now.includes(name));
    const at = kept.findIndex((name, place) => stayed[place] !== name);
    const inserted = now.findIndex(
      (name, place) => !before.includes(name) && now.slice(place).some((each) => before.includes(each)),
    );
    // One renamed in its place is told where it is gone.
    const renamed = inserted >= 0 && before.length === now.length;
    if (at < 0 && (inserted < 0 || renamed)) return false;
    const place = at >= 0 ? at : inserted;
    this.#tell('columns', path, of(1, 1), before.slice(Math.max(0, place)).join(', '), now.slice(place).join(', '));
    return true;
  }

  #members(was: Shape, is: Shape, path: string, inList: boolean): boolean {
    const [before, now] = [holders(was), holders(is)];
    if (before === 0 || now === 0) return false;
    if (areTables(was, is)) return this.#cells(was, is, path);
    nameColumns(was, is);
    foldAlike(was, is, inList);
    let told = false;
    // An element without anything in it is an empty list, whatever it held.
    if (this.#options.xml && is.members.size === 0 && was.members.size > 0) {
      this.#tell('count', path, of(now, now), [...was.members.keys()].slice(0, 3).join(', '), 'nothing within');
      return true;
    }
    for (const name of new Set([...was.members.keys(), ...is.members.keys()])) {
      told = this.#member(was, is, name, path, inList) || told;
    }
    return told;
  }

  #member(from: Shape, to: Shape, name: string, path: string, inList: boolean): boolean {
    const at = name === 'xmlns' && this.#options.xml ? `${path}/@xmlns` : this.#below(path, name);
    const [was, is] = [from.members.get(name), to.members.get(name)];
    const [before, now] = [holders(from), holders(to)];
    const had = was ? was.having - was.shape.nulls : 0;
    const has = is ? is.having - is.shape.nulls : 0;
    if (had <= 0) {
      if (!was && is) {
        this.#tell(
          missChance(is.having / now, before) <= LIKELY ? 'new' : 'rarely',
          at,
          of(is.having, now),
          undefined,
          example(is.shape),
        );
        return true;
      }
      if (has <= 0 && Boolean(was) === Boolean(is)) return false;
      this.#tell('value', at, of(now, now), was ? 'null' : 'nothing', is ? example(is.shape) : 'nothing');
      return true;
    }
    if (has <= 0) {
      const isGone = had >= before || missChance(had / before, now) <= UNLIKELY;
      const isList = this.#options.xml && (was?.repeated ?? 0) > 0 && !isElsewhere(name, from, to);
      const isShorter = !inList && isNextPage(at) && had < 2 && this.#options.shorter;
      const kind = isList || isShorter ? 'count' : !isGone ? 'rarely' : is ? 'null' : 'gone';
      this.#tell(kind, at, of(now, now), was && example(was.shape), is ? 'null' : 'nothing');
      return true;
    }
    if (!was || !is) return false;
    let told = false;
    if (had >= before && has < now && !(this.#options.xml && was.repeated > 0)) {
      const isShorter = !inList && isNextPage(at);
      const isChance = missChance((now - has) / now, before) > LIKELY;
      const kind: DifferenceKind = isShorter
        ? 'count'
        : isChance
          ? 'rarely'
          : is.having < now
            ? 'sometimes missing'
            : 'null';
      this.#tell(
        kind,
        at,
        of(now - has, now),
        example(was.shape),
        kind === 'null' || is.having === now ? 'null' : 'nothing',
      );
      told = true;
    }
    if (this.#options.xml && was.repeated === 0 && is.repeated > 0) {
      const kind = before >= 10 && missChance(is.repeated / is.having, was.having) <= LIKELY ? 'repeated' : 'count';
      this.#tell(kind, at, of(is.repeated, is.having), 'once', 'several times');
      told = true;
    }
    if (name === 'xmlns' && this.#options.xml) {
      if (was.shape.sum === is.shape.sum || was.shape.valued !== is.shape.valued) return told;
      this.#tell(
        'namespace',
        at,
        of(is.having, now),
        was.shape.sample.besides(is.shape.sample),
        is.shape.sample.besides(was.shape.sample),
      );
      return true;
    }
    const isMany = inList || (this.#options.xml && (was.repeated > 0 || is.repeated > 0));
    return this.shapes(was.shape, is.shape, at, isMany) || told;
  }

  /** Rows of cells: by the names of their columns where both sides say them, else by place. */
  #cells(was: Shape, is: Shape, path: string): boolean {
    let told = false;
    for (const name of new Set([...was.members.keys(), ...is.members.keys()]))
      told = this.#member(was, is, name, path, true) || told;
    return told;
  }

  #items(was: Shape, is: Shape, path: string): boolean {
    const at = this.#options.xml ? path : `${path}[*]`;
    const told = was.items && is.items ? this.shapes(was.items, is.items, at, true) : false;
    if (was.total === is.total) return told;
    this.#tell('count', at, of(is.total, is.total), `${was.total}`, `${is.total}`);
    return true;
  }

  #values(was: Shape, is: Shape, path: string, inList: boolean): boolean {
    if (was.sum === is.sum || was.valued === 0 || is.valued === 0) return false;
    if (was.count('object') + was.count('list') > 0) {
      this.#tell('combination', path, of(is.seen, is.seen));
      return true;
    }
    const [old, fresh] = [was.sample.besides(is.sample), is.sample.besides(was.sample)];
    // The same values in another number: the list they stand in is longer or shorter, which is told there.
    if (old === undefined && fresh === undefined && was.valued !== is.valued) return false;
    const [before, now] = [example(was, is), example(is, was)];
    this.#tell(
      isVolatileValue(path, was, is, inList, this.#options.mints) ? 'passing' : 'value',
      path,
      of(is.valued, is.seen),
      before,
      now,
    );
    return true;
  }
}
