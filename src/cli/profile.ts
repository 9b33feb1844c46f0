/** `mdwi profile`: drafts, checks and tries a profile. */
import { existsSync } from 'node:fs';
import { configure, hasTarget } from '../api/configure.ts';
import { loadOffline } from '../api/load-offline.ts';
import { networkOf } from '../api/network.ts';
import { baseUrlOf } from '../api/selection.ts';
import { withLimits } from '../api/with-limits.ts';
import { writeNamedFile } from '../atomic-write.ts';
import { SETTING_KEYS, type SettingKey } from '../config/settings.ts';
import { isOperationKey } from '../contract/index.ts';
import { printable } from '../exchange/printable.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { didYouMeanOperation } from '../profile/did-you-mean-operation.ts';
import { EXIT } from '../run/exit-codes.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { redactor } from '../secrets/redact.ts';
import { UsageError } from '../usage-error.ts';
import type { Command } from './command-type.ts';
import { CONFIG_FLAGS, printConfig } from './config-flags.ts';
import { NETWORK_FLAGS } from './network-flags.ts';
import { parse } from './parse-flags.ts';
import { reportUnset } from './profile/unset-variables.ts';

const positionalAt = (positionals: readonly string[], at: number, what: string): string => {
  const positional = positionals[at];
  if (positional === undefined) throw new UsageError(`${what} is missing; see mdwi profile --help`);
  return positional;
};

export const TRY_FLAGS = { 'base-url': { type: 'string' }, ...NETWORK_FLAGS, ...CONFIG_FLAGS } as const;

/** Settings that do not concern a single request. */
const UNTRIED_SETTINGS: readonly SettingKey[] = SETTING_KEYS.filter(
  (key) => !['baseUrl', 'profile', 'limits', 'secrets', 'proxy', 'ca'].includes(key),
);

/** Each action loads the modules it needs: `check` needs neither the client nor the OpenAPI reader. */
const ACTIONS: Record<string, (args: string[]) => Promise<string>> = {
  async init(args) {
    const { values, positionals } = parse(args, { 'base-url': { type: 'string' }, ...NETWORK_FLAGS } as const, 1);
    const file = positionals[0] ?? 'profile.yaml';
    if (existsSync(file)) throw new UsageError(`${file} exists already; name another file`);
    const base = values['base-url'];
    const responses =
      base === undefined
        ? undefined
        : await (await import('./profile/inspect-service.ts')).inspectService(baseUrlOf(base), networkOf(values));
    await writeNamedFile(file, (await import('./profile/init.ts')).draftProfile(responses));
    return `${printable(file)} written: uncomment what you fill, then run mdwi profile check ${printable(file)}\n`;
  },
  async 'from-openapi'(args) {
    return (await import('./profile/from-openapi.ts')).draftFromOpenapi(args);
  },
  async check(args) {
    const { describeProfile } = await import('./profile/check.ts');
    return describeProfile(await loadOffline(positionalAt(parse(args, {}, 1).positionals, 0, 'the profile’s file')));
  },
  async openings(args) {
    const { listOpenings } = await import('./profile/openings.ts');
    const profile = await loadOffline(positionalAt(parse(args, {}, 1).positionals, 0, 'the profile’s file'));
    return `${listOpenings(profile)}${reportUnset(profile)}`;
  },
  async try(args) {
    const { values: flags, positionals } = parse(args, TRY_FLAGS, 2);
    const first = positionalAt(positionals, 0, 'the profile’s file, or the name of a target,');
    const isTarget = await hasTarget(first, flags.config);
    const configured = await configure(
      { ...flags, ...(!isTarget && { profile: first }) },
      {
        file: flags.config,
        target: isTarget ? first : undefined,
        flags: TRY_FLAGS,
        omit: UNTRIED_SETTINGS,
        showOnly: flags['print-config'],
      },
    );
    if (flags['print-config']) {
      printConfig(configured);
      return '';
    }
    const { values } = configured;
    const profile = withLimits(await loadOffline(values.profile ?? 'empty'), values.limits);
    const key = positionalAt(positionals, 1, 'the operation');
    if (!isOperationKey(key))
      throw new UsageError(
        `“${key}” is no operation${didYouMeanOperation(key)}; write it as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”`,
      );
    if (values['base-url'] === undefined)
      throw new UsageError('--base-url URL is missing: the base address of the service');
    const network = networkOf(values);
    const { tryOperation } = await import('./profile/try.ts');
    const { text, received } = await tryOperation(baseUrlOf(values['base-url']), profile, key, network);
    return redactor(secretValuesOf(profile, [...(values.secret ?? []), ...network.secrets], received))(text);
  },
};

export const profile: Command = {
  async run([name = '', ...args]) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action)
      throw new UsageError(
        `there is no “mdwi profile ${name}”${didYouMean(name, Object.keys(ACTIONS))}; there are: ${Object.keys(ACTIONS).join(', ')}`,
      );
    process.stdout.write(await action(args));
    return EXIT.ok;
  },
};
