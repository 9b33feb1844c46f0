/** Flags shared by commands, checked at the door. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A command line that cannot be carried out; the message is one sentence. Nothing has been sent. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses flags strictly; an unknown one, a missing value or a stray word is a UsageError. */
export function parse<O extends Options>(args: string[], options: O, words = 0) {
  try {
    const parsed = parseArgs({ args, options, strict: true, allowPositionals: words > 0 });
    if (parsed.positionals.length > words) throw new Error(`unexpected word “${parsed.positionals[words]}”`);
    return parsed;
  } catch (error) {
    const known = Object.keys(options).map((each) => `--${each}`);
    throw new UsageError(`${(error as Error).message.split('. To specify')[0]}; flags here: ${known.join(' ')}`);
  }
}

/** A whole number from a flag, within bounds. */
export function numberOf(
  flag: string,
  text: string | undefined,
  fallback: number,
  least: number,
  most: number,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`--${flag} ${text}: a whole number from ${least} to ${most} is needed`);
  return value;
}
