/** `mdwi gateway`: a recording reverse proxy for clients in any language, until Ctrl-C. */
import { once } from 'node:events';
import { LeakError } from '../exchange/secrets/quarantine.ts';
import { loadProfile } from '../profile/load.ts';
import { EXIT } from '../run/outcome.ts';
import type { Command } from './command.ts';
import { baseUrlOf, numberOf, parse, UsageError } from './options.ts';
import {
  endBadly,
  openGateway,
  RECORDING_FLAGS,
  RECORDING_USAGE,
  scrubFlags,
  UPSTREAM_FLAGS,
  UPSTREAM_USAGE,
} from './recording.ts';

const FLAGS = {
  ...RECORDING_FLAGS,
  ...UPSTREAM_FLAGS,
  upstream: { type: 'string' },
  port: { type: 'string' },
  profile: { type: 'string' },
  'ask-twice': { type: 'boolean' },
} as const;

export const gateway: Command = {
  says: 'passes any client’s traffic on to a service and records it, until Ctrl-C',
  usage: `mdwi gateway --upstream URL --name NAME [--port N] [flags]

  --upstream URL       the base address of the service
  --port N             default: any free port of the loopback interface
${RECORDING_USAGE}
${UPSTREAM_USAGE}
  --profile NAME|FILE  whose credentials are hidden, and whose input headers tell requests apart
  --ask-twice          at the end asks some of the requests that change nothing a second time, as record does, to learn
                       which parts of answers differ each time

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
      asksTwice: values['ask-twice'] ?? false,
      made: { command: 'gateway', flags: scrubFlags(values.scrub) },
      tell: (message) => process.stderr.write(`mdwi gateway: ${message}\n`),
      refused: (why) => process.stderr.write(`mdwi gateway: not kept: ${why}\n`),
    });
    process.stdout.write(`${opened.url}\n`);
    try {
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), opened.broken]);
      await opened.close();
    } catch (error) {
      if (!(error instanceof LeakError)) await opened.close().catch(() => undefined);
      return endBadly('gateway', error);
    }
    process.stderr.write(`mdwi gateway: ${opened.recorded()} exchanges recorded\n`);
    return EXIT.ok;
  },
};
