/**
 * Flags of the command line with their texts in help. A key is the name and, if the flag takes a value, what help calls it; `…`
 * after it: the flag may be repeated. A text keeps its line breaks; without one, the text of another flag mentions it.
 * @example { 'out FILE': 'where to write', 'secret VALUE…': 'one more value to hide (may be repeated)', force: 'replaces files' }
 */
export type Flags = Readonly<Record<string, FlagText>>;
/** `as`: in place of the name and the value. */
export type FlagText = string | { readonly as: string; readonly help: string };

type NameIn<K> = K extends `${infer N} ${string}` ? N : K;

/** The parsed values of flags, by their names. */
export type FlagValues<T> = {
  [K in keyof T as NameIn<K>]?: (K extends `${string} ${infer V}` ? Taken<V> : boolean) | undefined;
};

/** The parsed value of a flag that takes this. */
export type Taken<V> = V extends `${string}…` ? string[] : string;

/** The parts of a key of flags. */
export function flagParts(key: string): {
  readonly name: string;
  readonly takes?: string;
  readonly isRepeated: boolean;
} {
  const [, name = key, takes, more] = /^(\S+)(?: (.*?)(…?))?$/.exec(key) ?? [];
  return { name, isRepeated: more === '…', ...(takes !== undefined && { takes }) };
}

/** Whether a command has a flag. */
export const hasFlag = (flags: Flags, name: string): boolean =>
  Object.keys(flags).some((key) => flagParts(key).name === name);

/** Carries the type of a value in a row of a table. */
export interface TypeOf<T> {
  readonly type?: T;
}

export const typeOf = <T>(): TypeOf<T> => ({});
