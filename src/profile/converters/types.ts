/** The types of converters. */
import type { FieldKind } from '../../contract/index.ts';

/** A neutral value as a converter handles it: texts, UPCs; numbers, money, percentages, day numbers; lists. */
export type Neutral = string | number | readonly unknown[];

/** The result of a conversion: the neutral value, or the reason why there is none. */
export type Conversion = { readonly value: Neutral } | { readonly why: string };

export interface Converter {
  /** The field kinds it applies to. */
  readonly kinds: readonly FieldKind[];
  /** The accepted format, for documentation and messages. */
  readonly means: string;
  /** `raw` is a decoded JSON value, a text of XML or CSV, or a header line; never null or undefined. Never throws. */
  read(raw: unknown): Conversion;
}

export const converted = (value: Neutral): Conversion => ({ value });
export const unconvertible = (why: string): Conversion => ({ why });
