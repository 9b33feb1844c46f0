/** The formats of a comparison, with one pure function each. */
import type { DriftReport } from '../../recording/drift/report.ts';
import { jsonText } from '../json-text.ts';
import { reportDriftToMarkdown } from './markdown.ts';

export const DRIFT_FORMATS = {
  json: jsonText,
  markdown: reportDriftToMarkdown,
} as const satisfies Record<string, (report: DriftReport) => string>;

export type DriftFormat = keyof typeof DRIFT_FORMATS;
