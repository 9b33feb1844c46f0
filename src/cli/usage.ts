/** What every command does and takes, in one table: help is printed from here, and loads no command. */
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { CLASSES, flagOf } from '../recording/drift/classes.ts';
import { DRIFT_FORMATS } from '../report/drift/formats.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { SELFTEST_REPORTS } from '../selftest/reports.ts';

const SELECTION_USAGE = `  --base-url URL       the address every path is appended to
  --simulator          the built-in simulator is judged, in the dialect the profile describes; it is the default with
                       a bundled profile or none, and without --safety
  --profile NAME|FILE  what the document leaves open, filled for this service (default: empty, nothing filled)
  --group A|B|C|D      only these groups (may be repeated)
  --operation KEY      only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"
  --rule ID            only these rules (mdwi rules lists them)
  --safety CLASS       what may be sent: read (default with --base-url), job, write, all`;

const REPORT_USAGE = `  --strict             advisory checks (http, plausible) gate too
  --allow-inconclusive an inconclusive gating check does not end the run with 3
  --require conformant a partial outcome ends the run with 3
  --report FORMAT=FILE writes a report: ${FORMAT_NAMES.join(', ')} (may be repeated); FILE - is
                       standard output, in the place of the report for people
  --vitest REPORTER    presents the verdicts as tests through vitest’s reporter (tree, verbose, tap, …, or the path or
                       package of another); what it writes goes below .vitest/ in the working directory
  --verbose            lists every check`;

const RECORDING_USAGE = `  --name NAME          the recording: it goes to the folder NAME among the recordings
  --recordings DIR     where recordings are (default recordings)
  --secret VALUE       a value that is never to be written (may be repeated); credentials of the profile never are
  --scrub WHAT         what is replaced by invented data before it is written: figures (sales figures of group D, found
                       by the profile), uploads (files uploaded to group A), or figures,uploads`;

const UPSTREAM_USAGE = `  --ca FILE            a certificate authority (PEM) to trust besides the usual ones`;

const ACCESS_USAGE = `  --allow-host NAME    one more host that clients may address it by, name or name:port (may be repeated; default: the
                       names of the loopback interface with the port listened on)
  --cors ORIGIN        lets pages of this origin read answers, * of any (may be repeated; default: none)`;

const INTERRUPTION_USAGE = '130 Ctrl-C · 143 SIGTERM';

const PATTERN_USAGE = `  PATTERN  only those whose name, sentence, operation or section contains it; case does not matter, * stands for any text`;

export const USAGE = {
  run: {
    says: 'judges a live server, a recording, or the built-in simulator',
    usage: `mdwi run [--base-url URL | --recordings NAME | --simulator] [--profile NAME|FILE] [flags]

${SELECTION_USAGE}
  --recordings NAME    judges a recording, offline; profile and safety are those it was recorded with unless given;
                       what it does not hold is untested
  --recordings-dir DIR where recordings are (default recordings, then those of the package)
${REPORT_USAGE}
  --secret VALUE       a value that is hidden in reports, too (may be repeated)

exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 usage or profile · 3 undetermined · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  plan: {
    says: 'prints the requests a run would send, and sends nothing',
    usage: `mdwi plan [the flags of mdwi run]

${SELECTION_USAGE}`,
  },
  profile: {
    says: 'drafts, checks and tries a profile',
    usage: `mdwi profile init [FILE] [--base-url URL]                writes a commented profile with every opening open (profile.yaml);
                                                         with a URL, what bare GETs without credentials answer stands beside
mdwi profile from-openapi FILE [--out FILE] [--force]    drafts a profile from your OpenAPI 3 description, and lists what it cannot tell
mdwi profile check FILE                                  tells whether it is valid, or file, line, key and what is allowed
mdwi profile openings FILE                               what is filled, what is open, which rules each open one holds back
mdwi profile try FILE --base-url URL "GET /…/allProducts"  sends one harmless request and shows what every selector found`,
  },
  simulate: {
    says: 'serves the built-in simulator until Ctrl-C',
    usage: `mdwi simulate [--port N] [--profile NAME|FILE] [--seed N] [--as-of DATE] [--products N] [--fault NAME | --oddity NAME]

  --port N        default: any free port of the loopback interface
${ACCESS_USAGE}
  --profile NAME  the dialect spoken: ${DIALECT_NAMES.join(', ')}; or a profile’s file, whose dialect is then spoken
                  as far as it can be written (node_modules/mdwi-conformance/docs/simulator.md)
  --seed N        another world (default 1)
  --as-of DATE    the day the newest data week ends, a Saturday (YYYY-MM-DD)
  --products N    how many products the bulk list holds (default 1000)
  --fault NAME    one deviation from the document; mdwi faults lists them
  --oddity NAME   one legal behaviour that a careless suite would flag; mdwi oddities lists them`,
  },
  faults: {
    says: 'lists the deliberate violations the simulator can serve',
    usage: `mdwi faults [PATTERN]

${PATTERN_USAGE}

The listing goes by statement of the document and by operation. mdwi simulate --fault NAME serves one.`,
  },
  oddities: {
    says: 'lists the legal but unusual behaviours the simulator can show',
    usage: `mdwi oddities [PATTERN]

${PATTERN_USAGE}

The listing goes by what the document or HTTP leaves open, and by operation. mdwi simulate --oddity NAME serves one.`,
  },
  rules: {
    says: 'lists every rule with its statement, basis, section and needs',
    usage:
      'mdwi rules [--matrix]\n\n  --matrix  statement by statement: its rules, the openings they need, the faults that break it; or why it is unseen',
  },
  explain: {
    says: 'tells what a rule demands, sends, needs, and how it judges',
    usage: 'mdwi explain RULE',
  },
  demo: {
    says: 'shows both directions: a conforming server green, a faulty one red',
    usage: 'mdwi demo',
  },
  selftest: {
    says: 'puts the suite itself on trial: faults, oddities, dialects, degenerate servers',
    usage: `mdwi selftest [--full] [--only NAME] [--matrix] [--report FORMAT=FILE]

  --full               every fault and oddity in every dialect (else each in one, in turn)
  --only NAME          only this fault, oddity or degenerate server (may be repeated)
  --matrix             prints which rule caught which fault
  --report FORMAT=FILE writes a report: ${SELFTEST_REPORTS.join(', ')} (may be repeated)

exit codes: 0 every gate holds · 1 one does not · 2 usage · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  record: {
    says: 'judges a service as run does, and records all of it',
    usage: `mdwi record [--base-url URL | --simulator] --name NAME [flags of run]

${RECORDING_USAGE}
${UPSTREAM_USAGE}
  --ask-once           nothing is asked a second time to learn which parts of answers differ each time
  --products N         with the simulator: how many products the simulator’s bulk list holds (default 100)

All flags of mdwi run may be given, too; the exit code is that of the run. Recorded anew under the same name, a recording
is refreshed: what was not asked this time stays.`,
  },
  replay: {
    says: 'serves a recording, closed to the network',
    usage: `mdwi replay NAME [--port N] [--allow-host NAME] [--cors ORIGIN] [--recordings DIR] [--strict] [--profile NAME|FILE] [--secret VALUE]

  --port N             default: any free port of the loopback interface
${ACCESS_USAGE}
  --recordings DIR     where recordings are (default recordings, then those of the package)
  --strict             a request asked more often than it was recorded is an error; otherwise its last answer repeats
  --profile NAME|FILE  whose credentials clients send: they are no part of a request (default: the one recorded with, if bundled)
  --secret VALUE       a value that was hidden when it was recorded (may be repeated)

Prints the base address to use in place of the service’s own; http://…/~/LANE before the path gives a client sequences of
its own. What was not recorded is answered with 502, the header x-mdwi-miss, the nearest recorded requests and the command
that would record it.`,
  },
  gateway: {
    says: 'passes any client’s traffic on to a service and records it, until Ctrl-C',
    usage: `mdwi gateway --upstream URL --name NAME [--port N] [flags]

  --upstream URL       the base address of the service
  --port N             default: any free port of the loopback interface
${ACCESS_USAGE}
${RECORDING_USAGE}
${UPSTREAM_USAGE}
  --profile NAME|FILE  whose credentials are hidden, and whose input headers tell requests apart
  --ask-twice          at the end asks some of the requests that change nothing a second time, as record does, to learn
                       which parts of answers differ each time

Clients use the address printed in place of the service’s own; http://…/~/LANE before the path keeps the answers of
concurrent clients apart.`,
  },
  drift: {
    says: 'tells what differs between a recording and the service now, or another recording',
    usage: `mdwi drift NAME --base-url URL [flags]     what the service answers now to what was asked then
mdwi drift NAME NAME2 [flags]              what differs between two recordings, the first being the older

  --base-url URL       the base address of the service; nothing of NAME is changed
  --recordings DIR     where recordings are (default recordings)
  --profile NAME|FILE  whose credentials are sent, and what verdicts rest on (default: the one recorded with, if bundled)
  --safety CLASS       what may be sent: read (default), job, write, all
  --group, --operation only these, as of mdwi run (may be repeated)
  --fail-on CLASS      ends with 5 at differences of this class or a worse one (default breaking-shape; none: never):
                       ${CLASSES.map(flagOf).join(', ')}
  --ignore PATTERN     leaves out differences at a path, or operation and path; * stands for anything (may be repeated)
  --strict             advisory checks count as verdicts, too
  --show CLASS         the least class of which each line is shown (default data)
  --report FORMAT=FILE writes a report: ${Object.keys(DRIFT_FORMATS).join(', ')} (may be repeated)
  --secret VALUE       a value that was hidden in the recording and is sent in its place (may be repeated)

exit codes: 0 nothing of --fail-on or worse · 5 drift · 2 usage, profile or recording · 3 nothing could be compared · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  recordings: {
    says: 'verifies recordings in CI, and prunes them',
    usage: `mdwi recordings verify [NAME…] [flags]    verifies the recordings named, or all of them
mdwi recordings prune NAME [flags]        removes what no entry names or no request uses; without --yes only shows it

  --recordings DIR     the folder of all recordings (default recordings)
  --profile NAME|FILE  the profile whose secrets are searched for and whose requests count as used (default: the profile
                       of the recording)
  --secret VALUE       one more value that must not be in the recording (may be repeated)

verify
  --max-age WEEKS      fails if the weekly list was reloaded more often since the recording was made (default: any age)
  --max-size MB        fails if all files of a recording together are larger (default: any size)
  --strict             warnings fail, too
  --report json=FILE   writes all findings

prune
  --orphans            removes files that no entry names, and files left by a recorder that was killed (default)
  --unused             also removes entries that no rule requests; only for recordings made by mdwi record
  --yes                removes; without it, what would be removed is only shown (--dry-run)

exit codes of verify: 0 sound · 1 too old, too large, or warnings with --strict · 2 damaged, or usage · 6 a secret is in it`,
  },
  import: {
    says: 'makes a recording of a HAR file of a browser or proxy',
    usage: `mdwi import FILE.har --name NAME [--base-url URL] [--profile NAME|FILE] [flags]

${RECORDING_USAGE}
  --base-url URL       the service’s base address; default: the one that the operations of the interface map onto
  --profile NAME|FILE  whose credentials are hidden, and whose input headers tell requests apart (default: empty)

Takes what was sent to the service and tells what was left out and why. Exports of Chrome, Firefox, Safari, mitmproxy,
Charles, Fiddler and API clients are read, packed with gzip too. Then: mdwi replay NAME, mdwi run --recordings NAME,
mdwi judge NAME.

exit codes: 0 imported · 2 the file is damaged, or nothing in it is for the service · 6 a secret was found in what was written`,
  },
  judge: {
    says: 'judges traffic that other clients had with a service',
    usage: `mdwi judge FILE.har|FOLDER|NAME [--profile NAME|FILE] [--base-url URL] [flags]

  FILE.har             what a browser, a proxy or an API client exported; or a folder of such files, read as one
  NAME, FOLDER         a recording, by its name or its folder
  --profile NAME|FILE  how requests are written and answers read; a request that it does not explain completely is not
                       judged (default: the recording’s own; empty for HAR files, which then cannot be read)
  --base-url URL       the service’s base address; default: the one that the operations of the interface map onto
  --recordings DIR     where recordings are (default recordings)
  --group A|B|C|D      only these groups (may be repeated)
  --operation KEY      only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"
  --rule ID            only these rules (mdwi rules lists them)
${REPORT_USAGE}
  --secret VALUE       a value that is hidden in reports, too (may be repeated)

Nothing is sent. A check fails only where the exchanges themselves prove it; what they do not show is untested.

exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 usage, profile or damaged file · 3 undetermined · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
} as const satisfies Record<string, { readonly says: string; readonly usage: string }>;

export type CommandName = keyof typeof USAGE;
