/** The flags and the help of `mdwi profile`. */
import type { Flags } from '../../config/flag.ts';
import { CONFIG_FLAGS, HOST_FLAGS, NETWORK_FLAGS } from './run.ts';
import { flags, paragraphs, type Usage } from './text.ts';

/** The synopsis mentions them. */
const BASE_FLAGS = { 'base-url URL': '' } as const satisfies Flags;

export const INIT_PROFILE_FLAGS = { ...BASE_FLAGS, ...NETWORK_FLAGS };

export const FROM_OPENAPI_FLAGS = {
  'out FILE': '',
  force: '',
} as const satisfies Flags;

const SECRET_FLAGS = {
  'secret VALUE…': 'one more value to hide (may be repeated)',
} as const satisfies Flags;

const OWN_CHECK_FLAGS = {
  fix: 'adds to FILE what is learned from the service, as learn --out FILE does; what it states stays as it is',
  simulator: 'checks against the built-in simulator, in the dialect of the profile',
  json: 'prints the result as JSON: requests, exhausted, and remarks (kind, key, line, sentence, rules)',
  'max-requests N': 'sends no more than N requests (default 150)',
} as const satisfies Flags;

export const CHECK_FLAGS = { ...BASE_FLAGS, ...OWN_CHECK_FLAGS, ...SECRET_FLAGS, ...NETWORK_FLAGS, ...CONFIG_FLAGS };

const OWN_LEARN_FLAGS = {
  simulator: 'learns from the built-in simulator',
  'recordings NAME|FILE': 'learns from a recording, a HAR file or a folder of HAR files, and sends nothing',
  'profile NAME|FILE': 'the profile to start from: what it states is taken as it is',
  'safety CLASS': 'the largest safety class that may be sent: read (default) or job',
  'max-requests N': 'sends no more than N requests (default 150 with a description, 300 without)',
  'max-requests-per-second N': 'sends no more than N requests per second',
  'show-values': 'shows values of the service in evidence and questions, which are masked otherwise',
  ...HOST_FLAGS,
} as const satisfies Flags;

const FILE_FLAGS = {
  'out FILE': 'writes the profile to a file; to an existing profile it adds what is missing there',
  force: 'replaces the file of --out',
  ask: 'asks the questions on the terminal',
} as const satisfies Flags;

export const WHY_FLAGS = { ...BASE_FLAGS, ...OWN_LEARN_FLAGS, ...SECRET_FLAGS, ...NETWORK_FLAGS, ...CONFIG_FLAGS };
export const LEARN_FLAGS = { ...WHY_FLAGS, ...FILE_FLAGS };

const OWN_TRY_FLAGS = {
  'input NAME=VALUE…': 'the value of an input, in place of the example of the profile (may be repeated)',
  'safety CLASS': 'the largest safety class that may be sent: read, job, write, all (default read)',
  ...HOST_FLAGS,
} as const satisfies Flags;

export const TRY_FLAGS = { ...BASE_FLAGS, ...OWN_TRY_FLAGS, ...SECRET_FLAGS, ...NETWORK_FLAGS, ...CONFIG_FLAGS };

const profile: Usage = {
  summary: 'learns, drafts, checks and tries a profile',
  usage: paragraphs(
    `mdwi profile init [FILE] [--base-url URL]                writes a commented profile in which every opening is open
                                                         (profile.yaml); with a URL, it learns one without credentials,
                                                         if an operation answers
mdwi profile from-openapi FILE [--out FILE] [--force]    drafts a profile from your OpenAPI 3 description, and lists what the
                                                         description does not decide
mdwi profile learn [OPENAPI] --base-url URL|--recordings NAME [--out FILE]
                                                         learns a profile from the responses of a service: what is settled, with
                                                         the evidence, questions, and the promises that were seen to hold
mdwi profile why KEY [OPENAPI] --base-url URL            learns again, and prints why a key is settled, a question or open
mdwi profile check FILE                                  checks a profile; for an error, prints file, line, key and what is
                                                         allowed
mdwi profile check FILE --base-url URL|--simulator       also sends harmless requests, at most 150, and prints which keys the
                                                         responses contradict or confirm, which are not verified, and
                                                         which openings they fill; also with a target: mdwi profile check TARGET
mdwi profile openings FILE                               lists filled and open openings, and the rules that each open one blocks
mdwi profile try FILE --base-url URL "GET /…/allProducts"  sends one request and shows what every selector found;
                                                         also with a target: mdwi profile try TARGET "GET /…"`,
    ['learn', flags(OWN_LEARN_FLAGS), flags(FILE_FLAGS)],
    ['init, learn, check and try', flags(NETWORK_FLAGS)],
    ['check', flags(OWN_CHECK_FLAGS)],
    ['try', flags(OWN_TRY_FLAGS)],
    ['learn, check and try', flags(SECRET_FLAGS), flags(CONFIG_FLAGS)],
    'exit codes of learn: 0 learned · 2 usage or profile · 3 no operation answered · 70 our own error · 130 Ctrl-C · 143 SIGTERM',
    'exit codes of check: 0 the profile is valid, also if keys are listed · 2 usage or profile · 3 no response could be read · 70 our own error',
  ),
};

export const PROFILE_USAGE = { profile };
