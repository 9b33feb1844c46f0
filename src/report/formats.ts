import type { Run } from '../run/types.ts';

type Formatter = (run: Run) => string;

const lazy =
  (load: () => Promise<Formatter>) =>
  async (run: Run): Promise<string> =>
    (await load())(run);

export const FORMATS = {
  html: lazy(async () => (await import('./html/page.ts')).reportToHtml),
  json: lazy(async () => (await import('./json-text.ts')).jsonText),
  junit: lazy(async () => (await import('./junit.ts')).reportToJunit),
  ctrf: lazy(async () => (await import('./ctrf.ts')).reportToCtrf),
  sarif: lazy(async () => (await import('./sarif.ts')).reportToSarif),
  markdown: lazy(async () => (await import('./markdown.ts')).reportToMarkdown),
  github: lazy(async () => (await import('./annotations.ts')).reportToGithub),
  gitlab: lazy(async () => (await import('./annotations.ts')).reportToGitlab),
} as const satisfies Record<string, (run: Run) => Promise<string>>;

export type Format = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
