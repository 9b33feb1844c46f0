/** The flags and the help of the commands for recorded traffic. */
import type { Flags, FlagValues } from '../../config/flag.ts';
import { flagsIn } from '../../config/settings.ts';
import { CLASSES, flagOf } from '../../recording/drift/classes.ts';
import { DRIFT_FORMATS } from '../../recording/drift/formats/index.ts';
import { CONFIG_FLAGS, HOST_FLAGS, LIMIT_FLAGS, NETWORK_FLAGS, REPORT_FLAGS, RUN_FLAGS, VERDICT_CODES } from './run.ts';
import { flags, INTERRUPTION, paragraphs, type Usage, words } from './text.ts';

const DIR_FLAGS = {
  'recordings DIR': 'the folder of all recordings (default recordings)',
} as const satisfies Flags;

/** What is recorded under which name, and what is not written. */
export const RECORDING_FLAGS = {
  'name NAME': 'the name of the recording and of its folder',
  ...DIR_FLAGS,
  'secret VALUE…': 'a value that is never written (may be repeated); credentials of the profile are never written',
  'scrub WHAT…':
    'replaces data with invented data before it is written: figures (sales figures of group D, found by\nthe profile), uploads (files uploaded to group A), or figures,uploads',
} as const satisfies Flags;

const OWN_RECORD_FLAGS = {
  ...RECORDING_FLAGS,
  'ask-once': 'sends no request a second time to learn which parts of responses differ each time',
  'products N': 'with the simulator: the number of products in its bulk list (default 100)',
} as const satisfies Flags;

// What failed once is no scope that a later recording could repeat.
const { 'recordings-dir DIR': _, 'failed FILE': __, ...JUDGING_FLAGS } = RUN_FLAGS;
export const RECORD_FLAGS = { ...JUDGING_FLAGS, ...OWN_RECORD_FLAGS };

const record: Usage = {
  summary: 'judges a service as run does, and records all of its traffic',
  usage: paragraphs(
    'mdwi record [TARGET | --base-url URL | --simulator] --name NAME [flags of run]',
    flags(OWN_RECORD_FLAGS),
    `All flags of mdwi run except --failed are accepted; the exit code is that of the run. Recording again under the same name refreshes the
recording: exchanges that are not requested this time stay.`,
  ),
};

export const DRIFT_FLAGS = {
  'base-url URL': 'the base address of the service; the recording is not changed',
  ...DIR_FLAGS,
  'profile NAME|FILE':
    'the profile for credentials and verdicts (default: the profile of the recording, if it is bundled)',
  'safety CLASS': 'which requests may be sent: read (default), job, write, all',
  'group A|B|C|D…': { as: '--group, --operation', help: 'only these, as in mdwi run (may be repeated)' },
  'operation KEY…': '',
  'fail-on CLASS': `exits with 5 if there are differences of this class or a worse one (default breaking-shape; none:\nnever): ${CLASSES.map(flagOf).join(', ')}`,
  'ignore PATTERN…': 'ignores differences at a path, or at an operation and path; * matches any text (may be repeated)',
  strict: 'advisory checks count as verdicts, too',
  'show CLASS': 'shows each difference of this class or a worse one (default data)',
  'report FORMAT=FILE…': `writes a report: ${Object.keys(DRIFT_FORMATS).join(', ')} (may be repeated)`,
  'secret VALUE…': 'a value that was hidden in the recording and is sent in its place (may be repeated)',
  ...NETWORK_FLAGS,
  ...LIMIT_FLAGS,
  ...HOST_FLAGS,
  ...CONFIG_FLAGS,
} as const satisfies Flags;

const drift: Usage = {
  summary: 'compares a recording with the service now, or with another recording',
  usage: paragraphs(
    `mdwi drift NAME --base-url URL [flags]     sends the recorded requests again and compares the responses
mdwi drift NAME TARGET [flags]             the same for a target of mdwi.config.yaml
mdwi drift NAME NAME2 [flags]              compares two recordings; NAME is the older one`,
    flags(DRIFT_FLAGS),
    `exit codes: 0 nothing of --fail-on or worse · 5 drift · 2 usage, profile or recording · 3 nothing could be compared · 70 our own error · ${INTERRUPTION}`,
  ),
};

const BOTH_FLAGS = {
  ...DIR_FLAGS,
  'profile NAME|FILE':
    'the profile whose secrets are searched for and whose requests count as used (default: the profile\nof the recording)',
  'secret VALUE…': 'one more value that must not be in the recording (may be repeated)',
} as const satisfies Flags;

/** Flags of one action only. */
export const ACTION_FLAGS = {
  verify: {
    'max-age WEEKS': 'fails if the weekly list was reloaded more often since the recording was made (default: any age)',
    'max-size MB': 'fails if all files of a recording together are larger (default: any size)',
    strict: 'warnings fail, too',
    'report json=FILE…': 'writes all findings',
  },
  prune: {
    orphans: 'removes files that no entry names, and files left by a recorder that was killed (default)',
    unused: 'also removes entries that no rule requests; only for recordings made by mdwi record',
    yes: 'removes; without it, what would be removed is only shown (--dry-run)',
    'dry-run': '',
  },
} as const satisfies Record<string, Flags>;

export const RECORDINGS_FLAGS = { ...BOTH_FLAGS, ...ACTION_FLAGS.verify, ...ACTION_FLAGS.prune };
export type RecordingsValues = FlagValues<typeof RECORDINGS_FLAGS>;

const recordings: Usage = {
  summary: 'verifies recordings in CI, and prunes them',
  usage: paragraphs(
    `mdwi recordings verify [NAME…] [flags]    verifies the recordings named, or all of them
mdwi recordings prune NAME [flags]        removes what no entry names or no request uses; without --yes only shows it`,
    flags(BOTH_FLAGS),
    ['verify', flags(ACTION_FLAGS.verify)],
    ['prune', flags(ACTION_FLAGS.prune)],
    'exit codes of verify: 0 sound · 1 too old, too large, or warnings with --strict · 2 damaged, or usage · 6 a secret is in it',
  ),
};

const BASE_FLAGS = {
  'base-url URL': 'the service’s base address (default: the one that the operations of the interface map onto)',
} as const satisfies Flags;

export const IMPORT_FLAGS = {
  ...RECORDING_FLAGS,
  ...BASE_FLAGS,
  'profile NAME|FILE':
    'the profile whose credentials are hidden and whose input headers distinguish requests (default:\nempty)',
} as const satisfies Flags;

const importHar: Usage = {
  summary: 'makes a recording from a HAR file of a browser or proxy',
  usage: paragraphs(
    'mdwi import FILE.har --name NAME [--base-url URL] [--profile NAME|FILE] [flags]',
    flags(IMPORT_FLAGS),
    `Imports the requests to the service, and prints what was skipped and why. Reads exports of Chrome, Firefox, Safari,
mitmproxy, Charles, Fiddler and API clients, also packed with gzip. Then: mdwi replay NAME, mdwi run --recordings NAME,
mdwi judge NAME.`,
    'exit codes: 0 imported · 2 the file is damaged, or nothing in it is for the service · 6 a secret was found in what was written',
  ),
};

const JUDGE_FLAGS_SHOWN = {
  'profile NAME|FILE':
    'the profile that describes requests and responses; a request that it does not explain completely is\nnot judged (default: the profile of the recording; for HAR files empty, with which none is read)',
  ...BASE_FLAGS,
  ...DIR_FLAGS,
  ...flagsIn('filter'),
  ...REPORT_FLAGS,
  ...flagsIn('secret'),
} as const satisfies Flags;

const { 'safety CLASS': ___, ...SAMPLING_FLAGS } = flagsIn('extent');
export const JUDGE_FLAGS = { ...JUDGE_FLAGS_SHOWN, ...SAMPLING_FLAGS };

const judge: Usage = {
  summary: 'judges the traffic of other clients with a service',
  usage: paragraphs(
    'mdwi judge FILE.har|FOLDER|NAME [--profile NAME|FILE] [--base-url URL] [flags]',
    [
      words({
        'FILE.har': 'an export of a browser, a proxy or an API client; or a folder of such files, read as one',
        'NAME, FOLDER': 'a recording, by its name or its folder',
      }),
      flags(JUDGE_FLAGS_SHOWN),
    ],
    'Sends nothing. A check fails only if the exchanges themselves prove it; what they do not show is untested.',
    VERDICT_CODES('usage, profile or damaged file'),
  ),
};

export const RECORDING_USAGE = { record, drift, recordings, import: importHar, judge };
