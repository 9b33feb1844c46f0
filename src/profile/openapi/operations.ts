/** Matches the operations of a description with the 41, and finds similar paths (section 4: paths are exact). */
import { OPERATIONS, type Operation, type OperationKey } from '../../contract/index.ts';
import { isPlainObject, listMember, memberOf, objectAt, type PlainObject, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';

export interface DescribedOperation {
  readonly key: OperationKey;
  /** Method and path as the description writes them, e.g. `GET /v9/allProducts`. */
  readonly as: string;
  /** The OpenAPI operation object. */
  readonly node: PlainObject;
  /** Path-level and own parameters, references resolved; own parameters override. */
  readonly parameters: readonly PlainObject[];
  /** The name of the path parameter in the description. */
  readonly upcName?: string;
  /** The prefix of the documented path: from the server URL and from the path. */
  readonly origin: string;
  readonly prefix: string;
}

export interface DescribedOperations {
  readonly found: readonly DescribedOperation[];
  /** Described paths and methods that resemble one of the 41 that the description lacks. */
  readonly similarPaths: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Candidate {
  readonly method: string;
  readonly path: string;
  readonly origin: string;
  readonly full: string;
  readonly node: PlainObject;
  readonly parameters: readonly PlainObject[];
}

/** Matches every path and method of a description with the 41: exact method, case and version, after any prefix. */
export function findDescribedOperations(description: Description): DescribedOperations {
  const found = new Map<OperationKey, DescribedOperation>();
  const rest: Candidate[] = [];
  for (const candidate of candidatesOf(description)) {
    const match = OPERATIONS.map((operation) => ({ operation, hit: matches(operation, candidate) })).find(
      ({ hit }) => hit,
    );
    if (!match?.hit || found.has(match.operation.key)) {
      rest.push(candidate);
      continue;
    }
    const { method, path, origin, node, parameters } = candidate;
    found.set(match.operation.key, {
      key: match.operation.key,
      as: `${method} ${path}`,
      node,
      parameters,
      origin,
      ...match.hit,
    });
  }
  const similarPaths = rest.flatMap((candidate) => {
    const undescribed = OPERATIONS.filter((operation) => !found.has(operation.key));
    const explanations = undescribed.flatMap((operation) => {
      const why = describeDifference(operation, candidate);
      return why ? [`${candidate.method} ${candidate.full} is not ${operation.key}: ${why}`] : [];
    });
    return explanations.slice(0, 1);
  });
  const order = OPERATIONS.map((each) => each.key);
  return {
    found: [...found.values()].sort((x, y) => order.indexOf(x.key) - order.indexOf(y.key)),
    similarPaths: similarPaths,
  };
}

function* candidatesOf(description: Description): Generator<Candidate> {
  for (const [path, item] of Object.entries(objectAt(description.root, 'paths'))) {
    const { node: pathItem } = deref(description, item);
    for (const method of METHODS) {
      const node = memberOf(pathItem, method);
      if (!isPlainObject(node)) continue;
      const { origin, path: base } = serverOf(node) ?? serverOf(pathItem) ?? serverOf(description.root) ?? NO_SERVER;
      const parameters = new Map<string, PlainObject>();
      for (const each of [...listMember(pathItem, 'parameters'), ...listMember(node, 'parameters')]) {
        const parameter = deref(description, each).node;
        parameters.set(`${textAt(parameter, 'in')} ${textAt(parameter, 'name')}`, parameter);
      }
      yield {
        method: method.toUpperCase(),
        path,
        origin,
        full: `${base}${path.startsWith('/') ? '' : '/'}${path}`,
        node,
        parameters: [...parameters.values()],
      };
    }
  }
}

const NO_SERVER = { origin: '', path: '' };

/** Origin and path of the first server, with variables replaced by their defaults. */
function serverOf(container: unknown): { origin: string; path: string } | undefined {
  const [server] = listMember(container, 'servers');
  const url = textAt(server, 'url');
  if (url === undefined) return undefined;
  const filled = url.replace(/\{([^}]*)\}/g, (whole, name: string) => {
    const value = textAt(objectAt(objectAt(server, 'variables'), name), 'default');
    return value ?? whole;
  });
  const [, origin = '', path = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)?(.*)$/is.exec(filled) ?? [];
  const bare = path.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return { origin, path: bare === '' || bare.startsWith('/') ? bare : `/${bare}` };
}

const isVariable = (segment: string): boolean => /^\{[^}]*\}$/.test(segment);

function matches(operation: Operation, { method, full }: Candidate): { prefix: string; upcName?: string } | undefined {
  if (operation.method !== method) return undefined;
  const wanted = operation.path.split('/').slice(1);
  const given = full.split('/');
  const tail = given.slice(-wanted.length);
  let upcName: string | undefined;
  for (const [at, segment] of wanted.entries()) {
    const there = tail[at] ?? '';
    if (isVariable(segment) && isVariable(there)) upcName = there.slice(1, -1);
    else if (segment !== there) return undefined;
  }
  if (given.length <= wanted.length) return undefined;
  return { prefix: given.slice(0, -wanted.length).join('/'), ...(upcName !== undefined && { upcName }) };
}

const VERSION = /^v\d+(\.\d+)*$/i;

/** Describes why a similar path is not the documented one; undefined if it is not similar. */
function describeDifference(operation: Operation, { method, full }: Candidate): string | undefined {
  const plain = (path: string) => path.split('/').filter((each) => each !== '');
  const [wanted, given] = [plain(operation.path), plain(full)];
  const unversioned = (segments: readonly string[], fold: (text: string) => string) =>
    segments.filter((each) => !VERSION.test(each)).map((each) => (isVariable(each) ? '{}' : fold(each)));
  const endsWith = (fold: (text: string) => string, versions: boolean) => {
    const normalised = (segments: readonly string[]) =>
      versions ? segments.map((each) => (isVariable(each) ? '{}' : fold(each))) : unversioned(segments, fold);
    const tail = normalised(wanted);
    return normalised(given).slice(-tail.length).join('/') === tail.join('/');
  };
  const same = (text: string) => text;
  const lower = (text: string) => text.toLowerCase();
  if (endsWith(same, true))
    return method === operation.method ? undefined : `a different method; the document has ${operation.method}`;
  if (endsWith(lower, true)) return 'different case; paths must match the document exactly (section 4)';
  const [platform, ...behind] = wanted;
  if (operation.group === 'C' && given.slice(-behind.length).join('/') === behind.join('/'))
    return `its first segment is ${platform}, exactly as written (section 4.3)`;
  if (!endsWith(lower, false)) return undefined;
  const has = given.slice(-wanted.length).some((each) => VERSION.test(each));
  const needs = wanted.some((each) => VERSION.test(each));
  if (needs)
    return has
      ? 'a different version segment, or one at another position (section 9)'
      : 'the version segment is missing (section 9)';
  return 'paths of this group have no version segment (section 9)';
}
