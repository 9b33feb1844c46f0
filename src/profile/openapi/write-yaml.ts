/** Formats a draft as a commented YAML file. */
import { Document, isMap, isScalar, type Pair, stringify } from 'yaml';
import { commentLines, printYaml } from '../print-yaml.ts';
import type { Draft } from './draft.ts';

/**
 * Returns the text of a profile: each guess with its reason, and at the end the undecided openings.
 *
 * @param schemasFile the file of the draft's schemas, relative to the profile, if there is one
 */
export function writeDraft(draft: Draft, source: string, schemasFile?: string): string {
  const { operations, ...profile } = draft.profile;
  const document = new Document({
    ...profile,
    ...(schemasFile !== undefined && { schemas: schemasFile }),
    ...(operations !== undefined && { operations }),
  });
  for (const { at, text } of draft.notes) {
    // Notes on a part that the draft finally left open are dropped.
    if (at[0] === 'operations' && at.length > 2 && !document.hasIn(at.slice(0, 3))) continue;
    const key = keyAt(document, at);
    if (key) key.commentBefore = [key.commentBefore, comment(text, at.length)].filter(Boolean).join('\n');
  }
  const body = printYaml(document);
  const examples =
    Object.keys(draft.examples).length === 0
      ? ''
      : `\n# Examples of the description. They may be invented: remove the # from those that exist in the service.\n${commented(stringify({ examples: draft.examples }, { lineWidth: 0, flowCollectionPadding: true }))}`;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `\n# ${title}\n${lines.map((line) => `#${comment(`- ${line}`, 0).replaceAll('\n ', '\n#   ')}`).join('\n')}\n`;
  return [
    '# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json\n',
    `# Drafted from ${oneLine(source)}. “stated” is stated by the description, “likely” follows from its names. Guesses are\n# not active: they are in the list at the end. Check each, then run mdwi profile check FILE --base-url URL.\n`,
    body,
    examples,
    list('Not decided by the description:', formatUndecided(draft)),
    list('Remarks:', [
      ...draft.remarks,
      ...(schemasFile === undefined && draft.schemas.stated.size > 0
        ? ['--out writes the schemas of responses, too, to a separate file']
        : []),
    ]),
  ].join('');
}

/** One line per undecided opening. */
export const formatUndecided = (draft: Draft): string[] =>
  draft.undecided.map(({ opening, why }) => `${opening} → ${oneLine(why)}`);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const commented = (text: string): string => text.replace(/^(?=.)/gm, '# ');

/** A comment as the library stores it. */
const comment = (text: string, depth: number): string => commentLines(text, depth * 2).join('\n');

/** The key of a pair, which can have a comment; the nearest existing key above if the path does not exist. */
function keyAt(document: Document, at: readonly string[]): { commentBefore?: string | null | undefined } | undefined {
  let node: unknown = document.contents;
  let key: { commentBefore?: string | null | undefined } | undefined;
  for (const step of at) {
    if (!isMap(node)) break;
    const pair = node.items.find((each: Pair) => isScalar(each.key) && each.key.value === step);
    if (!pair) break;
    key = pair.key as typeof key;
    node = pair.value;
  }
  return key;
}
