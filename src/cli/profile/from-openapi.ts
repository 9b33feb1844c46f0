/** `mdwi profile from-openapi`: drafts a profile from an implementer's own OpenAPI description. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { writeNamedFile } from '../../atomic-write.ts';
import { printable } from '../../exchange/printable.ts';
import { DescriptionError } from '../../profile/openapi/description.ts';
import { type Draft, draftFromDescription } from '../../profile/openapi/draft.ts';
import { loadDescription } from '../../profile/openapi/load.ts';
import { type ResponseSchemas, schemasDocument } from '../../profile/openapi/schemas.ts';
import { formatUndecided, writeDraft } from '../../profile/openapi/write-yaml.ts';
import { UsageError } from '../../usage-error.ts';
import { parse } from '../parse-flags.ts';
import { FROM_OPENAPI_FLAGS } from '../usage/profile.ts';

/**
 * Drafts a profile from the description that the command line names. With `--out`, writes the profile and the schemas of its
 * responses to files and returns the list of open items; without it, returns the profile and writes the list to standard
 * error.
 */
export async function draftFromOpenapi(args: string[]): Promise<string> {
  const { values, positionals } = parse(args, FROM_OPENAPI_FLAGS, 1);
  const [file] = positionals;
  if (file === undefined) throw new UsageError('the OpenAPI description’s file is missing; see mdwi profile --help');
  const { out, force } = values;
  if (out === undefined) {
    const draft = draftOf(file);
    process.stderr.write(describeOpenItems(draft));
    return withPrintableComments(writeDraft(draft, file));
  }
  if (!['.yaml', '.yml'].includes(extname(out)))
    throw new UsageError(`--out ${out}: the draft is commented YAML; name a .yaml file`);
  const schemasFile = schemasFileOf(out);
  for (const each of [out, schemasFile])
    if (existsSync(each) && !force)
      throw new UsageError(`${each} exists already; name another file, or give --force to replace it`);
  const draft = draftOf(file);
  const hasSchemas = draft.schemas.stated.size > 0;
  if (hasSchemas) await writeNamedFile(schemasFile, formatSchemas(draft.schemas));
  await writeNamedFile(out, writeDraft(draft, file, hasSchemas ? basename(schemasFile) : undefined));
  const files = hasSchemas ? `${out} and ${schemasFile}` : out;
  return `${printable(`${files} written; read each comment, then run mdwi profile check ${out}`)}\n${describeOpenItems(draft)}`;
}

/** The file of the schemas beside a profile. */
export const schemasFileOf = (profile: string): string =>
  join(dirname(profile), `${basename(profile, extname(profile))}.schemas.json`);

export const formatSchemas = (schemas: ResponseSchemas): string =>
  `${JSON.stringify(schemasDocument(schemas), undefined, 2)}\n`;

/** Makes the comments of a draft printable: they quote the description. Values are escaped by YAML. */
const withPrintableComments = (yaml: string): string =>
  yaml
    .split('\n')
    .map((line) => (line.trimStart().startsWith('#') ? printable(line) : line))
    .join('\n');

function draftOf(file: string): Draft {
  try {
    return draftFromDescription(loadDescription(file));
  } catch (error) {
    if (error instanceof DescriptionError) throw new UsageError(error.message);
    throw error;
  }
}

/** Describes what is left to do: openings, near misses, environment variables. */
function describeOpenItems(draft: Draft): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${printable(line)}\n`).join('')}`;
  return [
    list(`not decided (${draft.undecided.length}):`, formatUndecided(draft)),
    list('also seen:', draft.remarks),
    list('set in the environment before the profile is used:', draft.variables),
  ].join('');
}
