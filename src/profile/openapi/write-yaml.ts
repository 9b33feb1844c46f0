/** A draft as a commented YAML file. */
import { Document, isMap, isScalar, type Node, type Pair, stringify, visit } from 'yaml';
import type { Draft } from './draft.ts';
import { withSchemas } from './schemas.ts';

const WIDTH = 116;

/**
 * The text of a profile: each guess with what it rests on, and at the end what is left to decide.
 *
 * @param schemasFile the file beside the profile that holds the draft's schemas, where there is one
 */
export function writeDraft(draft: Draft, source: string, schemasFile?: string): string {
  const document = new Document(
    schemasFile === undefined ? draft.profile : withSchemas(draft.profile, draft.schemas, schemasFile),
  );
  for (const { at, says } of draft.notes) {
    // What was guessed of a part that the draft then left open is not said anywhere else.
    if (at[0] === 'operations' && at.length > 2 && !document.hasIn(at.slice(0, 3))) continue;
    const key = keyAt(document, at);
    if (key) key.commentBefore = [key.commentBefore, comment(says, at.length)].filter(Boolean).join('\n');
  }
  // Short maps and lists without a comment inside read better on one line.
  visit(document, {
    Collection(_, node) {
      const text = String(JSON.stringify(node.toJSON()));
      let isNoted = false;
      visit(node as Node, {
        Scalar(__, inner) {
          if (inner.commentBefore != null) isNoted = true;
        },
      });
      if (text.length <= 90 && !isNoted && text !== '{}') node.flow = true;
    },
  });
  const body = document.toString({ lineWidth: 0, flowCollectionPadding: true });
  const examples =
    Object.keys(draft.examples).length === 0
      ? ''
      : `\n# Examples the description shows. They may be made up: take the # off those the service knows.\n${commented(stringify({ examples: draft.examples }, { lineWidth: 0, flowCollectionPadding: true }))}`;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? ''
      : `\n# ${title}\n${lines.map((line) => `#${comment(`- ${line}`, 0).replaceAll('\n ', '\n#   ')}`).join('\n')}\n`;
  return [
    '# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json\n',
    `# Drafted from ${oneLine(source)}. “stated” is what the description says, “likely” what its names say, “unsure” a guess:\n# read each, correct it, and take the comment away. Then mdwi profile check, and mdwi profile try for each operation.\n`,
    body,
    examples,
    list('What the description could not decide:', formatUndecided(draft)),
    list('Left out of the description, and why:', [
      ...(schemasFile === undefined && draft.schemas.stated.size > 0
        ? ['the schemas of answers: they stand in a file of their own, which --out writes']
        : []),
      ...draft.leftOut,
    ]),
    list('Also seen:', draft.remarks),
  ].join('');
}

/** One line for each opening that stayed open. */
export const formatUndecided = (draft: Draft): string[] =>
  draft.undecided.map(({ opening, why }) => `${opening} → ${oneLine(why)}`);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const commented = (text: string): string => text.replace(/^(?=.)/gm, '# ');

/** A comment's text in lines that fit, each with the blank that stands behind the #. */
function comment(text: string, depth: number): string {
  const lines: string[] = [''];
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1) as string;
    if (last !== '' && last.length + word.length > WIDTH - depth * 2) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => ` ${line}`).join('\n');
}

/** The key of a pair, which is where a comment can stand; the nearest above where the path goes no further. */
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
