/** Reads an OpenAPI description and the files in its folder that it refers to. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { isPlainObject, memberOf } from '../plain-object.ts';
import { yamlProblem } from '../profile-location.ts';
import { bindReferences, type Description, DescriptionError } from './description.ts';

const MAX_BYTES = 8 << 20;
const MAX_FILES = 200;
const KINDS = ['.yaml', '.yml', '.json'];

/**
 * Loads a description, OpenAPI 3.0 or 3.1, YAML or JSON, with every file in its folder that it refers to; nothing is
 * fetched. Throws DescriptionError.
 *
 * @example loadDescription('openapi/acme.yaml').root.openapi // '3.1.0'
 */
export function loadDescription(source: string): Description {
  const main = resolve(source);
  const folder = dirname(main);
  const files = new Map<string, unknown>();
  const unresolvedReferences = new Map<string, string>();
  const queue = [main];
  let bytes = 0;
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (files.has(path)) continue;
    const displayName = path === main ? source : join(dirname(source), relative(folder, path));
    const from = path;
    let text: string;
    try {
      text = readText(path, displayName, MAX_BYTES - bytes);
    } catch (error) {
      if (path === main || !(error instanceof DescriptionError)) throw error;
      unresolvedReferences.set(displayName, error.message);
      continue;
    }
    bytes += text.length;
    const tree = parseTree(text, displayName);
    if (path === main) checkVersion(tree, source);
    files.set(path, tree);
    if (files.size > MAX_FILES) throw new DescriptionError(`${source}: refers to more than ${MAX_FILES} files`);
    const fileOf = (reference: string) =>
      /^[a-z][a-z\d+.-]+:|^\/\//i.test(reference) || isAbsolute(reference)
        ? undefined
        : resolve(dirname(from), reference.replaceAll('%20', ' '));
    queue.push(...bindReferences(tree, path, fileOf, displayName));
  }
  const root = files.get(main);
  return { source, root: isPlainObject(root) ? root : {}, files, unresolvedReferences: unresolvedReferences };
}

function readText(path: string, displayName: string, maxBytes: number): string {
  if (!KINDS.includes(extname(path).toLowerCase()))
    throw new DescriptionError(`${displayName}: a description is a ${KINDS.join(', ')} file`);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new DescriptionError(`${displayName}: there is no such file`);
  if (!stat.isFile())
    throw new DescriptionError(`${displayName}: is not a file; give the path of the OpenAPI description`);
  if (stat.size > maxBytes)
    throw new DescriptionError(`${displayName}: the description is larger than the limit of ${MAX_BYTES} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    throw new DescriptionError(`${displayName}: cannot be read as UTF-8 text: ${oneLine(error)}`);
  }
}

function parseTree(text: string, displayName: string): unknown {
  try {
    // JSON is YAML too, but the YAML parser is slow on long files.
    if (/^\s*[{[]/.test(text)) return JSON.parse(text);
  } catch (error) {
    if (extname(displayName).toLowerCase() === '.json')
      throw new DescriptionError(`${displayName}: is not JSON: ${oneLine(error)}`);
  }
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [wrong] = document.errors;
    if (wrong) throw new Error(yamlProblem(wrong));
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new DescriptionError(`${displayName}: is neither valid YAML nor valid JSON: ${oneLine(error)}`);
  }
}

function checkVersion(tree: unknown, source: string): void {
  if (memberOf(tree, 'swagger') !== undefined)
    throw new DescriptionError(
      `${source}: is Swagger ${String(memberOf(tree, 'swagger'))}, but only OpenAPI 3.0 and 3.1 are supported; convert it first, e.g. with npx swagger2openapi -o openapi.yaml ${source}`,
    );
  const version = memberOf(tree, 'openapi');
  if (version === undefined)
    throw new DescriptionError(`${source}: is not an OpenAPI description: its top level has no “openapi: 3.…”`);
  if (!/^3\.[01](\.|$)/.test(String(version)))
    throw new DescriptionError(
      `${source}: has the version openapi ${String(version)}; versions 3.0 and 3.1 are supported`,
    );
  if (!isPlainObject(memberOf(tree, 'paths')))
    throw new DescriptionError(`${source}: describes no paths, so there is nothing to draft a profile from`);
}

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim().slice(0, 200);
