/** The flags and the help of `mdwi strength`. */
import type { Flags } from '../../config/flag.ts';
import { flagsIn } from '../../config/settings.ts';
import { CONFIG_FLAGS, HOST_FLAGS, LIMIT_FLAGS, NETWORK_FLAGS } from './run.ts';
import { flags, INTERRUPTION, paragraphs, type Usage, words } from './text.ts';

const OWN_FLAGS = {
  'max-mutants N': 'the number of changes that are tried (default 1000)',
  'lines N': 'the number of lines for the profile that are tried: which one would catch most (default 6)',
  'sample-seed N|auto': 'draws other changes (default 1)',
  'min-score PERCENT': 'exits with 1 if a smaller share of the decided changes is caught (default 0)',
  'report json=FILE…': 'writes every change with its verdict',
} as const satisfies Flags;

const FILTER_FLAGS = {
  'group A|B|C|D…': { as: '--group, --operation', help: 'only these, as in mdwi run (may be repeated)' },
  'operation KEY…': '',
} as const satisfies Flags;

const { 'sample-seed N|auto': _, ...EXTENT_FLAGS } = flagsIn('extent');

export const STRENGTH_FLAGS = {
  ...OWN_FLAGS,
  ...flagsIn('target'),
  ...FILTER_FLAGS,
  ...EXTENT_FLAGS,
  ...flagsIn('recording', 'secret'),
  ...NETWORK_FLAGS,
  ...LIMIT_FLAGS,
  ...HOST_FLAGS,
  ...CONFIG_FLAGS,
};

const strength: Usage = {
  summary: 'measures which violations of your service a run with your profile would see',
  usage: paragraphs(
    `mdwi strength NAME [--profile NAME|FILE] [flags]           a recording; sends nothing
mdwi strength --base-url URL [--profile NAME|FILE] [flags]  a service, which is judged once
mdwi strength TARGET [flags]                               a target of mdwi.config.yaml`,
    [words({ NAME: 'a recording of a conforming service' }), flags(STRENGTH_FLAGS)],
    `Changes the responses, one small violation of the document or of the profile at a time, and judges each changed service from
memory.`,
    `exit codes: 0 measured · 1 the score is below --min-score · 2 usage, profile or recording · 3 no change is decided · 70 our own error · ${INTERRUPTION}`,
  ),
};

export const STRENGTH_USAGE = { strength };
