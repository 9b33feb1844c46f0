/** `--print-config`. */
import type { Configured } from '../commands/configure.ts';
import type { ConfiguredValues } from '../commands/configured-values.ts';
import { formatSettings } from '../config/format-settings.ts';
import { printableLines } from '../exchange/printable.ts';
import { EXIT } from '../run/exit-codes.ts';
import { redactor } from '../secrets/redact.ts';

/** Prints the settings that hold, with the origin of each. Returns the exit code. */
export function printConfig({ values, settled, keys, config, target }: Configured<ConfiguredValues>): number {
  const text = formatSettings(settled, keys, config, target);
  process.stdout.write(printableLines(redactor(values.secret ?? [])(text)));
  return EXIT.ok;
}
