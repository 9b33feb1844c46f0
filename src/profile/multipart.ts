/** Bodies of multipart/form-data (RFC 7578). */
import { builtinModule } from '../builtin-module.ts';

export interface MultipartPart {
  readonly name: string;
  readonly text: string;
  /** Only for a file. */
  readonly filename?: string;
  readonly type?: string;
}

/** A quoted parameter as browsers write it. */
const quoted = (text: string): string =>
  `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

const unquoted = (text: string): string => text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

/** Writes a body. Equal parts produce equal bytes, so that a replay finds the request. */
export function writeMultipart(parts: readonly MultipartPart[]): { readonly type: string; readonly text: string } {
  const boundary = `mdwi-${builtinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`;
  const written = parts.map(({ name, text, filename, type }) => {
    const disposition = `Content-Disposition: form-data; name=${quoted(name)}`;
    const file = filename === undefined ? '' : `; filename=${quoted(filename)}\r\nContent-Type: ${type}`;
    return `--${boundary}\r\n${disposition}${file}\r\n\r\n${text}\r\n`;
  });
  return { type: `multipart/form-data; boundary=${boundary}`, text: `${written.join('')}--${boundary}--\r\n` };
}

/**
 * Reads the parts of a body by its first line, which is the boundary; undefined if it is no multipart body.
 * @example readMultipart('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n') // [{ name: 'a', text: '1' }]
 */
export function readMultipart(body: string): MultipartPart[] | undefined {
  const boundary = /^(--[^\r\n]{1,70})\r?\n/.exec(body)?.[1];
  if (boundary === undefined) return body === '' || body.startsWith('--') ? [] : undefined;
  const pieces = `\r\n${body}`.split(`\r\n${boundary}`).slice(1);
  return pieces.flatMap((piece): MultipartPart[] => {
    const gap = piece.indexOf('\r\n\r\n');
    const head = gap < 0 ? '' : piece.slice(0, gap);
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) return [];
    const filename = /;\s*filename="([^"]*)"/i.exec(head)?.[1];
    const text = piece.slice(gap + 4);
    return [{ name: unquoted(name), text, ...(filename !== undefined && { filename: unquoted(filename) }) }];
  });
}
