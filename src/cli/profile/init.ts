/** `mdwi profile init`: drafts a profile in which every opening is open, each with its section of the document. */
import { GROUPS, type Group, OPENINGS, type OperationKey, operationOf, operationsOf } from '../../contract/index.ts';
import type { ProbedOperation } from './inspect-service.ts';

const HEAD = `# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json
# What the interface document leaves open, to be filled in for one implementation. Uncomment what you fill; what stays
# commented is open, and the checks that need it are untested.
name: my-service
# implements: [A, B, C, D]
`;

function draftOperation(key: OperationKey, responses: ProbedOperation | undefined): string {
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
  const rows = responses?.lists[0]?.rows ?? '$.PATH[*]';
  return [
    `  # ${key} (section ${section}: request and response are not shown)`,
    ...(responses ? describeProbe(responses) : []),
    `  # ${key}:`,
    `  #   request:${inputs.length === 0 ? ' {}' : ''}${asks('request')}`,
    ...(inputs.length === 0 ? [] : [`  #     ${key.startsWith('POST') ? 'json' : 'query'}:`, ...inputs]),
    ...(fields.length === 0 ? [] : ['  #   response:', `  #     rows: ${rows}${asks('rows')}`, '  #     fields:']),
    ...fields,
  ].join('\n');
}

/** Formats the response to a probe as comments. */
function describeProbe({ statusLine, sketch, lists }: ProbedOperation): string[] {
  return [
    `  # > a bare GET without credentials: ${statusLine}`,
    ...(sketch === undefined ? [] : [`  # > it holds ${sketch}`]),
    ...(lists.length === 0
      ? []
      : [`  # > rows may be at ${lists.map(({ rows, length }) => `${rows} (${length} seen)`).join(', ')}`]),
  ];
}

function describeRefusals(responses: ReadonlyMap<OperationKey, ProbedOperation>): string[] {
  const refused = [...responses].filter(([, { status }]) => status === 401);
  if (refused.length === 0) return responses.size > 0 ? ['# > no response to a GET without credentials was 401'] : [];
  const challenges = new Set(refused.flatMap(([, { challenge }]) => challenge ?? []));
  return [
    `# > 401 without credentials: ${refused.map(([key]) => key).join(', ')}`,
    ...(challenges.size > 0 ? [`# > WWW-Authenticate: ${[...challenges].join('; ')}`] : []),
  ];
}

/**
 * Drafts a profile. It can be loaded without changes, with every opening open.
 *
 * @param responses responses of the service, described in comments that begin with `>`
 */
export function draftProfile(responses: ReadonlyMap<OperationKey, ProbedOperation> = new Map()): string {
  const general = OPENINGS.filter((each) => each.operation === undefined).flatMap(({ id, fill, asks, section }) => [
    `# ${fill}: …   # ${asks} (section ${section})`,
    ...(id === 'auth' ? describeRefusals(responses) : []),
  ]);
  const groups = (Object.keys(GROUPS) as Group[]).map(
    (group) =>
      `  # --- ${group}. ${GROUPS[group].title} ---\n${operationsOf(group)
        .map((key) => draftOperation(key, responses.get(key)))
        .join('\n')}`,
  );
  return `${HEAD}\n${general.join('\n')}\n\noperations:\n  {}   # delete this line when you uncomment an operation below\n${groups.join('\n\n')}\n`;
}
