/** `mdwi profile init`: a profile in which every opening stands open, each with the section that leaves it so. */
import { GENERAL_OPENINGS, GROUPS, type Group, OPENINGS, operationOf, operationsOf } from '../../contract/index.ts';

const HEAD = `# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json
# What the interface document leaves open, to be filled for one implementation. Take the # off what you fill; what
# stands commented stays open, and the checks that need it stay untested.
name: my-service
# implements: [A, B, C, D]
`;

function draftOperation(key: ReturnType<typeof operationsOf>[number]): string {
  const { section } = operationOf(key);
  const inputs = OPENINGS.flatMap((each) =>
    each.operation === key && each.part?.kind === 'input' ? [each.part.input] : [],
  );
  const fields = OPENINGS.flatMap((each) =>
    each.operation === key && each.part?.kind === 'field' ? [{ field: each.part.field, asks: each.asks }] : [],
  );
  const sent = inputs.filter((input) => input !== 'upc').map((input) => `${input}: "{${input}}"`);
  return [
    `  # ${key} (section ${section}: request and response are not shown)`,
    `  # ${key}:`,
    `  #   request: ${sent.length === 0 ? '{}' : `{ ${key.startsWith('POST') ? 'json' : 'query'}: { ${sent.join(', ')} } }`}`,
    ...(fields.length === 0 ? [] : ['  #   response:', '  #     rows: $.PATH[*]', '  #     fields:']),
    ...fields.map(({ field, asks }) => `  #       ${field}: "@.NAME"   # ${asks}`),
  ].join('\n');
}

/** The text of a fresh profile. It loads as it is, with everything open. */
export function draftProfile(): string {
  const general = Object.values(GENERAL_OPENINGS).map(
    ({ fill, asks, section }) => `# ${fill}: …   # ${asks} (section ${section})`,
  );
  const groups = (Object.keys(GROUPS) as Group[]).map(
    (group) => `  # --- ${group}. ${GROUPS[group].title} ---\n${operationsOf(group).map(draftOperation).join('\n')}`,
  );
  return `${HEAD}\n${general.join('\n')}\n\noperations:\n  {}   # take this line away with the first # below\n${groups.join('\n\n')}\n`;
}
