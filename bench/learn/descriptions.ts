/** Descriptions of a service in OpenAPI, as another tool writes them: without our extension and our sentences; and a poor one. */
import { sampleExchanges } from '../../src/cli/openapi/sample-exchanges.ts';
import { bindReferences, type Description } from '../../src/profile/openapi/description.ts';
import { describeDialect } from '../../src/profile/openapi/write/describe-dialect.ts';
import { EXTENSION } from '../../src/profile/openapi/write/extension.ts';
import { isPlainObject, type PlainObject } from '../../src/profile/plain-object.ts';
import type { Profile } from '../../src/profile/schema.ts';
import { secretKindOfHeader } from '../../src/secrets/credential-names.ts';
import { inOtherWords } from './other-words.ts';

/** Beside descriptions: the address alone, the recorded traffic of a client alone, and a description without its service. */
export const MODES = ['none', 'description', 'poor', 'recorded', 'draft'] as const;
export type Mode = (typeof MODES)[number];

const WORDY = ['description', 'summary', 'example', 'examples', 'enum', 'pattern', 'format'];
/** Members whose own members are names of the service. */
const NAMING = ['properties', 'schemas', 'headers', 'responses', 'content', 'paths'];

/** Removes members at any depth; names of the service are kept. */
function without(removed: readonly string[], node: unknown, areNames = false): unknown {
  if (Array.isArray(node)) return node.map((each) => without(removed, each));
  if (!isPlainObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, each]) =>
      !areNames && removed.includes(name) ? [] : [[name, without(removed, each, !areNames && NAMING.includes(name))]],
    ),
  );
}

/** Leaves out the schemas of every second response. */
function withoutHalf(root: PlainObject): PlainObject {
  let at = 0;
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (!isPlainObject(node)) return node;
    const { responses, ...rest } = node;
    const others = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, visit(each)]));
    if (!isPlainObject(responses)) return others;
    const halved = Object.entries(responses).map(([status, response]) => [
      status,
      at++ % 2 === 0 ? response : without(['schema'], response),
    ]);
    return { ...others, responses: Object.fromEntries(halved) };
  };
  return { ...root, paths: visit(root.paths) };
}

const bound = (tree: unknown): Description => {
  const root = structuredClone(tree) as PlainObject;
  bindReferences(root, 'main', () => undefined);
  return { source: 'openapi.json', root, files: new Map([['main', root]]), unresolvedReferences: new Map() };
};

/** The wording of a service: any number, always the same one. */
const wordingOf = ({ data }: Profile): number => [...data.name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/** Describes a service. */
export async function describeService(
  truth: Profile,
  server: string,
): Promise<Record<'description' | 'poor' | 'draft', Description>> {
  const samples = await sampleExchanges(truth);
  const isSecretHeader = (name: string) => secretKindOfHeader(name) !== undefined;
  const { document } = describeDialect(truth, { server, samples, isSecretHeader });
  const ordinary = inOtherWords(without([EXTENSION], document), wordingOf(truth)) as PlainObject;
  return {
    description: bound(ordinary),
    draft: bound(ordinary),
    poor: bound(withoutHalf(without(WORDY, ordinary) as PlainObject)),
  };
}
