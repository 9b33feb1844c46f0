/** The values that the examples of a response show: evidence of the format and the meaning of a value. */
import { isScalar, memberOf } from '../plain-object.ts';
import { compileSelector } from '../selector.ts';
import type { DescribedMedia } from './described-media.ts';
import type { DescribedValue } from './described-values.ts';
import type { Description } from './description.ts';
import { linesOf } from './line-formats.ts';
import { examplesOf } from './parameters.ts';
import { resolveSchema } from './resolved-schema.ts';

const NO_HEAD = { status: 200, headers: [] } as const;

/** Returns the values of a described value in the examples of a response. */
export type ExampleReader = (describedValue: DescribedValue, rows?: string) => readonly unknown[];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The documents that the examples of a format without elements show, as selectors read them. */
function documentsOf(
  media: DescribedMedia,
  type: string,
  node: unknown,
  examples: readonly unknown[],
): readonly unknown[] {
  if (media === 'json') return examples.map((each) => (typeof each === 'string' ? parsed(each) : each));
  const texts = examples.filter((each) => typeof each === 'string');
  if (media === 'ndjson') return texts.map((text) => text.trim().split('\n').map(parsed));
  const [header = [], ...lines] = linesOf(type, node);
  const whole = lines.filter((cells) => cells.length === header.length);
  return [whole.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])))];
}

/** The texts of the elements, or of the attributes, with the last name of a selector. */
function textsInMarkup(examples: readonly unknown[], { selector }: DescribedValue): readonly string[] {
  const [, at, name] = /(?:\.|\[')(@?)([\p{L}\p{N}_.-]+)(?:'\])?(?:\[(?:0|\*)\])?$/u.exec(selector) ?? [];
  if (name === undefined) return [];
  const escaped = name.replaceAll('.', '\\.');
  const form = at
    ? new RegExp(`\\s(?:[\\w.-]+:)?${escaped}="([^"]*)"`, 'g')
    : new RegExp(`<(?:[\\w.-]+:)?${escaped}(?:\\s[^<>]*)?>([^<>]+)<`, 'g');
  return examples
    .filter((each) => typeof each === 'string')
    .flatMap((text) => [...text.matchAll(form)].map(([, value]) => value as string));
}

/** Reads the examples of one media type of a response. */
export function readExamples(
  description: Description,
  media: DescribedMedia,
  type: string,
  node: unknown,
): ExampleReader {
  const examples = examplesOf(description, node, resolveSchema(description, memberOf(node, 'schema')));
  if (media === 'xml') return (describedValue) => textsInMarkup(examples, describedValue);
  const documents = documentsOf(media, type, node, examples);
  return ({ selector }, rows) => {
    const roots =
      rows === undefined ? documents : documents.flatMap((each) => compileSelector(rows).select(each, NO_HEAD));
    return roots.flatMap((each) => compileSelector(selector).select(each, NO_HEAD)).filter(isScalar);
  };
}

/** Adds the values that the examples of a response show to the examples of each described value. */
export const withExamples = (values: readonly DescribedValue[], read: ExampleReader, rows?: string): DescribedValue[] =>
  values.map((each) => {
    if (each.schema.members.size > 0 || each.schema.type === 'array') return each;
    const shown = read(each, rows);
    return shown.length === 0
      ? each
      : { ...each, schema: { ...each.schema, examples: [...each.schema.examples, ...shown] } };
  });
