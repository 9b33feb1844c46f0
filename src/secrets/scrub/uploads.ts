/** Replaces uploaded files in multipart bodies of group A by invented ones of the same structure and size. */
import { isUtf8 } from 'node:buffer';
import type { OperationKey } from '../../contract/index.ts';
import { boundaryOf } from '../../exchange/headers.ts';
import type { Scrubbed } from './figures.ts';

const CRLF2 = /\r?\n\r?\n/;

/** Replaces letters by x and digits by 0; separators of cells and lines and the number of characters stay. */
const inventText = (text: string): string =>
  text
    .replace(/[\p{L}\p{M}]/gu, (letter) => (/\p{Lu}/u.test(letter) ? 'X' : 'x'))
    .replace(/\p{N}/gu, '0')
    .replace(/[^\p{ASCII}]/gu, '?');

const inventFile = (content: Buffer): Buffer =>
  isUtf8(content) && !content.includes(0)
    ? Buffer.from(inventText(content.toString('utf8')), 'utf8')
    : Buffer.alloc(content.length, '\0mdwi');

/** Replaces the names of files, which may contain the name of a customer; their extensions stay. */
const inventNames = (head: string): string =>
  head
    .replace(/(filename=")((?:[^"\\]|\\.)*)"/gi, (_, before: string, name: string) => {
      return `${before}upload${/\.\w{1,8}$/.exec(name)?.[0] ?? ''}"`;
    })
    .replace(/(filename\*?=)([^\s";]+)/gi, (_, before: string, name: string) => {
      const charset = /^[\w-]*'[\w-]*'/.exec(name)?.[0] ?? '';
      return `${before}${charset}upload${/\.\w{1,8}$/.exec(name)?.[0] ?? ''}`;
    });

/** The next delimiter at the start of a line; within a line it is part of a file. */
function nextDelimiter(body: Buffer, delimiter: Buffer, from: number): number {
  let at = body.indexOf(delimiter, from);
  while (at > 0 && body[at - 1] !== 0x0a) at = body.indexOf(delimiter, at + 1);
  return at;
}

/** Media types of bodies that consist of one file. */
const FILE =
  /^\s*(?:text\/(?:csv|tab-separated-values|plain)|image\/|application\/(?:csv|octet-stream|pdf|zip|gzip|x-[\w-]*zip[\w-]*|(?:vnd\.)?(?:ms-?excel|openxmlformats|oasis)[\w.-]*))/i;

/** Whether an operation accepts uploads: all of group A may. */
export const takesUploads = (operation: OperationKey | undefined): operation is OperationKey =>
  operation?.startsWith('POST /webservices/') ?? false;

/**
 * Returns a multipart body with invented files, or an invented file where the body consists of one. Equal files give equal
 * invented ones, so that a replay still finds a client’s request. Parts without a file stay.
 * @param contentType of the body, with the boundary
 * @example scrubUpload('POST /webservices/importLocation', body, 'multipart/form-data; boundary=b')
 */
export function scrubUpload(
  operation: OperationKey | undefined,
  body: Buffer,
  contentType: string | undefined,
): Scrubbed {
  if (!takesUploads(operation) || body.length === 0) return { bytes: body };
  if (FILE.test(contentType ?? '')) return { bytes: inventFile(body) };
  if (!/^\s*multipart\//i.test(contentType ?? '')) return { bytes: body };
  const refuse = (why: string): Scrubbed => ({
    whyNotRecorded: `an upload to ${operation} cannot be replaced by an invented one: ${why}; record without --scrub uploads`,
  });
  const boundary = boundaryOf(contentType);
  if (!boundary) return refuse('its Content-Type has no boundary');
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const pieces: Buffer[] = [];
  let at = nextDelimiter(body, delimiter, 0);
  if (at < 0) return refuse('it does not contain the boundary of its Content-Type');
  pieces.push(body.subarray(0, at));
  for (;;) {
    const start = at + delimiter.length;
    pieces.push(delimiter);
    if (body.subarray(start, start + 2).toString('latin1') === '--') {
      pieces.push(body.subarray(start));
      return { bytes: Buffer.concat(pieces) };
    }
    const next = nextDelimiter(body, delimiter, start);
    if (next < 0) return refuse('it ends within a part');
    const part = body.subarray(start, next);
    const latin1 = part.toString('latin1');
    const gap = CRLF2.exec(latin1);
    if (!gap) return refuse('a part of it has no head');
    const head = latin1.slice(0, gap.index);
    const content = gap.index + gap[0].length;
    const end = latin1.endsWith('\r\n') ? part.length - 2 : part.length - (latin1.endsWith('\n') ? 1 : 0);
    if (/\bfilename\*?=/i.test(head)) {
      if (/content-transfer-encoding:\s*(?!7bit|8bit|binary)/i.test(head)) return refuse('a file in it is encoded');
      pieces.push(Buffer.from(inventNames(head), 'latin1'), part.subarray(gap.index, content));
      pieces.push(inventFile(part.subarray(content, Math.max(content, end))), part.subarray(Math.max(content, end)));
    } else pieces.push(part);
    at = next;
  }
}
