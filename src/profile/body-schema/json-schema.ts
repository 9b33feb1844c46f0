/** Compiles JSON Schemas with ajv, including referenced files. Nothing is fetched over the network. */

import type { Ajv, AnySchema, MissingRefError, ValidateFunction } from 'ajv';
import { builtinModule } from '../../builtin-module.ts';
import { isPlainObject } from '../plain-object.ts';
import { breachesOf, schemaBreachOf } from './breaches.ts';
import { findLocation, inlineDocument, readSchemaDocument, type SchemaDocument } from './documents.ts';
import { createEngine, isBadPattern, missingRefOf, SCHEMA_DIALECTS, type SchemaDialect } from './engine.ts';
import { fragmentTo, nodeAt, stepsOfFragment } from './pointer.ts';
import { elementSchemaAt, type SchemaLocation, schemaNodeAt } from './schema-node.ts';
import type { BodySchema } from './types.ts';

interface Registry {
  readonly engine: Ajv;
  /** Documents by each of their URIs. */
  readonly documents: Map<string, SchemaDocument & { readonly id: string }>;
}

/**
 * Compiles the JSON Schemas of one profile; each file is read once.
 *
 * @param profilePath the profile’s file: paths and references are relative to it
 */
export function createSchemaCompiler(profilePath: string) {
  const { existsSync } = builtinModule('node:fs');
  const { dirname, posix, relative, resolve } = builtinModule('node:path');
  const { fileURLToPath, pathToFileURL } = builtinModule('node:url');
  const folder = dirname(profilePath);
  const registries = new Map<SchemaDialect, Registry>();
  const files = new Map<string, SchemaDocument>();
  /** By their text, because many responses share one, for example that of errors. */
  const inline = new Map<string, BodySchema>();

  const showPath = (path: string): string => relative(folder, path) || path;

  function read(path: string): SchemaDocument {
    const document = files.get(path) ?? readSchemaDocument(path, showPath(path));
    files.set(path, document);
    return document;
  }

  function registryOf(dialect: SchemaDialect): Registry {
    const registry = registries.get(dialect) ?? { engine: createEngine(dialect), documents: new Map() };
    registries.set(dialect, registry);
    return registry;
  }

  /** Registers a document by a URI, and by its own id. Returns the URI to refer to it. */
  function add({ engine, documents }: Registry, dialect: SchemaDialect, document: SchemaDocument, uri: string): string {
    const { tree } = document;
    const other = dialectOf(document);
    if (other !== dialect)
      throw document.errorAt(
        ['$schema'],
        `is ${other}, while the schema that refers to it is ${dialect}: use one draft`,
      );
    checkAgainstDraft(engine, document, tree, []);
    const ownId =
      isPlainObject(tree) && typeof tree.$id === 'string' && !tree.$id.startsWith('#') ? tree.$id : undefined;
    const declared = ownId === undefined ? uri : new URL(ownId, uri).href;
    // A file may have two URIs, but its id is registered once.
    const id = documents.has(declared) ? uri : declared;
    try {
      engine.addSchema(isPlainObject(tree) ? { ...tree, $id: id } : (tree as AnySchema), uri);
    } catch (error) {
      throw document.errorAt([], describeCompilerError((error as Error).message));
    }
    const added = { ...document, id };
    documents.set(uri, added).set(id, added);
    return id;
  }

  function compile(
    registry: Registry,
    dialect: SchemaDialect,
    uri: string,
    fallback: SchemaDocument,
  ): ValidateFunction {
    for (;;) {
      try {
        return registry.engine.compile({ $ref: uri });
      } catch (error) {
        const missing = missingRefOf(error);
        if (!missing) throw compilerError(registry, error as Error, fallback);
        addMissingFile(registry, dialect, missing, fallback);
      }
    }
  }

  /** Describes a compiler error. It has no location, but that of a bad pattern can be found. */
  function compilerError({ documents }: Registry, { message }: Error, fallback: SchemaDocument): Error {
    for (const document of documents.values()) {
      const location = findLocation(document.tree, isBadPattern);
      if (location.length > 0) return document.errorAt(location, `is not a regular expression: ${message}`);
    }
    return fallback.errorAt([], describeCompilerError(message));
  }

  /** Adds the file of a reference, or throws the reason why it cannot be resolved. */
  function addMissingFile(
    registry: Registry,
    dialect: SchemaDialect,
    { message, missingSchema, missingRef }: MissingRefError,
    fallback: SchemaDocument,
  ): void {
    const [, ref = missingRef, from = ''] = /^can't resolve reference (.*) from id (.*)$/s.exec(message) ?? [];
    const referring = registry.documents.get(from.split('#')[0] as string) ?? fallback;
    const location = findLocation(referring.tree, (key, value) => key === '$ref' && value === ref);
    const fail = (why: string) => referring.errorAt(location.length > 0 ? location : [], `“${ref}” ${why}`);
    if (registry.documents.has(missingSchema)) throw fail('has no target in its file');
    const path = fileOf(registry, missingSchema);
    if (!path || !existsSync(path))
      throw fail(
        `does not refer to an existing file${path ? ` (resolved to ${showPath(path)})` : ''}; only references to files are resolved, never over the network`,
      );
    add(registry, dialect, read(path), missingSchema);
  }

  /** The file of a URI: its own, or a file relative to a registered schema, like the relation of their ids. */
  function fileOf({ documents }: Registry, uri: string): string | undefined {
    const url = URL.parse(uri);
    if (!url) return undefined;
    if (url.protocol === 'file:') return fileURLToPath(url.origin === 'null' ? `file://${url.pathname}` : url);
    for (const { id, path } of documents.values()) {
      const registered = URL.parse(id);
      if (registered?.protocol !== url.protocol || registered.host !== url.host) continue;
      return resolve(dirname(path), posix.relative(posix.dirname(registered.pathname), url.pathname));
    }
    return undefined;
  }

  /** Compiles a schema in a document. */
  function toBodySchema(
    document: SchemaDocument,
    uri: string,
    fragment: string,
    name: string,
    rows: readonly string[],
  ): BodySchema {
    const dialect = dialectOf(document);
    const registry = registryOf(dialect);
    const registered = registry.documents.get(uri);
    const id = registered ? registered.id : add(registry, dialect, document, uri);
    const start: SchemaLocation = { document: id, pointer: stepsOfFragment(fragment) };
    if (start.pointer.length > 0) {
      const target = nodeAt(document.tree, start.pointer);
      if (target === undefined) throw document.errorAt([], `has no member at #${fragment}`);
      checkAgainstDraft(registry.engine, document, target, start.pointer);
    }
    const validateBody = compile(registry, dialect, `${id}#${fragment}`, document);
    const readSchema = (location: SchemaLocation): unknown => {
      const found = registry.documents.get(location.document);
      return found && nodeAt(found.tree, location.pointer);
    };
    const compileAt = ({ document: uri, pointer }: SchemaLocation) =>
      compile(registry, dialect, `${uri}#${fragmentTo(pointer)}`, document);
    const json = schemaNodeAt(start, readSchema, compileAt);
    const list = elementSchemaAt(json, rows);
    const validateRow = list && compileAt(list.items);
    return {
      name,
      check: (value) => breachesOf(validateBody, value),
      json,
      ...(list &&
        validateRow && {
          rows: {
            path: rows,
            minItems: list.minItems,
            maxItems: list.maxItems,
            check: (value) => breachesOf(validateRow, value),
          },
        }),
    };
  }

  return {
    /** `schemas/product.json`, or a part of a file: `api.yaml#/components/schemas/Product`. */
    compileFile(reference: string, rows: readonly string[]): BodySchema {
      const [name = '', fragment = ''] = reference.split('#');
      const document = read(resolve(folder, name));
      return toBodySchema(document, pathToFileURL(document.path).href, fragment, reference, rows);
    },
    /** Compiles an inline schema of the profile. */
    compileInline(tree: object, rows: readonly string[]): BodySchema {
      const text = JSON.stringify([tree, rows]);
      const uri = `${pathToFileURL(profilePath).href}?schema=${inline.size}`;
      const compiled =
        inline.get(text) ?? toBodySchema(inlineDocument(profilePath, tree), uri, '', 'the schema in the profile', rows);
      inline.set(text, compiled);
      return compiled;
    },
  };
}

/** Describes a compiler error. */
const describeCompilerError = (message: string): string =>
  /more than one schema|already exists/.test(message)
    ? 'uses one $id or $anchor for several schemas: each needs its own'
    : 'cannot be used as a schema: check its $id, $anchor, $ref and the types of its keywords';

function dialectOf(document: SchemaDocument): SchemaDialect {
  const { tree } = document;
  if (typeof tree === 'boolean') return '2020-12';
  if (!isPlainObject(tree)) throw document.errorAt([], 'is not a schema: a schema is an object');
  const { $schema = 'https://json-schema.org/draft/2020-12/schema' } = tree;
  const registered = (Object.keys(SCHEMA_DIALECTS) as SchemaDialect[]).find((each) =>
    SCHEMA_DIALECTS[each].test(String($schema)),
  );
  if (registered) return registered;
  throw document.errorAt(['$schema'], `“${String($schema)}” is not supported: use 2020-12 (the default) or draft-07`);
}

/** Throws for a schema that is invalid in its draft, with the location of the error. */
function checkAgainstDraft(engine: Ajv, document: SchemaDocument, tree: unknown, base: readonly string[]): void {
  if (engine.validateSchema(tree as AnySchema)) return;
  const { path, expected } = schemaBreachOf(engine.errors ?? []);
  throw document.errorAt([...base, ...path], `is not valid JSON Schema: it ${expected}`);
}
