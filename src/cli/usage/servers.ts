/** The flags and the help of the servers. */
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import type { Flags } from '../../config/flag.ts';
import { RECORDING_FLAGS } from './recordings.ts';
import { NETWORK_FLAGS } from './run.ts';
import { flags, paragraphs, type Usage } from './text.ts';

const PORT_FLAGS = {
  'port N': 'default: any free port of the loopback interface',
} as const satisfies Flags;

/** Which clients a server accepts. */
export const ACCESS_FLAGS = {
  'allow-host NAME…':
    'one more host that clients may address, name or name:port (may be repeated; default: the names of\nthe loopback interface with the port of this server)',
  'cors ORIGIN…': 'lets pages of this origin read responses; * for any origin (may be repeated; default: none)',
} as const satisfies Flags;

/** Of a server that a program starts. */
const END_FLAGS = {
  'exit-on-stdin-close': 'ends when standard input ends, as it does with the program at its other side',
} as const satisfies Flags;

export const TLS_FLAGS = {
  tls: 'serves HTTPS with a certificate that is made at the start (needs the package selfsigned)',
  'tls-cert FILE': { as: '--tls-cert FILE, --tls-key FILE', help: 'serves HTTPS with this certificate and key (PEM)' },
  'tls-key FILE': '',
  'tls-cert-out FILE': 'writes the certificate, which clients trust, before the address is printed',
  'tls-client-ca FILE': 'demands client certificates that these authorities (PEM) issued',
} as const satisfies Flags;

const ADDRESS_FLAGS = {
  ...PORT_FLAGS,
  'host ADDRESS': 'the address to listen on, e.g. 0.0.0.0 for all of the machine (default 127.0.0.1)',
  ...TLS_FLAGS,
  'base-path P': 'the prefix of all paths, e.g. /api',
} as const satisfies Flags;

const MODEL_FLAGS = {
  'profile NAME': `the dialect: ${DIALECT_NAMES.join(', ')}; or a profile file\n(node_modules/mdwi-conformance/docs/simulator.md)`,
  'seed N': 'the seed of the generated data (default 1)',
  'as-of DATE': 'the day on which the newest data week ends, a Saturday (YYYY-MM-DD)',
  'products N': 'the number of products in the bulk list (default 1000)',
  'fault NAME': {
    as: '--fault NAME, --oddity NAME',
    help: 'one violation, or one unusual legal behaviour; mdwi faults and mdwi oddities list them',
  },
  'oddity NAME': '',
  'control-port N':
    'serves the control server, too: behaviors, clock, products, jobs\n(node_modules/mdwi-conformance/docs/client-testing.md)',
  'control-token TOKEN': 'which requests to the control server must send',
} as const satisfies Flags;

export const SIMULATE_FLAGS = { ...ADDRESS_FLAGS, ...ACCESS_FLAGS, ...END_FLAGS, ...MODEL_FLAGS };

const SHORT_NAMES = 15;

const simulate: Usage = {
  summary: 'serves the built-in simulator until Ctrl-C',
  usage: paragraphs(
    `mdwi simulate [--port N] [--profile NAME|FILE] [--seed N] [--as-of DATE] [--products N] [--fault NAME | --oddity NAME]
              [--host ADDRESS] [--tls | --tls-cert FILE --tls-key FILE] [--base-path PATH] [--control-port N] [flags]`,
    [flags(ADDRESS_FLAGS, SHORT_NAMES), flags({ ...ACCESS_FLAGS, ...END_FLAGS }), flags(MODEL_FLAGS, SHORT_NAMES)],
  ),
};

export const REPLAY_FLAGS = {
  ...PORT_FLAGS,
  ...ACCESS_FLAGS,
  ...END_FLAGS,
  'recordings DIR': 'the folder of all recordings (default recordings, then those of the package)',
  strict:
    'a request that is sent more often than it was recorded is an error; otherwise its last response is\nrepeated',
  'profile NAME|FILE':
    'the profile whose credentials clients send; they do not count in matching requests (default: the\nprofile of the recording, if it is bundled)',
  'secret VALUE…': 'a value that was hidden in the recording (may be repeated)',
} as const satisfies Flags;

const replay: Usage = {
  summary: 'serves a recording, with no connection to the service',
  usage: paragraphs(
    'mdwi replay NAME [--port N] [--allow-host NAME] [--cors ORIGIN] [--recordings DIR] [--strict] [--profile NAME|FILE] [--secret VALUE]',
    flags(REPLAY_FLAGS),
    `Prints the base address, to be used in place of the service’s own. http://…/~/LANE before the path gives a client its own
sequences of responses. The response to a request that was not recorded is 502 with the header x-mdwi-miss, the nearest
recorded requests and the command that would record it.`,
  ),
};

export const GATEWAY_FLAGS = {
  'upstream URL': 'the base address of the service',
  ...PORT_FLAGS,
  ...ACCESS_FLAGS,
  ...END_FLAGS,
  ...RECORDING_FLAGS,
  ...NETWORK_FLAGS,
  'profile NAME|FILE': 'the profile whose credentials are hidden and whose input headers distinguish requests',
  'ask-twice':
    'at the end, sends some of the requests that change nothing a second time, as record does, to learn\nwhich parts of responses differ each time',
} as const satisfies Flags;

const gateway: Usage = {
  summary: 'forwards the traffic of any client to a service and records it, until Ctrl-C',
  usage: paragraphs(
    'mdwi gateway --upstream URL --name NAME [--port N] [flags]',
    flags(GATEWAY_FLAGS),
    `Clients use the printed address in place of the service’s own. http://…/~/LANE before the path records the responses of
concurrent clients separately.`,
  ),
};

export const SERVER_USAGE = { simulate, replay, gateway };
