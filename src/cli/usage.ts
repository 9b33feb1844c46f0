/** The help of every command; it loads no command. */
import { OTHER_USAGE } from './usage/other.ts';
import { PROFILE_USAGE } from './usage/profile.ts';
import { RECORDING_USAGE } from './usage/recordings.ts';
import { REPORT_USAGE } from './usage/reports.ts';
import { RUN_USAGE } from './usage/run.ts';
import { SERVER_USAGE } from './usage/servers.ts';
import { STRENGTH_USAGE } from './usage/strength.ts';

export const USAGE = {
  ...{ ...RUN_USAGE, ...SERVER_USAGE, ...PROFILE_USAGE },
  ...{ ...RECORDING_USAGE, ...REPORT_USAGE, ...STRENGTH_USAGE, ...OTHER_USAGE },
};

export type CommandName = keyof typeof USAGE;
