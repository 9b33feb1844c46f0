/** `mdwi profile`: learns, drafts, checks and tries a profile. */
import { existsSync } from 'node:fs';
import { didYouMean } from '../profile/did-you-mean.ts';
import { loadOffline } from '../profile/load.ts';
import { EXIT } from '../run/exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, parse } from './parse-flags.ts';
import type { PrintedAction } from './profile/printed-action.ts';
import { reportUnset } from './profile/unset-variables.ts';
import { INIT_PROFILE_FLAGS } from './usage/profile.ts';

const printed = (text: string): PrintedAction => ({ text, code: EXIT.ok });

/** Each action loads the modules it needs: `check` needs neither the client nor the OpenAPI reader. */
const ACTIONS: Record<string, (args: string[]) => Promise<PrintedAction>> = {
  async init(args) {
    const { values, positionals } = parse(args, INIT_PROFILE_FLAGS, 1);
    const file = positionals[0] ?? 'profile.yaml';
    if (existsSync(file)) throw new UsageError(`${file} exists already; name another file`);
    return (await import('./profile/init.ts')).initProfile(file, values);
  },
  async 'from-openapi'(args) {
    return printed(await (await import('./profile/from-openapi.ts')).draftFromOpenapi(args));
  },
  async learn(args) {
    return (await import('./profile/learn.ts')).runLearn(args);
  },
  async why(args) {
    return (await import('./profile/learn.ts')).runWhy(args);
  },
  async check(args) {
    return (await import('./profile/run-check.ts')).runCheck(args);
  },
  async openings(args) {
    const { listOpenings } = await import('./profile/openings.ts');
    const [file] = parse(args, {}, 1).positionals;
    if (file === undefined) throw new UsageError('the profile’s file is missing; see mdwi profile --help');
    const profile = await loadOffline(file);
    return printed(`${listOpenings(profile)}${reportUnset(profile)}`);
  },
  async try(args) {
    return (await import('./profile/run-try.ts')).runTry(args);
  },
};

export const profile: Command = async ([name = '', ...args]) => {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!action)
    throw new UsageError(
      `there is no “mdwi profile ${name}”${didYouMean(name, Object.keys(ACTIONS))}; there are: ${Object.keys(ACTIONS).join(', ')}`,
    );
  const { text, code } = await action(args);
  process.stdout.write(text);
  return code;
};
