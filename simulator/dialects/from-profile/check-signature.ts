/** Verifies the signatures of requests, as a service with `hmac` credentials does. */
import { builtinModule, isNode } from '../../../src/builtin-module.ts';
import { utf8 } from '../../../src/bytes.ts';
import {
  type HmacScheme,
  type SignatureInputs,
  signatureParts,
  variablePattern,
} from '../../../src/profile/hmac/sign.ts';
import { TIMESTAMP_FORMATS } from '../../../src/profile/hmac/timestamps.ts';
import { withoutQuery } from '../../../src/profile/url-query.ts';
import type { DialectRequest } from '../types.ts';

type SignedSource = Pick<DialectRequest, 'method' | 'base' | 'target' | 'headers' | 'query' | 'body'>;

/** How far the clock of a client may be from that of the simulator. */
const CLOCK_SKEW_MS = 300_000;

/** A text that carries a part of the signature. */
interface CarriedText {
  /** `header X-Date` or `query parameter sig`. */
  readonly place: string;
  readonly template: string;
  readonly text: string;
}

const carriedTexts = ({ headers, query }: SignedSource, scheme: HmacScheme): CarriedText[] => [
  ...Object.entries(scheme.headers ?? {}).map(([name, template]) => {
    const text = [headers[name.toLowerCase()] ?? []].flat().join(', ');
    return { place: `header ${name}`, template, text };
  }),
  ...Object.entries(scheme.query ?? {}).map(([name, template]) => {
    return { place: `query parameter ${name}`, template, text: query.get(name) ?? '' };
  }),
];

/** The timestamp and the nonce that a client sent; undefined if a text does not match its template, or if two differ. */
function sentInputs(carried: readonly CarriedText[]): SignatureInputs | undefined {
  const found = { timestamp: '', nonce: '' };
  for (const { template, text } of carried) {
    const match = variablePattern(template).exec(text);
    if (!match) return undefined;
    for (const name of ['timestamp', 'nonce'] as const) {
      const value = match.groups?.[name];
      if (value === undefined) continue;
      if (found[name] !== '' && found[name] !== value) return undefined;
      found[name] = value;
    }
  }
  return found;
}

function isEqual(text: string, expected: string): boolean {
  const { createHash, timingSafeEqual } = builtinModule('node:crypto');
  const digest = (each: string) => createHash('sha256').update(utf8(each)).digest();
  return timingSafeEqual(digest(text), digest(expected));
}

/**
 * What is wrong with the signature of a request, in one sentence without it; undefined if it is valid. In a browser only its
 * form is checked.
 */
export function signatureProblem(request: SignedSource, scheme: HmacScheme): string | undefined {
  const carried = carriedTexts(request, scheme);
  const missing = carried.find(({ text }) => text === '');
  if (missing) return `the ${missing.place}, which belongs to the signature, is missing`;
  const inputs = sentInputs(carried);
  if (!inputs) return 'the signature does not have the form that the profile states';
  if (inputs.timestamp !== '') {
    const skew = Math.abs(TIMESTAMP_FORMATS[scheme.timestamp].read(inputs.timestamp) - Date.now());
    if (!(skew <= CLOCK_SKEW_MS)) return 'the time of the signature is not that of the simulator, within 5 minutes';
  }
  if (!isNode()) return undefined;
  const { method, base, headers, body } = request;
  const target = withoutQuery(request.target, Object.keys(scheme.query ?? {}));
  const lines = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')] as const);
  const host = headers.host ?? new URL(base).host;
  const expected = signatureParts(scheme, { method, target, host, headers: lines, body }, inputs);
  const texts = new Map<string, string>([
    ...expected.headers.map(([name, value]) => [`header ${name}`, value] as const),
    ...expected.query.map(([name, value]) => [`query parameter ${name}`, value] as const),
  ]);
  const wrong = carried.find(({ place, text }) => !isEqual(text, texts.get(place) ?? ''));
  return wrong && `the ${wrong.place} is not what the key and the message of the profile give`;
}
