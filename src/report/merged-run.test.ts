/** Reports of several runs: the same check of another target is another check. */
import { expect, test } from 'vitest';
import type { Run } from '../run/types.ts';
import { FORMAT_NAMES, FORMATS } from './formats.ts';
import { mergedRun } from './sample-run.test.support.ts';

/** What distinguishes the checks of two targets in each format. */
const IDENTITIES = {
  html: /<article [^>]*id="([^"]+)"/g,
  junit: /<testcase ([^>]+)>/g,
  ctrf: /"name": "(C\.[^"]+)"/g,
  sarif: /"primaryLocationLineHash": "([^"]+)"/g,
  gitlab: /"fingerprint": "([^"]+)"/g,
  github: /^::(?:error|notice) title=([^:]+)/gm,
  markdown: /^\| C\.[^|]+\| ([^|]+) \|/gm,
} as const;

test.each(FORMAT_NAMES.filter((each) => each !== 'json'))('%s', async (format) => {
  const found = (text: string) => [...text.matchAll(IDENTITIES[format])].map(([, identity]) => identity);
  const both = found(await FORMATS[format](mergedRun));
  const one: Run = { ...mergedRun, results: mergedRun.results.filter(({ target }) => target === 'eu') };
  const ofOne = found(await FORMATS[format](one));
  expect(ofOne.length).toBeGreaterThan(0);
  expect(new Set(both).size).toBeGreaterThan(new Set(ofOne).size);
  expect(new Set(both).size).toBe(both.length);
});
