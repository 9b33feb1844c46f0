/** An item that one operation lists is accepted by the operation below it: section 2. */

import {
  CATALOGUE_GRAPH,
  CATALOGUES,
  chainTo,
  LOGICAL_DIMENSIONS,
  type OperationKey,
} from '../../src/contract/index.ts';
import { CatalogueLists } from '../../src/rule/catalogue-responses.ts';
import {
  ALL_CATALOGUES,
  CATALOGUE_LIST,
  catalogueIds,
  catalogueSteps,
  itemsOf,
  normaliseId,
  OTHER_CATALOGUES,
  walkNeeds,
  walkSteps,
} from '../../src/rule/catalogue-walk.ts';
import {
  type Declarations,
  decide,
  defineRule,
  describeResponse,
  findingIn,
  isBlocking,
  isOk,
  kindOfStatus,
  notApplicable,
  type Reading,
  respondWith,
  type Seen,
  type Steps,
} from '../../src/rule/index.ts';

const REFRESH_DATES = 'POST /data-access/v1/Catalogue/RefreshDates' satisfies OperationKey;

/** The requests for each catalogue that Catalogues lists, where the profile states that the operation accepts it. */
function rootSteps(subject: OperationKey, declarations: Declarations): Steps {
  const isStated = declarations.catalogueConnected || declarations.neverEmpty(subject);
  if (!isStated || !declarations.binds(subject, 'request')) return {};
  const { [OTHER_CATALOGUES]: each, ...lists } = catalogueSteps(CATALOGUES, declarations);
  if (!each || Object.keys(lists).length === 0) return {};
  const needsId = declarations.isFilled('catalogues.inputs.catalogueId');
  return { ...lists, ...(needsId && { [CATALOGUES]: each }), ...catalogueSteps(subject, declarations) };
}

/** The responses for the catalogues that a valid request of Catalogues lists: the list without an id may contain others. */
function ofListedCatalogues(seen: Seen<Steps>): readonly Reading[] {
  const lists = [...(seen[CATALOGUE_LIST] ?? []), ...(seen[CATALOGUES] ?? [])];
  const listed = new Set(lists.flatMap(itemsOf).map(({ id }) => normaliseId(String(id))));
  return (seen[OTHER_CATALOGUES] ?? []).filter(({ inputs }) => listed.has(normaliseId(String(inputs.catalogueId))));
}

export const graph = defineRule<Steps>({
  id: 'B.graph',
  statement: 'B.graph',
  basis: 'plausible',
  declaredBasis: ({ catalogueConnected, neverEmpty }, subject) =>
    catalogueConnected || neverEmpty(subject) ? 'profile' : undefined,
  since: '0.1.0',
  demands:
    'The operation accepts every item that the operation above it lists: dimensions, groups, hierarchies, levels, attributes; where the profile states it, catalogues.',
  how: [
    'Starting at the logical dimensions of each catalogue, each listed item is sent to the operation below, in the same catalogue.',
    'Of a long list the first, the last and the middle item are sent, and others.',
    'The rule reports a response other than 2xx, and an empty list where the profile states `catalogue.neverEmpty`.',
    'It gates if the profile states `catalogue.connected` or `catalogue.neverEmpty`.',
  ],
  subjects: [...CATALOGUE_GRAPH.map((each) => each.child), LOGICAL_DIMENSIONS, REFRESH_DATES],
  reads: ['catalogue.connected', 'catalogue.neverEmpty'],
  needs: (subject) => (chainTo(subject).length === 0 ? [] : walkNeeds(subject)),
  repeat: 'inconclusive',
  probe: (subject, declarations) =>
    chainTo(subject).length === 0 ? rootSteps(subject, declarations) : walkSteps(subject, declarations),
  counterexample: (seen, { subject }) => {
    const name = chainTo(subject).length === 0 ? OTHER_CATALOGUES : subject;
    return { [name]: respondWith(seen[name]) };
  },
  judge(seen, { subject, declarations }) {
    const isRoot = chainTo(subject).length === 0;
    const children = isRoot ? ofListedCatalogues(seen) : (seen[subject] ?? []);
    const [root] = seen[LOGICAL_DIMENSIONS] ?? [];
    const isFirst = ({ inputs }: Reading) =>
      !isRoot && (!root || String(inputs.catalogueId) === String(root.inputs.catalogueId));
    const statuses = declarations.statuses(subject);
    const answered = children.filter(({ head }) => head && !isBlocking(head.status, statuses));
    const expectedOf = (what: string, { inputs }: Reading) =>
      `${what} for ${JSON.stringify(inputs)}, which the operation above lists`;
    const emptyFindings = answered
      .filter((each) => declarations.neverEmpty(subject) && each.observation?.rows === 0 && isEnded(each))
      .map((each) => {
        const expected = expectedOf('at least one row', each);
        return findingIn(each, 'empty', expected, 'an empty list', { since: '0.2.0' });
      });
    // A 5xx does not mean that the item is unknown: every.sound-answer judges it.
    const unknownFindings = answered
      .filter((each) => !isOk(each) && (each.head?.status ?? 0) < 500)
      .map((each) => {
        const since = isFirst(each) ? {} : ({ since: '0.2.0' } as const);
        return findingIn(each, kindOfStatus(each), expectedOf('a 2xx', each), describeResponse(each), since);
      });
    const connected = declarations.catalogueConnected ? ('profile' as const) : undefined;
    const hasEmpty = emptyFindings.length > 0;
    // Items may need other rights than those of the credentials, but not all of them.
    const failing = [...answered.filter((each) => !isOk(each)), ...children.filter((each) => !answered.includes(each))]
      .filter((each) => isRoot || isFirst(each))
      .find(({ head }) => answered.length === 0 || !NEEDS_RIGHTS.has(head?.status ?? 0));
    const { length: looked } = answered.filter(isOk);
    const isRead = declarations.binds(subject, 'rows');
    // An empty list may mean that the item is unknown, or that it has nothing below it.
    const areEmpty = !isRoot && isRead && answered.every((each) => !isOk(each) || each.observation?.rows === 0);
    const known = Math.max(looked, listedItems(seen, subject, declarations));
    return decide(
      {
        findings: [...emptyFindings, ...(hasEmpty && !connected ? [] : unknownFindings)],
        basis: hasEmpty ? 'profile' : connected,
        doubt: failing && `the request for an item failed: ${describeResponse(failing)}`,
        compared: areEmpty ? 0 : looked,
      },
      {
        nothing:
          looked > 0
            ? 'the operation lists nothing for any of the items'
            : isRoot
              ? notApplicable('no request of Catalogues lists a catalogue that was requested')
              : 'no item of the operation above got a response',
        counted: 'both',
        evidence: { exchanges: looked, coverage: [{ of: isRoot ? 'catalogues' : 'catalogue nodes', looked, known }] },
      },
    );
  },
});

const isEnded = ({ observation }: Reading): boolean => observation?.complete === true && !observation.problem;

/** The number of items that the lists above an operation contain. */
function listedItems(seen: Seen<Steps>, subject: OperationKey, declarations: Declarations): number {
  const parent = chainTo(subject).at(-1)?.parent;
  if (parent) return new CatalogueLists(Object.values(seen).flat(), declarations).count(parent);
  return catalogueIds(declarations, [...(seen[CATALOGUE_LIST] ?? []), ...(seen[ALL_CATALOGUES] ?? [])]).length;
}

/** Statuses for items that the credentials do not cover. */
const NEEDS_RIGHTS = new Set([401, 403]);
