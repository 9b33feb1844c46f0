/**
 * Keeps secrets out of recordings: everything kept and everything looked up passes through here. Declared values come
 * first, patterns second; each secret gets one placeholder wherever it stands.
 */
import type { HeaderLines } from '../har/types.ts';
import { secretKindOfHeader } from './names.ts';
import type { Side } from './patterns.ts';
import { type PseudonymOptions, Pseudonyms } from './pseudonyms.ts';
import { replaceStream, replaceText } from './replace.ts';

export interface ProtectionOptions extends PseudonymOptions {
  /** Headers that carry a credential besides those whose names tell, in any case of letters. */
  readonly headers?: readonly string[];
  /** Query parameters that carry a credential besides those whose names tell. */
  readonly query?: readonly string[];
}

/** Whose text it is, and of what media type: the first parameter of a form has nothing before it. */
export interface Whereabouts {
  readonly side: Side;
  /** In small letters, without parameters. */
  readonly type?: string;
}

const FORM = 'application/x-www-form-urlencoded';
const findIn = ({ side, type }: Whereabouts) => ({ side, form: type === FORM });

/** What hides secrets in the parts of an exchange. Doing it twice does no more than once. */
export class Protection {
  readonly pseudonyms: Pseudonyms;
  readonly #headers: ReadonlySet<string>;
  readonly #query: ReadonlySet<string>;

  constructor({ headers = [], query = [], ...rest }: ProtectionOptions = {}) {
    this.pseudonyms = new Pseudonyms(rest);
    this.#headers = new Set(headers.map((each) => each.toLowerCase()));
    this.#query = new Set(query);
  }

  /** A body, or any text that may hold secrets. */
  text(text: string, where: Whereabouts): string {
    return replaceText(text, this.pseudonyms, findIn(where));
  }

  /** A body in chunks: called without one at the end. */
  stream(where: Whereabouts): (chunk?: Uint8Array) => Uint8Array[] {
    return replaceStream(this.pseudonyms, findIn(where));
  }

  headers(lines: HeaderLines, side: Side): HeaderLines {
    return lines.map(([name, value]): [string, string] => [name, this.header(name, value, side)]);
  }

  /**
   * The value of a header line. Schemes, names of cookies and their attributes stay.
   * @example header('Authorization', 'Bearer a1b2c3', 'request') // 'Bearer mdwiAuthorization'
   */
  header(name: string, value: string, side: Side): string {
    const lower = name.toLowerCase();
    if (lower === 'authorization' || lower === 'proxy-authorization') return this.#authorization(lower, value, side);
    if (lower === 'cookie')
      return value.replace(/([^=;\s]+)=([^;]*)/g, (_, cookie: string, crumb: string) => {
        return `${cookie}=${this.#hide(`cookie ${cookie}`, crumb, side)}`;
      });
    if (lower === 'set-cookie')
      return this.text(
        value.replace(/^([^=;]*)=([^;]*)/, (_, cookie: string, crumb: string) => {
          return `${cookie}=${this.#hide(`cookie ${cookie}`, crumb, side)}`;
        }),
        { side },
      );
    if (this.#headers.has(lower) || secretKindOfHeader(name)) return this.#hide(name, value, side);
    return this.text(value, { side });
  }

  #authorization(name: string, value: string, side: Side): string {
    const [, scheme = '', credentials = ''] = /^(\S+\s+)?(.*)$/s.exec(value) ?? [];
    if (/^basic\s/i.test(scheme)) {
      // The password may come back by itself, too.
      const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
      this.#hide('password', password, side);
    }
    return `${scheme}${this.#hide(name, credentials, side)}`;
  }

  /** A value that is a credential by the place it stands in, whatever it looks like. */
  #hide(name: string, value: string, side: Side): string {
    const [, before = '', secret = '', behind = ''] = /^([\s"]*)(.*?)([\s"]*)$/s.exec(value) ?? [];
    if (secret === '') return value;
    const placeholder = this.pseudonyms.found({ name, value: secret, kind: 'credential' }, side);
    return `${before}${placeholder ?? secret}${behind}`;
  }

  /** An address, or a target of path and query. */
  url(url: string, side: Side): string {
    const mark = url.indexOf('?');
    if (mark < 0 || this.#query.size === 0) return this.text(url, { side });
    const pairs = url
      .slice(mark + 1)
      .split('&')
      .map((pair) => {
        const [[name, value] = ['', '']] = new URLSearchParams(pair);
        if (!this.#query.has(name)) return pair;
        const hidden = this.#hide(name, value, side);
        return hidden === value ? pair : `${pair.slice(0, pair.indexOf('='))}=${hidden}`;
      });
    return this.text(`${url.slice(0, mark)}?${pairs.join('&')}`, { side });
  }
}
