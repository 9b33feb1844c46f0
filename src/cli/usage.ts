/** The help of every command, in the order of `mdwi --help`; it loads no command. */
import { OTHER_USAGE } from './usage/other.ts';
import { PROFILE_USAGE } from './usage/profile.ts';
import { RECORDING_USAGE } from './usage/recordings.ts';
import { REPORT_USAGE } from './usage/reports.ts';
import { RUN_USAGE } from './usage/run.ts';
import { SERVER_USAGE } from './usage/servers.ts';
import type { Usage } from './usage/text.ts';

export const USAGE = {
  run: RUN_USAGE.run,
  init: OTHER_USAGE.init,
  plan: RUN_USAGE.plan,
  profile: PROFILE_USAGE.profile,
  simulate: SERVER_USAGE.simulate,
  openapi: OTHER_USAGE.openapi,
  faults: OTHER_USAGE.faults,
  oddities: OTHER_USAGE.oddities,
  rules: OTHER_USAGE.rules,
  explain: OTHER_USAGE.explain,
  demo: OTHER_USAGE.demo,
  selftest: OTHER_USAGE.selftest,
  record: RECORDING_USAGE.record,
  replay: SERVER_USAGE.replay,
  gateway: SERVER_USAGE.gateway,
  drift: RECORDING_USAGE.drift,
  recordings: RECORDING_USAGE.recordings,
  import: RECORDING_USAGE.importHar,
  judge: RECORDING_USAGE.judge,
  waive: REPORT_USAGE.waive,
  compare: REPORT_USAGE.compare,
  history: REPORT_USAGE.history,
  report: REPORT_USAGE.report,
  'github-issues': REPORT_USAGE.githubIssues,
} as const satisfies Record<string, Usage>;

export type CommandName = keyof typeof USAGE;
