/** Compares two shapes of the same responses, path by path. */

import { type DifferenceKind, driftClassOf, short, type UnassignedDifference } from './classes.ts';
import { example, exampleValue, of, typesOf } from './describe-shape.ts';
import { chanceOfMissing, MAX_CHANCE_GONE, MAX_CHANCE_NEW } from './sampling.ts';
import { memberPath, type Shape, TYPES } from './shape.ts';
import { areTables, foldMaps, holders, isElsewhere, isNextPage, nameColumns } from './shape-forms.ts';
import { FREE, isFamiliar } from './text-format.ts';
import { isVolatileValue } from './volatile-values.ts';

export interface CompareOptions {
  /** Every value is a text: CSV and XML. */
  readonly untyped: boolean;
  /** Paths are XML paths. */
  readonly xml: boolean;
  /** Whether responses hold newly issued ids, e.g. of a job. */
  readonly issuesIds: boolean;
  /** Whether the lists are shorter than before, so that a last page may be missing. */
  readonly shorter: boolean;
  readonly report: (found: UnassignedDifference) => void;
}

/** Compares a place and everything below it. */
export class ShapeComparison {
  readonly #options: CompareOptions;

  constructor(options: CompareOptions) {
    this.#options = options;
  }

  #report(kind: DifferenceKind, path: string, count: string, was?: string, is?: string): void {
    const { report } = this.#options;
    report({
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

  /** Returns whether a difference at this place or below it was reported. */
  shapes(was: Shape, is: Shape, path: string, inList = false): boolean {
    if (was.delimiter !== is.delimiter) {
      this.#report('delimiter', 'body', of(is.seen, is.seen), was.delimiter, is.delimiter);
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
    const unknown = TYPES.filter((each) => is.count(each) > 0 && was.count(each) === 0);
    const occurrences = unknown.reduce((sum, each) => sum + is.count(each), 0);
    if (occurrences === 0) return false;
    const kind = chanceOfMissing(occurrences / is.valued, was.valued) <= MAX_CHANCE_NEW ? 'type' : 'rarely';
    this.#report(
      kind,
      path,
      of(occurrences, is.valued),
      `${typesOf(was)} ${exampleValue(was)}`,
      `${unknown.join(' or ')} ${exampleValue(is, was)}`,
    );
    return kind === 'type';
  }

  #formats(was: Shape, is: Shape, path: string): boolean {
    const [before, now] = [was.count('text'), is.count('text')];
    if (before === 0 || now === 0) return false;
    const typed = !this.#options.untyped;
    if (is.blanks > 0 && was.blanks === 0 && !was.formats.has(FREE)) {
      const kind = chanceOfMissing(is.blanks / now, before) <= MAX_CHANCE_NEW ? 'null' : 'rarely';
      this.#report(kind, path, of(is.blanks, now), example(was), '""');
      if (kind === 'null') return true;
    }
    if (was.formats.size === 0) return false;
    const unknown = [...is.formats].filter(([format]) => !isFamiliar(format, was.formats, typed));
    const occurrences = unknown.reduce((sum, [, count]) => sum + count, 0);
    if (occurrences === 0) return false;
    const kind = chanceOfMissing(occurrences / now, before) <= MAX_CHANCE_NEW ? 'format' : 'rarely';
    const [[format] = ['']] = unknown;
    this.#report(
      kind,
      path,
      of(occurrences, now),
      `${example(was, is)} (${[...was.formats.keys()].join(', ')})`,
      `${example(is, was)} (${format})`,
    );
    return kind === 'format';
  }

  /** Names of columns: their order counts; a new last column is not reported here. */
  #columns(was: Shape, is: Shape, path: string): boolean {
    const [before, now] = [was.names, is.names];
    if (!before || !now || !was.heads || !is.heads) return false;
    const kept = now.filter((name) => before.includes(name));
    const stayed = before.filter((name) => now.includes(name));
    const at = kept.findIndex((name, place) => stayed[place] !== name);
    const inserted = now.findIndex(
      (name, place) => !before.includes(name) && now.slice(place).some((each) => before.includes(each)),
    );
    // A renamed column is reported as gone and new.
    const renamed = inserted >= 0 && before.length === now.length;
    if (at < 0 && (inserted < 0 || renamed)) return false;
    const place = at >= 0 ? at : inserted;
    this.#report('columns', path, of(1, 1), before.slice(Math.max(0, place)).join(', '), now.slice(place).join(', '));
    return true;
  }

  #members(was: Shape, is: Shape, path: string, inList: boolean): boolean {
    const [before, now] = [holders(was), holders(is)];
    if (before === 0 || now === 0) return false;
    if (areTables(was, is)) return this.#cells(was, is, path);
    nameColumns(was, is);
    foldMaps(was, is, inList);
    let reported = false;
    // An XML element without content may be an empty list.
    if (this.#options.xml && is.members.size === 0 && was.members.size > 0) {
      this.#report('count', path, of(now, now), [...was.members.keys()].slice(0, 3).join(', '), 'no content');
      return true;
    }
    for (const name of new Set([...was.members.keys(), ...is.members.keys()])) {
      reported = this.#member(was, is, name, path, inList) || reported;
    }
    return reported;
  }

  #member(from: Shape, to: Shape, name: string, path: string, inList: boolean): boolean {
    const at = name === 'xmlns' && this.#options.xml ? `${path}/@xmlns` : this.#below(path, name);
    const [was, is] = [from.members.get(name), to.members.get(name)];
    const [before, now] = [holders(from), holders(to)];
    const had = was ? was.having - was.shape.nulls : 0;
    const has = is ? is.having - is.shape.nulls : 0;
    if (had <= 0) {
      if (!was && is) {
        this.#report(
          chanceOfMissing(is.having / now, before) <= MAX_CHANCE_NEW ? 'new' : 'rarely',
          at,
          of(is.having, now),
          undefined,
          example(is.shape),
        );
        return true;
      }
      if (has <= 0 && Boolean(was) === Boolean(is)) return false;
      this.#report('value', at, of(now, now), was ? 'null' : 'nothing', is ? example(is.shape) : 'nothing');
      return true;
    }
    if (has <= 0) {
      const isGone = had >= before || chanceOfMissing(had / before, now) <= MAX_CHANCE_GONE;
      const isList = this.#options.xml && (was?.repeated ?? 0) > 0 && !isElsewhere(name, from, to);
      const isShorter = !inList && isNextPage(at) && had < 2 && this.#options.shorter;
      const kind = isList || isShorter ? 'count' : !isGone ? 'rarely' : is ? 'null' : 'gone';
      this.#report(kind, at, of(now, now), was && example(was.shape), is ? 'null' : 'nothing');
      return true;
    }
    if (!was || !is) return false;
    let reported = false;
    if (had >= before && has < now && !(this.#options.xml && was.repeated > 0)) {
      const isShorter = !inList && isNextPage(at);
      const isChance = chanceOfMissing((now - has) / now, before) > MAX_CHANCE_NEW;
      const kind: DifferenceKind = isShorter
        ? 'count'
        : isChance
          ? 'rarely'
          : is.having < now
            ? 'sometimes missing'
            : 'null';
      this.#report(
        kind,
        at,
        of(now - has, now),
        example(was.shape),
        kind === 'null' || is.having === now ? 'null' : 'nothing',
      );
      reported = true;
    }
    if (this.#options.xml && was.repeated === 0 && is.repeated > 0) {
      const kind =
        before >= 10 && chanceOfMissing(is.repeated / is.having, was.having) <= MAX_CHANCE_NEW ? 'repeated' : 'count';
      this.#report(kind, at, of(is.repeated, is.having), 'once', 'several times');
      reported = true;
    }
    if (name === 'xmlns' && this.#options.xml) {
      if (was.shape.sum === is.shape.sum || was.shape.valued !== is.shape.valued) return reported;
      this.#report(
        'namespace',
        at,
        of(is.having, now),
        was.shape.sample.besides(is.shape.sample),
        is.shape.sample.besides(was.shape.sample),
      );
      return true;
    }
    const isMany = inList || (this.#options.xml && (was.repeated > 0 || is.repeated > 0));
    return this.shapes(was.shape, is.shape, at, isMany) || reported;
  }

  /** Rows of cells: by column name if both sides have names, otherwise by position. */
  #cells(was: Shape, is: Shape, path: string): boolean {
    let reported = false;
    for (const name of new Set([...was.members.keys(), ...is.members.keys()]))
      reported = this.#member(was, is, name, path, true) || reported;
    return reported;
  }

  #items(was: Shape, is: Shape, path: string): boolean {
    const at = this.#options.xml ? path : `${path}[*]`;
    const reported = was.items && is.items ? this.shapes(was.items, is.items, at, true) : false;
    if (was.total === is.total) return reported;
    this.#report('count', at, of(is.total, is.total), `${was.total}`, `${is.total}`);
    return true;
  }

  #values(was: Shape, is: Shape, path: string, inList: boolean): boolean {
    if (was.sum === is.sum || was.valued === 0 || is.valued === 0) return false;
    if (was.count('object') + was.count('list') > 0) {
      this.#report('combination', path, of(is.seen, is.seen));
      return true;
    }
    const [old, fresh] = [was.sample.besides(is.sample), is.sample.besides(was.sample)];
    // The same values in another number: the comparison of their list reports its length.
    if (old === undefined && fresh === undefined && was.valued !== is.valued) return false;
    const [before, now] = [example(was, is), example(is, was)];
    this.#report(
      isVolatileValue(path, was, is, inList, this.#options.issuesIds) ? 'passing' : 'value',
      path,
      of(is.valued, is.seen),
      before,
      now,
    );
    return true;
  }
}
