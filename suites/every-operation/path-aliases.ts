/** Compares the documented path and method with similar ones that a server may serve instead: sections 0, 4.2 and 9. */
import { type ObservableStatementId, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import {
  defineRule,
  failed,
  findingIn,
  inconclusive,
  isOk,
  onlyReading,
  type Presence,
  passed,
  presenceOf,
  type Reading,
  type Rule,
  respondWith,
  type Statuses,
  untested,
} from '../../src/rule/index.ts';
import { type PresenceReadings, presenceIn, presenceSteps, servedSteps } from '../../src/rule/served-steps.ts';

interface Alias {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly subjects: readonly OperationKey[];
  /** Method and path that a server serves instead if it breaks the statement. */
  readonly method?: string;
  readonly path?: (path: string) => string;
  readonly description: string;
}

export const ALIASES: readonly Alias[] = [
  {
    id: 'version',
    statement: 'version.segment',
    demands: 'The path has the segment v1 after its group prefix.',
    subjects: [...operationsOf('B'), ...operationsOf('C'), ...operationsOf('D')],
    path: (path) => path.replace('/v1/', '/'),
    description: 'the path without its version segment',
  },
  {
    id: 'version-two',
    statement: 'version.segment',
    demands: 'The version segment is v1, not another.',
    subjects: [...operationsOf('B'), ...operationsOf('C'), ...operationsOf('D')],
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
export function aliasRules({ id, statement, demands, subjects, method, path, description }: Alias): readonly Rule[] {
  const aliasSteps = (subject: OperationKey) => {
    const other = servedSteps(subject, method, path?.(operationOf(subject).path));
    return { ...presenceSteps(subject), aliasBefore: other.before, alias: other.tested, aliasAfter: other.after };
  };
  const shared = { statement, subjects, since: '0.1.0', needs: () => [], repeat: 'inconclusive' } as const;
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
