/** `mdwi profile check`: checks a profile alone, or against the responses of its service. */
import { configure, hasTarget } from '../../commands/configure.ts';
import { networkOf, simulatorNetwork } from '../../commands/network.ts';
import { targetBaseUrl } from '../../commands/selection.ts';
import { withLimits } from '../../commands/with-limits.ts';
import { SETTING_KEYS, type SettingKey } from '../../config/settings.ts';
import { loadOffline, loadProfile } from '../../profile/load.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { secretValuesOf } from '../../secrets/declared-secrets.ts';
import { redactor } from '../../secrets/redact.ts';
import { UsageError } from '../../usage-error.ts';
import { parse } from '../parse-flags.ts';
import { printConfig } from '../print-config.ts';
import { CHECK_FLAGS } from '../usage/profile.ts';
import type { PrintedAction } from './printed-action.ts';

const USED_SETTINGS: readonly SettingKey[] = ['baseUrl', 'simulator', 'profile', 'limits', 'secrets', 'proxy', 'ca'];

/**
 * Checks a profile. With a base address or `--simulator`, or with the name of a target, also sends harmless requests and
 * compares the responses with the profile; with `--fix`, adds what is learned from them to the file.
 *
 * @returns exit code 0 also if bindings are in doubt, 3 if no response could be read
 */
export async function runCheck(args: string[]): Promise<PrintedAction> {
  const { values: flags, positionals } = parse(args, CHECK_FLAGS, 1);
  const [first] = positionals;
  if (first === undefined) throw new UsageError('the profile’s file is missing; see mdwi profile --help');
  const isTarget = await hasTarget(first, flags.config);
  const isLive = isTarget || flags['base-url'] !== undefined || flags.simulator === true;
  const { fix, ...checked } = flags;
  if (fix) {
    if (isTarget || flags.simulator || flags.json || flags['base-url'] === undefined)
      throw new UsageError('--fix needs the file of a profile and --base-url URL, without --simulator and --json');
    await loadOffline(first);
    return (await import('./learn.ts')).learnWith({ ...checked, out: first, profile: first });
  }
  const [{ describeProfile }, { checkToJson, formatLiveCheck }] = await Promise.all([
    import('./check.ts'),
    import('./check-format.ts'),
  ]);
  if (!isLive) {
    const profile = await loadOffline(first);
    return { text: flags.json ? checkToJson(profile) : describeProfile(profile), code: EXIT.ok };
  }
  const configured = await configure(
    { ...flags, ...(!isTarget && { profile: first }) },
    {
      target: isTarget ? first : undefined,
      flags: CHECK_FLAGS,
      omit: SETTING_KEYS.filter((key) => !USED_SETTINGS.includes(key)),
    },
  );
  if (flags['print-config']) return { text: '', code: printConfig(configured) };
  const { values } = configured;
  const name = values.profile ?? 'empty';
  const { limits } = values;
  const profile = withLimits(await loadProfile(name), limits);
  const base = targetBaseUrl({ 'base-url': values['base-url'], simulator: values.simulator });
  const network = networkOf(values);
  const { checkLive } = await import('./check-live.ts');
  const simulator =
    base === undefined
      ? await (await import('../../commands/start-simulator.ts')).startSimulatorServer({ profile: name })
      : undefined;
  try {
    const result = await checkLive(
      base ?? (simulator?.url as string),
      profile,
      simulator ? simulatorNetwork(simulator.url) : network,
      limits?.maxRequests,
    );
    const text = flags.json
      ? checkToJson(profile, result)
      : `${describeProfile(profile)}${formatLiveCheck(profile, result)}`;
    const hide = redactor(secretValuesOf(profile, [...(values.secret ?? []), ...network.secrets], result.received));
    return { text: hide(text), code: result.hasReadableResponse ? EXIT.ok : EXIT.undetermined };
  } finally {
    await simulator?.close();
  }
}
