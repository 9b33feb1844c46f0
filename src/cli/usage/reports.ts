/** The flags and the help of the commands that read finished runs. */
import type { Flags } from '../../config/flag.ts';
import { flagsIn } from '../../config/settings.ts';
import { flags, paragraphs, type Usage, words } from './text.ts';

const { 'vitest REPORTER': _, ...REPORT_FLAGS } = flagsIn('report');
const { 'fail-on-new': FAIL_ON_NEW } = flagsIn('baseline');
const { 'print-config': __, ...CONFIG_FLAG } = flagsIn('config');

/** How a run that was read from a file is reported. */
export const STORED_REPORT_FLAGS = {
  ...REPORT_FLAGS,
  quiet: 'shows the outcome only, in one line',
  verbose: 'lists everything',
} as const satisfies Flags;

export const WAIVE_FLAGS = {
  'from FILE':
    'a run.json of mdwi run --report json=FILE; each gating check in it that failed or is inconclusive\ngets a waiver with its fingerprints',
  'reason TEXT': 'why the failures are accepted',
  'expires DATE': 'the last day on which the waivers are valid, e.g. 2027-01-31',
  'owner NAME': 'who mends them',
  intermittent: 'the checks pass now and then: a pass does not make a waiver stale before it expires',
  prune: 'deletes the waivers that the run shows to be stale, and names them',
  'waivers FILE': 'the file to write to; comments in it stay (default: that of the configuration, or waivers.yaml)',
  ...CONFIG_FLAG,
} as const satisfies Flags;

const waive: Usage = {
  summary: 'writes waivers for the failures of a run, for example on the first day of an old system',
  usage: paragraphs(
    `mdwi waive --from run.json --reason TEXT --expires DATE [flags]
       mdwi waive --from run.json --prune [flags]`,
    flags(WAIVE_FLAGS),
    'exit codes: 0 written, or nothing to write · 2 usage, or the file is no run.json',
  ),
};

export const COMPARE_FLAGS = { 'fail-on-new': FAIL_ON_NEW, ...STORED_REPORT_FLAGS };

const compare: Usage = {
  summary: 'shows what changed from one run to another',
  usage: paragraphs(
    'mdwi compare A.json B.json [flags]',
    [
      words({ 'A.json, B.json': 'two files of mdwi run --report json=FILE, the earlier run first' }),
      flags(COMPARE_FLAGS),
    ],
    `Shows new failures, fixed ones, checks that passed and are not decided now, changed evidence, and what is not comparable.
Reports are those of B with the comparison. node_modules/mdwi-conformance/docs/comparison.md describes what is compared.`,
    'exit codes: that of B, or that of --fail-on-new · 2 usage, or a file is no run.json',
  ),
};

export const HISTORY_FLAGS = {
  'target NAME': 'shows only this target: its name in the configuration, or its address',
  'report json=FILE…': 'writes the histories; FILE - is standard output',
} as const satisfies Flags;

const history: Usage = {
  summary: 'keeps runs in a folder, and shows since when checks fail, which are flaky, and the trend',
  usage: paragraphs(
    'mdwi history FOLDER [run.json …] [flags]',
    [
      words({
        FOLDER: 'the folder of the history, which CI caches; mdwi run --history FOLDER stores a run, too',
        'run.json …': 'files of mdwi run --report json=FILE to store',
      }),
      flags(HISTORY_FLAGS),
    ],
    'A run is stored as a digest of some 30 KB, the last 100 of a target and 16 MB in all. node_modules/mdwi-conformance/docs/comparison.md describes it.',
    'exit codes: 0 shown · 2 usage, a file is no run.json, or the folder has no run',
  ),
};

const EXPECT = {
  'expect N': 'the number of files that there must be, where the shell finds them (parts/*.json)',
} as const satisfies Flags;
export const MERGE_FLAGS = { ...EXPECT, ...STORED_REPORT_FLAGS };

const report: Usage = {
  summary: 'makes one report and one exit code of several runs',
  usage: paragraphs(
    'mdwi report a.json b.json … [flags]',
    [
      words({
        'a.json b.json …':
          'files of mdwi run --report json=FILE, one per target or job; a single one is reported as it is',
      }),
      flags(MERGE_FLAGS),
    ],
    'A file that is missing or unreadable is a part that is undetermined (3). Each part keeps its scope.',
    'exit codes: the first that a part has in the order of mdwi --help · 2 usage · 3 a part is missing',
  ),
};

export const ISSUES_FLAGS = {
  open: 'opens the issues; without it they are only listed',
} as const satisfies Flags;

const githubIssues: Usage = {
  summary: 'opens an issue in a GitHub repository for each failure of a run',
  usage: paragraphs(
    'mdwi github-issues run.json [--open]',
    [words({ 'run.json': 'a file of mdwi run or mdwi report with --report json=FILE' }, 9), flags(ISSUES_FLAGS, 9)],
    `Opens one issue with the label mdwi for each kind of failure of a gating check; at most 20. A failure that has an open issue
gets no second one, and an issue that was closed as completed is opened again. Waived failures, and failures that one cause
explains, get none. Reads GITHUB_REPOSITORY, GITHUB_TOKEN and GITHUB_API_URL, as GitHub Actions sets them.`,
    'exit codes: 0 done · 2 usage, no run.json, or GitHub refuses',
  ),
};

export const REPORT_USAGE = { waive, compare, history, report, 'github-issues': githubIssues };
