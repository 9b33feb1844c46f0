/**
 * Placeholders within base64. How long one is there, and a bit or two of the characters at its ends, come from the secret
 * it stands for: after a rotation the same request differs in them.
 */
import { canonicalBody } from './request-key.ts';

/** Digits as they stand in texts and addresses; shorter runs hold no placeholder. */
const RUN = /(?:%2[BF]|[\w+/-]){8,}(?:=|%3D)*/gi;
const PHASES = [0, 1, 2, 3];

const STANDARD: Readonly<Record<string, string>> = { '%2B': '+', '%2F': '/', '-': '+', _: '/' };

/** The digits of a run, of one alphabet, without the padding at its end. */
const digitsIn = (run: string): string =>
  run.replace(/(?:=|%3D)*$/i, '').replace(/%2[BF]|[-_]/gi, (each) => STANDARD[each.toUpperCase()] as string);

/** The digits of base64 that hold bits of a text alone, by how many bytes stand before it. */
const digitsOf = (text: string): string[] =>
  [0, 1, 2].map((offset) => {
    const digits = Buffer.from(' '.repeat(offset) + text, 'latin1').toString('base64');
    return digits.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + text.length) * 8) / 6));
  });

/** What is in the key of a request, and in its body. */
export interface KeyedRequest {
  readonly key: string;
  readonly body?: Uint8Array | undefined;
  readonly contentType?: string | undefined;
}

/** Knows the placeholders of a recording, and finds them in base64. */
export class EncodedPlaceholders {
  readonly #digits: RegExp;
  readonly #text: RegExp;

  /** @param placeholders e.g. `mdwiPassword`, `mdwiSecret2` */
  constructor(placeholders: Iterable<string>) {
    // Without the ends, which may be changed, and without a number, which may be cut.
    const middles = [...new Set([...placeholders].map((each) => each.replace(/\d*x*$/, '').slice(1, -1)))]
      .filter((each) => each.startsWith('dwi') && each.length > 'dwi'.length)
      .sort((a, b) => b.length - a.length);
    const any = (texts: readonly string[]): string => (texts.length === 0 ? '(?!)' : texts.join('|'));
    this.#digits = new RegExp(any(middles.flatMap(digitsOf).map((each) => each.replace(/[+/]/g, '[+/_-]'))));
    // Behind it a number, padding, and what the secret left of its last character.
    const middle = any(middles);
    this.#text = new RegExp(`[^](${middle})[^]?(?:[0-?p-\\x7f](?!${middle}))*`, 'g');
  }

  /** The text with its base64 decoded where that holds a placeholder, these without their ends; undefined: there is none. */
  #decoded(text: string): string | undefined {
    if (!this.#digits.test(text)) return undefined;
    return text.replace(RUN, (run) => {
      const digits = digitsIn(run);
      const found = PHASES.flatMap((phase) => {
        const decoded = Buffer.from(digits.slice(phase), 'base64').toString('latin1');
        const named = decoded.replace(this.#text, '<$1>');
        return named === decoded ? [] : [digits.slice(0, phase) + named];
      });
      if (found.length < 2) return found[0] ?? run;
      // Put together of several: what is no placeholder is decoded wrongly somewhere.
      return found.flatMap((each) => each.match(/<dwi\w+>/g) ?? []).join('');
    });
  }

  /** The key of a request as it is whatever the credentials encoded in it are; undefined where none are. */
  keyOf({ key, body = new Uint8Array(), contentType }: KeyedRequest): string | undefined {
    const canonical = canonicalBody(body, contentType);
    if (!key.endsWith(canonical)) return undefined;
    const head = key.slice(0, key.length - canonical.length);
    const [inHead, inBody] = [this.#decoded(head), this.#decoded(Buffer.from(body).toString('latin1'))];
    if (inHead === undefined && inBody === undefined) return undefined;
    return `${inHead ?? head}${inBody === undefined ? canonical : canonicalBody(Buffer.from(inBody, 'latin1'), contentType)}`;
  }
}
