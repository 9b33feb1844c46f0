/** `mdwi gateway`: a recording reverse proxy for clients in any language, until Ctrl-C. */
import { once } from 'node:events';
import { RecordingError } from '../exchange/har/schema.ts';
import { loadProfile } from '../profile/load.ts';
import { EXIT } from '../run/outcome.ts';
import type { Command } from './command.ts';
import { baseUrlOf, numberOf, parse, UsageError } from './options.ts';
import { openGateway, RECORDING_FLAGS, RECORDING_USAGE, setAsideLeaks } from './recording.ts';

const FLAGS = {
  ...RECORDING_FLAGS,
  upstream: { type: 'string' },
  port: { type: 'string' },
  profile: { type: 'string' },
} as const;

export const gateway: Command = {
  says: 'passes any client’s traffic on to a service and records it, until Ctrl-C',
  usage: `mdwi gateway --upstream URL --name NAME [--port N] [flags]

  --upstream URL       the base address of the service
  --port N             default: any free port of the loopback interface
${RECORDING_USAGE}
  --profile NAME|FILE  whose credentials are hidden, and whose input headers tell requests apart

Clients use the address printed in place of the service’s own; http://…/~/LANE before the path keeps the answers of
concurrent clients apart.`,
  async run(args) {
    const { values } = parse(args, FLAGS);
    if (values.upstream === undefined)
      throw new UsageError('--upstream URL is needed: the base address of the service');
    const profile = await loadProfile(values.profile ?? 'empty');
    const opened = await openGateway(values, {
      upstream: baseUrlOf(values.upstream),
      port: numberOf('port', values.port, 0, 0, 65_535),
      profile,
      source: 'live',
      tell: (message) => process.stderr.write(`mdwi gateway: ${message}\n`),
    });
    process.stdout.write(`${opened.url}\n`);
    try {
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), opened.broken]);
      await opened.close();
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      await opened.close().catch(() => undefined);
      process.stderr.write(`mdwi gateway: ${error.message}\n`);
      return EXIT.ownError;
    }
    const leaked = await setAsideLeaks(values, profile);
    if (leaked !== undefined) {
      process.stderr.write(`mdwi gateway: ${leaked}\n`);
      return EXIT.secrecy;
    }
    process.stderr.write(`mdwi gateway: ${opened.recorded()} exchanges recorded\n`);
    return EXIT.ok;
  },
};
