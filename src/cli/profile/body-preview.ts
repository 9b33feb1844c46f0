/** Decodes the beginning of a body, which is enough to see its structure. */
import type { Exchange } from '../../exchange/types.ts';
import { decodeBody } from '../../reading/decode.ts';
import { type Media, mediaOf } from '../../reading/media.ts';
import { parsePartialJson } from '../../reading/partial-json.ts';
import { XmlTree } from '../../reading/xml-tree.ts';

/** The number of characters that are decoded. */
const PREVIEW_LENGTH = 256 * 1024;

/** The format of a response and the beginning of its content, as selectors see it; undefined if there is none. */
export async function previewBody(
  { response, body }: Pick<Exchange, 'response' | 'body'>,
  declared?: Media,
): Promise<{ readonly media: Media; readonly value: unknown } | undefined> {
  const media = response && mediaOf(declared, response);
  if (!media) return undefined;
  const text = await firstPartOf(response, body.chunks());
  const value = text === '' ? undefined : contentOf(media, text);
  return value === undefined ? undefined : { media, value };
}

/** Returns the first part of a body as decoded text. */
async function firstPartOf(
  head: NonNullable<Exchange['response']>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of decodeBody(head, chunks, PREVIEW_LENGTH * 8)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= PREVIEW_LENGTH) break;
    }
  } catch {
    // The beginning of a truncated or damaged body is still useful.
  }
  return text.slice(0, PREVIEW_LENGTH);
}

function contentOf(media: Media, text: string): unknown {
  const lines = text.split(/\r?\n/).filter((each) => each.trim() !== '');
  switch (media) {
    case 'json':
      return parsePartialJson(text);
    case 'ndjson':
      return lines.flatMap((each) => parsePartialJson(each) ?? []);
    case 'csv': {
      const [header = '', ...rows] = lines;
      const delimiter = [',', ';', '\t', '|'].sort(
        (x, y) => header.split(y).length - header.split(x).length,
      )[0] as string;
      const names = header.split(delimiter).map((each) => each.replace(/^"(.*)"$/, '$1'));
      return rows.map((row) =>
        Object.fromEntries(row.split(delimiter).map((cell, at) => [names[at] ?? String(at), cell])),
      );
    }
    case 'xml':
      return xmlOf(text);
    default:
      return text;
  }
}

function xmlOf(text: string): unknown {
  try {
    const tree = new XmlTree({
      rowSteps: undefined,
      retainedRows: 0,
      maxRowLength: PREVIEW_LENGTH,
      maxTreeLength: PREVIEW_LENGTH,
      onRow: () => undefined,
    });
    tree.push(text);
    return tree.end();
  } catch {
    return text;
  }
}
