/** Compares the documented path and method with similar ones that a server may serve instead: sections 0, 4.2 and 9. */
import { type ObservableStatementId, type OperationKey, operationOf, operationsOf } from '../../src/contract/index.ts';
import {
  defineRule,
  failed,
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
import { presenceIn, presenceSteps, servedSteps } from '../../src/rule/served-steps.ts';

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

/** Whether the paths beside the alias that cannot exist get 2xx: the 2xx of the alias may then be an error, too. */
const mayBeError = (seen: { readonly [N in 'aliasBefore' | 'aliasAfter']: readonly Reading[] }): boolean =>
  isOk(onlyReading(seen.aliasBefore)) || isOk(onlyReading(seen.aliasAfter));

const isServedSuccessfully = (presence: Presence, alias: Reading): boolean => presence.is === 'served' && isOk(alias);

/** Two rules per alias: the documented form is served rather than the alias; and, advisory, the alias is not served. */
export function aliasRules(alias: Alias): readonly Rule[] {
  const aliasSteps = (subject: OperationKey) => {
    const path = alias.path?.(operationOf(subject).path);
    const other = servedSteps(subject, alias.method, path);
    return { ...presenceSteps(subject), aliasBefore: other.before, alias: other.tested, aliasAfter: other.after };
  };
  type AliasSteps = ReturnType<typeof aliasSteps>;
  type Seen = { readonly [N in keyof AliasSteps]: readonly Reading[] };
  const documentedPresence = (seen: Seen, stated: Statuses): Presence =>
    presenceIn(seen, stated) ?? { is: 'hidden', reason: 'no request was sent to a path that cannot exist' };
  const aliasPresence = (seen: Seen, stated: Statuses) =>
    presenceOf(onlyReading(seen.alias), onlyReading(seen.aliasBefore), onlyReading(seen.aliasAfter), stated);
  return [
    defineRule({
      id: `every.${alias.id}`,
      statement: alias.statement,
      basis: 'stated',
      since: '0.1.0',
      demands: alias.demands,
      how: `The documented form and ${alias.description} are each compared with paths that cannot exist; the rule fails if only the alias is served.`,
      subjects: alias.subjects,
      needs: () => [],
      repeat: 'inconclusive',
      // Only an operation that is not served needs the alias.
      probe: (subject, { depth }) =>
        (depth === 'quick' ? presenceSteps(subject) : aliasSteps(subject)) as ReturnType<typeof aliasSteps>,
      counterexample: (seen) => ({ tested: respondWith(seen.tested, 405), alias: respondWith(seen.alias, 200) }),
      judge(seen, { subject, declarations }) {
        const stated = declarations.statuses(subject);
        const documented = documentedPresence(seen, stated);
        if (documented.is === 'served')
          return passed({ exchanges: seen.alias ? 6 : 3, distinct: 1 }, documented.reason);
        if (!seen.alias) return untested(`the depth quick does not request ${alias.description}`);
        const isServedInstead =
          isServedSuccessfully(aliasPresence(seen, stated), onlyReading(seen.alias)) && !mayBeError(seen);
        if (documented.is === 'absent' && isServedInstead) {
          return failed([
            {
              kind: 'alias-instead',
              expected: `${subject} is served`,
              actual: `${documented.reason}; ${alias.description} is served instead`,
              exchange: onlyReading(seen.alias).exchange,
            },
          ]);
        }
        return documented.is === 'hidden'
          ? inconclusive(documented.reason)
          : untested(`the operation is not served in either form: ${documented.reason}`);
      },
    }),
    defineRule({
      id: `every.${alias.id}-only`,
      statement: alias.statement,
      basis: 'plausible',
      since: '0.1.0',
      demands: `${alias.description.charAt(0).toUpperCase()}${alias.description.slice(1)} is not served in addition to the documented form.`,
      how: 'The alias is compared with paths that cannot exist; the rule reports a 2xx that these do not return.',
      subjects: alias.subjects,
      needs: () => [],
      repeat: 'inconclusive',
      notQuick: true,
      probe: aliasSteps,
      counterexample: (seen) => ({ alias: respondWith(seen.alias, 200) }),
      judge(seen, { subject, declarations }) {
        const stated = declarations.statuses(subject);
        if (documentedPresence(seen, stated).is !== 'served') return untested('the documented form is not served');
        const presence = aliasPresence(seen, stated);
        if (presence.is === 'hidden') return inconclusive(presence.reason);
        if (!isServedSuccessfully(presence, onlyReading(seen.alias)))
          return passed({ exchanges: 6, distinct: 1 }, presence.reason);
        if (mayBeError(seen))
          return inconclusive('paths that cannot exist get 2xx, too, so that a 2xx may be an error');
        return failed([
          {
            kind: 'alias-also',
            expected: `${alias.description} is not served`,
            actual: presence.reason,
            exchange: onlyReading(seen.alias).exchange,
          },
        ]);
      },
    }),
  ];
}
