/**
 * Analyses an ECMAScript regular expression before it is applied to untrusted text: the maximum steps of a backtracking engine,
 * and the equivalent RE2 pattern, whose engines take linear time.
 */
import {
  type CodePoints,
  classOf,
  complement,
  DIGITS,
  ignoreCase,
  LINE_ENDS,
  SPACE,
  union,
  WORD,
} from './code-points.ts';

export interface Analysis {
  /** A backtracking engine takes at most `factor × (length of the text + 1) ^ degree` steps; the factor may be infinite. */
  readonly factor: number;
  readonly degree: number;
  /** The RE2 pattern that matches the same texts; undefined if there is none. */
  readonly linear?: string;
  /** Whether RE2 also finds the match and its first group at the same position. */
  readonly samePosition: boolean;
}

/** A part of a pattern: the number of ways to match it is at most `ways × (length + 1) ^ degree`. */
interface Part {
  readonly ways: number;
  readonly degree: number;
  readonly linear: string | undefined;
  readonly samePosition: boolean;
  readonly captures: boolean;
  /** Whether it may match without one of its groups. */
  readonly mayOmitGroups: boolean;
  readonly canBeEmpty: boolean;
  /** Whether it matches only at the beginning of the text. */
  readonly anchored: boolean;
}

const EMPTY_MATCH: Part = {
  ways: 1,
  degree: 0,
  linear: '',
  samePosition: true,
  captures: false,
  mayOmitGroups: false,
  canBeEmpty: true,
  anchored: false,
};

/** Syntax that the analysis does not support. */
class UnsupportedSyntax extends Error {}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const CLASSES: Readonly<Record<string, CodePoints>> = { d: DIGITS, w: WORD, s: SPACE };
const SYNTAX = /^[\^$\\.*+?()[\]{}|/]$/;

/**
 * Analyses a pattern that is valid ECMAScript. Undefined if it has flags other than i and u, or syntax that is not
 * analysed.
 *
 * @example analyse('^(a+)+$', 'u') // { factor: Infinity, degree: 0, linear: '\\A((?:[\\x{61}-\\x{61}]){1,}){1,}\\z', … }
 */
export function analyse(source: string, flags: string): Analysis | undefined {
  if (/[^iu]/.test(flags)) return undefined;
  try {
    const { ways, degree, linear, samePosition, anchored } = new Parser(source, flags).parse();
    return {
      factor: ways * Math.max(1, source.length),
      degree: anchored ? degree : degree + 1,
      ...(linear !== undefined && { linear }),
      samePosition,
    };
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return undefined;
    throw error;
  }
}

class Parser {
  readonly #characters: readonly string[];
  readonly #unicode: boolean;
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#unicode = flags.includes('u');
    this.#ignoreCase = flags.includes('i');
    this.#characters = [...source];
  }

  parse(): Part {
    const part = this.#choice();
    if (this.#at < this.#characters.length) throw new UnsupportedSyntax();
    return part;
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #consume(): string {
    const taken = this.#characters[this.#at++];
    if (taken === undefined) throw new UnsupportedSyntax();
    return taken;
  }

  /** Skips a text if it comes next. */
  #skip(text: string): boolean {
    if (![...text].every((each, index) => this.#characters[this.#at + index] === each)) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): Part {
    if (++this.#depth > 200) throw new UnsupportedSyntax();
    const parts = [this.#sequence()];
    while (this.#skip('|')) parts.push(this.#sequence());
    this.#depth--;
    if (parts.length === 1) return parts[0] as Part;
    return {
      ways: parts.reduce((sum, each) => sum + each.ways, 0),
      degree: Math.max(...parts.map((each) => each.degree)),
      linear: joined(parts, '|'),
      samePosition: parts.every((each) => each.samePosition),
      captures: parts.some((each) => each.captures),
      mayOmitGroups: parts.some((each) => each.captures),
      canBeEmpty: parts.some((each) => each.canBeEmpty),
      anchored: parts.every((each) => each.anchored),
    };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#next !== undefined && this.#next !== '|' && this.#next !== ')') parts.push(this.#quantified());
    return {
      ways: parts.reduce((product, each) => product * each.ways, 1),
      degree: parts.reduce((sum, each) => sum + each.degree, 0),
      linear: joined(parts, ''),
      samePosition: parts.every((each) => each.samePosition),
      captures: parts.some((each) => each.captures),
      mayOmitGroups: parts.some((each) => each.mayOmitGroups),
      canBeEmpty: parts.every((each) => each.canBeEmpty),
      anchored: parts[0]?.anchored ?? false,
    };
  }

  #quantified(): Part {
    const part = this.#atom();
    const bounds = this.#bounds();
    if (!bounds) return part;
    const [min, max] = bounds;
    const lazy = this.#skip('?') ? '?' : '';
    const repeats =
      max < Number.POSITIVE_INFINITY
        ? { ways: (max - min + 1) * part.ways ** max, degree: part.degree * max }
        : { ways: part.ways === 1 && part.degree === 0 ? 1 : Number.POSITIVE_INFINITY, degree: 1 };
    return {
      ...repeats,
      linear: part.linear && `(?:${part.linear}){${min},${max === Number.POSITIVE_INFINITY ? '' : max}}${lazy}`,
      // Each iteration in ECMAScript resets the groups, and rejects an empty match.
      samePosition: part.samePosition && !part.canBeEmpty && (max === 1 || !part.mayOmitGroups),
      captures: part.captures,
      mayOmitGroups: part.mayOmitGroups || (min === 0 && part.captures),
      canBeEmpty: min === 0 || part.canBeEmpty,
      anchored: false,
    };
  }

  #bounds(): readonly [min: number, max: number] | undefined {
    if (this.#skip('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#skip('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#skip('?')) return [0, 1];
    if (!this.#skip('{')) return undefined;
    const min = this.#number();
    const max = this.#skip(',') ? (this.#next === '}' ? Number.POSITIVE_INFINITY : this.#number()) : min;
    if (!this.#skip('}')) throw new UnsupportedSyntax();
    return [min, max];
  }

  #number(): number {
    let digits = '';
    while (/^\d$/.test(this.#next ?? '')) digits += this.#consume();
    if (digits === '' || digits.length > 6) throw new UnsupportedSyntax();
    return Number(digits);
  }

  #atom(): Part {
    const character = this.#consume();
    switch (character) {
      case '^':
        return { ...EMPTY_MATCH, linear: '\\A', anchored: true };
      case '$':
        return { ...EMPTY_MATCH, linear: '\\z' };
      case '.':
        return oneOf(complement(LINE_ENDS));
      case '[':
        return oneOf(this.#class());
      case '(':
        return this.#group();
      case '\\':
        return this.#escape();
      default:
        if (/^[*+?{}\]]$/.test(character)) throw new UnsupportedSyntax();
        return oneOf(this.#single(character));
    }
  }

  #group(): Part {
    const isLook = this.#skip('?=') || this.#skip('?!') || this.#skip('?<=') || this.#skip('?<!');
    const captures = !isLook && !this.#skip('?:');
    if (captures && this.#skip('?')) {
      if (!this.#skip('<')) throw new UnsupportedSyntax();
      while (this.#consume() !== '>');
    }
    const inner = this.#choice();
    if (!this.#skip(')')) throw new UnsupportedSyntax();
    if (isLook) return { ...inner, linear: undefined, canBeEmpty: true, anchored: false };
    if (!captures) return { ...inner, linear: inner.linear && `(?:${inner.linear})` };
    return { ...inner, linear: inner.linear === undefined ? undefined : `(${inner.linear})`, captures: true };
  }

  #escape(): Part {
    const character = this.#consume();
    if (character === 'b' || character === 'B')
      return { ...EMPTY_MATCH, linear: this.#unicode && this.#ignoreCase ? undefined : `\\${character}` };
    if (/^[1-9k]$/.test(character)) {
      if (character === 'k') while (this.#consume() !== '>');
      else while (/^\d$/.test(this.#next ?? '')) this.#consume();
      // A back reference is compared character by character.
      return { ...EMPTY_MATCH, degree: 1, linear: undefined };
    }
    return oneOf(this.#set(character));
  }

  /** The code points of an escape; undefined if Unicode tables are required. */
  #set(character: string): CodePoints | undefined {
    const set = CLASSES[character.toLowerCase()];
    if (set) {
      if (this.#unicode && this.#ignoreCase) return undefined;
      return character === character.toLowerCase() ? set : complement(set);
    }
    if (/^p$/i.test(character) && this.#unicode) {
      if (!this.#skip('{')) throw new UnsupportedSyntax();
      while (this.#consume() !== '}');
      return undefined;
    }
    return this.#single(String.fromCodePoint(this.#code(character)));
  }

  /** The code point of a one-character escape. */
  #code(character: string): number {
    if (CONTROLS[character] !== undefined) return CONTROLS[character];
    if (character === '0' && !/^\d$/.test(this.#next ?? '')) return 0;
    if (character === 'x') return this.#hex(2);
    if (character === 'u') {
      if (this.#unicode && this.#skip('{')) {
        let digits = '';
        for (let each = this.#consume(); each !== '}'; each = this.#consume()) digits += each;
        return Number.parseInt(digits, 16);
      }
      const code = this.#hex(4);
      // Two surrogates may form one code point.
      if (code >= 0xd800 && code <= 0xdfff) throw new UnsupportedSyntax();
      return code;
    }
    if (this.#unicode ? SYNTAX.test(character) : /^[^\w\s]$/.test(character)) return character.codePointAt(0) as number;
    throw new UnsupportedSyntax();
  }

  #hex(length: number): number {
    const digits = Array.from({ length }, () => this.#consume()).join('');
    if (!/^[\da-f]+$/i.test(digits)) throw new UnsupportedSyntax();
    return Number.parseInt(digits, 16);
  }

  #single(character: string): CodePoints | undefined {
    const code = character.codePointAt(0) as number;
    // Without the flag u such a character is two code units.
    if (!this.#unicode && code > 0xffff) throw new UnsupportedSyntax();
    return this.#withCases([[code, code]]);
  }

  /** Adds the other case to a set if the flag i is set. */
  #withCases(set: CodePoints): CodePoints | undefined {
    if (!this.#ignoreCase) return set;
    return this.#unicode ? undefined : ignoreCase(set);
  }

  #class(): CodePoints | undefined {
    const negated = this.#skip('^');
    const sets: (CodePoints | undefined)[] = [];
    while (!this.#skip(']')) {
      const from = this.#member();
      if (this.#next === '-' && this.#characters[this.#at + 1] !== ']') {
        this.#consume();
        const to = this.#member();
        if (from.code === undefined || to.code === undefined) throw new UnsupportedSyntax();
        sets.push(this.#withCases([[from.code, to.code]]));
      } else sets.push(from.code === undefined ? from.set : this.#withCases([[from.code, from.code]]));
    }
    if (sets.includes(undefined)) return undefined;
    const set = union(...(sets as CodePoints[]));
    return negated ? complement(set) : set;
  }

  /** A member of a class: one code point, or a set of them. */
  #member(): { readonly code?: number; readonly set?: CodePoints | undefined } {
    const character = this.#consume();
    if (character !== '\\') {
      const code = character.codePointAt(0) as number;
      if (!this.#unicode && code > 0xffff) throw new UnsupportedSyntax();
      return { code };
    }
    const escaped = this.#consume();
    if (escaped === 'b') return { code: 8 };
    if (escaped === '-') return { code: 0x2d };
    if (/^[dwsp]$/i.test(escaped)) return { set: this.#set(escaped) };
    return { code: this.#code(escaped) };
  }
}

const oneOf = (set: CodePoints | undefined): Part => ({
  ...EMPTY_MATCH,
  linear: set && classOf(set),
  canBeEmpty: false,
});

function joined(parts: readonly Part[], between: string): string | undefined {
  const texts = parts.map(({ linear }) => linear);
  return texts.includes(undefined) ? undefined : texts.join(between);
}
