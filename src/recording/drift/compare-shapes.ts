/** Compares two shapes of the same responses, path by path. */

import { type DifferenceKind, type DifferenceWithoutOperation, differenceAt } from './classes.ts';
import { example, exampleValue, formatCount, typesOf } from './describe-shape.ts';
import { memberPath, type Shape, TYPES } from './shape.ts';
import { areTables, containerCount, isMovedOrRenamed, isNextPage, mergeMaps, nameColumns } from './shape-forms.ts';
import { chanceOfMissing, MAX_CHANCE_GONE, MAX_CHANCE_NEW } from './significance.ts';
import { FREE_TEXT, isFamiliar } from './text-format.ts';
import { isVolatileValue } from './volatile-values.ts';

export interface CompareOptions {
  /** Every value is a text: CSV and XML. */
  readonly untyped: boolean;
  /** Paths are XML paths. */
  readonly xml: boolean;
  /** Whether responses hold newly issued ids, e.g. of a job. */
  readonly createsIds: boolean;
  /** Whether the lists are shorter than before, so that a last page may be missing. */
  readonly shorter: boolean;
  readonly report: (found: DifferenceWithoutOperation) => void;
}

/** Compares a place and everything below it. */
export class ShapeComparison {
  readonly #options: CompareOptions;

  constructor(options: CompareOptions) {
    this.#options = options;
  }

  #report(kind: DifferenceKind, path: string, count: string, was?: string, is?: string): void {
    this.#options.report(differenceAt(kind, path, count, was, is));
  }

  #childPath(path: string, name: string): string {
    if (name.startsWith('[')) return `${path}${name}`;
    return this.#options.xml ? `${path}/${name === '#text' ? 'text()' : name}` : `${path}${memberPath(name)}`;
  }

  /** Returns whether a difference at this place or below it was reported. */
  reportDifferences(recorded: Shape, current: Shape, path: string, inList = false): boolean {
    if (recorded.delimiter !== current.delimiter) {
      this.#report(
        'delimiter',
        'body',
        formatCount(current.occurrences, current.occurrences),
        recorded.delimiter,
        current.delimiter,
      );
      return true;
    }
    const type = this.#types(recorded, current, path);
    if (type) return true;
    const format = this.#formats(recorded, current, path);
    const columns = this.#columns(recorded, current, path);
    const members = this.#members(recorded, current, path, inList);
    const items = this.#items(recorded, current, path);
    if (format || columns || members || items) return true;
    return this.#values(recorded, current, path, inList);
  }

  #types(recorded: Shape, current: Shape, path: string): boolean {
    if (recorded.nonNullCount === 0 || current.nonNullCount === 0) return false;
    const unknown = TYPES.filter((each) => current.count(each) > 0 && recorded.count(each) === 0);
    const occurrences = unknown.reduce((sum, each) => sum + current.count(each), 0);
    if (occurrences === 0) return false;
    const kind =
      chanceOfMissing(occurrences / current.nonNullCount, recorded.nonNullCount) <= MAX_CHANCE_NEW ? 'type' : 'rarely';
    this.#report(
      kind,
      path,
      formatCount(occurrences, current.nonNullCount),
      `${typesOf(recorded)} ${exampleValue(recorded)}`,
      `${unknown.join(' or ')} ${exampleValue(current, recorded)}`,
    );
    return kind === 'type';
  }

  #formats(recorded: Shape, current: Shape, path: string): boolean {
    const [before, now] = [recorded.count('text'), current.count('text')];
    if (before === 0 || now === 0) return false;
    const typed = !this.#options.untyped;
    if (current.blanks > 0 && recorded.blanks === 0 && !recorded.formats.has(FREE_TEXT)) {
      const kind = chanceOfMissing(current.blanks / now, before) <= MAX_CHANCE_NEW ? 'null' : 'rarely';
      this.#report(kind, path, formatCount(current.blanks, now), example(recorded), '""');
      if (kind === 'null') return true;
    }
    if (recorded.formats.size === 0) return false;
    const unknown = [...current.formats].filter(([format]) => !isFamiliar(format, recorded.formats, typed));
    const occurrences = unknown.reduce((sum, [, count]) => sum + count, 0);
    if (occurrences === 0) return false;
    const kind = chanceOfMissing(occurrences / now, before) <= MAX_CHANCE_NEW ? 'format' : 'rarely';
    const [[format] = ['']] = unknown;
    this.#report(
      kind,
      path,
      formatCount(occurrences, now),
      `${example(recorded, current)} (${[...recorded.formats.keys()].join(', ')})`,
      `${example(current, recorded)} (${format})`,
    );
    return kind === 'format';
  }

  /** Names of columns: their order counts; a new last column is not reported here. */
  #columns(recorded: Shape, current: Shape, path: string): boolean {
    const [before, now] = [recorded.names, current.names];
    if (!before || !now || !recorded.areColumns || !current.areColumns) return false;
    const commonNow = now.filter((name) => before.includes(name));
    const commonBefore = before.filter((name) => now.includes(name));
    const at = commonNow.findIndex((name, position) => commonBefore[position] !== name);
    const inserted = now.findIndex(
      (name, position) => !before.includes(name) && now.slice(position).some((each) => before.includes(each)),
    );
    // A renamed column is reported as gone and new.
    const renamed = inserted >= 0 && before.length === now.length;
    if (at < 0 && (inserted < 0 || renamed)) return false;
    const position = at >= 0 ? at : inserted;
    this.#report(
      'columns',
      path,
      formatCount(1, 1),
      before.slice(Math.max(0, position)).join(', '),
      now.slice(position).join(', '),
    );
    return true;
  }

  #members(recorded: Shape, current: Shape, path: string, inList: boolean): boolean {
    const [before, now] = [containerCount(recorded), containerCount(current)];
    if (before === 0 || now === 0) return false;
    if (areTables(recorded, current)) return this.#cells(recorded, current, path);
    nameColumns(recorded, current);
    mergeMaps(recorded, current, inList);
    let reported = false;
    // An XML element without content may be an empty list.
    if (this.#options.xml && current.members.size === 0 && recorded.members.size > 0) {
      this.#report(
        'count',
        path,
        formatCount(now, now),
        [...recorded.members.keys()].slice(0, 3).join(', '),
        'no content',
      );
      return true;
    }
    for (const name of new Set([...recorded.members.keys(), ...current.members.keys()])) {
      reported = this.#member(recorded, current, name, path, inList) || reported;
    }
    return reported;
  }

  #member(recordedParent: Shape, currentParent: Shape, name: string, path: string, inList: boolean): boolean {
    const at = name === 'xmlns' && this.#options.xml ? `${path}/@xmlns` : this.#childPath(path, name);
    const [recorded, current] = [recordedParent.members.get(name), currentParent.members.get(name)];
    const [before, now] = [containerCount(recordedParent), containerCount(currentParent)];
    const presentBefore = recorded ? recorded.presentCount - recorded.shape.nulls : 0;
    const presentNow = current ? current.presentCount - current.shape.nulls : 0;
    if (presentBefore <= 0) {
      if (!recorded && current) {
        this.#report(
          chanceOfMissing(current.presentCount / now, before) <= MAX_CHANCE_NEW ? 'new' : 'rarely',
          at,
          formatCount(current.presentCount, now),
          undefined,
          example(current.shape),
        );
        return true;
      }
      if (presentNow <= 0 && Boolean(recorded) === Boolean(current)) return false;
      this.#report(
        'value',
        at,
        formatCount(now, now),
        recorded ? 'null' : 'nothing',
        current ? example(current.shape) : 'nothing',
      );
      return true;
    }
    if (presentNow <= 0) {
      const isGone = presentBefore >= before || chanceOfMissing(presentBefore / before, now) <= MAX_CHANCE_GONE;
      const isList =
        this.#options.xml && (recorded?.repeated ?? 0) > 0 && !isMovedOrRenamed(name, recordedParent, currentParent);
      const isShorter = !inList && isNextPage(at) && presentBefore < 2 && this.#options.shorter;
      const kind = isList || isShorter ? 'count' : !isGone ? 'rarely' : current ? 'null' : 'gone';
      this.#report(kind, at, formatCount(now, now), recorded && example(recorded.shape), current ? 'null' : 'nothing');
      return true;
    }
    if (!recorded || !current) return false;
    let reported = false;
    if (presentBefore >= before && presentNow < now && !(this.#options.xml && recorded.repeated > 0)) {
      const isShorter = !inList && isNextPage(at);
      const isChance = chanceOfMissing((now - presentNow) / now, before) > MAX_CHANCE_NEW;
      const kind: DifferenceKind = isShorter
        ? 'count'
        : isChance
          ? 'rarely'
          : current.presentCount < now
            ? 'sometimes missing'
            : 'null';
      this.#report(
        kind,
        at,
        formatCount(now - presentNow, now),
        example(recorded.shape),
        kind === 'null' || current.presentCount === now ? 'null' : 'nothing',
      );
      reported = true;
    }
    if (this.#options.xml && recorded.repeated === 0 && current.repeated > 0) {
      const kind =
        before >= 10 &&
        chanceOfMissing(current.repeated / current.presentCount, recorded.presentCount) <= MAX_CHANCE_NEW
          ? 'repeated'
          : 'count';
      this.#report(kind, at, formatCount(current.repeated, current.presentCount), 'once', 'several times');
      reported = true;
    }
    if (name === 'xmlns' && this.#options.xml) {
      if (recorded.shape.sum === current.shape.sum || recorded.shape.nonNullCount !== current.shape.nonNullCount)
        return reported;
      this.#report(
        'namespace',
        at,
        formatCount(current.presentCount, now),
        recorded.shape.sample.valueMissingFrom(current.shape.sample),
        current.shape.sample.valueMissingFrom(recorded.shape.sample),
      );
      return true;
    }
    const isMany = inList || (this.#options.xml && (recorded.repeated > 0 || current.repeated > 0));
    return this.reportDifferences(recorded.shape, current.shape, at, isMany) || reported;
  }

  /** Rows of cells: by column name if both sides have names, otherwise by position. */
  #cells(recorded: Shape, current: Shape, path: string): boolean {
    let reported = false;
    for (const name of new Set([...recorded.members.keys(), ...current.members.keys()]))
      reported = this.#member(recorded, current, name, path, true) || reported;
    return reported;
  }

  #items(recorded: Shape, current: Shape, path: string): boolean {
    const at = this.#options.xml ? path : `${path}[*]`;
    const reported =
      recorded.items && current.items ? this.reportDifferences(recorded.items, current.items, at, true) : false;
    if (recorded.total === current.total) return reported;
    this.#report('count', at, formatCount(current.total, current.total), `${recorded.total}`, `${current.total}`);
    return true;
  }

  #values(recorded: Shape, current: Shape, path: string, inList: boolean): boolean {
    if (recorded.sum === current.sum || recorded.nonNullCount === 0 || current.nonNullCount === 0) return false;
    if (recorded.count('object') + recorded.count('list') > 0) {
      this.#report('combination', path, formatCount(current.occurrences, current.occurrences));
      return true;
    }
    const [removed, added] = [
      recorded.sample.valueMissingFrom(current.sample),
      current.sample.valueMissingFrom(recorded.sample),
    ];
    // The same values in another number: the comparison of their list reports its length.
    if (removed === undefined && added === undefined && recorded.nonNullCount !== current.nonNullCount) return false;
    const [before, now] = [example(recorded, current), example(current, recorded)];
    this.#report(
      isVolatileValue(path, recorded, current, inList, this.#options.createsIds) ? 'passing' : 'value',
      path,
      formatCount(current.nonNullCount, current.occurrences),
      before,
      now,
    );
    return true;
  }
}
