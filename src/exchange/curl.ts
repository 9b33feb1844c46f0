/** A request as a command anyone can repeat. */
import type { WireRequest } from './types.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** @example asCurl({ method: 'GET', url: 'http://h/p', headers: [] }) // "curl -sS -i 'http://h/p'" */
export function asCurl(request: WireRequest): string {
  const parts = ['curl', '-sS', '-i'];
  if (request.method !== 'GET') parts.push('-X', request.method);
  for (const [name, value] of request.headers) {
    if (!(name === 'accept' && value === '*/*')) parts.push('-H', quote(`${name}: ${value}`));
  }
  if (request.body && request.body.length > 0) {
    parts.push(
      '--data-binary',
      request.body.length <= 4096
        ? quote(new TextDecoder().decode(request.body))
        : quote(`@body-of-${request.body.length}-bytes`),
    );
  }
  return [...parts, '--path-as-is', quote(request.url)].join(' ');
}
