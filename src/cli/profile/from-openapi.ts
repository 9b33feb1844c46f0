/** `mdwi profile from-openapi`: drafts a profile from an implementer's own OpenAPI description. */
import { existsSync } from 'node:fs';
import { DescriptionError } from '../../profile/openapi/description.ts';
import { draftFromDescription } from '../../profile/openapi/draft.ts';
import { loadDescription } from '../../profile/openapi/load.ts';
import { tellUndecided, writeDraft } from '../../profile/openapi/write.ts';
import { writeWhole } from '../../report/write.ts';
import { parse, UsageError } from '../options.ts';

const FLAGS = { out: { type: 'string' }, force: { type: 'boolean' } } as const;

/**
 * Drafts the profile of the description named by the words of the command line. With `--out` the profile is written and
 * the list of what stayed open returned; without it the profile is returned and the list goes to standard error.
 */
export async function draftFromOpenapi(args: string[]): Promise<string> {
  const { values, positionals } = parse(args, FLAGS, 1);
  const [file] = positionals;
  if (file === undefined) throw new UsageError('the OpenAPI description’s file is missing; see mdwi profile --help');
  const { out, force } = values;
  if (out !== undefined && existsSync(out) && !force)
    throw new UsageError(`${out} is there already; name another file, or say --force to replace it`);
  const { text, told } = draft(file);
  if (out === undefined) {
    process.stderr.write(told);
    return text;
  }
  await writeWhole(out, text);
  return `${out} written; read each comment, then mdwi profile check ${out}\n${told}`;
}

function draft(file: string): { text: string; told: string } {
  try {
    const drafted = draftFromDescription(loadDescription(file));
    const { undecided, remarks, variables } = drafted;
    const list = (title: string, lines: readonly string[]) =>
      lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
    const told = [
      list(`not decided (${undecided.length}):`, tellUndecided(drafted)),
      list('also seen:', remarks),
      list('set in the environment before the profile is used:', variables),
    ];
    return { text: writeDraft(drafted, file), told: told.join('') };
  } catch (error) {
    if (error instanceof DescriptionError) throw new UsageError(error.message);
    throw error;
  }
}
