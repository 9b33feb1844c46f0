/** Writes waivers for the failures of a run, and deletes those that it shows to be stale. */
import { type Document, isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { yamlProblem } from '../profile/profile-location.ts';
import type { Inputs } from '../profile/template.ts';
import { isExplained, isGatingFailure } from '../report/describe-run.ts';
import { inconclusiveFingerprint } from '../run/fingerprint.ts';
import type { Result, Run } from '../run/types.ts';
import type { Waiver } from '../run/waiver-types.ts';
import { UsageError } from '../usage-error.ts';
import { allFingerprints } from './to-waiver.ts';
import type { WaiverData } from './waiver-schema.ts';

/** What every written waiver states. */
export interface WaiverTerms {
  readonly reason: string;
  /** The last day on which it is valid, `2027-01-31`. */
  readonly expires: string;
  readonly owner?: string | undefined;
  readonly intermittent?: boolean | undefined;
}

/** The inputs that lists supplied to the requests of findings, each once. */
function inputsOfRequests(findings: Result['findings'], { exchanges }: Run): Inputs[] {
  const cited = new Set(findings.map(({ exchange }) => exchange));
  const all = exchanges.flatMap(({ id, inputs }) => (inputs && cited.has(id) ? [inputs] : []));
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

/** Inconclusive checks, too: one failure may prevent the judgement of others. A cause of the run is no known failure. */
const isToWaive = (result: Result): boolean =>
  isGatingFailure(result) ||
  (result.verdict === 'inconclusive' && result.gating && !result.waived && !isExplained(result));

/**
 * One waiver for each gating check of a run that failed or is inconclusive, with the fingerprints of its findings.
 * @throws UsageError if a failure has no fingerprints: the file is of an older version
 */
export function waiversFor(run: Run, { reason, owner, expires, intermittent }: WaiverTerms): WaiverData[] {
  return run.results.filter(isToWaive).map(({ rule, operation, verdict, findings }) => {
    const fingerprints =
      verdict === 'inconclusive'
        ? [inconclusiveFingerprint(rule, operation)]
        : [...new Set(findings.flatMap(({ fingerprint }) => fingerprint ?? []))];
    const inputs = inputsOfRequests(findings, run);
    if (fingerprints.length === 0)
      throw new UsageError(
        `${rule} on ${operation} has no fingerprint in this file: write it by a run of this version`,
      );
    return {
      ...{ rule, operation, reason, owner, expires },
      ...(intermittent && { intermittent }),
      fingerprints,
      ...(inputs.length > 0 && { inputs }),
    };
  });
}

const HEADING = ' Known failures that do not fail a run: node_modules/mdwi-conformance/docs/waivers.md.';

function documentOf(text: string, file: string): Document {
  const document = parseDocument(text);
  const [wrong] = document.errors;
  if (wrong) throw new UsageError(`${file}: ${yamlProblem(wrong)}`);
  return document;
}

/** The list of a document to which waivers are added; it is created if there is none. */
function listIn(document: Document, file: string): YAMLSeq {
  if (isSeq(document.contents)) return document.contents;
  if (document.contents === null) document.set('waivers', document.createNode([]));
  if (!isMap(document.contents)) throw new UsageError(`${file}: is neither a list nor a map with the key waivers`);
  if (document.get('waivers') === null || !document.has('waivers')) document.set('waivers', document.createNode([]));
  const list = document.get('waivers');
  if (isSeq(list)) return list;
  throw new UsageError(`${file}: waivers names another file: write to that one with --waivers FILE`);
}

const isSame = (x: readonly string[], y: readonly string[]): boolean => x.every((each) => y.includes(each));

/**
 * Adds waivers to the text of a file of waivers or of a configuration; comments and layout stay. A waiver that the file
 * has already is not added.
 * @param text the present text; undefined if there is no file yet
 * @returns the new text, and the waivers that were added
 * @throws UsageError if the text is no YAML or has no place for waivers
 */
export function addWaivers(
  text: string | undefined,
  file: string,
  waivers: readonly WaiverData[],
): { readonly text: string; readonly added: readonly WaiverData[] } {
  const document = documentOf(text ?? '', file);
  if (text === undefined) document.commentBefore = HEADING;
  const list = listIn(document, file);
  const present = (list.toJSON() as WaiverData[]).map((each) => ({ ...each, fingerprints: allFingerprints(each) }));
  const added = waivers.filter(
    ({ rule, operation, expires = '', fingerprints = [] }) =>
      !present.some(
        (each) =>
          each.rule === rule &&
          each.operation === operation &&
          (each.expires === undefined || each.expires >= expires) &&
          isSame(fingerprints, each.fingerprints),
      ),
  );
  if (added.length === 0) return { text: text ?? '', added };
  // A list in one line would keep the new elements in that line, too.
  list.flow = false;
  for (const each of added) list.add(document.createNode(each));
  return { text: document.toString({ lineWidth: 0 }), added };
}

const termsOf = ({ rule, operation, reason, owner, expires }: WaiverData | Waiver, fingerprints: readonly string[]) =>
  JSON.stringify([rule, operation, reason, owner, expires, fingerprints]);

/**
 * Deletes waivers from the text of a file of waivers or of a configuration; comments elsewhere and layout stay. A waiver
 * that has changed since the run stays, too.
 * @returns the new text, and the waivers that were deleted
 * @throws UsageError if the text is no YAML or has no list of waivers
 * @example removeWaivers(text, 'waivers.yaml', run.waivers.filter(isStaleWaiver)).removed.length // 2
 */
export function removeWaivers<W extends Waiver>(
  text: string,
  file: string,
  waivers: readonly W[],
): { readonly text: string; readonly removed: readonly W[] } {
  const document = documentOf(text, file);
  const list = listIn(document, file);
  const present = (list.toJSON() as WaiverData[]).map((each) => termsOf(each, allFingerprints(each)));
  const stale = new Map(waivers.map((each) => [termsOf(each, each.fingerprints ?? []), each]));
  list.items = list.items.filter((_, at) => !stale.has(present[at] as string));
  const removed = [...stale].flatMap(([terms, each]) => (present.includes(terms) ? [each] : []));
  return { text: removed.length > 0 ? document.toString({ lineWidth: 0 }) : text, removed };
}
