/** `mdwi profile init`: a profile in which every opening stands open, each with the section that leaves it so. */
import { GROUPS, type Group, OPENINGS, type OperationKey, operationOf, operationsOf } from '../../contract/index.ts';
import type { ProbedOperation } from './inspect-service.ts';

const HEAD = `# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json
# What the interface document leaves open, to be filled for one implementation. Take the # off what you fill; what
# stands commented stays open, and the checks that need it stay untested.
name: my-service
# implements: [A, B, C, D]
`;

function draftOperation(key: OperationKey, seen: ProbedOperation | undefined): string {
  const { section } = operationOf(key);
  const openings = OPENINGS.filter((each) => each.operation === key);
  const asks = (kind: string) => {
    const opening = openings.find(({ part }) => part?.kind === kind);
    return opening ? `   # ${opening.asks} (section ${opening.section})` : '';
  };
  const inputs = openings.flatMap(({ part, asks, section }) =>
    part?.kind === 'input' && part.input !== 'upc'
      ? [`  #       ${part.input}: "{${part.input}}"   # ${asks} (section ${section})`]
      : [],
  );
  const fields = openings.flatMap(({ part, asks, section }) =>
    part?.kind === 'field' ? [`  #       ${part.field}: "@.NAME"   # ${asks} (section ${section})`] : [],
  );
  const rows = seen?.lists[0]?.rows ?? '$.PATH[*]';
  return [
    `  # ${key} (section ${section}: request and response are not shown)`,
    ...(seen ? tellSeen(seen) : []),
    `  # ${key}:`,
    `  #   request:${inputs.length === 0 ? ' {}' : ''}${asks('request')}`,
    ...(inputs.length === 0 ? [] : [`  #     ${key.startsWith('POST') ? 'json' : 'query'}:`, ...inputs]),
    ...(fields.length === 0 ? [] : ['  #   response:', `  #     rows: ${rows}${asks('rows')}`, '  #     fields:']),
    ...fields,
  ].join('\n');
}

/** What a first look saw, as comments of their own beside what can be uncommented. */
function tellSeen({ answered, sketch, lists }: ProbedOperation): string[] {
  return [
    `  # > a bare GET without credentials was answered: ${answered}`,
    ...(sketch === undefined ? [] : [`  # > it holds ${sketch}`]),
    ...(lists.length === 0
      ? []
      : [`  # > rows may stand at ${lists.map(({ rows, length }) => `${rows} (${length} seen)`).join(', ')}`]),
  ];
}

function tellRefusals(seen: ReadonlyMap<OperationKey, ProbedOperation>): string[] {
  const refused = [...seen].filter(([, { status }]) => status === 401);
  if (refused.length === 0) return seen.size > 0 ? ['# > no operation answered 401 to a GET without credentials'] : [];
  const challenges = new Set(refused.flatMap(([, { challenge }]) => challenge ?? []));
  return [
    `# > answered 401 without credentials: ${refused.map(([key]) => key).join(', ')}`,
    ...(challenges.size > 0 ? [`# > and asked for ${[...challenges].join('; ')}`] : []),
  ];
}

/**
 * The text of a fresh profile. It loads as it is, with everything open.
 *
 * @param seen what a first look at the service saw, told in comments that begin with `>`
 */
export function draftProfile(seen: ReadonlyMap<OperationKey, ProbedOperation> = new Map()): string {
  const general = OPENINGS.filter((each) => each.operation === undefined).flatMap(({ id, fill, asks, section }) => [
    `# ${fill}: …   # ${asks} (section ${section})`,
    ...(id === 'auth' ? tellRefusals(seen) : []),
  ]);
  const groups = (Object.keys(GROUPS) as Group[]).map(
    (group) =>
      `  # --- ${group}. ${GROUPS[group].title} ---\n${operationsOf(group)
        .map((key) => draftOperation(key, seen.get(key)))
        .join('\n')}`,
  );
  return `${HEAD}\n${general.join('\n')}\n\noperations:\n  {}   # take this line away with the first # below\n${groups.join('\n\n')}\n`;
}
