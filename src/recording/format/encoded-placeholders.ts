/**
 * Placeholders in base64. The length of an encoded placeholder, and a few bits of the characters at its ends, depend on the
 * secret it replaces, so the same request differs in them after a rotation of the secret.
 */
import { canonicalBody } from './request-key.ts';

/** A run of base64 digits in text or URLs. Shorter runs hold no placeholder. */
const RUN = /(?:%2[BF]|[\w+/-]){8,}(?:=|%3D)*/gi;
const PHASES = [0, 1, 2, 3];

const STANDARD: Readonly<Record<string, string>> = { '%2B': '+', '%2F': '/', '-': '+', _: '/' };

/** The digits of a run in the standard alphabet, without padding. */
const digitsIn = (run: string): string =>
  run.replace(/(?:=|%3D)*$/i, '').replace(/%2[BF]|[-_]/gi, (each) => STANDARD[each.toUpperCase()] as string);

/** The base64 digits that encode only bits of the text, for each offset (0 to 2 bytes before the text). */
const digitsOf = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const digits = Buffer.from(' '.repeat(offset) + text, 'latin1').toString('base64');
    return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + text.length) * 8) / 6));
  });

/** The key and the body of a request. */
export interface KeyedRequest {
  readonly key: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
}

/** Finds the placeholders of a recording in base64. */
export class EncodedPlaceholders {
  readonly #digits: RegExp;
  readonly #text: RegExp;

  /** @param placeholders e.g. `mdwiPassword`, `mdwiSecret2` */
  constructor(placeholders: Iterable<string>) {
    // Without the ends, whose bits may change, and without the trailing number, which may be truncated.
    const middles = [...new Set([...placeholders].map((each) => each.replace(/\d*x*$/, '').slice(1, -1)))]
      .filter((each) => each.startsWith('dwi') && each.length > 'dwi'.length)
      .sort((a, b) => b.length - a.length);
    const any = (texts: readonly string[]): string => (texts.length === 0 ? '(?!)' : texts.join('|'));
    this.#digits = new RegExp(any(middles.flatMap(digitsOf).map((each) => each.replace(/[+/]/g, '[+/_-]'))));
    // After it: a number, padding, and the remaining bits of the last character.
    const middle = any(middles);
    this.#text = new RegExp(`[^](${middle})[^]?(?:[0-?p-\\x7f](?!${middle}))*`, 'g');
  }

  /** The text with base64 decoded where it holds a placeholder (without its ends); undefined if there is none. */
  #decoded(text: string): string | undefined {
    if (!this.#digits.test(text)) return undefined;
    return text.replace(RUN, (run) => {
      const digits = digitsIn(run);
      const found = PHASES.flatMap((phase) => {
        const decoded = Buffer.from(digits.slice(phase), 'base64').toString('latin1');
        const marked = decoded.replace(this.#text, '<$1>');
        return marked === decoded ? [] : [digits.slice(0, phase) + marked];
      });
      if (found.length < 2) return found[0] ?? run;
      // Several phases match: every other byte is decoded incorrectly in one of them, so only the placeholders count.
      return found.flatMap((each) => each.match(/<dwi\w+>/g) ?? []).join('');
    });
  }

  /** The key of a request, independent of the credentials encoded in it; undefined if it holds none. */
  keyOf({ key, body = new Uint8Array(), contentType }: KeyedRequest): string | undefined {
    const canonical = canonicalBody(body, contentType);
    if (!key.endsWith(canonical)) return undefined;
    const head = key.slice(0, key.length - canonical.length);
    const [inHead, inBody] = [this.#decoded(head), this.#decoded(Buffer.from(body).toString('latin1'))];
    if (inHead === undefined && inBody === undefined) return undefined;
    return `${inHead ?? head}${inBody === undefined ? canonical : canonicalBody(Buffer.from(inBody, 'latin1'), contentType)}`;
  }
}
