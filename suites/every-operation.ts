/** Demands on all 41 operations: sections 4, 4.2 and 9. */
import {
  type Input,
  JOB_STATUS,
  type ObservableStatementId,
  OPEN_PARTS,
  OPERATIONS,
  type OperationKey,
  operationOf,
  operationsOf,
} from '../src/contract/index.ts';
import {
  answerWith,
  controlPaths,
  defineRule,
  failed,
  type InputSource,
  isOk,
  type Judgement,
  nothingSeen,
  type Presence,
  passed,
  presenceOf,
  type Reading,
  type Rule,
  type Statuses,
  type Step,
  standsInTheWay,
  step,
  tellAnswer,
  undecided,
} from '../src/rule/index.ts';

/** Inputs an operation cannot be asked without; the optional filters of groups C and D stay out. */
export function requiredInputs(operation: OperationKey): { [I in Input]?: InputSource } {
  const { name, group } = operationOf(operation);
  const inputs: readonly Input[] = OPEN_PARTS[name].inputs;
  if (group === 'D') return {};
  const required = inputs.filter((input) => input !== 'category' && input !== 'categoryId' && input !== 'window');
  return {
    ...Object.fromEntries(required.map((input) => [input, { example: input } satisfies InputSource])),
    ...(inputs.includes('window') && { window: { value: 4 } }),
  };
}

const all = OPERATIONS.map((each) => each.key);

/** The pair and its two controls, asked in this order so that what changes with time differs between the controls too. */
export function servedSteps(operation: OperationKey, method?: string, path?: string) {
  const controls = controlPaths(operation, path);
  // A gateway hides what needs no credentials too, once it goes by another form; with them it tells what is there.
  const isAlias = method !== undefined || path !== undefined;
  const ask = (at: string | undefined) =>
    step({
      operation,
      inputs: requiredInputs(operation),
      variant: { ...(method && { method }), ...(at && { path: at }), ...(isAlias && { withCredentials: true }) },
      wants: 'any',
      follow: false,
    });
  return { before: ask(controls.before), pair: ask(path), after: ask(controls.after) };
}

const one = (readings: readonly Reading[]): Reading => readings[0] as Reading;

/** Others do not ask for paths that cannot exist: what can be told without is told without. */
const sparingControls = <S extends { readonly before: Step; readonly after: Step }>(steps: S): S => ({
  ...steps,
  before: { ...steps.before, spare: true },
  after: { ...steps.after, spare: true },
});

/** Without controls only a refusal of the documented method tells anything, of one who is answered elsewhere. */
function judgeUncontrolled(pair: Reading, subject: OperationKey): Judgement {
  const status = pair.head?.status;
  if (status !== 405 && status !== 501)
    return nothingSeen(
      `${tellAnswer(pair)}, and nothing to compare it with: paths that cannot exist were not asked for`,
    );
  const actual = `${tellAnswer(pair)}, to a client that is answered at other operations`;
  return failed([{ expected: `${subject} is served`, actual, exchange: pair.exchange }]);
}

const served = defineRule({
  id: 'every.served',
  guards: true,
  statement: 'operation.served',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation answers at its documented method and path.',
  how: 'The answer is compared with those of two sibling paths that cannot exist; it must differ where they agree. 405 or 501 there alone, or the very answer of a path that cannot exist to a request the profile declares valid, is a failure.',
  subjects: all,
  needs: () => [],
  repeat: 'inconclusive',
  probe: (subject) => sparingControls(servedSteps(subject)),
  counterexample: ({ pair }) => ({ pair: answerWith(pair, 405) }),
  judge(seen, { subject, declares }) {
    const [before, after] = [seen.before[0], seen.after[0]];
    if (!before || !after) return judgeUncontrolled(one(seen.pair), subject);
    const presence = presenceOf(one(seen.pair), before, after, declares.statuses(subject));
    if (presence.is === 'served') return passed({ exchanges: 3, distinct: 1 }, presence.by);
    if (presence.is === 'hidden') {
      const { exchange, head } = one(seen.pair);
      if (presence.everywhere) return { ...undecided(presence.by), provesNothing: true };
      if (head?.status !== 401 || !declares.anonymous(subject)) return undecided(presence.by);
      const expected = `${subject} is served without credentials, as the profile says in authExcept`;
      return failed([{ expected, actual: presence.by, exchange }], 'profile');
    }
    if (!presence.certain && !declares.validRequest(subject)) {
      return nothingSeen(`needs a valid request: the bare one got ${presence.by}`);
    }
    return failed([{ expected: `${subject} is served`, actual: presence.by, exchange: one(seen.pair).exchange }]);
  },
});

const soundAnswer = defineRule({
  id: 'every.sound-answer',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.1.0',
  demands:
    'A request the profile declares valid is not answered with 500 or 501, nor with a body that is not of its declared media type.',
  how: 'The valid request is sent; a broken answer is asked for once more, and fails when it is broken again while other paths answer. A 2xx passes when paths that cannot exist are answered otherwise.',
  // A job status is asked for with the id of a job: A.job-status judges its answers.
  subjects: all.filter((key) => !(Object.values(JOB_STATUS) as OperationKey[]).includes(key)),
  needs: (subject) => [`${operationOf(subject).name}.request`],
  repeat: 'inconclusive',
  probe(subject) {
    const { before, pair, after } = servedSteps(subject);
    return sparingControls({ before, first: pair, pair: step({ ...pair, follow: true }), after });
  },
  counterexample: ({ pair }) => ({ pair: answerWith(pair, 500) }),
  judge(seen, { subject, declares }) {
    const pair = one(seen.pair);
    const [before, first, after] = [seen.before[0], seen.first[0], seen.after[0]];
    if (!declares.validRequest(subject)) return nothingSeen('the profile gives no example values for this request');
    if (!pair.head) return undecided(`no answer: ${pair.failure}`);
    if (standsInTheWay(pair.head.status, declares.statuses(subject)))
      return undecided(`${pair.head.status} stands in the way`);
    const problem = isOk(pair) && declares.readsBody(subject) ? pair.observation?.problem : undefined;
    const broken = pair.head.status === 500 || pair.head.status === 501 ? tellAnswer(pair) : undefined;
    // Only what the profile reads can be broken: an empty answer where nothing is read is nobody's business.
    const garbled = problem?.kind === 'syntax' || problem?.kind === 'truncated' ? problem.message : undefined;
    const actual = broken ?? garbled;
    if (actual) {
      if (before && (!before.head || before.head.status >= 500))
        return undecided('other paths of the service do not answer either');
      return failed(
        [{ expected: 'a sound answer to a request the profile declares valid', actual, exchange: pair.exchange }],
        'profile',
      );
    }
    if (problem) return undecided(problem.message);
    if (!isOk(pair)) return undecided(`a request the profile declares valid got ${tellAnswer(pair)}`);
    if (!before || !first || !after)
      return nothingSeen('nothing to compare it with: paths that cannot exist were not asked for');
    const presence = presenceOf(first, before, after, declares.statuses(subject));
    return presence.is === 'served' ? passed({ exchanges: 3, distinct: 1 }, tellAnswer(pair)) : undecided(presence.by);
  },
});

interface Alias {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly subjects: readonly OperationKey[];
  /** Where a server that breaks the statement would answer instead. */
  readonly method?: string;
  readonly path?: (path: string) => string;
  readonly aliasIs: string;
}

const ALIASES: readonly Alias[] = [
  {
    id: 'version',
    statement: 'version.segment',
    demands: 'The path carries the segment v1 behind its group prefix.',
    subjects: [...operationsOf('B'), ...operationsOf('C'), ...operationsOf('D')],
    path: (path) => path.replace('/v1/', '/'),
    aliasIs: 'the path without its version segment',
  },
  {
    id: 'version-two',
    statement: 'version.segment',
    demands: 'The version segment is v1, not another.',
    subjects: [...operationsOf('B'), ...operationsOf('C'), ...operationsOf('D')],
    path: (path) => path.replace('/v1/', '/v2/'),
    aliasIs: 'the path with v2 for its version segment',
  },
  {
    id: 'unversioned',
    statement: 'version.none',
    demands: 'The path of a group A operation carries no version segment.',
    subjects: operationsOf('A'),
    path: (path) => path.replace('/webservices/', '/webservices/v1/'),
    aliasIs: 'the path with a version segment',
  },
  {
    id: 'platform',
    statement: 'platform.segment',
    demands: 'The first path segment is PLATFORMAPI as written.',
    subjects: operationsOf('C'),
    path: (path) => path.replace('/PLATFORMAPI/', '/platformapi/'),
    aliasIs: 'the path with platformapi in lower case',
  },
  {
    id: 'post',
    statement: 'B.post',
    demands: 'The operation is asked with POST.',
    subjects: operationsOf('B'),
    method: 'GET',
    aliasIs: 'GET at the documented path',
  },
];

const answers = (presence: Presence, alias: Reading): boolean => presence.is === 'served' && isOk(alias);

/** Two rules per alias: that the documented form is served rather than the alias, and, advisory, that the alias is not. */
function aliasRules(alias: Alias): readonly Rule[] {
  const shape = (subject: OperationKey) => {
    const path = alias.path?.(operationOf(subject).path);
    const other = servedSteps(subject, alias.method, path);
    return { ...servedSteps(subject), aliasBefore: other.before, alias: other.pair, aliasAfter: other.after };
  };
  type Shape = ReturnType<typeof shape>;
  const look = (seen: { readonly [N in keyof Shape]: readonly Reading[] }, stated: Statuses) => ({
    documented: presenceOf(one(seen.pair), one(seen.before), one(seen.after), stated),
    alias: presenceOf(one(seen.alias), one(seen.aliasBefore), one(seen.aliasAfter), stated),
  });
  return [
    defineRule({
      id: `every.${alias.id}`,
      statement: alias.statement,
      basis: 'stated',
      since: '0.1.0',
      demands: alias.demands,
      how: `The documented form and ${alias.aliasIs} are each compared with paths that cannot exist; only the alias being served is a failure.`,
      subjects: alias.subjects,
      needs: () => [],
      repeat: 'inconclusive',
      probe: shape,
      counterexample: (seen) => ({ pair: answerWith(seen.pair, 405), alias: answerWith(seen.alias, 200) }),
      judge(seen, { subject, declares }) {
        const presence = look(seen, declares.statuses(subject));
        if (presence.documented.is === 'served') return passed({ exchanges: 6, distinct: 1 }, presence.documented.by);
        if (presence.documented.is === 'absent' && answers(presence.alias, one(seen.alias))) {
          return failed([
            {
              expected: `${subject} is served`,
              actual: `${presence.documented.by}; ${alias.aliasIs} is served instead`,
              exchange: one(seen.alias).exchange,
            },
          ]);
        }
        return presence.documented.is === 'hidden'
          ? undecided(presence.documented.by)
          : nothingSeen(`neither form is seen to be served: ${presence.documented.by}`);
      },
    }),
    defineRule({
      id: `every.${alias.id}-only`,
      statement: alias.statement,
      basis: 'plausible',
      since: '0.1.0',
      demands: `${alias.aliasIs.charAt(0).toUpperCase()}${alias.aliasIs.slice(1)} is not served beside the documented form.`,
      how: 'The alias is compared with paths that cannot exist; a 2xx of its own is reported.',
      subjects: alias.subjects,
      needs: () => [],
      repeat: 'inconclusive',
      probe: shape,
      counterexample: (seen) => ({ alias: answerWith(seen.alias, 200) }),
      judge(seen, { subject, declares }) {
        const presence = look(seen, declares.statuses(subject));
        if (presence.documented.is !== 'served') return nothingSeen('the documented form is not seen to be served');
        if (presence.alias.is === 'hidden') return undecided(presence.alias.by);
        if (!answers(presence.alias, one(seen.alias))) return passed({ exchanges: 6, distinct: 1 }, presence.alias.by);
        return failed([
          { expected: `no answer at ${alias.aliasIs}`, actual: presence.alias.by, exchange: one(seen.alias).exchange },
        ]);
      },
    }),
  ];
}

export const everyOperation: readonly Rule[] = [served, soundAnswer, ...ALIASES.flatMap(aliasRules)];
