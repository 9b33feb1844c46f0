/** Parses and checks flags before a command does anything. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { suggestionFor } from '../profile/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Refuses an unknown flag, and names the one that is probably meant. */
function refuseUnknown(args: string[], options: Options): void {
  const known = Object.keys(options);
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === 'option' && !known.includes(token.name));
  if (unknown?.kind !== 'option') return;
  const [word = ''] = (args[unknown.index] ?? '').split('=');
  const suggestion = suggestionFor(word.replace(/^-+/, ''), known);
  throw new UsageError(
    suggestion === undefined
      ? // `-uNAME:PASSWORD` is not quoted whole.
        `there is no flag ${unknown.rawName} here; flags here: ${known.map((each) => `--${each}`).join(' ') || 'none'}`
      : `there is no flag ${word} here (did you mean --${suggestion}?)`,
  );
}

/**
 * Parses flags strictly. An unknown flag, a missing value, an unexpected word, or a second value of a single-valued flag is
 * a UsageError.
 */
export function parse<O extends Options>(args: string[], options: O, maxPositionals = 0) {
  refuseUnknown(args, options);
  try {
    const parsed = parseArgs({ args, options, strict: true, allowPositionals: maxPositionals > 0, tokens: true });
    if (parsed.positionals.length > maxPositionals)
      throw new Error(`unexpected word “${parsed.positionals[maxPositionals]}”`);
    const flags = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    for (const [name, { type, multiple }] of Object.entries(options))
      if (type === 'string' && !multiple) refuseRepeated(name, flags.filter((each) => each === name).length);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const known = Object.keys(options).map((each) => `--${each}`);
    throw new UsageError(`${(error as Error).message.split('. To specify')[0]}; flags here: ${known.join(' ')}`);
  }
}

/** Refuses a single-valued flag that is given several times: the last value would silently replace the others. */
function refuseRepeated(name: string, times: number): void {
  if (times > 1) throw new UsageError(`--${name} is given ${times} times, but only one value can count: give it once`);
}

/** Reads a whole number from a flag and checks its bounds. */
export function numberOf(flag: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`--${flag} ${text}: a whole number from ${min} to ${max} is needed`);
  return value;
}
