/**
 * The report as one HTML page that loads nothing. Its policy allows this style and this script only, by their hashes, so
 * that a text that became markup in spite of the escapes could still do nothing.
 */
import { createHash } from 'node:crypto';
import type { Run } from '../../run/types.ts';
import { checksSection } from './checks.ts';
import { changesSection } from './comparison.ts';
import { failuresSection } from './failures.ts';
import { html, verbatim } from './markup.ts';
import { matrixSection } from './matrix.ts';
import { causesSection, outcomeSection, partsSection } from './outcome.ts';
import { requestsSection } from './requests.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { unprovedSection } from './unproved.ts';
import { waiversSection } from './waivers.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** The HTML document of a run. */
export function reportToHtml(run: Run): string {
  const sections = [
    ['parts', 'Runs', partsSection(run)],
    ['causes', 'Causes', causesSection(run)],
    ['failures', 'Failures', failuresSection(run)],
    ['changes', 'What changed', changesSection(run)],
    ['matrix', 'Operations', matrixSection(run)],
    ['unproved', 'Not proved', unprovedSection(run)],
    ['waivers', 'Waivers', waiversSection(run)],
    ['checks', 'All checks', checksSection(run)],
    ['requests', 'Requests', requestsSection(run)],
  ] as const;
  const shown = sections.flatMap(([id, title, markup]) => (markup ? [{ id, title, markup }] : []));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="mdwi ${run.manifest.suite}">
<title>${run.outcomeInScope}: ${run.manifest.targetName ?? run.manifest.target}</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
<div class="page">
${outcomeSection(run)}
<nav aria-label="Sections"><ul>${shown.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main id="main">
${shown.map(({ markup }) => html`${markup}\n`)}
</main>
</div>
<script>${verbatim(SCRIPT)}</script>
</body>
</html>
`.text;
}
