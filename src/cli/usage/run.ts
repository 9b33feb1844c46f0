/** The flags and the help of the commands that run the rules against a target. */
import { flagsIn } from '../../config/settings.ts';
import { flags, INTERRUPTION, paragraphs, type Usage, words } from './text.ts';

/** What selects the target and the checks. */
export const SELECTION_FLAGS = flagsIn('target', 'filter', 'extent');
/** What decides the verdict, and which reports are written. */
export const REPORT_FLAGS = flagsIn('verdict', 'report');
export const NETWORK_FLAGS = flagsIn('network');
export const CONFIG_FLAGS = flagsIn('config');
export const HOST_FLAGS = flagsIn('host');
export const LIMIT_FLAGS = flagsIn('limits');

export const RUN_FLAGS = {
  ...SELECTION_FLAGS,
  ...flagsIn('recording'),
  ...REPORT_FLAGS,
  ...flagsIn('baseline', 'secret'),
  ...NETWORK_FLAGS,
  ...LIMIT_FLAGS,
  ...HOST_FLAGS,
  ...CONFIG_FLAGS,
};

const PLAN_FLAGS_SHOWN = { ...SELECTION_FLAGS, ...CONFIG_FLAGS };
/** The flags of a run that change nothing of what is sent are accepted, too. */
export const PLAN_FLAGS = { ...PLAN_FLAGS_SHOWN, strict: '', 'report FORMAT=FILE…': '' } as const;

const TARGET = words({ TARGET: 'a target of mdwi.config.yaml; flags win over its settings' });

export const VERDICT_CODES = (usage: string): string =>
  `exit codes: 0 nothing gated failed and something was proved · 1 nonconformity · 2 ${usage} · 3 undetermined · 4 a waiver is stale · 70 our own error · ${INTERRUPTION}`;

const run: Usage = {
  summary: 'judges a live server, a recording, or the built-in simulator',
  usage: paragraphs(
    'mdwi run [TARGET | --base-url URL | --recordings NAME | --simulator] [--profile NAME|FILE] [flags]',
    [TARGET, flags(RUN_FLAGS)],
    VERDICT_CODES('usage or profile'),
  ),
};

const plan: Usage = {
  summary: 'prints the requests that a run would send, and sends nothing',
  usage: paragraphs('mdwi plan [TARGET] [the flags of mdwi run]', [TARGET, flags(PLAN_FLAGS_SHOWN)]),
};

export const RUN_USAGE = { run, plan };
