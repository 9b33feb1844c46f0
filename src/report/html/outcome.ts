/** The head of the page: the outcome in a sentence, the numbers, and causes that explain many results. */
import { counted } from '../../format-values.ts';
import type { Run, RunPart } from '../../run/types.ts';
import { countsOf, outcomeSentence, retriesText, runDuration } from '../describe-run.ts';
import type { Mark } from '../marks.ts';
import { type Html, html, table } from './markup.ts';

const TONES = {
  conformant: 'pass',
  'conformant-with-waivers': 'pass',
  partial: 'inconclusive',
  nonconformant: 'fail',
  undetermined: 'inconclusive',
  interrupted: 'inconclusive',
} as const satisfies Record<Run['outcome'], Mark>;

const figure = (count: number, what: string, mark: Mark): Html =>
  html`<div class="figure ${count > 0 ? mark : 'none'}"><dt>${what}</dt><dd>${count}</dd></div>`;

/** The header of the report. */
export function outcomeSection(run: Run): Html {
  const { manifest } = run;
  const counts = countsOf(run);
  // A stale waiver, or a baseline that is not met, ends a run with another code than 0 although no check failed.
  const tone = TONES[run.outcome] === 'pass' && run.exitCode !== 0 ? 'inconclusive' : TONES[run.outcome];
  const { proved, provable } = run.fractions;
  const facts: [string, string][] = [
    ['Target', manifest.targetName ? `${manifest.targetName}, ${manifest.target}` : manifest.target],
    ['Profile', manifest.profile],
    ['Started', manifest.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Requests', `${manifest.requests}${retriesText(run)} in ${runDuration(run)}`],
    [
      'Scope',
      `groups ${manifest.groups.join(', ')}; requests of class ${manifest.safety}${manifest.strict ? '; strict' : ''}`,
    ],
    ['Suite', `mdwi ${manifest.suite}${manifest.ruleSet ? `, rule set ${manifest.ruleSet}` : ''}`],
    ['Exit code', `${run.exitCode}${run.reason ? `: ${run.reason}` : ''}`],
  ];
  return html`<header class="outcome ${tone}">
<p class="kind"><span class="badge ${tone}">${run.outcome}</span> mdwi conformance report</p>
<h1>${outcomeSentence(run)}</h1>
<dl class="figures">
${figure(counts.failed, 'failed', 'fail')}
${counts.errors > 0 && figure(counts.errors, 'defects of mdwi', 'error')}
${counts.waived > 0 && figure(counts.waived, 'waived', 'waived')}
${counts.advised > 0 && figure(counts.advised, 'failed as advice', 'advice')}
${figure(counts.inconclusive, 'inconclusive', 'inconclusive')}
${figure(counts.untested, 'untested', 'untested')}
${figure(counts.proved, 'passed', 'pass')}
</dl>
<p class="fractions">${provable[0]} of ${counted(provable[1], 'check')} are provable; ${proved[0]} of them passed.</p>
<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>
</header>`;
}

/** One cause explains many results, so it is shown before them. */
export const causesSection = ({ cause = [] }: Run): Html | false =>
  cause.length > 0 &&
  html`<section id="causes" aria-labelledby="causes-title"><h2 id="causes-title">Causes</h2>
<ul class="callouts">${cause.map(
    ({ sentence, operations, count }) =>
      html`<li class="callout"><strong>${sentence}</strong><br><span class="muted">explains ${counted(count, 'result')} on ${counted(operations.length, 'operation')}</span></li>`,
  )}</ul></section>`;

const rowMarkup = ({ file, target, outcomeInScope, exitCode, reason, manifest, fractions, missing }: RunPart): Html =>
  html`<tr><th scope="row">${target ?? file}<br><code class="muted">${file}</code></th><td>${outcomeInScope ?? 'missing'}</td><td>${exitCode}</td><td>${fractions && `${fractions.proved[0]} of ${fractions.provable[1]}`}</td><td>${manifest?.profile}</td><td class="address">${missing ?? reason}</td></tr>`;

/** One row per run; undefined for a report of one run. */
export const partsSection = ({ parts = [] }: Run): Html | false =>
  parts.length > 0 &&
  html`<section id="parts" aria-labelledby="parts-title"><h2 id="parts-title">Runs</h2>
${table('Runs of this report', ['target', 'outcome', 'exit code', 'proved', 'profile', 'because'], parts.map(rowMarkup))}
</section>`;
