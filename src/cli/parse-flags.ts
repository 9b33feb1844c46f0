/** Parses and checks flags before a command does anything. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Flags, type FlagValues, flagParts } from '../config/flag.ts';
import { suggestionFor } from '../profile/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';

/** A command: takes the arguments after its name and returns the exit code. */
export type Command = (args: string[]) => Promise<number>;

type Options = NonNullable<ParseArgsConfig['options']>;

const flagsHere = (known: readonly string[]): string =>
  `flags here: ${known.map((each) => `--${each}`).join(' ') || 'none'}`;

/** Refuses an unknown flag and names the one that is probably meant; refuses a missing value, and one that is too much. */
function checkFlags(args: string[], options: Options): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { index, name, rawName, value, inlineValue } = token;
    const flag = `--${name}`;
    const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
    if (type === undefined) throw unknownFlag(args[index] ?? '', rawName, Object.keys(options));
    if (type === 'boolean' && value !== undefined) throw new UsageError(`${flag} takes no value: write ${flag} alone`);
    if (type === 'string' && value === undefined) throw new UsageError(`${flag} needs a value`);
    if (type === 'string' && !inlineValue && /^-./.test(value ?? ''))
      throw new UsageError(`${flag} needs a value; write ${flag}=VALUE if the value begins with a hyphen`);
  }
}

function unknownFlag(arg: string, rawName: string, known: readonly string[]): UsageError {
  const [word = ''] = arg.split('=');
  const suggestion = suggestionFor(word.replace(/^-+/, ''), known);
  return new UsageError(
    suggestion === undefined
      ? // `-uNAME:PASSWORD` is not quoted whole.
        `there is no flag ${rawName} here; ${flagsHere(known)}`
      : `there is no flag ${word} here (did you mean --${suggestion}?)`,
  );
}

const optionsOf = (flags: Flags): Options =>
  Object.fromEntries(
    Object.keys(flags).map((key) => {
      const { name, takes, isRepeated } = flagParts(key);
      return [name, { type: takes === undefined ? 'boolean' : 'string', multiple: isRepeated }];
    }),
  );

/**
 * Parses flags strictly. An unknown flag, a missing value, an unexpected word, or a second value of a single-valued flag is
 * a UsageError.
 */
export function parse<F extends Flags>(
  args: string[],
  table: F,
  maxPositionals = 0,
): { values: FlagValues<F>; positionals: string[] } {
  const options = optionsOf(table);
  checkFlags(args, options);
  const parsed = parseArgs({ args, options, strict: true, allowPositionals: true, tokens: true });
  const word = parsed.positionals[maxPositionals];
  if (word !== undefined) throw new UsageError(`unexpected word “${word}”; ${flagsHere(Object.keys(options))}`);
  const flags = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  for (const [name, { type, multiple }] of Object.entries(options))
    if (type === 'string' && !multiple) refuseRepeated(name, flags.filter((each) => each === name).length);
  return { values: parsed.values as FlagValues<F>, positionals: parsed.positionals };
}

/** Refuses a single-valued flag that is given several times: the last value would silently replace the others. */
function refuseRepeated(name: string, times: number): void {
  if (times > 1) throw new UsageError(`--${name} is given ${times} times, but only one value can count: give it once`);
}

/** A word or a value that a command needs. Throws UsageError if it is missing. */
export function needed(given: string | undefined, missing: string): string {
  if (given === undefined) throw new UsageError(missing);
  return given;
}

/** Reads a whole number from a flag and checks its bounds. */
export function numberOf(flag: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`--${flag} ${text}: a whole number from ${min} to ${max} is needed`);
  return value;
}
