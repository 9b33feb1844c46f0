/**
 * SARIF 2.1.0, for code scanning: one result per kind of failure of a check. Doubt and defects of mdwi are notifications
 * of the invocation, since many readers show every result as a failure. For the same reason fixed failures are left out.
 */
import type { Log, ReportingDescriptor, Result as SarifResult } from 'sarif';
import { operationOf } from '../contract/index.ts';
import type { ReportedFinding, Result, Run } from '../run/types.ts';
import { incompleteness, isExplained, placeOf, sameCheckAs } from './describe-run.ts';
import { jsonText } from './json-text.ts';
import { exchangesOf, resultText } from './result-text.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A message. In SARIF `[text](address)` is a link, also in plain text; texts of a service must not make one. */
const message = (text: string): { text: string } => ({ text: text.replaceAll('](', '] (') });

const levelOf = ({ gating }: Result): 'error' | 'note' => (gating ? 'error' : 'note');

/** The rule with its help. `result` is any result of it. */
function descriptorOf(result: Result): ReportingDescriptor {
  const { demands, says, basis, how, toDo, explain } = resultText(result);
  const lines = [
    ...(says === undefined ? [] : [`Section ${result.section} of the document: ${says}`]),
    `Basis: ${basis}.`,
    ...(how === undefined ? [] : [`How it is judged: ${how}`]),
    `What to do: ${toDo}`,
    `More: ${explain}`,
  ];
  return {
    id: result.rule,
    shortDescription: { text: demands },
    fullDescription: { text: says ?? demands },
    help: { text: lines.join('\n\n') },
    defaultConfiguration: { level: levelOf(result) },
    properties: { tags: [result.basis, `section ${result.section}`] },
  };
}

function baselineStateOf(result: Result, { comparison }: Run): SarifResult['baselineState'] | undefined {
  const isThis = sameCheckAs(result);
  if (!comparison || comparison.notComparable.some(isThis)) return undefined;
  if (comparison.newFailures.some(isThis)) return 'new';
  return comparison.changedEvidence.some(isThis) ? 'updated' : 'unchanged';
}

/** Findings that say the same of different rows are one result. */
function resultOf(result: Result, findings: readonly ReportedFinding[], run: Run): SarifResult {
  const [finding] = findings as [ReportedFinding];
  const { path } = operationOf(result.operation);
  const print = [
    finding.fingerprint ?? `${result.rule} ${result.operation}`,
    ...(result.target === undefined ? [] : [result.target]),
  ].join(' ');
  const state = baselineStateOf(result, run);
  const { waiver } = result;
  const [exchange] = exchangesOf({ ...result, findings }, run);
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more of this kind)` : '';
  return {
    ruleId: result.rule,
    level: levelOf(result),
    message: message(
      `${result.target === undefined ? '' : `${result.target}: `}Expected ${finding.expected}; actual ${finding.actual}${more}. ${resultText(result).toDo}`,
    ),
    // Code scanning needs a path: the one of the document, below the address of the service.
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(path.slice(1)), uriBaseId: 'SERVICE' },
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: placeOf(result), kind: 'resource' }],
      },
    ],
    partialFingerprints: { primaryLocationLineHash: print, 'mdwiFinding/v1': print },
    suppressions: waiver
      ? [
          {
            kind: 'external',
            status: 'accepted',
            justification: `${waiver.reason} (${[waiver.source, waiver.owner, waiver.expires && `until ${waiver.expires}`].filter(Boolean).join(', ')})`,
          },
        ]
      : [],
    ...(state && { baselineState: state }),
    properties: {
      section: result.section,
      basis: result.basis,
      evidence: result.evidence,
      ...(finding.row !== undefined && { row: finding.row }),
      ...(exchange && { exchange: exchange.id, ...(exchange.curl && { curl: exchange.curl }) }),
    },
  };
}

/** The address of the service as a base in the form of RFC 3986; undefined for recordings and other targets. */
function baseOf(target: string): { uri: string } | undefined {
  const url = /^https?:/.test(target) ? URL.parse(target) : null;
  if (!url) return undefined;
  const path = url.pathname.replace(/\/*$/, '/').replace(/[^\w\-.~:/@!$&'()*+,;=%]/g, encodeURIComponent);
  return { uri: `${url.origin}${path}` };
}

/** The SARIF log of a run. */
export function reportToSarif(run: Run): string {
  const failures = run.results.filter(({ verdict }) => verdict === 'fail');
  const rules = [...new Map(failures.map((each) => [each.rule, each])).values()];
  const doubts = run.results.filter(
    (each) =>
      each.verdict === 'error' ||
      (each.verdict === 'inconclusive' && each.gating && !each.waived && !isExplained(each)),
  );
  const { manifest } = run;
  const base = baseOf(manifest.target);
  const log: Log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'mdwi', semanticVersion: manifest.suite, rules: rules.map(descriptorOf) } },
        invocations: [
          {
            executionSuccessful:
              incompleteness(run).length === 0 && !run.results.some(({ verdict }) => verdict === 'error'),
            startTimeUtc: manifest.startedAt,
            endTimeUtc: new Date(Date.parse(manifest.startedAt) + manifest.durationMs).toISOString(),
            exitCode: run.exitCode,
            exitCodeDescription: run.reason ?? run.outcomeInScope,
            toolExecutionNotifications: [
              ...(run.cause ?? []).map(({ sentence }) => ({ level: 'warning' as const, message: message(sentence) })),
              ...doubts.map((each) => ({
                level: each.verdict === 'error' ? ('error' as const) : ('warning' as const),
                message: message(`${each.rule} on ${placeOf(each)}: ${each.verdict}: ${each.note ?? ''}`),
              })),
            ],
          },
        ],
        ...(base && { originalUriBaseIds: { SERVICE: base } }),
        results: failures.flatMap((result) =>
          [...Map.groupBy(result.findings, ({ fingerprint }) => fingerprint).values()].map((findings) =>
            resultOf(result, findings, run),
          ),
        ),
        columnKind: 'utf16CodeUnits',
        properties: { outcome: run.outcomeInScope, profile: manifest.profile },
      },
    ],
  };
  return jsonText(log);
}
