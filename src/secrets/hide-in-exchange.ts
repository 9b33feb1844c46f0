import type { HeaderLines } from '../exchange/headers.ts';
import { normalisedName, secretKindOfHeader } from './credential-names.ts';
import { looksSecret } from './patterns.ts';
import { type PlaceholderOptions, PlaceholderRegistry } from './placeholder-registry.ts';
import { SEARCHED_BYTES } from './public-handles.ts';
import type { ReceivedCredential } from './received.ts';
import { type ReplaceOptions, replaceBytes, replaceText } from './replace.ts';
import { replaceStream } from './replace-stream.ts';

export interface ProtectionOptions extends PlaceholderOptions {
  /** Further headers that contain a credential, by their case-insensitive names. */
  readonly headers?: readonly string[];
  /** Further query parameters that contain a credential. */
  readonly query?: readonly string[];
}

/** The sender and the media type of a text. */
export interface MessageContext extends Omit<ReplaceOptions, 'form'> {
  /** In lower case, without parameters. A form may begin with a parameter. */
  readonly type?: string;
}

const FORM = 'application/x-www-form-urlencoded';
const replaceOptionsOf = ({ type, ...rest }: MessageContext): ReplaceOptions => ({ ...rest, form: type === FORM });

/** Parameters that contain a signature, and those of a signed query that differ from request to request. */
const SIGNATURES = /^(?:sig|signature|hmac|(?:xamz|xgoog|oauth)signature)$/;
const WITH_SIGNATURES =
  /^(?:(?:xamz|xgoog|oauth)(?:date|expires|nonce|timestamp|credential|securitytoken|consumerkey)|nonce|keypairid)$/;
/** Parameters of a signed query that differ where they contain a time; a date may be an input. */
const TIME_NAMES = /^(?:expires|expiry|exp|se|st|ts|timestamp|date)$/;
const TIME = /^(?:\d{4}-?\d{2}-?\d{2}T.*|\d{10}|\d{13})$/;

const variesWithSignature = (name: string, value: string): boolean =>
  WITH_SIGNATURES.test(name) || (TIME_NAMES.test(name) && TIME.test(value));

/** Hides the secrets in the parts of an exchange. Its functions are idempotent. */
export class Protection {
  readonly registry: PlaceholderRegistry;
  readonly options: ProtectionOptions;
  readonly #headers: ReadonlySet<string>;
  readonly #query: ReadonlySet<string>;
  readonly #inputs: ReadonlySet<string>;
  readonly #keepPlaceholders: boolean;

  constructor(options: ProtectionOptions = {}) {
    const { headers = [], query = [], inputs = [], keepPlaceholders = false, ...rest } = options;
    this.options = options;
    this.registry = new PlaceholderRegistry({ ...rest, inputs, keepPlaceholders });
    this.#headers = new Set(headers.map((each) => each.toLowerCase()));
    this.#query = new Set(query);
    this.#inputs = new Set(inputs.map((each) => each.toLowerCase()));
    this.#keepPlaceholders = keepPlaceholders;
  }

  /**
   * Hides a credential that the client received elsewhere, e.g. from a token endpoint. Cookies are found in Set-Cookie.
   * An access token gets the name `authorization`, because it is sent in that header.
   */
  receive({ name, value }: ReceivedCredential): void {
    if (name.startsWith('cookie ')) return;
    this.registry.receive({ name: normalisedName(name) === 'accesstoken' ? 'authorization' : name, value });
  }

  /** Hides the secrets in a text. */
  text(text: string, context: MessageContext): string {
    return replaceText(text, this.registry, replaceOptionsOf(context));
  }

  /** Hides the secrets in a body. */
  bytes(bytes: Buffer, context: MessageContext): Buffer {
    return replaceBytes(bytes, this.registry, replaceOptionsOf(context));
  }

  /** Hides the secrets in a body that arrives in chunks: a function to call without a chunk at the end. */
  stream(context: MessageContext): (chunk?: Uint8Array) => Uint8Array[] {
    const replace = replaceStream(this.registry, replaceOptionsOf(context));
    if (context.side === 'request' || this.#keepPlaceholders) return replace;
    const noteHandles = noteEnds((text) => this.registry.publicHandles.note(text));
    return (chunk) => {
      const replaced = replace(chunk);
      noteHandles(replaced, chunk === undefined);
      return replaced;
    };
  }

  /** Hides the secrets in header lines, those known to be secret also in names. */
  headers(lines: HeaderLines, context: MessageContext): HeaderLines {
    return lines.map(([name, value]): [string, string] => {
      const hidden = this.header(name, value, context);
      const bytes = Buffer.from(name);
      const isKnown = this.registry.needles.find(bytes, 0, bytes.length) !== undefined;
      return [isKnown ? this.text(name, { side: context.side, isInterfaceData: true }) : name, hidden];
    });
  }

  /**
   * Hides the secrets in the value of a header line. Schemes, names of cookies and their attributes stay.
   * @example header('Authorization', 'Bearer a1b2c3', { side: 'request' }) // 'Bearer mdwiAuthorization'
   */
  header(name: string, value: string, context: MessageContext): string {
    const lower = name.toLowerCase();
    if (lower === 'authorization' || lower === 'proxy-authorization') return this.#authorization(lower, value, context);
    if (lower === 'cookie')
      return value.replace(/([^=;\s]+)=([^;]*)/g, (_, cookie: string, cookieValue: string) => {
        return `${cookie}=${this.#hide(`cookie ${cookie}`, cookieValue, context)}`;
      });
    if (lower === 'set-cookie') {
      // Any response may set the same cookie, so that only the lane identifies its issuer.
      const { issuedBy, ...rest } = context;
      const laneContext = issuedBy === undefined ? rest : { ...rest, issuedBy: issuedBy.split(' ', 1)[0] ?? '' };
      return this.text(
        value.replace(/^([^=;]*)=([^;]*)/, (_, cookie: string, cookieValue: string) => {
          return `${cookie}=${this.#hide(`cookie ${cookie}`, cookieValue, laneContext)}`;
        }),
        context,
      );
    }
    const isInput = this.#inputs.has(lower);
    const kind = this.#headers.has(lower) ? 'credential' : isInput ? undefined : secretKindOfHeader(name);
    if (kind && (context.side === 'request' || looksSecret(kind, value, context.side)))
      return this.#hide(name, value, context);
    const text = this.text(
      value,
      context.side === 'request' && isInput ? context : { ...context, isInterfaceData: false },
    );
    if (context.side === 'response' && !this.#keepPlaceholders) this.registry.publicHandles.note(text);
    return text;
  }

  #authorization(name: string, value: string, context: MessageContext): string {
    const [, scheme = '', credentials = ''] = /^(\S+\s+)?(.*)$/s.exec(value) ?? [];
    if (/^basic\s/i.test(scheme)) {
      // A later text may contain the password alone.
      const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
      this.#hide('password', password, context);
    }
    return `${scheme}${this.#hide(name, credentials, context)}`;
  }

  /** Hides a value that is a credential by its place, whatever its format. */
  #hide(name: string, value: string, context: MessageContext): string {
    const [, prefix = '', secret = '', suffix = ''] = /^([\s"]*)(.*?)([\s"]*)$/s.exec(value) ?? [];
    if (secret === '') return value;
    const placeholder = this.registry.placeholderFor({ name, value: secret, kind: 'credential' }, context);
    return `${prefix}${placeholder ?? secret}${suffix}`;
  }

  /** Hides the secrets in a URL, or in a request target. */
  url(url: string, context: MessageContext): string {
    const queryStart = url.indexOf('?');
    if (queryStart < 0) return this.text(url, context);
    const pairs = url.slice(queryStart + 1).split('&');
    const nameOf = (pair: string): string => new URLSearchParams(pair).keys().next().value ?? '';
    const isSigned = context.side === 'request' && pairs.some((pair) => SIGNATURES.test(normalisedName(nameOf(pair))));
    if (!isSigned && this.#query.size === 0) return this.text(url, context);
    const hidden = pairs.map((pair) => {
      const name = nameOf(pair);
      const value = new URLSearchParams(pair).get(name) ?? '';
      if (!this.#query.has(name) && !(isSigned && variesWithSignature(normalisedName(name), value))) return pair;
      const placeholder = this.#hide(name, value, context);
      return placeholder === value ? pair : `${pair.slice(0, pair.indexOf('='))}=${placeholder}`;
    });
    return this.text(`${url.slice(0, queryStart)}?${hidden.join('&')}`, context);
  }
}

/** Calls a function with the beginning and the end of a body that arrives in chunks, as Latin-1. */
function noteEnds(onEnd: (text: string) => void): (chunks: readonly Uint8Array[], isLast: boolean) => void {
  const buffered: Uint8Array[] = [];
  let size = 0;
  let isBeginningNoted = false;
  const joined = (): Buffer => Buffer.concat(buffered, size);
  return (chunks, isLast) => {
    for (const chunk of chunks) {
      buffered.push(chunk);
      size += chunk.length;
    }
    if (!isBeginningNoted && size > SEARCHED_BYTES) {
      isBeginningNoted = true;
      onEnd(joined().toString('latin1', 0, SEARCHED_BYTES));
    }
    if (isLast) return onEnd(joined().toString('latin1', Math.max(0, size - SEARCHED_BYTES)));
    while (isBeginningNoted && buffered[0] && size - buffered[0].length >= SEARCHED_BYTES)
      size -= (buffered.shift() as Uint8Array).length;
  };
}
