/** The base URL, and the prefixes between it and the documented paths (section 4: paths are appended to it). */
import { GROUPS, type Group, operationOf } from '../../contract/index.ts';
import { withoutSecretParts } from '../url-query.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import type { DescribedOperation } from './operations.ts';

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** Drafts `prefixes` of a profile, and a remark with the base URL to use. */
export function draftPrefixes(
  found: readonly DescribedOperation[],
  draftNotes: DraftNotes,
): { prefixes?: Record<string, string> } {
  const origins = [...new Set(found.map(({ origin }) => withoutSecretParts(origin)))];
  const all = found.map(({ prefix }) => segmentsOf(prefix));
  const [first = []] = all;
  const shared = first.filter((_, at) =>
    all.every((each) => each.slice(0, at + 1).join('/') === first.slice(0, at + 1).join('/')),
  );
  const base = shared.map((each) => `/${each}`).join('');
  const servers = origins.filter((origin) => origin !== '');
  draftNotes.remarks.push(
    servers.length > 1
      ? `the operations are on several servers (${servers.join(', ')}); judge each with --operation or --group`
      : `the base URL of this description: --base-url ${servers[0] ?? 'https://YOUR-SERVER'}${base}`,
  );
  const prefixes: Record<string, string> = {};
  const addPrefix = (of: string, prefix: string) => {
    if (prefix === '') return;
    if (/[{}?#\s]/.test(prefix)) {
      addUndecided(draftNotes, ['prefixes', of], `the prefix ${prefix} contains a variable; write its value`);
      return;
    }
    prefixes[of] = prefix;
    note(draftNotes, ['prefixes', of], 'stated', 'the described paths');
  };
  for (const group of Object.keys(GROUPS) as Group[]) {
    const own = found.filter(({ key }) => operationOf(key).group === group);
    const rest = own.map(({ prefix }) => prefix.slice(base.length));
    if (new Set(rest).size === 1) addPrefix(group, rest[0] ?? '');
    else for (const [at, { key }] of own.entries()) addPrefix(key, rest[at] ?? '');
  }
  return Object.keys(prefixes).length > 0 ? { prefixes } : {};
}
