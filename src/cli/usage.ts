/** Summary and flags of every command, in one table. Help is printed from here and loads no command. */
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { CLASSES, flagOf } from '../recording/drift/classes.ts';
import { DRIFT_FORMATS } from '../report/drift/formats.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { SELFTEST_REPORTS } from '../selftest/reports.ts';
import { CI_CHOICES } from './init/starter-files.ts';

const SELECTION_USAGE = `  --base-url URL       the address of the service; every path is appended to it
  --simulator          judges the built-in simulator, in the dialect of the profile; default with a bundled profile or
                       none, if --safety is not given
  --profile NAME|FILE  the profile: what the document leaves open, filled in for this service (default: empty)
  --group A|B|C|D      only these groups (may be repeated)
  --operation KEY      only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"
  --rule ID            only these rules, e.g. C.upc-12-digits or 'C.delta-*'; mdwi rules lists them (may be repeated)
  --skip-rule ID       all rules but these (may be repeated)
  --failed FILE        only the checks that failed in the run.json of an earlier run; 3 if one is not decided now
  --safety CLASS       which requests may be sent: read (default with --base-url), job, write, all
  --depth DEPTH        how many products, names and items are requested: quick, standard (default), thorough (all)
  --sample-seed N|auto the seed of the draws (default 1); auto: another one in each run, which is printed`;

const CONFIG_USAGE = `  --config FILE        the configuration (default: mdwi.config.yaml, .yml or .mts here or in a folder above)
  --print-config       prints each setting with its value and where it comes from, and sends nothing`;

const TARGET_USAGE = `  TARGET               a target of mdwi.config.yaml; flags win over its settings`;

const HOST_USAGE = `  --allow-target-host HOST  lets an unattended run (CI, or no terminal) send more than read to this host (may be repeated)`;

const REPORT_USAGE = `  --strict             advisory checks (http, plausible) gate, too
  --allow-inconclusive an inconclusive gating check does not end the run with 3
  --require conformant a partial outcome ends the run with 3
  --waivers FILE       known failures that do not gate; mdwi waive writes them (default: waivers.yaml, if it exists)
  --rule-set VERSION   what later versions of the rules demand is advice, e.g. 0.1.0 (default: the latest)
  --report FORMAT=FILE writes a report (may be repeated): ${FORMAT_NAMES.join(', ')};
                       FILE - is standard output and replaces the console report
  --vitest REPORTER    shows the verdicts as tests in a vitest reporter (tree, verbose, tap, …, or the path or package of
                       another); reporters write files to .vitest/ in the working directory
  --summary            shows one line: outcome, numbers of checks, requests, target, exit code
  --quiet              shows the outcome only, in one line, and no progress
  --verbose            lists every check, and each failure with all details`;

const FAIL_ON_NEW_USAGE = `  --fail-on-new        ends with 1 for a failure that the earlier run does not have, and with 3 if a gating check passed
                       then and is not decided now; a failure that it has does not set the exit code`;

const BASELINE_USAGE = `  --baseline FILE      compares with the run.json of an earlier run
${FAIL_ON_NEW_USAGE}
  --history FOLDER     stores a digest of the run, and reports since when checks fail, which are flaky, and the trend`;

const STORED_REPORT_USAGE = `  --report FORMAT=FILE writes a report (may be repeated): ${FORMAT_NAMES.join(', ')};
                       FILE - is standard output and replaces the console report
  --summary            shows one line: outcome, numbers of checks, requests, target, exit code
  --quiet              shows the outcome only, in one line
  --verbose            lists everything`;

const RECORDING_USAGE = `  --name NAME          the name of the recording and of its folder
  --recordings DIR     the folder of all recordings (default recordings)
  --secret VALUE       a value that is never written (may be repeated); credentials of the profile are never written
  --scrub WHAT         replaces data with invented data before it is written: figures (sales figures of group D, found by
                       the profile), uploads (files uploaded to group A), or figures,uploads`;

const NETWORK_USAGE = `  --proxy URL          the HTTP proxy to the service; default: HTTP_PROXY, HTTPS_PROXY and NO_PROXY
  --ca FILE            certificate authorities (PEM) to trust besides those of Node and NODE_EXTRA_CA_CERTS
  --follow-to HOST     follows redirects to this host, too; else only to that of the service (may be repeated)`;

const LIMIT_USAGE = `  --max-requests N     sends no more than N requests (default: limits.maxRequests of the profile, or 10 000; 200 000 at
                       depth thorough)
  --max-subjects N     at depth thorough, draws no more than N products, names or items at once (default: limits.maxSubjects,
                       or 10 000)
  --max-requests-per-second N  sends no more than N requests per second (default: limits.requestsPerSecond, or no limit)
  --max-duration TIME  sends nothing after this time, e.g. 20m: what is open then is inconclusive
  --retry-for TIME     waits once for a service that stops responding in mid-run, e.g. 60s, and repeats interrupted reads`;

const ACCESS_USAGE = `  --allow-host NAME    one more host that clients may address, name or name:port (may be repeated; default: the names of
                       the loopback interface with the port of this server)
  --cors ORIGIN        lets pages of this origin read responses; * for any origin (may be repeated; default: none)`;

/** Of a server that a program starts. */
const END_USAGE = `  --exit-on-stdin-close  ends when standard input ends, as it does with the program at its other side`;

const INTERRUPTION_USAGE = '130 Ctrl-C · 143 SIGTERM';

const PATTERN_USAGE = `  PATTERN  only entries whose name, sentence, operation or section contains it; case is ignored, * matches any text`;

export const USAGE = {
  run: {
    summary: 'judges a live server, a recording, or the built-in simulator',
    usage: `mdwi run [TARGET | --base-url URL | --recordings NAME | --simulator] [--profile NAME|FILE] [flags]

${TARGET_USAGE}
${SELECTION_USAGE}
  --recordings NAME    judges a recording, offline, with the profile and the safety class of the recording unless they are
                       given; a check that needs a request the recording does not contain is untested
  --recordings-dir DIR the folder of all recordings (default recordings, then those of the package)
${REPORT_USAGE}
${BASELINE_USAGE}
  --secret VALUE       one more value to hide in reports (may be repeated)
${NETWORK_USAGE}
${LIMIT_USAGE}
${HOST_USAGE}
${CONFIG_USAGE}

exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 usage or profile · 3 undetermined · 4 a waiver is stale · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  init: {
    summary: 'writes a configuration, a profile draft and a CI file, and ends with a first run',
    usage: `mdwi init [--base-url URL | --simulator] [flags]

  --base-url URL       the address of the service; it gets each harmless GET once, without credentials, for the draft
  --simulator          the built-in simulator, while there is no service
  --name NAME          the name of the target (default staging, or simulator)
  --openapi FILE       drafts the profile from an OpenAPI 3 description
  --profile FILE       the file of the profile draft (default profile.yaml)
  --ci SYSTEM          the CI file: ${CI_CHOICES.join(', ')} (default github, or gitlab beside a .gitlab-ci.yml)
  --force              replaces files that exist

On a terminal it asks for what the flags do not give. Writes mdwi.config.yaml, the profile draft and
.github/workflows/mdwi.yml or mdwi.gitlab-ci.yml; then judges the target. The exit code is that of this run.`,
  },
  plan: {
    summary: 'prints the requests that a run would send, and sends nothing',
    usage: `mdwi plan [TARGET] [the flags of mdwi run]

${TARGET_USAGE}
${SELECTION_USAGE}
${CONFIG_USAGE}`,
  },
  profile: {
    summary: 'drafts, checks and tries a profile',
    usage: `mdwi profile init [FILE] [--base-url URL]                writes a commented profile in which every opening is open
                                                         (profile.yaml); with a URL, it sends each harmless GET once,
                                                         without credentials, and describes the responses in comments
mdwi profile from-openapi FILE [--out FILE] [--force]    drafts a profile from your OpenAPI 3 description, and lists what the
                                                         description does not decide
mdwi profile check FILE                                  checks a profile; for an error, prints file, line, key and what is
                                                         allowed
mdwi profile check FILE --base-url URL|--simulator       also sends harmless requests, at most 60, and prints which keys the
                                                         responses contradict, which are not verified, and which openings
                                                         they seem to fill; also with a target: mdwi profile check TARGET
mdwi profile openings FILE                               lists filled and open openings, and the rules that each open one blocks
mdwi profile try FILE --base-url URL "GET /…/allProducts"  sends one request and shows what every selector found;
                                                         also with a target: mdwi profile try TARGET "GET /…"

init, check and try
${NETWORK_USAGE}

check
  --simulator          checks against the built-in simulator, in the dialect of the profile
  --json               prints the result as JSON: requests, exhausted, and remarks (kind, key, line, sentence, rules)
  --max-requests N     sends no more than N requests (default 60)

try
  --input NAME=VALUE   the value of an input, in place of the example of the profile (may be repeated)
  --safety CLASS       the largest safety class that may be sent: read, job, write, all (default read)
${HOST_USAGE}

check and try
  --secret VALUE       one more value to hide (may be repeated)
${CONFIG_USAGE}

exit codes of check: 0 the profile is valid, also if keys are listed · 2 usage or profile · 3 no response could be read · 70 our own error`,
  },
  simulate: {
    summary: 'serves the built-in simulator until Ctrl-C',
    usage: `mdwi simulate [--port N] [--profile NAME|FILE] [--seed N] [--as-of DATE] [--products N] [--fault NAME | --oddity NAME]
              [--host ADDRESS] [--tls | --tls-cert FILE --tls-key FILE] [--base-path PATH] [--control-port N] [flags]

  --port N        default: any free port of the loopback interface
  --host ADDRESS  the address to listen on, e.g. 0.0.0.0 for all of the machine (default 127.0.0.1)
  --tls           serves HTTPS with a certificate that is made at the start (needs the package selfsigned)
  --tls-cert FILE, --tls-key FILE   serves HTTPS with this certificate and key (PEM)
  --tls-cert-out FILE    writes the certificate, which clients trust, before the address is printed
  --tls-client-ca FILE   demands client certificates that these authorities (PEM) issued
  --base-path P   the prefix of all paths, e.g. /api
${ACCESS_USAGE}
${END_USAGE}
  --profile NAME  the dialect: ${DIALECT_NAMES.join(', ')}; or a profile file
                  (node_modules/mdwi-conformance/docs/simulator.md)
  --seed N        the seed of the generated data (default 1)
  --as-of DATE    the day on which the newest data week ends, a Saturday (YYYY-MM-DD)
  --products N    the number of products in the bulk list (default 1000)
  --fault NAME, --oddity NAME   one violation, or one unusual legal behaviour; mdwi faults and mdwi oddities list them
  --control-port N       serves the control server, too: behaviors, clock, products, jobs
                         (node_modules/mdwi-conformance/docs/client-testing.md)
  --control-token TOKEN  which requests to the control server must send`,
  },
  openapi: {
    summary: 'writes an OpenAPI description of the interface in the dialect of a profile',
    usage: `mdwi openapi [--profile NAME|FILE] [--out FILE] [--server URL]

  --profile NAME  the dialect: ${DIALECT_NAMES.join(', ')}; or a profile file (default reference)
  --out FILE      a .json, .yaml or .yml file (default: JSON on standard output)
  --server URL    the address of the service (default http://localhost:8080)

OpenAPI 3.1, of every operation that the profile implements. The examples are requests to the simulator of the profile and its
responses, with shortened lists. mdwi profile from-openapi returns the bindings of the profile, which x-mdwi contains.`,
  },
  faults: {
    summary: 'lists the deliberate violations that the simulator can serve',
    usage: `mdwi faults [PATTERN]

${PATTERN_USAGE}

The list is sorted by statement of the document and by operation. mdwi simulate --fault NAME serves one.`,
  },
  oddities: {
    summary: 'lists the legal but unusual behaviours that the simulator can serve',
    usage: `mdwi oddities [PATTERN]

${PATTERN_USAGE}

The list is sorted by what the document or HTTP leaves open, and by operation. mdwi simulate --oddity NAME serves one.`,
  },
  rules: {
    summary: 'lists every rule with its statement, basis, section and needs',
    usage:
      'mdwi rules [--matrix]\n\n  --matrix  lists by statement: the rules, the openings they need, the faults that break it; or why it is not observable',
  },
  explain: {
    summary: 'shows what a rule demands, sends and needs, and how it judges',
    usage: 'mdwi explain RULE',
  },
  demo: {
    summary: 'shows a conforming server pass and a faulty server fail',
    usage: 'mdwi demo',
  },
  selftest: {
    summary: 'tests the rules themselves: faults, oddities, dialects, degenerate servers',
    usage: `mdwi selftest [--full] [--only NAME] [--shard N/M] [--depth DEPTH] [--matrix] [--report FORMAT=FILE]

  --full               tries every fault and oddity in every dialect (default: each in one dialect, in turn)
  --only NAME          tries only this fault, oddity or degenerate server (may be repeated)
  --shard N/M          tries the Nth of M parts of the faults and oddities, so that machines or nights can share them
  --depth DEPTH        the depth of each trial: quick, standard (default) or thorough; quick demands no fault
  --matrix             prints which rule detected which fault
  --report FORMAT=FILE writes a report: ${SELFTEST_REPORTS.join(', ')} (may be repeated)

exit codes: 0 every gate holds · 1 a gate does not hold · 2 usage · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  record: {
    summary: 'judges a service as run does, and records all of its traffic',
    usage: `mdwi record [TARGET | --base-url URL | --simulator] --name NAME [flags of run]

${RECORDING_USAGE}
  --ask-once           sends no request a second time to learn which parts of responses differ each time
  --products N         with the simulator: the number of products in its bulk list (default 100)

All flags of mdwi run except --failed are accepted; the exit code is that of the run. Recording again under the same name refreshes the
recording: exchanges that are not requested this time stay.`,
  },
  replay: {
    summary: 'serves a recording, with no connection to the service',
    usage: `mdwi replay NAME [--port N] [--allow-host NAME] [--cors ORIGIN] [--recordings DIR] [--strict] [--profile NAME|FILE] [--secret VALUE]

  --port N             default: any free port of the loopback interface
${ACCESS_USAGE}
${END_USAGE}
  --recordings DIR     the folder of all recordings (default recordings, then those of the package)
  --strict             a request that is sent more often than it was recorded is an error; otherwise its last response is
                       repeated
  --profile NAME|FILE  the profile whose credentials clients send; they do not count in matching requests (default: the
                       profile of the recording, if it is bundled)
  --secret VALUE       a value that was hidden in the recording (may be repeated)

Prints the base address, to be used in place of the service’s own. http://…/~/LANE before the path gives a client its own
sequences of responses. The response to a request that was not recorded is 502 with the header x-mdwi-miss, the nearest
recorded requests and the command that would record it.`,
  },
  gateway: {
    summary: 'forwards the traffic of any client to a service and records it, until Ctrl-C',
    usage: `mdwi gateway --upstream URL --name NAME [--port N] [flags]

  --upstream URL       the base address of the service
  --port N             default: any free port of the loopback interface
${ACCESS_USAGE}
${END_USAGE}
${RECORDING_USAGE}
${NETWORK_USAGE}
  --profile NAME|FILE  the profile whose credentials are hidden and whose input headers distinguish requests
  --ask-twice          at the end, sends some of the requests that change nothing a second time, as record does, to learn
                       which parts of responses differ each time

Clients use the printed address in place of the service’s own. http://…/~/LANE before the path records the responses of
concurrent clients separately.`,
  },
  drift: {
    summary: 'compares a recording with the service now, or with another recording',
    usage: `mdwi drift NAME --base-url URL [flags]     sends the recorded requests again and compares the responses
mdwi drift NAME TARGET [flags]             the same for a target of mdwi.config.yaml
mdwi drift NAME NAME2 [flags]              compares two recordings; NAME is the older one

  --base-url URL       the base address of the service; the recording is not changed
  --recordings DIR     the folder of all recordings (default recordings)
  --profile NAME|FILE  the profile for credentials and verdicts (default: the profile of the recording, if it is bundled)
  --safety CLASS       which requests may be sent: read (default), job, write, all
  --group, --operation only these, as in mdwi run (may be repeated)
  --fail-on CLASS      exits with 5 if there are differences of this class or a worse one (default breaking-shape; none:
                       never): ${CLASSES.map(flagOf).join(', ')}
  --ignore PATTERN     ignores differences at a path, or at an operation and path; * matches any text (may be repeated)
  --strict             advisory checks count as verdicts, too
  --show CLASS         shows each difference of this class or a worse one (default data)
  --report FORMAT=FILE writes a report: ${Object.keys(DRIFT_FORMATS).join(', ')} (may be repeated)
  --secret VALUE       a value that was hidden in the recording and is sent in its place (may be repeated)
${NETWORK_USAGE}
${LIMIT_USAGE}
${HOST_USAGE}
${CONFIG_USAGE}

exit codes: 0 nothing of --fail-on or worse · 5 drift · 2 usage, profile or recording · 3 nothing could be compared · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  recordings: {
    summary: 'verifies recordings in CI, and prunes them',
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
    summary: 'makes a recording from a HAR file of a browser or proxy',
    usage: `mdwi import FILE.har --name NAME [--base-url URL] [--profile NAME|FILE] [flags]

${RECORDING_USAGE}
  --base-url URL       the service’s base address (default: the one that the operations of the interface map onto)
  --profile NAME|FILE  the profile whose credentials are hidden and whose input headers distinguish requests (default:
                       empty)

Imports the requests to the service, and prints what was skipped and why. Reads exports of Chrome, Firefox, Safari,
mitmproxy, Charles, Fiddler and API clients, also packed with gzip. Then: mdwi replay NAME, mdwi run --recordings NAME,
mdwi judge NAME.

exit codes: 0 imported · 2 the file is damaged, or nothing in it is for the service · 6 a secret was found in what was written`,
  },
  judge: {
    summary: 'judges the traffic of other clients with a service',
    usage: `mdwi judge FILE.har|FOLDER|NAME [--profile NAME|FILE] [--base-url URL] [flags]

  FILE.har             an export of a browser, a proxy or an API client; or a folder of such files, read as one
  NAME, FOLDER         a recording, by its name or its folder
  --profile NAME|FILE  the profile that describes requests and responses; a request that it does not explain completely is
                       not judged (default: the profile of the recording; for HAR files empty, with which none is read)
  --base-url URL       the service’s base address (default: the one that the operations of the interface map onto)
  --recordings DIR     the folder of all recordings (default recordings)
  --group A|B|C|D      only these groups (may be repeated)
  --operation KEY      only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"
  --rule ID            only these rules, e.g. C.upc-12-digits or 'C.delta-*'; mdwi rules lists them (may be repeated)
  --skip-rule ID       all rules but these (may be repeated)
  --failed FILE        only the checks that failed in the run.json of an earlier run; 3 if one is not decided now
${REPORT_USAGE}
  --secret VALUE       one more value to hide in reports (may be repeated)

Sends nothing. A check fails only if the exchanges themselves prove it; what they do not show is untested.

exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 usage, profile or damaged file · 3 undetermined · 4 a waiver is stale · 70 our own error · ${INTERRUPTION_USAGE}`,
  },
  waive: {
    summary: 'writes waivers for the failures of a run, for example on the first day of an old system',
    usage: `mdwi waive --from run.json --reason TEXT --expires DATE [flags]
       mdwi waive --from run.json --prune [flags]

  --from FILE          a run.json of mdwi run --report json=FILE; each gating check in it that failed or is inconclusive
                       gets a waiver with its fingerprints
  --reason TEXT        why the failures are accepted
  --expires DATE       the last day on which the waivers are valid, e.g. 2027-01-31
  --owner NAME         who mends them
  --intermittent       the checks pass now and then: a pass does not make a waiver stale before it expires
  --prune              deletes the waivers that the run shows to be stale, and names them
  --waivers FILE       the file to write to; comments in it stay (default: that of the configuration, or waivers.yaml)
  --config FILE        the configuration (default: mdwi.config.yaml, .yml or .mts here or in a folder above)

exit codes: 0 written, or nothing to write · 2 usage, or the file is no run.json`,
  },
  compare: {
    summary: 'shows what changed from one run to another',
    usage: `mdwi compare A.json B.json [flags]

  A.json, B.json       two files of mdwi run --report json=FILE, the earlier run first
${FAIL_ON_NEW_USAGE}
${STORED_REPORT_USAGE}

Shows new failures, fixed ones, checks that passed and are not decided now, changed evidence, and what is not comparable.
Reports are those of B with the comparison. node_modules/mdwi-conformance/docs/comparison.md describes what is compared.

exit codes: that of B, or that of --fail-on-new · 2 usage, or a file is no run.json`,
  },
  history: {
    summary: 'keeps runs in a folder, and shows since when checks fail, which are flaky, and the trend',
    usage: `mdwi history FOLDER [run.json …] [flags]

  FOLDER               the folder of the history, which CI caches; mdwi run --history FOLDER stores a run, too
  run.json …           files of mdwi run --report json=FILE to store
  --target NAME        shows only this target: its name in the configuration, or its address
  --report json=FILE   writes the histories; FILE - is standard output

A run is stored as a digest of some 30 KB, the last 100 of a target and 16 MB in all. node_modules/mdwi-conformance/docs/comparison.md describes it.

exit codes: 0 shown · 2 usage, a file is no run.json, or the folder has no run`,
  },
  report: {
    summary: 'makes one report and one exit code of several runs',
    usage: `mdwi report a.json b.json … [flags]

  a.json b.json …      files of mdwi run --report json=FILE, one per target or job; a single one is reported as it is
  --expect N           the number of files that there must be, where the shell finds them (parts/*.json)
${STORED_REPORT_USAGE}

A file that is missing or unreadable is a part that is undetermined (3). Each part keeps its scope.

exit codes: the first that a part has in the order of mdwi --help · 2 usage · 3 a part is missing`,
  },
  'github-issues': {
    summary: 'opens an issue in a GitHub repository for each failure of a run',
    usage: `mdwi github-issues run.json [--open]

  run.json  a file of mdwi run or mdwi report with --report json=FILE
  --open    opens the issues; without it they are only listed

Opens one issue with the label mdwi for each kind of failure of a gating check; at most 20. A failure that has an open issue
gets no second one, and an issue that was closed as completed is opened again. Waived failures, and failures that one cause
explains, get none. Reads GITHUB_REPOSITORY, GITHUB_TOKEN and GITHUB_API_URL, as GitHub Actions sets them.

exit codes: 0 done · 2 usage, no run.json, or GitHub refuses`,
  },
} as const satisfies Record<string, { readonly summary: string; readonly usage: string }>;

export type CommandName = keyof typeof USAGE;
