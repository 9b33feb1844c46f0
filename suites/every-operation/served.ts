/** Each of the 41 operations is served and answers a valid request without an error: section 4. */
import { OPERATIONS, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import {
  defineRule,
  describeResponse,
  failed,
  findingIn,
  inconclusive,
  isBlocking,
  isOk,
  type Judgement,
  kindOfStatus,
  needsOf,
  onlyReading,
  type Presence,
  passed,
  presenceOf,
  type Reading,
  type Rule,
  type RuleLiteral,
  respondWith,
  type Statuses,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { exampleRequest, STATUS_OPERATIONS } from '../../src/rule/list-requests.ts';
import {
  finalReading,
  type PresenceReadings,
  presenceIn,
  presenceSteps,
  servedSteps,
  withOptionalControls,
} from '../../src/rule/served.ts';

const ALL_OPERATIONS = OPERATIONS.map((each) => each.key);

const hasSteps = (steps: Steps): boolean => Object.keys(steps).length > 0;

/** Without controls only 405 and 501 are evidence, and only if other operations answer the same client. */
function judgeUncontrolled(tested: Reading, subject: OperationKey): Judgement {
  const status = tested.head?.status;
  if (status !== 405 && status !== 501)
    return untested(`${describeResponse(tested)}, without a control: no request was sent to a path that cannot exist`);
  const actual = `${describeResponse(tested)}, while other operations answer the same client`;
  return failed([findingIn(tested, kindOfStatus(tested), `${subject} is served`, actual)]);
}

export const served = defineRule({
  id: 'every.served',
  precondition: true,
  statement: 'operation.served',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation answers at its documented method and path.',
  how: [
    'The response is compared with those of two sibling paths that cannot exist; it must differ where they agree.',
    'Redirects are followed if the first responses do not decide.',
    'The rule fails if only the documented path returns 405 or 501, or if a valid request gets the same response as a path that cannot exist.',
  ],
  subjects: ALL_OPERATIONS,
  needs: () => [],
  repeat: 'inconclusive',
  probe: (subject) => withOptionalControls(presenceSteps(subject)),
  counterexample: ({ tested }) => ({ tested: respondWith(tested, 405) }),
  judge(seen, { subject, declarations }) {
    const presence = presenceIn(seen, declarations.statuses(subject));
    if (!presence) return judgeUncontrolled(onlyReading(seen.tested), subject);
    if (presence.is === 'served') return passed({ exchanges: 3, distinct: 1 }, presence.reason);
    if (presence.is === 'hidden') {
      if (presence.isOnEveryPath) return { ...inconclusive(presence.reason), provesNothing: true };
      const tested = onlyReading(seen.tested);
      if (tested.head?.status !== 401 || !declarations.anonymous(subject)) return inconclusive(presence.reason);
      const expected = `${subject} is served without credentials, as the profile states in authExcept`;
      return failed([findingIn(tested, 'credentials-demanded', expected, presence.reason)], 'profile');
    }
    if (!presence.isCertain && !declarations.validRequest(subject))
      return untested(`a valid request is necessary: the request without inputs got ${presence.reason}`);
    const tested = finalReading(seen) ?? onlyReading(seen.tested);
    const since = tested === seen.tested[0] ? {} : ({ since: '0.2.0' } as const);
    return failed([findingIn(tested, kindOfStatus(tested), `${subject} is served`, presence.reason, since)]);
  },
});

/** Whether a response says that its body is UTF-8: its charset, or JSON, which has no other one (RFC 8259, section 8.1). */
function saysUtf8({ head }: Reading): boolean {
  const type = head?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const charset = /;\s*charset\s*=\s*"?([^"\s;]*)/i.exec(type)?.[1];
  return charset === undefined ? /^[^;]*[/+]json\s*(?:;|$)/i.test(type) : /^utf-?8$/i.test(charset);
}

export const soundResponse = defineRule({
  id: 'every.sound-answer',
  statement: 'operation.served',
  since: '0.1.0',
  demands:
    'The response to a valid request has neither status 500 or 501 nor a body that does not parse as the declared media type.',
  how: [
    'The valid request is sent, and sent again after a broken response; the rule fails if the second response is broken, too, while other paths answer.',
    'A body that is not UTF-8 is broken if the Content-Type states UTF-8, or JSON without a charset (RFC 8259, section 8.1).',
    'A 2xx passes if paths that cannot exist return a different response.',
  ],
  looksLike: [
    'A CSV or XML body in another charset, whose Content-Type states no charset, is legal; it is inconclusive.',
    'So is JSON whose Content-Type states the other charset; it is read.',
  ],
  // A job status request needs the id of a job: A.job-status judges its responses.
  subjects: ALL_OPERATIONS.filter((key) => !STATUS_OPERATIONS.includes(key)),
  needs: (subject) => needsOf(subject, 'request'),
  repeat: 'inconclusive',
  probe(subject, declarations) {
    const { tested, ...steps } = presenceSteps(subject);
    const { walk, request } = exampleRequest(subject, declarations);
    const final = hasSteps(walk) ? request : step({ ...tested, follow: true });
    return withOptionalControls({ ...walk, ...steps, tested, final });
  },
  counterexample: ({ final }) => ({ final: respondWith(final, 500) }),
  judge(seen, { subject, declarations }) {
    const tested = onlyReading(seen.final);
    const [before] = seen.before;
    const isWalked = hasSteps(exampleRequest(subject, declarations).walk);
    if (!isWalked && !declarations.validRequest(subject))
      return untested('the profile gives no example values for this request');
    if (!tested.head) return inconclusive(`no response: ${tested.failure}`);
    if (isBlocking(tested.head.status, declarations.statuses(subject)))
      return inconclusive(`status ${tested.head.status} prevents a judgement`);
    const problem = isOk(tested) && declarations.readsBody(subject) ? tested.observation?.problem : undefined;
    const broken = tested.head.status === 500 || tested.head.status === 501 ? describeResponse(tested) : undefined;
    // An empty body is correct where the profile reads nothing from it.
    const garbled = problem?.kind === 'syntax' || problem?.kind === 'truncated' ? problem.message : undefined;
    const wrongCharset = problem?.kind === 'charset' && saysUtf8(tested) ? problem.message : undefined;
    const actual = broken ?? garbled ?? wrongCharset;
    if (actual) {
      if (before && (!before.head || before.head.status >= 500))
        return inconclusive('other paths of the service do not answer either');
      const isCharset = actual === wrongCharset;
      const finding = findingIn(
        tested,
        broken === undefined ? `body-${problem?.kind}` : kindOfStatus(tested),
        isCharset ? 'a body in UTF-8, as its Content-Type states' : 'a valid request gets a response without an error',
        actual,
        isCharset ? { since: '0.2.0' } : {},
      );
      return failed([finding], 'profile');
    }
    if (problem) return inconclusive(problem.message);
    if (!isOk(tested)) return inconclusive(`a valid request got ${describeResponse(tested)}`);
    // Without example ids the other request of the operation is not valid.
    const ofFinal = isWalked ? { tested: [tested], followedTested: [] } : {};
    const presence = presenceIn({ ...seen, ...ofFinal }, declarations.statuses(subject));
    if (!presence) return untested('no control: no request was sent to a path that cannot exist');
    return presence.is === 'served'
      ? passed({ exchanges: 3, distinct: 1 }, describeResponse(tested))
      : inconclusive(presence.reason);
  },
});

interface Alias extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'demands' | 'subjects'> {
  /** Method and path that a server serves instead if it breaks the statement. */
  readonly method?: string;
  readonly path?: (path: string) => string;
  readonly description: string;
}

const VERSIONED = [...operationsOf('B'), ...operationsOf('C'), ...operationsOf('D')];

export const ALIASES: readonly Alias[] = [
  {
    id: 'version',
    statement: 'version.segment',
    demands: 'The path has the segment v1 after its group prefix.',
    subjects: VERSIONED,
    path: (path) => path.replace('/v1/', '/'),
    description: 'the path without its version segment',
  },
  {
    id: 'version-two',
    statement: 'version.segment',
    demands: 'The version segment is v1, not another.',
    subjects: VERSIONED,
    path: (path) => path.replace('/v1/', '/v2/'),
    description: 'the path with v2 as its version segment',
  },
  {
    id: 'unversioned',
    statement: 'version.none',
    demands: 'The path of a group A operation has no version segment.',
    subjects: operationsOf('A'),
    path: (path) => path.replace('/webservices/', '/webservices/v1/'),
    description: 'the path with a version segment',
  },
  {
    id: 'platform',
    statement: 'platform.segment',
    demands: 'The first path segment is PLATFORMAPI, in upper case.',
    subjects: operationsOf('C'),
    path: (path) => path.replace('/PLATFORMAPI/', '/platformapi/'),
    description: 'the path with platformapi in lower case',
  },
  {
    id: 'post',
    statement: 'B.post',
    demands: 'The method of the operation is POST.',
    subjects: operationsOf('B'),
    method: 'GET',
    description: 'GET at the documented path',
  },
];

type AliasReadings = PresenceReadings & {
  readonly [N in 'aliasBefore' | 'alias' | 'aliasAfter']: readonly Reading[];
};

const documentedPresence = (seen: AliasReadings, stated: Statuses): Presence =>
  presenceIn(seen, stated) ?? { is: 'hidden', reason: 'no request was sent to a path that cannot exist' };

/** Whether the alias gets 2xx, and not because each path does: its 2xx may then be an error, too. */
function aliasPresence({ alias, aliasBefore, aliasAfter }: AliasReadings, stated: Statuses) {
  const [reading, before, after] = [alias, aliasBefore, aliasAfter].map(onlyReading) as [Reading, Reading, Reading];
  const presence = presenceOf(reading, before, after, stated);
  const isSuccessful = presence.is === 'served' && isOk(reading);
  return { ...presence, reading, isSuccessful, mayBeError: isOk(before) || isOk(after) };
}

/** Two rules per alias: the documented form is served rather than the alias; and, advisory, the alias is not served. */
export function aliasRules({ id, demands, method, path, description, ...alias }: Alias): readonly Rule[] {
  const aliasSteps = (subject: OperationKey) => {
    const other = servedSteps(subject, method, path?.(operationOf(subject).path));
    return { ...presenceSteps(subject), aliasBefore: other.before, alias: other.tested, aliasAfter: other.after };
  };
  const shared = { ...alias, since: '0.1.0', needs: () => [], repeat: 'inconclusive' } as const;
  return [
    defineRule({
      ...shared,
      id: `every.${id}`,
      basis: 'stated',
      demands,
      how: `The documented form and ${description} are each compared with paths that cannot exist; the rule fails if only the alias is served.`,
      // Only an operation that is not served needs the alias.
      probe: (subject, { depth }) =>
        (depth === 'quick' ? presenceSteps(subject) : aliasSteps(subject)) as ReturnType<typeof aliasSteps>,
      counterexample: (seen) => ({ tested: respondWith(seen.tested, 405), alias: respondWith(seen.alias, 200) }),
      judge(seen, { subject, declarations }) {
        const stated = declarations.statuses(subject);
        const { is, reason } = documentedPresence(seen, stated);
        if (is === 'served') return passed({ exchanges: seen.alias ? 6 : 3, distinct: 1 }, reason);
        if (!seen.alias) return untested(`the depth quick does not request ${description}`);
        if (is === 'hidden') return inconclusive(reason);
        const { reading, isSuccessful, mayBeError } = aliasPresence(seen, stated);
        if (!isSuccessful || mayBeError) return untested(`the operation is not served in either form: ${reason}`);
        const actual = `${reason}; ${description} is served instead`;
        return failed([findingIn(reading, 'alias-instead', `${subject} is served`, actual)]);
      },
    }),
    defineRule({
      ...shared,
      id: `every.${id}-only`,
      basis: 'plausible',
      demands: `${description.charAt(0).toUpperCase()}${description.slice(1)} is not served in addition to the documented form.`,
      how: 'The alias is compared with paths that cannot exist; the rule reports a 2xx that these do not return.',
      notQuick: true,
      probe: aliasSteps,
      counterexample: (seen) => ({ alias: respondWith(seen.alias, 200) }),
      judge(seen, { subject, declarations }) {
        const stated = declarations.statuses(subject);
        if (documentedPresence(seen, stated).is !== 'served') return untested('the documented form is not served');
        const { is, reason, reading, isSuccessful, mayBeError } = aliasPresence(seen, stated);
        if (is === 'hidden') return inconclusive(reason);
        if (!isSuccessful) return passed({ exchanges: 6, distinct: 1 }, reason);
        if (mayBeError) return inconclusive('paths that cannot exist get 2xx, too, so that a 2xx may be an error');
        return failed([findingIn(reading, 'alias-also', `${description} is not served`, reason)]);
      },
    }),
  ];
}
