/** `mdwi gateway`: a recording reverse proxy for clients in any language, until Ctrl-C. */

import { networkOf } from '../commands/network.ts';
import { openGateway } from '../commands/open-gateway.ts';
import { baseUrlOf } from '../commands/selection.ts';
import { loadProfile } from '../profile/load.ts';
import { LeakError } from '../recording/record/quarantine.ts';
import { EXIT } from '../run/exit-codes.ts';
import { notify } from '../terminal/notify.ts';
import { untilEnded } from '../terminal/server-end.ts';
import { accessOf } from './access-options.ts';
import { type Command, needed, numberOf, parse } from './parse-flags.ts';
import { failRecording, scrubFlags } from './recording-flags.ts';
import { GATEWAY_FLAGS } from './usage/servers.ts';

export const gateway: Command = async (args) => {
  const { values } = parse(args, GATEWAY_FLAGS);
  const upstream = needed(values.upstream, '--upstream URL is needed: the base address of the service');
  const profile = await loadProfile(values.profile ?? 'empty');
  const gatewayServer = await openGateway(values, {
    ...accessOf(values),
    upstream: baseUrlOf(upstream),
    network: networkOf(values),
    port: numberOf('port', values.port, 0, 0, 65_535),
    profile,
    source: 'live',
    sendsTwice: values['ask-twice'] ?? false,
    command: { command: 'gateway', flags: scrubFlags(values.scrub) },
    onMessage: (message) => notify('gateway', message),
    onNotRecorded: (why) => notify('gateway', `not recorded: ${why}`),
  });
  // Listens before it prints: a client that reads the address may end the server at once.
  const ended = untilEnded(values);
  process.stdout.write(`${gatewayServer.url}\n`);
  try {
    await Promise.race([ended, gatewayServer.broken]);
    await gatewayServer.close();
  } catch (error) {
    if (!(error instanceof LeakError)) await gatewayServer.close().catch(() => undefined);
    return failRecording('gateway', error);
  }
  process.stderr.write(`mdwi gateway: ${gatewayServer.recordedCount()} exchanges recorded\n`);
  return EXIT.ok;
};
