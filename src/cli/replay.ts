/** `mdwi replay`: serves a recording until Ctrl-C. */
import { startReplay } from '../../simulator/replay/replay.ts';
import { findRecording, profileForReplay, replayOptionsOf } from '../commands/open-replay.ts';
import { EXIT } from '../run/exit-codes.ts';
import { notify } from '../terminal/notify.ts';
import { untilEnded } from '../terminal/server-end.ts';
import { listenError } from '../terminal/system-error.ts';
import { accessOf } from './access-options.ts';
import { type Command, needed, numberOf, parse } from './parse-flags.ts';
import { REPLAY_FLAGS } from './usage/servers.ts';

export const replay: Command = async (args) => {
  const { values, positionals } = parse(args, REPLAY_FLAGS, 1);
  const name = needed(positionals[0], 'mdwi replay NAME: the name of the recording is missing');
  const port = numberOf('port', values.port, 0, 0, 65_535);
  const access = accessOf(values);
  const recording = findRecording(name, values.recordings);
  const server = await startReplay({
    recording,
    ...access,
    port,
    strict: values.strict ?? false,
    ...replayOptionsOf(await profileForReplay(recording, values.profile), recording, values.secret),
    onMessage: (message) => notify('replay', message),
  }).catch((error: unknown) => {
    throw listenError(port, error);
  });
  // Listens before it prints: a client that reads the address may end the server at once.
  const ended = untilEnded(values);
  process.stdout.write(`${server.url}\n`);
  await ended;
  await server.close();
  if (server.missCount() > 0) process.stderr.write(`mdwi replay: ${server.missCount()} requests were not recorded\n`);
  return EXIT.ok;
};
