/** Conversions between text, bytes and Base64 that work in browsers and in Node. */
const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** The text of bytes in UTF-8, with a byte-order mark if there is one. */
export const textOfUtf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The bytes of a text in ISO 8859-1; of other characters, the lowest byte of each code unit. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The bytes of several arrays, one after the other. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** As many arguments as a call may have on every engine. */
const CALL_ARGUMENTS = 8192;

/** The Base64 of bytes. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CALL_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, at + CALL_ARGUMENTS));
  return btoa(text);
}

/** The UTF-8 text that a Base64 text encodes; empty if it is not Base64. */
export function textOfBase64(text: string): string {
  try {
    return textOfUtf8(latin1(atob(text)));
  } catch {
    return '';
  }
}
