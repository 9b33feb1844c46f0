/** The parts converters are made of. */
import type { FieldKind } from '../../contract/index.ts';

/** A neutral value as a converter handles it: texts, UPCs; numbers, money, percentages, day numbers; lists. */
export type Neutral = string | number | readonly unknown[];

/** What came of reading: the neutral value, or in a few words why there is none. */
export type Conversion = { readonly value: Neutral } | { readonly why: string };

export interface Converter {
  /** The kinds of field it may be named for. */
  readonly kinds: readonly FieldKind[];
  /** What it takes, for documentation and messages. */
  readonly means: string;
  /** `raw` is a decoded JSON value, a text of XML or CSV, or a header line; never null or undefined. Never throws. */
  read(raw: unknown): Conversion;
  /** The wire value that reads back as the same neutral value. */
  write(value: Neutral): Neutral;
}

export const converted = (value: Neutral): Conversion => ({ value });
export const unconvertible = (why: string): Conversion => ({ why });
