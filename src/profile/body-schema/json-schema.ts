/** JSON Schemas, compiled by ajv with everything they refer to. Nothing is ever fetched: references lead to files. */
import { existsSync } from 'node:fs';
import { dirname, posix, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Ajv, AnySchema, MissingRefError, ValidateFunction } from 'ajv';
import { breachesOf, schemaBreachOf } from './breaches.ts';
import { inlineDocument, placeWhere, readSchemaDocument, type SchemaDocument } from './documents.ts';
import { createEngine, isBadPattern, missingRefOf, SCHEMA_DIALECTS, type SchemaDialect } from './engine.ts';
import { fragmentTo, nodeAt, stepsOfFragment } from './pointer.ts';
import { elementSchemaAt, type SchemaLocation } from './rows.ts';
import type { BodySchema } from './types.ts';

interface Shelf {
  readonly engine: Ajv;
  /** By every URI a document goes by. */
  readonly documents: Map<string, SchemaDocument & { readonly id: string }>;
}

/**
 * Compiles the JSON Schemas of one profile; files are read once, whoever refers to them.
 *
 * @param profilePath the profile’s file: paths and references are relative to it
 */
export function createSchemaCompiler(profilePath: string) {
  const folder = dirname(profilePath);
  const shelves = new Map<SchemaDialect, Shelf>();
  const files = new Map<string, SchemaDocument>();
  let inlined = 0;

  const showPath = (path: string): string => relative(folder, path) || path;

  function read(path: string): SchemaDocument {
    const document = files.get(path) ?? readSchemaDocument(path, showPath(path));
    files.set(path, document);
    return document;
  }

  function shelfOf(dialect: SchemaDialect): Shelf {
    const shelf = shelves.get(dialect) ?? { engine: createEngine(dialect), documents: new Map() };
    shelves.set(dialect, shelf);
    return shelf;
  }

  /** Makes a document known by a URI, and by its own id. Returns the URI that stands for it. */
  function add({ engine, documents }: Shelf, dialect: SchemaDialect, document: SchemaDocument, uri: string): string {
    const { tree } = document;
    const other = dialectOf(document);
    if (other !== dialect)
      throw document.wrong(['$schema'], `is ${other}, while the schema that refers to it is ${dialect}: use one draft`);
    checkAgainstDraft(engine, document, tree, []);
    const own = isObject(tree) && typeof tree.$id === 'string' && !tree.$id.startsWith('#') ? tree.$id : undefined;
    const declared = own === undefined ? uri : new URL(own, uri).href;
    // A file can go by two names, but an id is given once.
    const id = documents.has(declared) ? uri : declared;
    try {
      engine.addSchema(isObject(tree) ? { ...tree, $id: id } : (tree as AnySchema), uri);
    } catch (error) {
      throw document.wrong([], whyRefused((error as Error).message));
    }
    const added = { ...document, id };
    documents.set(uri, added).set(id, added);
    return id;
  }

  function compile(shelf: Shelf, dialect: SchemaDialect, uri: string, blame: SchemaDocument): ValidateFunction {
    for (;;) {
      try {
        return shelf.engine.compile({ $ref: uri });
      } catch (error) {
        const missing = missingRefOf(error);
        if (!missing) throw refusedBy(shelf, error as Error, blame);
        fetchMissing(shelf, dialect, missing, blame);
      }
    }
  }

  /** What a compiler’s refusal is about: of all it tells no place, but a pattern can be found again. */
  function refusedBy({ documents }: Shelf, { message }: Error, blame: SchemaDocument): Error {
    for (const document of documents.values()) {
      const place = placeWhere(document.tree, isBadPattern);
      if (place.length > 0) return document.wrong(place, `is no regular expression: ${message}`);
    }
    return blame.wrong([], whyRefused(message));
  }

  /** Adds the file a reference leads to, or says why it leads nowhere. */
  function fetchMissing(
    shelf: Shelf,
    dialect: SchemaDialect,
    { message, missingSchema, missingRef }: MissingRefError,
    blame: SchemaDocument,
  ): void {
    const [, ref = missingRef, from = ''] = /^can't resolve reference (.*) from id (.*)$/s.exec(message) ?? [];
    const referring = shelf.documents.get(from.split('#')[0] as string) ?? blame;
    const place = placeWhere(referring.tree, (key, value) => key === '$ref' && value === ref);
    const fail = (why: string) => referring.wrong(place.length > 0 ? place : [], `“${ref}” ${why}`);
    if (shelf.documents.has(missingSchema)) throw fail('leads to nothing in its file');
    const path = fileOf(shelf, missingSchema);
    if (!path || !existsSync(path))
      throw fail(
        `leads to no file${path ? ` (it would be ${showPath(path)})` : ''}; references are followed to files only, never over the network`,
      );
    add(shelf, dialect, read(path), missingSchema);
  }

  /** The file of a URI: its own, or the one that stands beside a known schema as their ids stand beside each other. */
  function fileOf({ documents }: Shelf, uri: string): string | undefined {
    const url = URL.parse(uri);
    if (!url) return undefined;
    if (url.protocol === 'file:') return fileURLToPath(url.origin === 'null' ? `file://${url.pathname}` : url);
    for (const { id, path } of documents.values()) {
      const known = URL.parse(id);
      if (known?.protocol !== url.protocol || known.host !== url.host) continue;
      return resolve(dirname(path), posix.relative(posix.dirname(known.pathname), url.pathname));
    }
    return undefined;
  }

  /** A schema out of a document, ready for use. */
  function toBodySchema(
    document: SchemaDocument,
    uri: string,
    fragment: string,
    name: string,
    rows: readonly string[],
  ): BodySchema {
    const dialect = dialectOf(document);
    const shelf = shelfOf(dialect);
    const known = shelf.documents.get(uri);
    const id = known ? known.id : add(shelf, dialect, document, uri);
    const start: SchemaLocation = { document: id, pointer: stepsOfFragment(fragment) };
    if (start.pointer.length > 0) {
      const target = nodeAt(document.tree, start.pointer);
      if (target === undefined) throw document.wrong([], `holds nothing at #${fragment}`);
      checkAgainstDraft(shelf.engine, document, target, start.pointer);
    }
    const whole = compile(shelf, dialect, `${id}#${fragment}`, document);
    const list = elementSchemaAt(start, rows, (place) => {
      const found = shelf.documents.get(place.document);
      return found && nodeAt(found.tree, place.pointer);
    });
    const row = list && compile(shelf, dialect, `${list.items.document}#${fragmentTo(list.items.pointer)}`, document);
    return {
      name,
      check: (value) => breachesOf(whole, value),
      ...(list &&
        row && {
          rows: {
            path: rows,
            minItems: list.minItems,
            maxItems: list.maxItems,
            check: (value) => breachesOf(row, value),
          },
        }),
    };
  }

  return {
    /** `schemas/product.json`, or a part of a file: `api.yaml#/components/schemas/Product`. */
    ofFile(reference: string, rows: readonly string[]): BodySchema {
      const [name = '', fragment = ''] = reference.split('#');
      const document = read(resolve(folder, name));
      return toBodySchema(document, pathToFileURL(document.path).href, fragment, reference, rows);
    },
    /** A schema written in the profile. */
    ofTree(tree: object, rows: readonly string[]): BodySchema {
      const uri = `${pathToFileURL(profilePath).href}?schema=${++inlined}`;
      return toBodySchema(inlineDocument(profilePath, tree), uri, '', 'the schema in the profile', rows);
    },
  };
}

/** What the compiler refuses, in words of our own. */
const whyRefused = (message: string): string =>
  /more than one schema|already exists/.test(message)
    ? 'gives one $id or $anchor to several schemas: each needs its own'
    : 'cannot be used as a schema: check its $id, $anchor, $ref and the types of its keywords';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function dialectOf(document: SchemaDocument): SchemaDialect {
  const { tree } = document;
  if (typeof tree === 'boolean') return '2020-12';
  if (!isObject(tree)) throw document.wrong([], 'is no schema: a schema is an object');
  const { $schema = 'https://json-schema.org/draft/2020-12/schema' } = tree;
  const known = (Object.keys(SCHEMA_DIALECTS) as SchemaDialect[]).find((each) =>
    SCHEMA_DIALECTS[each].test(String($schema)),
  );
  if (known) return known;
  throw document.wrong(['$schema'], `“${String($schema)}” is not known here: use 2020-12 (the default) or draft-07`);
}

/** Refuses what is no schema in its draft, by the place that is wrong. */
function checkAgainstDraft(engine: Ajv, document: SchemaDocument, tree: unknown, base: readonly string[]): void {
  if (engine.validateSchema(tree as AnySchema)) return;
  const { path, expected } = schemaBreachOf(engine.errors ?? []);
  throw document.wrong([...base, ...path], `is not valid JSON Schema: it ${expected}`);
}
