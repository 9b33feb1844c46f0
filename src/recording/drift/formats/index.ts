/** The table of formats of a drift report. */

import { jsonText } from '../../../report/json-text.ts';
import type { DriftReport } from '../report.ts';
import { reportDriftToMarkdown } from './markdown.ts';

/** One pure function per format, by the name of the format. */
export const DRIFT_FORMATS = {
  json: jsonText,
  markdown: reportDriftToMarkdown,
} as const satisfies Record<string, (report: DriftReport) => string>;

/** The name of a format in `mdwi drift --report FORMAT=FILE`. */
export type DriftFormat = keyof typeof DRIFT_FORMATS;
