/** `mdwi recordings`: verifies recordings for CI, and removes unused entries and files from them. */
import { flagParts } from '../config/flag.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, parse } from './parse-flags.ts';
import { ACTION_FLAGS, RECORDINGS_FLAGS } from './usage/recordings.ts';

export const recordings: Command = async (args) => {
  const [action, ...rest] = args;
  if (action !== 'verify' && action !== 'prune')
    throw new UsageError(
      action === undefined
        ? 'mdwi recordings needs an action: verify or prune'
        : `there is no “mdwi recordings ${action}”${didYouMean(action, ['verify', 'prune'])}; there are: verify, prune`,
    );
  const { values, positionals } = parse(rest, RECORDINGS_FLAGS, action === 'verify' ? Number.POSITIVE_INFINITY : 1);
  for (const key of Object.keys(ACTION_FLAGS[action === 'verify' ? 'prune' : 'verify'])) {
    const { name: flag } = flagParts(key);
    if (values[flag as keyof typeof values] !== undefined)
      throw new UsageError(`--${flag} is not a flag of mdwi recordings ${action}`);
  }
  if (action === 'verify') return (await import('./recordings/verify.ts')).verifyRecordings(positionals, values);
  return (await import('./recordings/prune.ts')).pruneRecording(positionals[0], values);
};
