/** Compares two shapes of the same responses, path by path. */

import { type DifferenceKind, type DifferenceWithoutOperation, differenceAt, shorten } from './classes.ts';
import { ANY_KEY, memberPath, type Shape, TYPES } from './shape.ts';
import { FREE_TEXT, isFamiliar } from './text-format.ts';
import { isVolatileValue } from './volatile-values.ts';

/** How many objects, elements or rows of cells occurred at a place. */
const containerCount = (shape: Shape): number =>
  shape.count('object') + [...shape.widths.values()].reduce((sum, each) => sum + each, 0);

/** Whether both sides have rows of cells. */
const areTables = (recorded: Shape, current: Shape): boolean => recorded.widths.size > 0 && current.widths.size > 0;

/** Whether a place holds the next page of a list, which is absent on the last page. */
const isNextPage = (path: string): boolean => /next|cursor|continuation|page_?token|has_?more/i.test(path);

/** Whether the elements of a list moved into a new element, or have another name. */
const isMovedOrRenamed = (name: string, recordedParent: Shape, currentParent: Shape): boolean =>
  [...currentParent.members].some(
    ([each, { repeated, shape }]) => !recordedParent.members.has(each) && (repeated > 0 || shape.members.has(name)),
  );

/** Names the columns of tables if both sides have column names; names and positions cannot be compared. */
function nameColumns(recorded: Shape, current: Shape): void {
  const tables = [recorded.namedTables(), current.namedTables()];
  if (tables.every(({ length }) => length > 0)) for (const [columns, rows] of tables.flat()) rows.nameCells(columns);
}

/** Folds maps whose keys are data: several objects with the same members and nothing else, outside of lists. */
function mergeMaps(recorded: Shape, current: Shape, inList: boolean): void {
  if (inList || !isMap(recorded) || !isMap(current)) return;
  recorded.mergeMembers();
  current.mergeMembers();
}

/** Names of time windows are not data, even if their objects have the same members. */
const WINDOW = /last|prior|previous|current|week|month|quarter|year|total|\d ?(?:w|wk|wks|m|y|d)$/i;

function isMap(shape: Shape): boolean {
  if ([...shape.members.keys()].some((name) => WINDOW.test(name))) return false;
  const members = [...shape.members.values()];
  if (members.length < 3 || shape.members.has(ANY_KEY)) return false;
  const [first, ...others] = members.map(({ shape: each }) =>
    each.count('object') === each.occurrences ? [...each.members.keys()].sort().join('\n') : undefined,
  );
  return first !== undefined && first !== '' && others.every((each) => each === first);
}

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

/** A new form counts as breaking only if the first recording would have shown it with at least this probability. */
const MAX_CHANCE_NEW = 0.5;
/** A path that only some rows had counts as gone only if the probability of chance is at most this. */
const MAX_CHANCE_GONE = 0.01;

/** The probability that a sample of `among` rows misses something that a share `rate` of all rows has. */
const chanceOfMissing = (rate: number, sampleSize: number): number => (1 - rate) ** sampleSize;

/** The kind of something new in `some` of `all`, of which a sample of the other side has nothing. */
const kindOfNew = (kind: DifferenceKind, some: number, all: number, sampleSize: number): DifferenceKind =>
  chanceOfMissing(some / all, sampleSize) <= MAX_CHANCE_NEW ? kind : 'rarely';

/** The content of a place: an example, or a word for its type. */
function example(shape: Shape, other?: Shape): string {
  const value = (other && shape.sample.valueMissingFrom(other.sample)) ?? shape.sample.any;
  if (value !== undefined) return shorten(shape.count('text') > 0 ? JSON.stringify(value) : value);
  const type = TYPES.find((each) => shape.count(each) > 0);
  return type === 'list' ? 'a list' : type === 'object' ? 'an object' : shape.nulls > 0 ? 'null' : 'nothing';
}

/** An example value, '' if there is none. */
const exampleValue = (shape: Shape, other?: Shape): string =>
  shape.count('object') + shape.count('list') > 0 && shape.sample.any === undefined ? '' : example(shape, other);

/** Compares a place and everything below it; returns whether a difference was reported. */
export function compareShapes(recorded: Shape, current: Shape, path: string, options: CompareOptions): boolean {
  return compareAt(recorded, current, path, false);

  /** @param some how many @param all of how many */
  function report(kind: DifferenceKind, path: string, some: number, all: number, was?: string, is?: string): true {
    const count = all === 1 && some === 1 ? '1' : `${some} of ${all}`;
    options.report(differenceAt(kind, path, count, was, is));
    return true;
  }

  function childPath(path: string, name: string): string {
    if (name.startsWith('[')) return `${path}${name}`;
    if (!options.xml) return `${path}${memberPath(name)}`;
    return `${path}/${name === '#text' ? 'text()' : name === 'xmlns' ? '@xmlns' : name}`;
  }

  function compareAt(recorded: Shape, current: Shape, path: string, inList: boolean): boolean {
    const { occurrences } = current;
    if (recorded.delimiter !== current.delimiter)
      return report('delimiter', 'body', occurrences, occurrences, recorded.delimiter, current.delimiter);
    if (compareTypes(recorded, current, path)) return true;
    const found = [
      compareFormats(recorded, current, path),
      compareColumns(recorded, current, path),
      compareMembers(recorded, current, path, inList),
      compareItems(recorded, current, path),
    ];
    return found.includes(true) || compareValues(recorded, current, path, inList);
  }

  function compareTypes(recorded: Shape, current: Shape, path: string): boolean {
    if (recorded.nonNullCount === 0 || current.nonNullCount === 0) return false;
    const unknown = TYPES.filter((each) => current.count(each) > 0 && recorded.count(each) === 0);
    const occurrences = unknown.reduce((sum, each) => sum + current.count(each), 0);
    if (occurrences === 0) return false;
    const kind = kindOfNew('type', occurrences, current.nonNullCount, recorded.nonNullCount);
    const known = TYPES.filter((each) => recorded.count(each) > 0).join(' or ');
    const was = `${known} ${exampleValue(recorded)}`;
    const is = `${unknown.join(' or ')} ${exampleValue(current, recorded)}`;
    report(kind, path, occurrences, current.nonNullCount, was, is);
    return kind === 'type';
  }

  function compareFormats(recorded: Shape, current: Shape, path: string): boolean {
    const [before, now] = [recorded.count('text'), current.count('text')];
    if (before === 0 || now === 0) return false;
    if (current.blanks > 0 && recorded.blanks === 0 && !recorded.formats.has(FREE_TEXT)) {
      const kind = kindOfNew('null', current.blanks, now, before);
      report(kind, path, current.blanks, now, example(recorded), '""');
      if (kind === 'null') return true;
    }
    if (recorded.formats.size === 0) return false;
    const typed = !options.untyped;
    const unknown = [...current.formats].filter(([format]) => !isFamiliar(format, recorded.formats, typed));
    const occurrences = unknown.reduce((sum, [, count]) => sum + count, 0);
    if (occurrences === 0) return false;
    const kind = kindOfNew('format', occurrences, now, before);
    const was = `${example(recorded, current)} (${[...recorded.formats.keys()].join(', ')})`;
    report(kind, path, occurrences, now, was, `${example(current, recorded)} (${unknown[0]?.[0]})`);
    return kind === 'format';
  }

  /** Names of columns: their order counts; a new last column is not reported here. */
  function compareColumns(recorded: Shape, current: Shape, path: string): boolean {
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
    const [was, is] = [before, now].map((names) => names.slice(at >= 0 ? at : inserted).join(', '));
    return report('columns', path, 1, 1, was, is);
  }

  function compareMembers(recorded: Shape, current: Shape, path: string, inList: boolean): boolean {
    const [before, now] = [containerCount(recorded), containerCount(current)];
    if (before === 0 || now === 0) return false;
    const isTable = areTables(recorded, current);
    if (!isTable) {
      nameColumns(recorded, current);
      mergeMaps(recorded, current, inList);
    }
    const names = [...recorded.members.keys()];
    // An XML element without content may be an empty list.
    if (!isTable && options.xml && current.members.size === 0 && names.length > 0)
      return report('count', path, now, now, names.slice(0, 3).join(', '), 'no content');
    return [...new Set([...names, ...current.members.keys()])]
      .map((name) => compareMember(recorded, current, name, path, inList || isTable))
      .includes(true);
  }

  function compareMember(
    recordedParent: Shape,
    currentParent: Shape,
    name: string,
    path: string,
    inList: boolean,
  ): boolean {
    const { xml, shorter } = options;
    const at = childPath(path, name);
    const [recorded, current] = [recordedParent.members.get(name), currentParent.members.get(name)];
    const [before, now] = [containerCount(recordedParent), containerCount(currentParent)];
    const presentBefore = recorded ? recorded.presentCount - recorded.shape.nulls : 0;
    const presentNow = current ? current.presentCount - current.shape.nulls : 0;
    if (presentBefore <= 0) {
      if (!recorded && current) {
        const kind = kindOfNew('new', current.presentCount, now, before);
        return report(kind, at, current.presentCount, now, undefined, example(current.shape));
      }
      if (presentNow <= 0 && Boolean(recorded) === Boolean(current)) return false;
      return report('value', at, now, now, recorded ? 'null' : 'nothing', current ? example(current.shape) : 'nothing');
    }
    if (presentNow <= 0) {
      const isGone = presentBefore >= before || chanceOfMissing(presentBefore / before, now) <= MAX_CHANCE_GONE;
      const isList = xml && (recorded?.repeated ?? 0) > 0 && !isMovedOrRenamed(name, recordedParent, currentParent);
      const isShorter = !inList && isNextPage(at) && presentBefore < 2 && shorter;
      const kind = isList || isShorter ? 'count' : !isGone ? 'rarely' : current ? 'null' : 'gone';
      return report(kind, at, now, now, recorded && example(recorded.shape), current ? 'null' : 'nothing');
    }
    if (!recorded || !current) return false;
    let reported = false;
    if (presentBefore >= before && presentNow < now && !(xml && recorded.repeated > 0)) {
      const missing = now - presentNow;
      const isNull = current.presentCount >= now;
      const isShorter = !inList && isNextPage(at);
      const kind = isShorter ? 'count' : kindOfNew(isNull ? 'null' : 'sometimes missing', missing, now, before);
      reported = report(kind, at, missing, now, example(recorded.shape), isNull ? 'null' : 'nothing');
    }
    if (xml && recorded.repeated === 0 && current.repeated > 0) {
      const chance = chanceOfMissing(current.repeated / current.presentCount, recorded.presentCount);
      const kind = before >= 10 && chance <= MAX_CHANCE_NEW ? 'repeated' : 'count';
      reported = report(kind, at, current.repeated, current.presentCount, 'once', 'several times');
    }
    if (xml && name === 'xmlns') {
      if (recorded.shape.sum === current.shape.sum || recorded.shape.nonNullCount !== current.shape.nonNullCount)
        return reported;
      const [was, is] = onlyIn(recorded.shape, current.shape);
      return report('namespace', at, current.presentCount, now, was, is);
    }
    const isMany = inList || (xml && (recorded.repeated > 0 || current.repeated > 0));
    return compareAt(recorded.shape, current.shape, at, isMany) || reported;
  }

  function compareItems(recorded: Shape, current: Shape, path: string): boolean {
    const at = options.xml ? path : `${path}[*]`;
    const { items, total } = current;
    const reported = recorded.items && items ? compareAt(recorded.items, items, at, true) : false;
    if (recorded.total === total) return reported;
    return report('count', at, total, total, `${recorded.total}`, `${total}`);
  }

  function compareValues(recorded: Shape, current: Shape, path: string, inList: boolean): boolean {
    if (recorded.sum === current.sum || recorded.nonNullCount === 0 || current.nonNullCount === 0) return false;
    const { occurrences, nonNullCount } = current;
    if (recorded.count('object') + recorded.count('list') > 0)
      return report('combination', path, occurrences, occurrences);
    // The same values in another number: the comparison of their list reports its length.
    if (onlyIn(recorded, current).every((each) => each === undefined) && recorded.nonNullCount !== nonNullCount)
      return false;
    const isVolatile = isVolatileValue(path, recorded, current, inList, options.createsIds);
    const [was, is] = [example(recorded, current), example(current, recorded)];
    return report(isVolatile ? 'passing' : 'value', path, nonNullCount, occurrences, was, is);
  }
}

/** A value that certainly only the first side has, and one that only the second has. */
const onlyIn = (recorded: Shape, current: Shape) =>
  [recorded.sample.valueMissingFrom(current.sample), current.sample.valueMissingFrom(recorded.sample)] as const;
