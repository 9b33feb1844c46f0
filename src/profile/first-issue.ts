/** Describes the problems of a profile or configuration: their locations, and one sentence each with the allowed values. */
import type { z } from 'zod';
import { counted } from '../format-values.ts';
import { didYouMean, didYouMeanOperation } from './did-you-mean.ts';
import { type LocatedIssue, mostSpecific, sentenceOfIssue } from './zod-issue-sentences.ts';

const OPERATION_FORMAT = 'operations are written as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”';
const MAX_SHOWN = 30;

/** A mistake: its path, and that of the key if it is unknown. */
interface DescribedIssue {
  readonly path: readonly PropertyKey[];
  readonly key: readonly PropertyKey[];
  readonly sentence: string;
}

/**
 * Describes issues, an unknown key before a missing one, because the unknown key is often its typo.
 * @param schema the schema that found the issues
 */
export function describeIssues(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): DescribedIssue[] {
  const located = issues.map((each) => mostSpecific(each));
  const isUnknown = ({ issue }: LocatedIssue) => issue.code === 'unrecognized_keys';
  return [...located.filter(isUnknown), ...located.filter((each) => !isUnknown(each))].map(({ path, issue }) =>
    issue.code === 'unrecognized_keys'
      ? { path, key: [...path, issue.keys[0] ?? ''], sentence: unknownKeys(schema, path, issue.keys) }
      : { path, key: path, sentence: sentenceOfIssue(issue) },
  );
}

/** Describes the first issue, with the number of the others. */
export function describeIssue(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): DescribedIssue {
  const [first, ...others] = describeIssues(schema, issues) as [DescribedIssue, ...DescribedIssue[]];
  const more = others.length > 0 ? ` (and ${counted(others.length, 'more mistake')})` : '';
  return { ...first, sentence: `${first.sentence}${more}` };
}

function unknownKeys(schema: z.ZodType, path: readonly PropertyKey[], keys: readonly string[]): string {
  const allowedKeys = allowedAt(schema, path);
  if (path.length === 1 && path[0] === 'operations') {
    const named = keys.map((key) => `“${key}”${didYouMeanOperation(key)}`).join(', ');
    return `there is no operation ${named}; ${OPERATION_FORMAT}`;
  }
  const named = keys.map((key) => `“${key}”${didYouMean(key, allowedKeys)}`).join(', ');
  const allowed =
    allowedKeys.length > MAX_SHOWN ? `${allowedKeys.slice(0, MAX_SHOWN).join(', ')}, …` : allowedKeys.join(', ');
  return `unknown key ${named}${allowedKeys.length > 0 ? `; allowed: ${allowed}` : ''}`;
}

// biome-ignore lint/suspicious/noExplicitAny: zod's schema tree is walked structurally.
type Tree = any;

const WRAPPERS = ['optional', 'default', 'pipe', 'nullable'];
function unwrapped(node: Tree): Tree {
  let at = node;
  while (WRAPPERS.includes(at?.def?.type)) at = at.def.type === 'pipe' ? at.def.in : at.def.innerType;
  return at;
}

/** A schema and, for a union, all its options. */
function branchesOf(node: Tree): Tree[] {
  const at = unwrapped(node);
  return at?.def?.type === 'union' ? at.def.options.flatMap(branchesOf) : [at];
}

function childOf(node: Tree, step: PropertyKey): Tree[] {
  const type = node?.def?.type;
  if (type === 'record') return [node.def.valueType];
  if (type === 'array') return [node.def.element];
  return node?.shape && Object.hasOwn(node.shape, step) ? [node.shape[step]] : [];
}

/** The keys that the schema allows at a path. */
function allowedAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let nodes = branchesOf(schema);
  for (const step of path) nodes = nodes.flatMap((each) => childOf(each, step)).flatMap(branchesOf);
  const keys = nodes.flatMap((each) => {
    if (each?.shape) return Object.keys(each.shape);
    return each?.def?.type === 'record' ? branchesOf(each.def.keyType).flatMap((key) => key?.options ?? []) : [];
  });
  return [...new Set<string>(keys)];
}
