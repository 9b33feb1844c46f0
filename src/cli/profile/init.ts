/** `mdwi profile init`: learns a profile, or drafts one in which every opening is open, each with its section of the document. */
import { writeNamedFile } from '../../atomic-write.ts';
import { GROUPS, type Group, OPENINGS, type OperationKey, operationOf, operationsOf } from '../../contract/index.ts';
import { printable } from '../../exchange/printable.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { learnWith } from './learn.ts';
import type { PrintedAction } from './printed-action.ts';

const HEAD = `# yaml-language-server: $schema=./node_modules/mdwi-conformance/dist/schema/profile.schema.json
# What the interface document leaves open, to be filled in for one implementation. Uncomment what you fill; what stays
# commented is open, and the checks that need it are untested.
name: my-service
# implements: [A, B, C, D]
`;

function draftOperation(key: OperationKey): string {
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
  return [
    `  # ${key} (section ${section}: request and response are not shown)`,
    `  # ${key}:`,
    `  #   request:${inputs.length === 0 ? ' {}' : ''}${asks('request')}`,
    ...(inputs.length === 0 ? [] : [`  #     ${key.startsWith('POST') ? 'json' : 'query'}:`, ...inputs]),
    ...(fields.length === 0 ? [] : ['  #   response:', `  #     rows: $.PATH[*]${asks('rows')}`, '  #     fields:']),
    ...fields,
  ].join('\n');
}

/** Drafts a profile. It can be loaded without changes, with every opening open. */
export function draftProfile(): string {
  const general = OPENINGS.filter((each) => each.operation === undefined).map(
    ({ fill, asks, section }) => `# ${fill}: …   # ${asks} (section ${section})`,
  );
  const groups = (Object.keys(GROUPS) as Group[]).map(
    (group) => `  # --- ${group}. ${GROUPS[group].title} ---\n${operationsOf(group).map(draftOperation).join('\n')}`,
  );
  return `${HEAD}\n${general.join('\n')}\n\noperations:\n  {}   # delete this line when you uncomment an operation below\n${groups.join('\n\n')}\n`;
}

/** Writes a profile: with a base address the one that is learned there, if an operation answers, else a draft. */
export async function initProfile(
  out: string,
  flags: Omit<Parameters<typeof learnWith>[0], 'out' | 'profile'>,
): Promise<PrintedAction> {
  if (flags['base-url'] !== undefined) {
    const learned = await learnWith({ ...flags, out, profile: 'empty' });
    if (learned.code !== EXIT.undetermined) return learned;
  }
  await writeNamedFile(out, draftProfile());
  const file = printable(out);
  return { text: `${file} written: uncomment what you fill, then run mdwi profile check ${file}\n`, code: EXIT.ok };
}
