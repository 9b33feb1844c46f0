/** What users call an option: on the command line its flag, in a program a member of the options. */
import { keyOfFlag } from '../config/settings.ts';

/** The name of an option, by its flag without dashes. */
export type OptionName = (flag: string) => string;

/** Values of options that come from a command line or from a program. */
export interface NamedOptions {
  /** What the user calls an option in the sentence of a refusal; default: its flag. */
  readonly nameOf?: OptionName | undefined;
}

export const flagName: OptionName = (flag) => `--${flag}`;

/** The name in a program: the key of the configuration, else the flag in camel case. */
export const memberName: OptionName = (flag) =>
  keyOfFlag(flag) ?? flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
