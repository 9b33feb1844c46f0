/** Finds bindings of `parent` in group B that read another node than the one that the request names. */
import { type OperationKey, operationOf } from '../../../contract/index.ts';
import { quoted } from '../../../format-values.ts';
import type { Profile } from '../../../profile/schema.ts';
import { cellsIn, fieldPath, readResponses } from './cells.ts';
import type { ReadResponse, Received, Remark } from './types.ts';

const textOf = (cell: unknown): string[] =>
  typeof cell === 'string' || typeof cell === 'number' ? [String(cell).trim().toLowerCase()] : [];

/** The names of the items of group B, by id. */
function namesById(responses: readonly ReadResponse[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { rows } of responses)
    for (const { id, name } of rows)
      for (const key of textOf(id)) names.set(key, [...(names.get(key) ?? []), ...textOf(name)]);
  return names;
}

/** Reports a parent that never is the id or name of a node that the request names, such as the value above it in a tree. */
export function checkParents(profile: Profile, received: readonly Received[]): Remark[] {
  const names = namesById(readResponses(received));
  return Object.entries(profile.data.operations ?? {}).flatMap(([key, declared]): Remark[] => {
    const operation = key as OperationKey;
    if (operationOf(operation).group !== 'B' || !declared?.response?.fields?.parent) return [];
    const compared = readResponses(received, operation).map((each) => ({
      parents: cellsIn(each, 'parent').flatMap(textOf),
      requested: Object.values(each.inputs).flatMap(textOf),
    }));
    const shown = compared.filter(({ parents, requested }) => parents.length > 0 && requested.length > 0);
    const [first] = shown;
    const isRequested = ({ parents, requested }: (typeof shown)[number]): boolean => {
      const known = new Set(requested.flatMap((each) => [each, ...(names.get(each) ?? [])]));
      return parents.some((each) => known.has(each));
    };
    if (!first || shown.some(isRequested)) return [];
    return [
      {
        kind: 'doubt',
        path: fieldPath(operation, 'parent'),
        sentence: `the parent, such as ${quoted(first.parents[0] ?? '')}, is never an id or name of the request, such as ${quoted(first.requested.at(-1) ?? '')}; bind only what names the requested node (of a value, its level), not a value above it in a tree`,
      },
    ];
  });
}
