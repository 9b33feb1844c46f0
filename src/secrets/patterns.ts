/**
 * Finds undeclared secrets: by their names in JSON, queries, forms, XML, multipart bodies and paths, and by the format of
 * well-known tokens. All patterns work on bytes decoded as Latin-1, so that positions are byte offsets and bodies in any
 * superset of ASCII are supported.
 */
import { decodePercent } from '../exchange/url.ts';
import { LONGEST_SECRET, looksGenerated } from './credential-heuristics.ts';
import { type SecretKind, secretKindOf } from './credential-names.ts';
import { decodeReferences } from './entities.ts';

/** Who sent the text: clients send credentials, services issue handles. */
export type MessageSide = 'request' | 'response';

export interface PatternMatch {
  /** The start of the match, including the name: it decides which window of a stream processes the match. */
  readonly matchStart: number;
  /** The bytes to replace. */
  readonly start: number;
  readonly end: number;
  /** The name of the secret. */
  readonly name: string;
  /** The secret itself, its escapes undone. */
  readonly value: string;
  readonly kind: SecretKind;
}

/** Decodes a matched value. */
type Decode = (raw: string) => string;

const NAME = String.raw`[\w.:$ -]{1,64}`;
/** A name that may denote a secret: bodies contain many members, and testing each would be slow. */
const SECRET_NAME = String.raw`[\w.:$ -]{0,48}?(?:pass|pwd|secret|key|token|sess|sid|jwt|saml|assert|verif|authori|credential|sig|hmac)[\w.:$ -]{0,32}`;
const MAX_LENGTH = LONGEST_SECRET;
const AUTH_SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|JWT)\s+(?=\S)/i;

const fromLatin1 = (raw: string): string => Buffer.from(raw, 'latin1').toString('utf8');

const decodeJson: Decode = (raw) => {
  try {
    return JSON.parse(`"${fromLatin1(raw)}"`) as string;
  } catch {
    return fromLatin1(raw);
  }
};
const decodeForm: Decode = (raw) => {
  const text = fromLatin1(raw);
  return decodePercent(text.replaceAll('+', ' '), text);
};
const decodeXml: Decode = (raw) => decodeReferences(fromLatin1(raw));

interface Rule {
  readonly rule: string;
  /** Has the groups `name` (unless `called`) and `value`, and the flags for global search and indices. */
  readonly pattern: RegExp;
  readonly decode: Decode;
  /** The name of a match without one; its format alone identifies it. */
  readonly fixedName?: string;
  readonly kind?: SecretKind;
  /** A further condition on name and value. */
  readonly condition?: (name: string, value: string) => boolean;
}

/** A JSON string nested in a JSON string, one or two levels deep. */
const nested = (quote: string): RegExp =>
  new RegExp(
    `(?<![\\\\])${quote}(?<name>${NAME})${quote}\\s*:\\s*${quote}(?<value>[^"\\\\]{1,${MAX_LENGTH}})${quote}`,
    'gd',
  );

const shape = (fixedName: string, pattern: RegExp): Rule => ({
  rule: `shape of a ${fixedName}`,
  fixedName,
  kind: 'handle',
  pattern,
  decode: fromLatin1,
});

/** The rules for every kind of text. */
const RULES: readonly Rule[] = [
  {
    rule: 'JSON members',
    pattern: new RegExp(
      `"(?<name>${SECRET_NAME})"\\s*:\\s*(?:"(?<value>(?:[^"\\\\]|\\\\.){1,${MAX_LENGTH}})"|(?<number>-?\\d{1,64})(?=\\s*[,}\\]]))`,
      'gid',
    ),
    decode: decodeJson,
  },
  { rule: 'JSON members', pattern: nested('\\\\"'), decode: decodeJson },
  { rule: 'JSON members', pattern: nested('\\\\\\\\\\\\"'), decode: decodeJson },
  {
    rule: 'pairs of name and value',
    pattern: new RegExp(
      `"(?:name|key|header|field)"\\s*:\\s*"(?<name>${NAME})"\\s*,\\s*"value"\\s*:\\s*"(?<value>(?:[^"\\\\]|\\\\.){1,${MAX_LENGTH}})"`,
      'gid',
    ),
    decode: decodeJson,
  },
  {
    rule: 'parameters of queries and forms',
    pattern: new RegExp(
      `(?<=[?&;#]|&amp;|\\\\u0026)(?<name>[\\w.%~$-]{1,64})=(?<value>[^&;#\\s"'<>\\\\,{}()|]{1,${MAX_LENGTH}})`,
      'gd',
    ),
    decode: decodeForm,
  },
  {
    rule: 'XML elements',
    pattern: new RegExp(
      `<(?:[\\w.-]{1,64}:)?(?<name>[\\w.-]{1,64})(?:\\s[^<>]{0,512})?>\\s*(?:<!\\[CDATA\\[)?(?<value>[^<>\\]\\s][^<>\\]]{0,${MAX_LENGTH}}?)\\s*(?=\\]\\]>|</)`,
      'gd',
    ),
    decode: decodeXml,
  },
  {
    rule: 'XML attributes',
    pattern: new RegExp(
      `\\s(?:[\\w.-]{1,64}:)?(?<name>[\\w.-]{1,64})\\s{0,8}=\\s{0,8}(?:"(?<value>[^"<\\\\]{1,${MAX_LENGTH}})"|'(?<single>[^'<\\\\]{1,${MAX_LENGTH}})')`,
      'gd',
    ),
    decode: decodeXml,
  },
  {
    rule: 'XML attributes',
    pattern: new RegExp(
      `\\b(?:name|key)\\s*=\\s*["'](?<name>${NAME})["']\\s+value\\s*=\\s*(?:"(?<value>[^"<\\\\]{1,${MAX_LENGTH}})"|'(?<single>[^'<\\\\]{1,${MAX_LENGTH}})')`,
      'gid',
    ),
    decode: decodeXml,
  },
  {
    rule: 'multipart fields',
    pattern: new RegExp(
      `form-data;[^\\r\\n]{0,64}?\\bname="?(?<name>[\\w.$-]{1,64})"?[^\\r\\n]{0,256}(?:\\r?\\n[^\\r\\n]{1,512}){0,8}\\r?\\n\\r?\\n(?<value>[^\\r\\n]{1,${MAX_LENGTH}})`,
      'gid',
    ),
    decode: fromLatin1,
  },
  {
    rule: 'path segments',
    pattern: new RegExp(`/(?<name>[\\w.-]{3,64})/(?<value>[^/?#;&\\s"'<>\\\\]{16,${MAX_LENGTH}})`, 'gd'),
    decode: decodeForm,
    condition: (_, value) => looksGenerated(value),
  },
  {
    rule: 'credentials in addresses',
    fixedName: 'password',
    kind: 'password',
    pattern: /:\/\/[^\s/?#@"':<>\\]{0,256}:(?<value>[^\s/?#@"'<>\\]{1,256})@/dg,
    decode: decodeForm,
  },
  {
    rule: 'credentials by their scheme',
    fixedName: 'authorization',
    kind: 'credential',
    pattern: /\b(?:Bearer|Basic)\s(?<value>[\w.~+/-]{16,32768}={0,2})/dg,
    decode: fromLatin1,
    condition: (_, value) => looksGenerated(value) && /\d/.test(value),
  },
  // The second part of a JSON Web Token is JSON, too; a cursor in base64 has no parts.
  shape('jwt', /(?<![\w-])(?<value>eyJ[\w-]{5,16384}\.eyJ[\w-]{2,16384}\.[\w-]{0,16384})(?![\w-])/dg),
  shape('aws access key id', /(?<![A-Za-z0-9])(?<value>(?:AKIA|ASIA)[A-Z2-7]{16})(?![A-Za-z0-9])/dg),
  shape(
    'service token',
    /(?<![A-Za-z0-9])(?<value>gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255}|glpat-[\w-]{20,64}|AIza[\w-]{35}|[sr]k_live_[A-Za-z0-9]{16,128}|xox[abprs]-[\w-]{10,255})(?![A-Za-z0-9])/dg,
  ),
  shape('private key', /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?<value>[\w+/=\s\\-]{16,16384}?)-----END/dg),
];

/** The first parameter of a form, which has no delimiter before it. */
const FORM_START: Rule = {
  rule: 'parameters of queries and forms',
  pattern: new RegExp(`^(?<name>[\\w.%~$-]{1,64})=(?<value>[^&;#\\s"'<>\\\\{}()|]{1,${MAX_LENGTH}})`, 'gd'),
  decode: decodeForm,
};

/** The names of the rules, for receipts. */
export const PATTERN_RULES: readonly string[] = [...new Set(RULES.map(({ rule }) => rule))];

export interface FindOptions {
  readonly side: MessageSide;
  /** The text is a form or query from its first character on. */
  readonly form?: boolean;
}

function secretIn(rule: Rule, match: RegExpExecArray, side: MessageSide): PatternMatch | undefined {
  const groups = match.groups ?? {};
  const places = match.indices?.groups ?? {};
  const group = ['value', 'single', 'number'].find((each) => groups[each] !== undefined);
  if (group === undefined) return undefined;
  const raw = groups[group] as string;
  const name = rule.fixedName ?? decodeForm(groups.name ?? '').replace(/^.*[:.$]/, '');
  const kind = rule.kind ?? secretKindOf(name);
  if (kind === undefined) return undefined;
  // In a member such as `Authorization: Bearer …` the scheme is not secret.
  const scheme = rule.fixedName === undefined ? (AUTH_SCHEME.exec(raw)?.[0] ?? '') : '';
  const value = group === 'number' ? raw : rule.decode(raw.slice(scheme.length));
  const isSecret = rule.fixedName !== undefined ? value !== '' : looksSecret(kind, value, side);
  if (!isSecret || (rule.condition && !rule.condition(name, value))) return undefined;
  if (group === 'number' && kind !== 'password') return undefined;
  const [start, end] = places[group] as [number, number];
  return { matchStart: match.index, start: start + scheme.length, end, name, value, kind };
}

/** Values under the name of a password that are not one. */
const NO_PASSWORD = /^(?:true|false|null|none|\*+|\s*)$/i;

/** Whether a value under a name of this kind has to be hidden. */
export function looksSecret(kind: SecretKind, value: string, side: MessageSide): boolean {
  if (NO_PASSWORD.test(value)) return false;
  if (kind === 'password') return true;
  if (kind === 'credential' && side === 'request') return !/\s/.test(value);
  return looksGenerated(value);
}

/**
 * Finds secrets by their names and formats, in the order of the text, without overlaps.
 * @param text bytes as Latin-1
 */
export function findByPattern(text: string, { side, form = false }: FindOptions): PatternMatch[] {
  const matches: PatternMatch[] = [];
  for (const rule of form ? [FORM_START, ...RULES] : RULES) {
    rule.pattern.lastIndex = 0;
    for (let match = rule.pattern.exec(text); match; match = rule.pattern.exec(text)) {
      const find = secretIn(rule, match, side);
      if (find) matches.push(find);
      // The apparent value may be a name: {"a": "b"} within other texts.
      else if (match.groups?.value !== undefined) rule.pattern.lastIndex = match.index + 1;
    }
  }
  matches.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return matches.filter((each) => {
    if (each.start < end) return false;
    end = each.end;
    return true;
  });
}
