/** What one operation lists, the operation below it knows: section 2. */
import type { Input, OperationKey } from '../../src/contract/index.ts';
import {
  answerWith,
  collect,
  type Declarations,
  defineRule,
  describeResponse,
  failed,
  isOk,
  type Need,
  nothingToJudge,
  openingOf,
  passed,
  type Step,
  type Steps,
  step,
  undecided,
} from '../../src/rule/index.ts';

/** What stands above each operation in the graph of section 2, from the logical dimensions down. */
const PARENTS = [
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Attributes',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Groups',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Dimension/Rows',
    parent: 'POST /data-access/v1/Catalogue/LogicalDimensions',
    as: 'dimension',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Attribute/Values',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Attributes',
    as: 'attribute',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Group/Levels',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Groups',
    as: 'group',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Hierarchy/Levels',
    parent: 'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
    as: 'hierarchy',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Group/Level/Values',
    parent: 'POST /data-access/v1/Catalogue/Group/Levels',
    as: 'level',
  },
  {
    child: 'POST /data-access/v1/Catalogue/Hierarchy/Level/Values',
    parent: 'POST /data-access/v1/Catalogue/Hierarchy/Levels',
    as: 'level',
  },
] as const satisfies readonly { child: OperationKey; parent: OperationKey; as: Input }[];

/** The chain of operations from the logical dimensions down to one. */
function chainTo(child: OperationKey): (typeof PARENTS)[number][] {
  const edge = PARENTS.find((each) => each.child === child);
  return edge ? [...chainTo(edge.parent), edge] : [];
}

const key = (declares: Declarations, operation: OperationKey): 'id' | 'name' =>
  declares.isFilled(openingOf(operation, 'fields.id')) ? 'id' : 'name';

export const graph = defineRule({
  id: 'B.graph',
  statement: 'B.graph',
  basis: 'plausible',
  since: '0.1.0',
  demands:
    'What one operation lists, the operation below it knows: dimensions, their groups and hierarchies, levels, values.',
  how: 'From the logical dimensions of the first example catalogue downwards, each item listed is asked about at the operation below; an answer other than 2xx is reported, and gates where the profile says `catalogue.connected`.',
  subjects: PARENTS.map((each) => each.child),
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
  probe(subject, declares): Steps {
    const root = 'POST /data-access/v1/Catalogue/LogicalDimensions';
    const steps: Record<string, Step> = {
      [root]: step({
        operation: root,
        inputs: { catalogueId: { example: 'catalogueId' } },
        wants: 'content',
        folds: { items: collect(['id', 'name'], 1000) },
      }),
    };
    for (const { child, parent, as } of chainTo(subject)) {
      steps[child] = step({
        operation: child,
        each: { from: parent, fold: 'items', as: { [key(declares, parent)]: as }, max: 12 },
        wants: child === subject ? 'answer' : 'content',
        folds: { items: collect(['id', 'name'], 1000) },
      });
    }
    return steps;
  },
  counterexample: (seen, { subject }) => ({ [subject]: answerWith(seen[subject]) }),
  judge(seen, { subject, declares }) {
    const children = seen[subject] ?? [];
    const refused = children.filter((reading) => !isOk(reading));
    // A server that fails does not say that it does not know: every.sound-answer asks what fails again.
    const unknown = refused.filter(({ head }) => head !== undefined && head.status < 500);
    const [failing] = refused;
    if (failing && unknown.length === 0)
      return undecided(`an item was asked about in vain: ${describeResponse(failing)}`);
    const isRead = declares.isFilled(openingOf(subject, 'rows'));
    // An empty answer may say “unknown” as well as “known, and nothing below it”.
    if (unknown.length === 0 && isRead && children.every(({ observation }) => observation?.rows === 0))
      return nothingToJudge('nothing is listed below any of the items');
    if (unknown.length === 0)
      return passed({ exchanges: children.length, rows: children.length, distinct: children.length });
    return failed(
      unknown.slice(0, 5).map((reading) => ({
        expected: `an answer for ${JSON.stringify(reading.inputs)}, which the operation above lists`,
        actual: describeResponse(reading),
        exchange: reading.exchange,
      })),
      declares.catalogueConnected ? 'profile' : undefined,
    );
  },
});
