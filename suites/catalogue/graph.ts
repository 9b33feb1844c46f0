/** An item that one operation lists is accepted by the operation below it: section 2. */
import { CATALOGUE_GRAPH, chainTo, graphSteps } from '../../src/rule/catalogue-graph.ts';
import {
  defineRule,
  describeResponse,
  failed,
  inconclusive,
  isOk,
  kindOfStatus,
  type Need,
  openingOf,
  passed,
  respondWith,
  untested,
} from '../../src/rule/index.ts';

export const graph = defineRule({
  id: 'B.graph',
  statement: 'B.graph',
  basis: 'plausible',
  since: '0.1.0',
  demands:
    'The operation accepts every item that the operation above it lists: dimensions, groups, hierarchies, levels, attributes.',
  how: 'Starting at the logical dimensions of the first example catalogue, each listed item is sent to the operation below. The rule reports a response other than 2xx; it gates if the profile states `catalogue.connected`.',
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
  probe: graphSteps,
  counterexample: (seen, { subject }) => ({ [subject]: respondWith(seen[subject]) }),
  judge(seen, { subject, declarations }) {
    const children = seen[subject] ?? [];
    const unsuccessful = children.filter((reading) => !isOk(reading));
    // A 5xx does not mean that the item is unknown: every.sound-answer judges it.
    const unknown = unsuccessful.filter(({ head }) => head !== undefined && head.status < 500);
    const [failing] = unsuccessful;
    if (failing && unknown.length === 0)
      return inconclusive(`the request for an item failed: ${describeResponse(failing)}`);
    const isRead = declarations.isFilled(openingOf(subject, 'rows'));
    // An empty list may mean that the item is unknown, or that it has nothing below it.
    if (unknown.length === 0 && isRead && children.every(({ observation }) => observation?.rows === 0))
      return untested('the operation lists nothing for any of the items');
    if (unknown.length === 0)
      return passed({ exchanges: children.length, rows: children.length, distinct: children.length });
    return failed(
      unknown.map((reading) => ({
        kind: kindOfStatus(reading),
        expected: `a 2xx for ${JSON.stringify(reading.inputs)}, which the operation above lists`,
        actual: describeResponse(reading),
        exchange: reading.exchange,
      })),
      declarations.catalogueConnected ? 'profile' : undefined,
    );
  },
});
