/** `mdwi profile try`: reads the command line and the configuration. */
import { configure, hasTarget } from '../../commands/configure.ts';
import { networkOf } from '../../commands/network.ts';
import { baseUrlOf } from '../../commands/selection.ts';
import { refuseUnattended } from '../../commands/unattended.ts';
import { withLimits } from '../../commands/with-limits.ts';
import { SETTING_KEYS, type SettingKey } from '../../config/settings.ts';
import { INPUT_NAMES, isOperationKey, SAFETY_LADDER, type Safety } from '../../contract/index.ts';
import { didYouMean, didYouMeanOperation } from '../../profile/did-you-mean.ts';
import { loadOffline } from '../../profile/load.ts';
import { isInput } from '../../profile/template.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { secretValuesOf } from '../../secrets/declared-secrets.ts';
import { redactor } from '../../secrets/redact.ts';
import { oneOf, UsageError } from '../../usage-error.ts';
import { parse } from '../parse-flags.ts';
import { printConfig } from '../print-config.ts';
import { TRY_FLAGS } from '../usage/profile.ts';
import type { PrintedAction } from './printed-action.ts';

/** The safety class of a target is not used: a single request that changes something needs the flag. */
const USED_SETTINGS: readonly SettingKey[] = ['baseUrl', 'profile', 'limits', 'secrets', 'proxy', 'ca', 'allowHosts'];

/** Reads `NAME=VALUE`. Throws UsageError. */
function inputsOf(texts: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [, name = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
      if (value === undefined) throw new UsageError(`--input ${text}: write NAME=VALUE, e.g. --input category=Tea`);
      if (!isInput(name))
        throw new UsageError(
          `--input ${text}: “${name}” is no input${didYouMean(name, INPUT_NAMES)}; there are: ${INPUT_NAMES.join(', ')}`,
        );
      return [name, value] as const;
    }),
  );
}

/** Sends the request that the command line names. */
export async function runTry(args: string[]): Promise<PrintedAction> {
  const { values: flags, positionals } = parse(args, TRY_FLAGS, 2);
  const [first, key] = positionals;
  const missing = (what: string) => new UsageError(`${what} is missing; see mdwi profile --help`);
  if (first === undefined) throw missing('the profile’s file, or the name of a target,');
  const isTarget = await hasTarget(first, flags.config);
  const configured = await configure(
    { ...flags, ...(!isTarget && { profile: first }) },
    {
      target: isTarget ? first : undefined,
      flags: TRY_FLAGS,
      omit: SETTING_KEYS.filter((each) => !USED_SETTINGS.includes(each)),
    },
  );
  if (flags['print-config']) return { text: '', code: printConfig(configured) };
  const { values } = configured;
  const profile = withLimits(await loadOffline(values.profile ?? 'empty'), values.limits);
  if (key === undefined) throw missing('the operation');
  if (!isOperationKey(key))
    throw new UsageError(
      `“${key}” is no operation${didYouMeanOperation(key)}; write it as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”`,
    );
  if (values['base-url'] === undefined)
    throw new UsageError('--base-url URL is missing: the base address of the service');
  const base = baseUrlOf(values['base-url']);
  const safety = oneOf('--safety', flags.safety ?? 'read', Object.keys(SAFETY_LADDER) as Safety[]);
  const inputs = inputsOf(flags.input);
  refuseUnattended({ base, safety, allowHosts: values['allow-target-host'] });
  const network = networkOf(values);
  const { tryOperation } = await import('./try.ts');
  const { text, received } = await tryOperation(base, profile, key, { network, safety, inputs });
  const hide = redactor(secretValuesOf(profile, [...(values.secret ?? []), ...network.secrets], received));
  return { text: hide(text), code: EXIT.ok };
}
