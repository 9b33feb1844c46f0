import type { HeaderLines } from '../exchange/header-lines.ts';
import { normalisedName, secretKindOfHeader } from './credential-names.ts';
import { looksSecret } from './patterns.ts';
import { type PseudonymOptions, Pseudonyms } from './pseudonyms.ts';
import { SEARCHED_BYTES } from './public-handles.ts';
import type { ReceivedCredential } from './received.ts';
import { type ReplaceOptions, replaceBytes, replaceStream, replaceText } from './replace.ts';

export interface ProtectionOptions extends PseudonymOptions {
  /** Headers that carry a credential besides those whose names tell, in any case of letters. */
  readonly headers?: readonly string[];
  /** Query parameters that carry a credential besides those whose names tell. */
  readonly query?: readonly string[];
}

/** Whose text it is, and of what media type: the first parameter of a form has nothing before it. */
export interface MessageContext extends Omit<ReplaceOptions, 'form'> {
  /** In small letters, without parameters. */
  readonly type?: string;
}

const FORM = 'application/x-www-form-urlencoded';
const lookAt = ({ type, ...rest }: MessageContext): ReplaceOptions => ({ ...rest, form: type === FORM });

/** What announces that a query is signed, and what a signature brings along that differs from request to request. */
const SIGNATURES = /^(?:sig|signature|hmac|(?:xamz|xgoog|oauth)signature)$/;
const WITH_SIGNATURES =
  /^(?:(?:xamz|xgoog|oauth)(?:date|expires|nonce|timestamp|credential|securitytoken|consumerkey)|nonce|keypairid)$/;
/** The same, where it says a moment; a day may be an input. */
const MOMENTS = /^(?:expires|expiry|exp|se|st|ts|timestamp|date)$/;
const MOMENT = /^(?:\d{4}-?\d{2}-?\d{2}T.*|\d{10}|\d{13})$/;

const goesWithSignature = (name: string, value: string): boolean =>
  WITH_SIGNATURES.test(name) || (MOMENTS.test(name) && MOMENT.test(value));

/** What hides secrets in the parts of an exchange. Doing it twice does no more than once. */
export class Protection {
  readonly pseudonyms: Pseudonyms;
  readonly options: ProtectionOptions;
  readonly #headers: ReadonlySet<string>;
  readonly #query: ReadonlySet<string>;
  readonly #inputs: ReadonlySet<string>;
  readonly #lookup: boolean;

  constructor(options: ProtectionOptions = {}) {
    const { headers = [], query = [], inputs = [], lookup = false, ...rest } = options;
    this.options = options;
    this.pseudonyms = new Pseudonyms({ ...rest, inputs, lookup });
    this.#headers = new Set(headers.map((each) => each.toLowerCase()));
    this.#query = new Set(query);
    this.#inputs = new Set(inputs.map((each) => each.toLowerCase()));
    this.#lookup = lookup;
  }

  /**
   * Hides a credential that the client was given elsewhere, as by a token endpoint. Cookies are found where they are set.
   * An access token is sent as Authorization, so that it is called by that name.
   */
  receive({ name, value }: ReceivedCredential): void {
    if (name.startsWith('cookie ')) return;
    this.pseudonyms.receive({ name: normalisedName(name) === 'accesstoken' ? 'authorization' : name, value });
  }

  /** Any text that may hold secrets. */
  text(text: string, where: MessageContext): string {
    return replaceText(text, this.pseudonyms, lookAt(where));
  }

  /** A body. */
  bytes(bytes: Buffer, where: MessageContext): Buffer {
    return replaceBytes(bytes, this.pseudonyms, lookAt(where));
  }

  /** A body in chunks: called without one at the end. */
  stream(where: MessageContext): (chunk?: Uint8Array) => Uint8Array[] {
    const replace = replaceStream(this.pseudonyms, lookAt(where));
    if (where.side === 'request' || this.#lookup) return replace;
    const note = noteEnds((text) => this.pseudonyms.delivered.note(text));
    return (chunk) => {
      const replaced = replace(chunk);
      note(replaced, chunk === undefined);
      return replaced;
    };
  }

  headers(lines: HeaderLines, where: MessageContext): HeaderLines {
    return lines.map(([name, value]): [string, string] => [name, this.header(name, value, where)]);
  }

  /**
   * The value of a header line. Schemes, names of cookies and their attributes stay.
   * @example header('Authorization', 'Bearer a1b2c3', { side: 'request' }) // 'Bearer mdwiAuthorization'
   */
  header(name: string, value: string, where: MessageContext): string {
    const lower = name.toLowerCase();
    if (lower === 'authorization' || lower === 'proxy-authorization') return this.#authorization(lower, value, where);
    if (lower === 'cookie')
      return value.replace(/([^=;\s]+)=([^;]*)/g, (_, cookie: string, crumb: string) => {
        return `${cookie}=${this.#hide(`cookie ${cookie}`, crumb, where)}`;
      });
    if (lower === 'set-cookie') {
      // Every answer may set the same one, so which did first says nothing; the lane does.
      const { minted: answer, ...rest } = where;
      const ofLane = answer === undefined ? rest : { ...rest, minted: answer.split(' ', 1)[0] ?? '' };
      return this.text(
        value.replace(/^([^=;]*)=([^;]*)/, (_, cookie: string, crumb: string) => {
          return `${cookie}=${this.#hide(`cookie ${cookie}`, crumb, ofLane)}`;
        }),
        where,
      );
    }
    const isInput = this.#inputs.has(lower);
    const kind = this.#headers.has(lower) ? 'credential' : isInput ? undefined : secretKindOfHeader(name);
    if (kind && (where.side === 'request' || looksSecret(kind, value, where.side)))
      return this.#hide(name, value, where);
    const text = this.text(value, where.side === 'request' && isInput ? where : { ...where, data: false });
    if (where.side === 'response' && !this.#lookup) this.pseudonyms.delivered.note(text);
    return text;
  }

  #authorization(name: string, value: string, where: MessageContext): string {
    const [, scheme = '', credentials = ''] = /^(\S+\s+)?(.*)$/s.exec(value) ?? [];
    if (/^basic\s/i.test(scheme)) {
      // The password may come back by itself, too.
      const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
      this.#hide('password', password, where);
    }
    return `${scheme}${this.#hide(name, credentials, where)}`;
  }

  /** A value that is a credential by the place it stands in, whatever it looks like. */
  #hide(name: string, value: string, where: MessageContext): string {
    const [, before = '', secret = '', behind = ''] = /^([\s"]*)(.*?)([\s"]*)$/s.exec(value) ?? [];
    if (secret === '') return value;
    const placeholder = this.pseudonyms.found({ name, value: secret, kind: 'credential' }, where);
    return `${before}${placeholder ?? secret}${behind}`;
  }

  /** An address, or a target of path and query. */
  url(url: string, where: MessageContext): string {
    const mark = url.indexOf('?');
    if (mark < 0) return this.text(url, where);
    const pairs = url.slice(mark + 1).split('&');
    const nameOf = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? '';
    const isSigned = where.side === 'request' && pairs.some((pair) => SIGNATURES.test(normalisedName(nameOf(pair))));
    if (!isSigned && this.#query.size === 0) return this.text(url, where);
    const hidden = pairs.map((pair) => {
      const name = nameOf(pair);
      const value = new URLSearchParams(pair).get(name) ?? '';
      if (!this.#query.has(name) && !(isSigned && goesWithSignature(normalisedName(name), value))) return pair;
      const placeholder = this.#hide(name, value, where);
      return placeholder === value ? pair : `${pair.slice(0, pair.indexOf('='))}=${placeholder}`;
    });
    return this.text(`${url.slice(0, mark)}?${hidden.join('&')}`, where);
  }
}

/** Tells the beginning and the end of a body that comes in chunks, as Latin-1. */
function noteEnds(tell: (text: string) => void): (chunks: readonly Uint8Array[], isLast: boolean) => void {
  const held: Uint8Array[] = [];
  let size = 0;
  let told = false;
  const whole = (): Buffer => Buffer.concat(held, size);
  return (chunks, isLast) => {
    for (const chunk of chunks) {
      held.push(chunk);
      size += chunk.length;
    }
    if (!told && size > SEARCHED_BYTES) {
      told = true;
      tell(whole().toString('latin1', 0, SEARCHED_BYTES));
    }
    if (isLast) return tell(whole().toString('latin1', Math.max(0, size - SEARCHED_BYTES)));
    while (told && held[0] && size - held[0].length >= SEARCHED_BYTES) size -= (held.shift() as Uint8Array).length;
  };
}
