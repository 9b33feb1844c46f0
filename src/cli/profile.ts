/** `mdwi profile`: drafting, checking and trying a profile. */
import { existsSync } from 'node:fs';
import { baseUrlOf } from '../api/selection.ts';
import { isOperationKey } from '../contract/index.ts';
import { printable } from '../exchange/printable.ts';
import { loadProfile } from '../profile/load.ts';
import { writeReportFile } from '../report/write.ts';
import { EXIT } from '../run/outcome.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { redactor } from '../secrets/redact.ts';
import { UsageError } from '../usage-error.ts';
import type { Command } from './command-type.ts';
import { parse } from './parse-flags.ts';
import { reportUnset } from './profile/unset-variables.ts';

const wordOf = (words: readonly string[], at: number, what: string): string => {
  const word = words[at];
  if (word === undefined) throw new UsageError(`${what} is missing; see mdwi profile --help`);
  return word;
};

/** Each loads what it needs when it is called: `check` needs neither the client nor the reader of OpenAPI descriptions. */
/** A profile that is looked at: variables that are not set matter only where something is sent. */
const lookAt = (source: string) => loadProfile(source, process.env, 'keep');

const ACTIONS: Record<string, (args: string[]) => Promise<string>> = {
  async init(args) {
    const { values, positionals } = parse(args, { 'base-url': { type: 'string' } } as const, 1);
    const file = positionals[0] ?? 'profile.yaml';
    if (existsSync(file)) throw new UsageError(`${file} is there already; name another file`);
    const base = values['base-url'];
    const seen =
      base === undefined
        ? undefined
        : await (await import('./profile/inspect-service.ts')).inspectService(baseUrlOf(base));
    await writeReportFile(file, (await import('./profile/draft.ts')).draftProfile(seen));
    return `${printable(file)} written: take the # off what you fill, then mdwi profile check ${printable(file)}\n`;
  },
  async 'from-openapi'(args) {
    return (await import('./profile/from-openapi.ts')).draftFromOpenapi(args);
  },
  async check(args) {
    const { describeProfile } = await import('./profile/check.ts');
    return describeProfile(await lookAt(wordOf(parse(args, {}, 1).positionals, 0, 'the profile’s file')));
  },
  async openings(args) {
    const { listOpenings } = await import('./profile/openings.ts');
    const profile = await lookAt(wordOf(parse(args, {}, 1).positionals, 0, 'the profile’s file'));
    return `${listOpenings(profile)}${reportUnset(profile)}`;
  },
  async try(args) {
    const { values, positionals } = parse(args, { 'base-url': { type: 'string' } } as const, 2);
    const profile = await lookAt(wordOf(positionals, 0, 'the profile’s file'));
    const key = wordOf(positionals, 1, 'the operation');
    if (!isOperationKey(key))
      throw new UsageError(
        `“${key}” is no operation; spell it as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”`,
      );
    if (values['base-url'] === undefined) throw new UsageError('--base-url URL is missing: the service to try it on');
    const { tryOperation } = await import('./profile/try.ts');
    const { text, received } = await tryOperation(baseUrlOf(values['base-url']), profile, key);
    return redactor(secretValuesOf(profile, [], received))(text);
  },
};

export const profile: Command = {
  async run([name = '', ...args]) {
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action) throw new UsageError(`“${name}” is none of ${Object.keys(ACTIONS).join(', ')}`);
    process.stdout.write(await action(args));
    return EXIT.ok;
  },
};
