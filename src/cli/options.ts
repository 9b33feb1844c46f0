/** Flags shared by commands, checked at the door. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ruleOf } from '../../suites/index.ts';
import { GROUPS, isOperationKey, SAFETY_LADDER, type Safety } from '../contract/index.ts';
import { checkBaseUrl } from '../exchange/url.ts';
import type { Selection } from '../run/types.ts';

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

export const SELECTION_FLAGS = {
  'base-url': { type: 'string' },
  profile: { type: 'string' },
  group: { type: 'string', multiple: true },
  operation: { type: 'string', multiple: true },
  rule: { type: 'string', multiple: true },
  safety: { type: 'string' },
} as const satisfies Options;

export const SELECTION_USAGE = `  --base-url URL       the address every path is appended to; without it the built-in simulator is judged, in
                       the dialect the profile describes
  --profile NAME|FILE  what the document leaves open, filled for this service (default: empty, nothing filled)
  --group A|B|C|D      only these groups (may be repeated)
  --operation KEY      only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"
  --rule ID            only these rules (mdwi rules lists them)
  --safety CLASS       what may be sent: read (default with --base-url), job, write, all`;

export interface SelectionValues {
  readonly 'base-url'?: string | undefined;
  readonly group?: string[] | undefined;
  readonly operation?: string[] | undefined;
  readonly rule?: string[] | undefined;
  readonly safety?: string | undefined;
}

/** The selection of a command line. Without a base address the simulator is meant, where everything may be sent. */
export function selectionOf(values: SelectionValues): Selection {
  const safety = values.safety ?? (values['base-url'] === undefined ? 'all' : 'read');
  if (!Object.hasOwn(SAFETY_LADDER, safety))
    throw new UsageError(`--safety ${safety}: allowed are ${Object.keys(SAFETY_LADDER).join(', ')}`);
  const groups = values.group?.flatMap((each) => each.split(',')).map((each) => each.trim());
  for (const group of groups ?? []) {
    if (!Object.hasOwn(GROUPS, group))
      throw new UsageError(`--group ${group}: allowed are ${Object.keys(GROUPS).join(', ')}`);
  }
  const operations = (values.operation ?? []).map((key) => {
    if (!isOperationKey(key))
      throw new UsageError(
        `--operation “${key}”: there is no such operation; spell it as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”`,
      );
    return key;
  });
  for (const id of values.rule ?? []) {
    if (!ruleOf(id)) throw new UsageError(`--rule ${id}: there is no such rule; mdwi rules lists them`);
  }
  return {
    safety: safety as Safety,
    ...(groups && { groups }),
    ...(operations.length > 0 && { operations }),
    ...(values.rule && { rules: values.rule }),
  };
}

/** The base address of a command line, checked. */
export function baseUrlOf(text: string): string {
  try {
    return checkBaseUrl(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
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
