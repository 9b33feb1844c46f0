/** What reports say about a result besides its findings: the demand, what it rests on, how it is judged, what to do. */
import { ruleOf } from '../../suites/index.ts';
import { OPENINGS, STATEMENTS } from '../contract/index.ts';
import { BASES, type Basis } from '../rule/index.ts';
import type { Result, Run } from '../run/types.ts';

export interface ResultText {
  /** The demand on the service, in one sentence. */
  readonly demands: string;
  /** What the document says, if the statement is known. */
  readonly says?: string;
  /** The basis with its meaning. */
  readonly basis: string;
  /** How the rule judges, if it is known. */
  readonly how?: string;
  /** What the reader does next. */
  readonly toDo: string;
  /** The command that explains the rule. */
  readonly explain: string;
}

const ADVICE_ONLY = 'This is advice and does not change the outcome, unless --strict is given.';
const REPEAT = 'Repeat the request and compare the response with what is expected.';
const CHANGE = `${REPEAT} If the response is as shown, change the service. If the profile reads the wrong place, correct its selector.`;

const AFTER_FAILURE: Readonly<Record<Basis, string>> = {
  stated: CHANGE,
  derived: CHANGE,
  profile: `${REPEAT} The service and its profile contradict each other: change the one that is wrong.`,
  http: `${ADVICE_ONLY} HTTP itself demands it, so clients and proxies may depend on it.`,
  plausible: `${ADVICE_ONLY} The document probably intends it: decide whether the service should follow.`,
};

function toDo(result: Result): string {
  if (result.waiver)
    return `A waiver covers this ${result.verdict === 'fail' ? 'failure' : 'result'}${result.waiver.expires ? ` until ${result.waiver.expires}` : ''}. When the service is mended, delete ${result.waiver.source}.`;
  switch (result.verdict) {
    case 'pass':
    case 'not-applicable':
      return 'Nothing.';
    case 'fail':
      if (result.pinned) return 'This is advice until the rule set in the configuration moves; then it gates.';
      return AFTER_FAILURE[result.basis];
    case 'inconclusive':
      return 'Remove what prevented the judgement, then run again.';
    case 'untested':
      return result.openings?.length
        ? `Fill in the profile: ${result.openings.map((id) => OPENINGS.find((each) => each.id === id)?.fill ?? id).join(', ')}.`
        : 'Nothing can be filled in: the note says why the check was not made.';
    case 'error':
      return 'This is a defect of mdwi. Please report it, with run.json.';
  }
}

/** The texts of a result. Unknown rules and statements, which other versions of the suite may have, get the ids. */
export function resultText(result: Result): ResultText {
  const rule = ruleOf(result.rule);
  const says = STATEMENTS.find(({ id }) => id === result.statement)?.says;
  return {
    demands: rule?.demands ?? says ?? result.statement,
    ...(says !== undefined && { says }),
    basis: `${result.basis}: ${BASES[result.basis].means}`,
    ...(rule && { how: rule.how }),
    toDo: toDo(result),
    explain: `mdwi explain ${result.rule}`,
  };
}

/** The exchanges of the findings of a result, each once. */
export const exchangesOf = (result: Result, run: Run): Run['exchanges'] => {
  const cited = new Set(result.findings.map(({ exchange }) => exchange));
  return run.exchanges.filter(({ id }) => cited.has(id));
};

/** The commands that repeat the requests of the findings. */
export const curlsOf = (result: Result, run: Run): string[] =>
  exchangesOf(result, run).flatMap(({ curl }) => curl || []);
