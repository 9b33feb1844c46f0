/** The formats of a report, with one pure function each. */
import type { Run } from '../run/types.ts';
import { jsonText } from './json-text.ts';
import { reportToJunit } from './junit.ts';
import { reportToMarkdown } from './markdown.ts';

export const FORMATS = {
  json: jsonText,
  junit: reportToJunit,
  markdown: reportToMarkdown,
} as const satisfies Record<string, (run: Run) => string>;

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
