/**
 * Judges servers that were written from the interface document alone, and counts which of their violations a run finds.
 *
 *   node bench/strangers/score.ts [NAME…] [--depth quick|standard|thorough] [--only TEXT,…] [--skip TEXT,…] [--whole] [--json FILE] [--missed FILE]
 *
 * Each server runs alone, once as it is, once per violation and once per oddity, and a run judges it each time. A run
 * sees only the groups that the violation touches; `--whole` judges all groups each time. `--only` selects the
 * violations and oddities whose name contains one of the texts, `--skip` leaves such out, `--missed` leaves out the violations that the `--json` of an earlier
 * score calls caught. A language that is not installed is skipped.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { type Group, type Run, run } from '../../src/api/index.ts';
import { DEPTHS } from '../../src/contract/sampling.ts';
import { buildStranger, commandOf, STRANGERS, type Stranger, startStranger } from './servers.ts';

/** `caught`: a gating check failed. `exit 3`: a gating check that the plain server passes is inconclusive. */
const VERDICTS = ['caught', 'advisory', 'exit 3', 'unseen'] as const;
type Verdict = (typeof VERDICTS)[number];

interface Variant {
  readonly server: string;
  readonly kind: 'plain' | 'violation' | 'oddity';
  readonly name: string;
  readonly groups: readonly Group[];
  readonly class: string;
  readonly sentence: string;
  /** Whether only the documentation of the server promises it, not the interface document. */
  readonly isPromise: boolean;
}

interface Score extends Variant {
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly requests: number;
  /** The rules that failed or became inconclusive, with their operation. */
  readonly rules: readonly string[];
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    depth: { type: 'string' },
    only: { type: 'string', default: '' },
    skip: { type: 'string' },
    whole: { type: 'boolean' },
    json: { type: 'string' },
    missed: { type: 'string' },
  },
});

const depth = DEPTHS.find((each) => each === (flags.depth ?? 'standard'));
if (!depth) {
  console.error(`--depth ${flags.depth}: there are ${DEPTHS.join(', ')}`);
  process.exit(2);
}
const earlier: readonly Score[] = flags.missed ? JSON.parse(readFileSync(flags.missed, 'utf8')) : [];
const caught = new Set(
  earlier.filter(({ verdict }) => verdict === 'caught').map(({ server, kind, name }) => `${server} ${kind} ${name}`),
);

/** A run that takes longer is interrupted. */
const TRIAL_MS = 240_000;
const ALL: readonly Group[] = ['A', 'B', 'C', 'D'];
setPriority(10);

/** The variants that a server lists, the plain one first. */
function variantsOf(stranger: Stranger): Variant[] {
  const [program, ...args] = commandOf(stranger, stranger.start);
  const lines = execFileSync(program, [...args, '--list'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const listed = lines.map((line): Variant => {
    const [kind = '', name = '', groups = '', group = '', sentence = '', statement = ''] = line.split('\t');
    return {
      server: stranger.name,
      kind: kind === 'oddity' ? 'oddity' : 'violation',
      name,
      groups: flags.whole ? ALL : ALL.filter((letter) => groups.includes(letter)),
      class: group,
      sentence,
      isPromise: statement.startsWith('promise'),
    };
  });
  const plain: Variant = {
    ...{ server: stranger.name, kind: 'plain', name: '', groups: ALL, class: '', sentence: '' },
    isPromise: false,
  };
  const isLeftOut = ({ name }: Variant) => caught.has(`${stranger.name} violation ${name}`);
  const isMeant = ({ name }: Variant) =>
    flags.only.split(',').some((text) => name.includes(text)) &&
    !flags.skip?.split(',').some((text) => name.includes(text));
  return [plain, ...listed.filter((variant) => isMeant(variant) && !isLeftOut(variant))];
}

/** Judges one variant with a fresh process of the server. */
async function judge(stranger: Stranger, { kind, name, groups }: Variant): Promise<Run> {
  const server = await startStranger(stranger, kind === 'plain' ? [] : [`--${kind}`, name]);
  try {
    const { baseUrl, profile } = server;
    return await run({ baseUrl, profile, groups, safety: 'all', depth, signal: AbortSignal.timeout(TRIAL_MS) });
  } finally {
    await server.close();
  }
}

const checkOf = ({ rule, operation }: Run['results'][number]): string => `${rule} ${operation.replace(/^\S+ /, '')}`;

/** Compares the run of a variant with the one of the plain server. */
function scoreOf(variant: Variant, judged: Run, plain: Run): Score {
  const before = new Map(plain.results.map((result) => [checkOf(result), result.verdict]));
  const changed = judged.results.filter((result) => before.get(checkOf(result)) !== result.verdict);
  const failed = judged.results.filter(({ gating, verdict }) => gating && verdict === 'fail');
  const advised = changed.filter(({ verdict }) => verdict === 'fail');
  const undecided = changed.filter(({ gating, verdict }) => gating && verdict === 'inconclusive');
  const [verdict, results]: [Verdict, Run['results']] =
    failed.length > 0
      ? ['caught', failed]
      : undecided.length > 0
        ? ['exit 3', undecided]
        : advised.length > 0
          ? ['advisory', advised]
          : ['unseen', []];
  const rules = [...new Set(results.map(checkOf))];
  return { ...variant, verdict, exitCode: judged.exitCode, requests: judged.manifest.requests, rules };
}

async function scoresOf(stranger: Stranger): Promise<Score[]> {
  if (!buildStranger(stranger)) {
    console.log(`${stranger.name}: skipped, its language is not installed`);
    return [];
  }
  const scores: Score[] = [];
  let plain: Run | undefined;
  for (const variant of variantsOf(stranger)) {
    const judged = await judge(stranger, variant);
    plain ??= judged;
    const score = scoreOf(variant, judged, plain);
    scores.push(score);
    if (flags.json) writeFileSync(flags.json, `${JSON.stringify(scores, null, 2)}\n`);
    const label = variant.kind === 'plain' ? 'plain' : `${variant.kind} ${variant.name}`;
    console.log(
      `${stranger.name} ${label}: ${score.verdict}, exit ${score.exitCode}, ${score.rules.slice(0, 3).join('; ')}`,
    );
  }
  return scores;
}

/** A table by class: violations of each verdict. */
function tableOf(violations: readonly Score[]): string {
  const row = (label: string, scores: readonly Score[]): string => {
    const counts = VERDICTS.map((verdict) => scores.filter((score) => score.verdict === verdict).length);
    return `| ${label} | ${scores.length} | ${counts.join(' | ')} |`;
  };
  const classes = Map.groupBy(violations, (score) => score.class);
  const servers = Map.groupBy(violations, ({ server }) => server);
  return [
    `| | violations | ${VERDICTS.join(' | ')} |`,
    '|---|---|---|---|---|---|',
    ...[...classes].map(([name, scores]) => row(name, scores)),
    ...[...servers].map(([name, scores]) => row(`*${name}*`, scores)),
    row(
      '*of the interface document*',
      violations.filter(({ isPromise }) => !isPromise),
    ),
    row(
      '*of promises of the server alone*',
      violations.filter(({ isPromise }) => isPromise),
    ),
    row('**all**', violations),
  ].join('\n');
}

const unknown = positionals.filter((name) => !STRANGERS.some((stranger) => stranger.name === name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no such server; there are ${STRANGERS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const scores: Score[] = [];
for (const stranger of STRANGERS)
  if (positionals.length === 0 || positionals.includes(stranger.name)) scores.push(...(await scoresOf(stranger)));
const violations = scores.filter(({ kind }) => kind === 'violation');
const accused = scores.filter(({ kind, verdict }) => kind !== 'violation' && verdict === 'caught');
console.log(`\n${tableOf(violations)}\n\nfalse alarms: ${accused.length} of ${scores.length - violations.length}`);
for (const { server, name, rules } of accused) console.log(`- ${server} ${name || 'plain'}: ${rules.join('; ')}`);
console.log('\nunseen:');
for (const { server, name, verdict, sentence } of violations)
  if (verdict === 'unseen') console.log(`- ${server} ${name}: ${sentence}`);
if (flags.json) writeFileSync(flags.json, `${JSON.stringify(scores, null, 2)}\n`);
if (accused.length > 0) process.exitCode = 1;
