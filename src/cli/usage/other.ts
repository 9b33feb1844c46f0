/** The flags and the help of the commands that start a project, describe the interface, and test the rules. */
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import type { Flags } from '../../config/flag.ts';
import { SELFTEST_REPORTS } from '../../selftest/formats/names.ts';
import { CI_CHOICES } from '../init/starter-files.ts';
import { flags, INTERRUPTION, paragraphs, type Usage, words } from './text.ts';

export const INIT_FLAGS = {
  'base-url URL': 'the address of the service',
  simulator: 'the built-in simulator, while there is no service',
  'name NAME': 'the name of the target (default staging, or simulator)',
  'openapi FILE': 'drafts the profile from an OpenAPI 3 description',
  'profile FILE': 'the file of the profile draft (default profile.yaml)',
  'ci SYSTEM': `the CI file: ${CI_CHOICES.join(', ')} (default github, or gitlab beside a .gitlab-ci.yml)`,
  force: 'replaces files that exist',
} as const satisfies Flags;

const init: Usage = {
  summary: 'writes a configuration, a profile draft and a CI file, and ends with a first run',
  usage: paragraphs(
    'mdwi init [--base-url URL | --simulator] [flags]',
    flags(INIT_FLAGS),
    `On a terminal it asks for what the flags do not give. Writes mdwi.config.yaml, the profile draft and
.github/workflows/mdwi.yml or mdwi.gitlab-ci.yml; then judges the target. The exit code is that of this run.`,
  ),
};

export const OPENAPI_FLAGS = {
  'profile NAME': `the dialect: ${DIALECT_NAMES.join(', ')}; or a profile file (default reference)`,
  'out FILE': 'a .json, .yaml or .yml file (default: JSON on standard output)',
  'server URL': 'the address of the service (default http://localhost:8080)',
} as const satisfies Flags;

const openapi: Usage = {
  summary: 'writes an OpenAPI description of the interface in the dialect of a profile',
  usage: paragraphs(
    'mdwi openapi [--profile NAME|FILE] [--out FILE] [--server URL]',
    flags(OPENAPI_FLAGS, 15),
    `OpenAPI 3.1, of every operation that the profile implements. The examples are requests to the simulator of the profile and its
responses, with shortened lists. mdwi profile from-openapi returns the bindings of the profile, which x-mdwi contains.`,
  ),
};

const PATTERN = words(
  {
    PATTERN: 'only entries whose name, sentence, operation or section contains it; case is ignored, * matches any text',
  },
  8,
);

const faults: Usage = {
  summary: 'lists the deliberate violations that the simulator can serve',
  usage: paragraphs(
    'mdwi faults [PATTERN]',
    PATTERN,
    'The list is sorted by statement of the document and by operation. mdwi simulate --fault NAME serves one.',
  ),
};

const oddities: Usage = {
  summary: 'lists the legal but unusual behaviours that the simulator can serve',
  usage: paragraphs(
    'mdwi oddities [PATTERN]',
    PATTERN,
    'The list is sorted by what the document or HTTP leaves open, and by operation. mdwi simulate --oddity NAME serves one.',
  ),
};

export const RULES_FLAGS = {
  matrix:
    'lists by statement: the rules, the openings they need, the faults that break it; or why it is not observable',
} as const satisfies Flags;

const rules: Usage = {
  summary: 'lists every rule with its statement, basis, section and needs',
  usage: paragraphs('mdwi rules [--matrix]', flags(RULES_FLAGS, 9)),
};

const explain: Usage = {
  summary: 'shows what a rule demands, sends and needs, and how it judges',
  usage: 'mdwi explain RULE',
};

const demo: Usage = { summary: 'shows a conforming server pass and a faulty server fail', usage: 'mdwi demo' };

export const SELFTEST_FLAGS = {
  full: 'tries every fault and oddity in every dialect (default: each in one dialect, in turn)',
  'only NAME…': 'tries only this fault, oddity or degenerate server (may be repeated)',
  'shard N/M': 'tries the Nth of M parts of the faults and oddities, so that machines or nights can share them',
  'depth DEPTH': 'the depth of each trial: quick, standard (default) or thorough; quick demands no fault',
  matrix: 'prints which rule detected which fault',
  'report FORMAT=FILE…': `writes a report: ${SELFTEST_REPORTS.join(', ')} (may be repeated)`,
} as const satisfies Flags;

const selftest: Usage = {
  summary: 'tests the rules themselves: faults, oddities, dialects, degenerate servers',
  usage: paragraphs(
    'mdwi selftest [--full] [--only NAME] [--shard N/M] [--depth DEPTH] [--matrix] [--report FORMAT=FILE]',
    flags(SELFTEST_FLAGS),
    `exit codes: 0 every gate holds · 1 a gate does not hold · 2 usage · 70 our own error · ${INTERRUPTION}`,
  ),
};

export const OTHER_USAGE = { init, openapi, faults, oddities, rules, explain, demo, selftest };
