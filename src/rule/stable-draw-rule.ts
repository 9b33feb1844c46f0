/**
 * The template of rules about equal requests of drawn subjects, such as look-ups: several requests of each subject, mixed
 * with those of the others, get the same content (sections 4.3, 4.4 and 8).
 */
import type { ObservableStatementId, OperationKey } from '../contract/index.ts';
import { acceptedCoding, callOrder, distinctParts, shuffleBySeed } from './call-order.ts';
import { type CollectedRows, differenceOfRows, digestOfContent } from './compare-rows.ts';
import { statedAsOf } from './data-weeks.ts';
import {
  type Declarations,
  type DrawName,
  defineRule,
  describeResponse,
  type EditableReading,
  type Evidence,
  evidenceOf,
  type Finding,
  failed,
  isOk,
  type Need,
  type Reading,
  type ReadingsOf,
  type Row,
  type Rule,
  type Sentences,
  type Step,
  type Steps,
  untested,
} from './index.ts';
import { type Call, judgeCalls } from './repeated-calls.ts';

interface StableDraw {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly looksLike: Sentences;
  readonly subjects: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
  readonly draw: DrawName;
  /** What is drawn, in the plural. */
  readonly of: string;
  /** The step that supplies the subjects, its fold with their rows, and the inputs that they give. */
  readonly source: (
    subject: OperationKey,
    declarations: Declarations,
  ) => {
    readonly step: Step;
    readonly fold: string;
    readonly as: NonNullable<Step['each']>['as'];
    readonly choose?: NonNullable<Step['each']>['choose'];
  };
  readonly request: (subject: OperationKey, declarations: Declarations) => Step<CollectedRows>;
  /** Other rules send the same requests: their responses are the first ones. */
  readonly sharesFirst?: true;
  /** The document does not show the members of the content, some of which may change with each response. */
  readonly isOpaque?: true;
  /** A reload changes the content of few subjects. */
  readonly isRarelyReloaded?: true;
  /** Changes the readings of one part in the smallest way that is a failure. */
  readonly defect: (readings: readonly EditableReading[]) => readonly EditableReading[];
  /** Whether a 2xx contains what is requested. */
  readonly isFound: (reading: Reading<CollectedRows>) => boolean;
  /** What is wrong in one response by itself. */
  readonly check?: (reading: Reading<CollectedRows>) => Finding | undefined;
}

const SOURCE = 'source';
/** The requests that other rules send, too. */
const FIRST = 'first';

/**
 * The subjects that are requested in addition if a response differs: with these, replicas chosen at random do not follow
 * the number of the call.
 */
export const FURTHER_SUBJECTS = 9;

/** Whether a response shows what the service knows: every.sound-answer judges server errors and broken bodies. */
function isComparable(reading: Reading): boolean {
  const { head, observation } = reading;
  if (!isOk(reading)) return (head?.status ?? 500) < 500;
  return observation !== undefined && observation.problem === undefined && observation.complete;
}

/** Describes how two responses differ; undefined if they are equal. */
function differenceOf(one: Reading<CollectedRows>, other: Reading<CollectedRows>): string | undefined {
  if (isOk(one) && isOk(other)) return differenceOfRows(one, other);
  if (one.head?.status === other.head?.status) return undefined;
  return `${describeResponse(one)}, then ${describeResponse(other)}`;
}

/** The content of a response as a text that is equal for equal contents. */
const contentOf = (reading: Reading<CollectedRows>): string =>
  isOk(reading) ? digestOfContent(reading) : `status ${reading.head?.status}`;

/** Whether equal requests got different responses, unless all responses differ from one another. */
function areDifferent(readings: readonly Reading[]): boolean {
  const comparable = (readings as readonly Reading<CollectedRows>[]).filter(isComparable);
  const contents = [...Map.groupBy(comparable, ({ inputs }) => JSON.stringify(inputs)).values()].map((equal) => ({
    calls: equal.length,
    different: new Set(equal.map(contentOf)).size,
  }));
  return contents.some(({ different }) => different > 1) && contents.some(({ calls, different }) => different < calls);
}

export function stableDrawRule(rule: StableDraw): Rule {
  const {
    draw,
    of,
    source,
    request,
    sharesFirst,
    isOpaque = false,
    isRarelyReloaded = false,
    defect,
    isFound,
    check,
    ...texts
  } = rule;
  return defineRule<Steps>({
    ...texts,
    basis: 'derived',
    how: [
      `At depth standard, some ${of} are requested three times each (thorough: more of them, five times each), in a shuffled order and with several content codings${sharesFirst ? ', after the request that other rules send' : ''}.`,
      `If a response differs, the same happens for nine further ${of}.`,
      `A difference is a failure if the responses contain one as-of date, or if all ${of} depend on the number of the call${isRarelyReloaded ? ' or on the coding' : ''}; otherwise it is inconclusive, and the report names the calls that differ.`,
    ],
    probe(subject, declarations) {
      const { step, fold, as, choose } = source(subject, declarations);
      const count = declarations.draw(draw);
      if (count === 0) return { [SOURCE]: step };
      const partsOf = (subjects: number) =>
        distinctParts(callOrder(subjects, declarations.draw('equalCalls'), declarations.seed));
      const drawn = partsOf(count);
      const further = partsOf(FURTHER_SUBJECTS).map((part) => part.map((nth) => count + nth));
      const inDrawnOrder = (rows: readonly Row[]): readonly Row[] =>
        choose
          ? shuffleBySeed(choose(rows), declarations.seed)
          : [...shuffleBySeed(rows.slice(0, count), declarations.seed), ...rows.slice(count)];
      const steps: Record<string, Step> = {
        [SOURCE]: step,
        ...(sharesFirst && {
          [FIRST]: {
            ...request(subject, declarations),
            each: { from: SOURCE, fold, as, max: count, choose: (rows) => inDrawnOrder(rows).slice(0, count) },
            accepts: 'response',
            optional: true,
          },
        }),
      };
      for (const [at, part] of [...drawn, ...further].entries()) {
        const acceptEncoding = acceptedCoding(at);
        const choosePart = (rows: readonly Row[]): readonly Row[] => {
          const subjects = inDrawnOrder(rows);
          return part.flatMap((nth) => subjects[nth] ?? []);
        };
        steps[`part ${at + 1}`] = {
          ...request(subject, declarations),
          each: { from: SOURCE, fold, as, max: part.length, choose: choosePart },
          ...(acceptEncoding !== undefined && { variant: { acceptEncoding } }),
          accepts: 'response',
          // No other rule sends these requests.
          repetition: at + 1,
          after: at > 0 ? [`part ${at}`] : sharesFirst ? [FIRST] : [],
          ...(at >= drawn.length && {
            when: (of: ReadingsOf) =>
              areDifferent([...(sharesFirst ? of(FIRST) : []), ...drawn.flatMap((_, nth) => of(`part ${nth + 1}`))]),
          }),
          optional: true,
        };
      }
      return steps;
    },
    counterexample(seen) {
      const part = Object.keys(seen).findLast((name) => name !== SOURCE && (seen[name]?.length ?? 0) > 0) as string;
      return { [part]: defect(seen[part] ?? []) };
    },
    judge(seen, { subject, declarations }) {
      if (declarations.draw(draw) === 0)
        return untested(`at depth ${declarations.depth} no request is repeated for drawn ${of}`);
      const { as } = source(subject, declarations);
      const counts = new Map<string, number>();
      const readings = new Map<Call, Reading<CollectedRows>>();
      const findings: Finding[] = [];
      for (const [name, list] of Object.entries(seen)) {
        if (name === SOURCE) continue;
        for (const reading of list as readonly Reading<CollectedRows>[]) {
          const names = Object.values(as).map((input) => reading.inputs[input as keyof typeof reading.inputs]);
          const requested = names.filter((value) => value !== undefined).join(', ');
          const nth = (counts.get(requested) ?? 0) + 1;
          counts.set(requested, nth);
          if (!isComparable(reading)) continue;
          const wrong = isOk(reading) ? check?.(reading) : undefined;
          if (wrong) findings.push(wrong);
          const call: Call = {
            subject: requested,
            nth,
            ...(reading.acceptEncoding !== undefined && { coding: reading.acceptEncoding }),
            content: contentOf(reading),
            isFound: isOk(reading) && isFound(reading),
            asOf: statedAsOf(reading, declarations),
            exchange: reading.exchange,
          };
          readings.set(call, reading);
        }
      }
      if (findings.length > 0) return failed(findings);
      const calls = [...readings.keys()];
      if (calls.every((call) => !call.isFound)) return untested(`no response contains one of the requested ${of}`);
      const evidence: Evidence = {
        ...evidenceOf([...readings.values()]),
        distinct: counts.size,
        coverage: [{ of, looked: counts.size }],
      };
      return judgeCalls(
        calls,
        {
          difference: (one, other) => differenceOf(readings.get(one) as never, readings.get(other) as never) ?? '',
          kind: () => 'changed',
          expected: 'the same content in every response',
          areDistinct: false,
          isOpaque,
          isRarelyReloaded,
        },
        evidence,
      );
    },
  });
}
