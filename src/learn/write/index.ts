/** Writes what is learned about a service as a YAML profile with its evidence, its questions and the promises that were seen. */
import { Document, parseDocument, visit } from 'yaml';
import { cutText, isPrintable, printable } from '../../exchange/printable.ts';
import { isPlainObject, memberOf } from '../../profile/plain-object.ts';
import { joinNotes, type KeyNote, nameOfKey, type PrintOptions, printYaml } from '../../profile/print-yaml.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import { flowText, shareEqualParts, YAML_WIDTH } from '../../profile/yaml-flow.ts';
import type { Learned, ProfilePath, Question, SeenPromise } from '../types.ts';
import { mergeLearned } from './merge.ts';
import { describeQuestion, jointLocation, maskedSentence, type SentenceOptions } from './sentences.ts';

export interface WriteOptions extends SentenceOptions {
  /** What the profile is learned from, such as the address of the service. */
  readonly source: string;
  /** The profile of an author, or the file that was written before. */
  readonly base?: string | undefined;
}

const MAX_COMMENTS = 100;
const MAX_PROMISES = 30;
/** Characters of the key and value of a promise. */
const MAX_PROMISE = 300;
const MAX_RIVALS = 4;
const MAX_ALSO = 3;

const SCHEMA = '# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json';
const SCHEMA_LINE = /^# yaml-language-server:.*$/m;
const FIRST_LINE = '# Learned by mdwi profile learn from';
const PROMISES = '# Promises that were seen to hold: state those that the service makes, each at its key.';
const END_OF_PROMISE = '; yours to promise';
const DEFECT = 'likely defect:';

/** A comment of one line. */
const line = (text: string): string => `# ${cutText(text, YAML_WIDTH - 2)}`;

/** The text of a file without the comments that are written anew. */
function withoutGenerated(text: string): string {
  const lines = text.split(/\r?\n/).filter((each) => {
    const comment = each.trimStart();
    const isPromise = comment === PROMISES || (comment.startsWith('#') && comment.endsWith(END_OF_PROMISE));
    return !isPromise && !comment.startsWith(`# ${DEFECT}`) && !SCHEMA_LINE.test(comment);
  });
  const top = lines.findIndex((each) => !each.startsWith('#'));
  return lines
    .slice(lines[0]?.startsWith(FIRST_LINE) ? (top < 0 ? lines.length : top) : 0)
    .join('\n')
    .trim();
}

function questionLines(questions: readonly Question[], options: WriteOptions): string[] {
  if (questions.length === 0) return [];
  return [
    line(`Questions (${questions.length}): write the value that is right at its key.`),
    ...questions.flatMap((question, at) => {
      const { title, also, rivals } = describeQuestion(question, options);
      return [
        line(`${at + 1}. ${title}`),
        ...also.slice(0, MAX_ALSO).map(line),
        ...rivals.slice(0, MAX_RIVALS).map((rival) => line(`   - ${rival}`)),
      ];
    }),
  ];
}

/** Lines of promises: those about a key that the profile lacks are its line; those about several fields are one line. */
function promiseLines(promises: readonly SeenPromise[], profile: unknown, showValues?: boolean): string[] {
  if (promises.length === 0) return [];
  const groups = Map.groupBy(promises, ({ path, value, seen }) => {
    if (path[0] !== 'operations' && memberOf(profile, String(path[0])) === undefined) return String(path[0]);
    return JSON.stringify([path.length > 4 ? path.toSpliced(4, 1).map(String) : path.map(String), value, seen]);
  });
  const lines = [...groups].map(([group, members]) => {
    const [{ path, value }] = members as [SeenPromise];
    const seen = joinNotes(
      members.map((each) => ({ path: each.path, text: maskedSentence(each.seen, showValues) })),
      members.every((each) => each.seen === members[0]?.seen) ? path.length : 1,
    );
    const text =
      group === path[0]
        ? `${group}: ${flowText(memberOf(treeOf(members), group))}`
        : `${jointLocation(members.map((each) => each.path))}: ${flowText(value)}`;
    return `# ${cutText(printable(text), MAX_PROMISE)}   # seen: ${seen}${END_OF_PROMISE}`;
  });
  const more = lines.length - MAX_PROMISES;
  return ['', PROMISES, ...lines.slice(0, MAX_PROMISES), ...(more > 0 ? [`# and ${more} more${END_OF_PROMISE}`] : [])];
}

/** The values of promises as a part of a profile. */
function treeOf(promises: readonly SeenPromise[]): unknown {
  const document = new Document({});
  for (const { path, value } of promises) document.setIn(path, document.createNode(value));
  return document.toJS({ maxAliasCount: -1 });
}

/** Prints a document with its notes, each line as {@link printable}. */
function printedLines(document: Document, options: PrintOptions): string {
  // What is not printable becomes an escape sequence, which YAML has within double quotes only.
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !node.value.split('\n').every(isPrintable)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const escapeLong = (char: string): string =>
    isPrintable(char) ? char : `\\U${(char.codePointAt(0) as number).toString(16).padStart(8, '0')}`;
  const lines = printYaml(document, options).trimEnd().split('\n');
  return lines.map((each) => printable(each.replace(/[\u{10000}-\u{10ffff}]/gu, escapeLong))).join('\n');
}

/** The part of a path that a profile has. */
function statedPart(tree: unknown, path: ProfilePath): ProfilePath {
  let node = tree;
  for (const [at, step] of path.entries()) {
    node = Array.isArray(node) ? node[Number(step)] : memberOf(node, String(step));
    if (node === undefined) return path.slice(0, at);
  }
  return path;
}

/** The keys of a profile in its order, by their location. */
function positionsIn(
  node: unknown,
  path: ProfilePath = [],
  positions = new Map<string, number>(),
): ReadonlyMap<string, number> {
  positions.set(formatLocation(path), positions.size);
  if (Array.isArray(node)) for (const [at, each] of node.entries()) positionsIn(each, [...path, at], positions);
  else if (isPlainObject(node))
    for (const [key, each] of Object.entries(node)) positionsIn(each, [...path, key], positions);
  return positions;
}

/**
 * Writes a profile. The same input gives the same text.
 *
 * Learning again keeps the edits and comments of an author: what `base` states stays, learned before or written by hand, since
 * an edit looks like an earlier value. Keys that it lacks are added, except parts of a request, and fields where it
 * reads other rows. A key is learned anew where it is deleted; `differingKeys` lists what is learned otherwise. The comments
 * at the top, `likely defect` and the promises are written anew.
 *
 * @example writeLearned(await learnProfile({ base, start: { name: 'acme' } }), { source: base })
 */
export function writeLearned(learned: Learned, options: WriteOptions): string {
  const { showValues } = options;
  const base = withoutGenerated(options.base ?? '');
  const document = base === '' ? new Document({}) : (parseDocument(base, { merge: true }) as unknown as Document);
  const before: unknown = document.toJS({ maxAliasCount: -1 });
  mergeLearned(document, learned.profile);
  const profile: unknown = document.toJS({ maxAliasCount: -1 });
  shareEqualParts(document);
  const top = [
    SCHEMA_LINE.exec(options.base ?? '')?.[0] ?? SCHEMA,
    line(`${FIRST_LINE.slice(2)} ${printable(options.source)}: comments at keys have the evidence. Decide the`),
    line('questions and promises, then run mdwi profile check. What is missing here is open: mdwi profile why KEY.'),
    ...questionLines(learned.questions, options),
  ];
  const end = promiseLines(learned.promises, profile, showValues);
  const positions = positionsIn(profile);
  const positionOf = ({ path }: KeyNote): number => positions.get(formatLocation(path)) ?? 0;
  const notes = [
    ...learned.defects.map(({ path, sentence }): KeyNote => {
      const at = statedPart(profile, path);
      const text = `${DEFECT} ${printable(nameOfKey(path))}: ${maskedSentence(sentence, showValues)}`;
      return { path: at, text: cutText(text, YAML_WIDTH - 2 * at.length), isAlone: true };
    }),
    ...learned.settled.flatMap(({ path, evidence }): KeyNote[] => {
      const isNew = statedPart(before, path).length < path.length;
      return isNew ? [{ path: statedPart(profile, path), text: maskedSentence(evidence, showValues) }] : [];
    }),
  ].sort((one, other) => positionOf(one) - positionOf(other));
  const body = printedLines(document, { notes, maxNoteLines: MAX_COMMENTS - top.length - end.length });
  return `${[...top, '', body, ...end].join('\n')}\n`;
}
