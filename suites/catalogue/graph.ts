/** An item that one operation lists is accepted by the operation below it: section 2. */
import { CATALOGUE_GRAPH, chainTo, LOGICAL_DIMENSIONS } from '../../src/rule/catalogue-graph.ts';
import { CatalogueLists } from '../../src/rule/catalogue-responses.ts';
import { walkSteps } from '../../src/rule/catalogue-walk.ts';
import {
  defineRule,
  describeResponse,
  type Finding,
  failed,
  inconclusive,
  isBlocking,
  isOk,
  kindOfStatus,
  type Need,
  openingOf,
  passed,
  type Reading,
  respondWith,
  type Steps,
  untested,
} from '../../src/rule/index.ts';

export const graph = defineRule<Steps>({
  id: 'B.graph',
  statement: 'B.graph',
  basis: 'plausible',
  declaredBasis: ({ catalogueConnected, neverEmpty }, subject) =>
    catalogueConnected || neverEmpty(subject) ? 'profile' : undefined,
  since: '0.1.0',
  demands:
    'The operation accepts every item that the operation above it lists: dimensions, groups, hierarchies, levels, attributes.',
  how: 'Starting at the logical dimensions of each catalogue, each listed item is sent to the operation below, in the same catalogue. The rule reports a response other than 2xx, and an empty list where the profile states `catalogue.neverEmpty`; it gates if the profile states `catalogue.connected` or `catalogue.neverEmpty`.',
  looksLike:
    'A server that lists items which need other rights, or which have nothing below them, looks like this violation, which is legal; a 403 is not reported, and an empty list only where `catalogue.neverEmpty` names the operation.',
  subjects: CATALOGUE_GRAPH.map((each) => each.child),
  needs: (subject) => [
    'logicalDimensions.request',
    'logicalDimensions.rows',
    ...chainTo(subject).flatMap(({ child, parent, as }): Need[] => [
      openingOf(child, 'request'),
      openingOf(child, `inputs.${as}`),
      openingOf(parent, 'rows'),
      [openingOf(parent, 'fields.id'), openingOf(parent, 'fields.name')],
    ]),
  ],
  repeat: 'inconclusive',
  probe: (subject, declarations) => walkSteps(subject, declarations),
  counterexample: (seen, { subject }) => ({ [subject]: respondWith(seen[subject]) }),
  judge(seen, { subject, declarations }) {
    const children = seen[subject] ?? [];
    const [root] = seen[LOGICAL_DIMENSIONS] ?? [];
    const isFirst = ({ inputs }: Reading) => !root || String(inputs.catalogueId) === String(root.inputs.catalogueId);
    const since = (reading: Reading): Pick<Finding, 'since'> => (isFirst(reading) ? {} : { since: '0.2.0' });
    const statuses = declarations.statuses(subject);
    const answered = children.filter(({ head }) => head && !isBlocking(head.status, statuses));
    const unsuccessful = answered.filter((reading) => !isOk(reading));
    // A 5xx does not mean that the item is unknown: every.sound-answer judges it.
    const unknown = unsuccessful.filter(({ head }) => head !== undefined && head.status < 500);
    const empty = declarations.neverEmpty(subject)
      ? answered.filter(({ observation }) => observation?.complete && !observation.problem && observation.rows === 0)
      : [];
    const expectedOf = (what: string, { inputs }: Reading) =>
      `${what} for ${JSON.stringify(inputs)}, which the operation above lists`;
    const unknownFindings = unknown.map((reading) => ({
      kind: kindOfStatus(reading),
      expected: expectedOf('a 2xx', reading),
      actual: describeResponse(reading),
      exchange: reading.exchange,
      ...since(reading),
    }));
    const emptyFindings = empty.map(
      (reading): Finding => ({
        kind: 'empty',
        expected: expectedOf('at least one row', reading),
        actual: 'an empty list',
        exchange: reading.exchange,
        since: '0.2.0',
      }),
    );
    if (emptyFindings.length > 0)
      return failed([...emptyFindings, ...(declarations.catalogueConnected ? unknownFindings : [])], 'profile');
    if (unknownFindings.length > 0)
      return failed(unknownFindings, declarations.catalogueConnected ? 'profile' : undefined);
    // Items may need other rights than those of the credentials, but not all of them.
    const failing = [...unsuccessful, ...children.filter((reading) => !answered.includes(reading))].find(
      (reading) => isFirst(reading) && (answered.length === 0 || !NEEDS_RIGHTS.has(reading.head?.status ?? 0)),
    );
    if (failing) return inconclusive(`the request for an item failed: ${describeResponse(failing)}`);
    const ok = answered.filter(isOk);
    if (ok.length === 0) return untested('no item of the operation above got a response');
    const isRead = declarations.isFilled(openingOf(subject, 'rows'));
    // An empty list may mean that the item is unknown, or that it has nothing below it.
    if (isRead && ok.every(({ observation }) => observation?.rows === 0))
      return untested('the operation lists nothing for any of the items');
    const parent = chainTo(subject).at(-1)?.parent ?? subject;
    const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
    return passed({
      exchanges: ok.length,
      rows: ok.length,
      distinct: ok.length,
      coverage: [{ of: 'catalogue nodes', looked: ok.length, known: Math.max(ok.length, lists.count(parent)) }],
    });
  },
});

/** Statuses for items that the credentials do not cover. */
const NEEDS_RIGHTS = new Set([401, 403]);
