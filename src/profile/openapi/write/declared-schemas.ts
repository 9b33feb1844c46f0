/** The body schemas of a profile as components of a description: whole files, so that references between them stay valid. */
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { readSchemaDocument } from '../../body-schema/documents.ts';
import { isStandardSchema } from '../../body-schema/types.ts';
import { isPlainObject, type PlainObject } from '../../plain-object.ts';
import type { ResponseProfile } from '../../schema.ts';

const ROOT = '#/components/schemas/';

export class DeclaredSchemas {
  /** `components.schemas` */
  readonly components: Record<string, unknown> = {};
  readonly #folder: string;
  readonly #names = new Map<string, string>();

  /** @param source the profile's file: names of schema files are relative to it */
  constructor(source: string) {
    this.#folder = dirname(resolve(source));
  }

  /** The schema of a status as a reference to a component; undefined if the profile declares none, or one in code. */
  schemaOf({ schemas = {} }: ResponseProfile, key: string, status: string): PlainObject | undefined {
    const wildcard = `${status[0]}XX`;
    const found = [status, wildcard, 'default'].find((each) => schemas[each] !== undefined);
    const declared = found === undefined ? undefined : schemas[found];
    if (declared === undefined || isStandardSchema(declared)) return undefined;
    if (typeof declared === 'string') return { $ref: this.#refer(declared, this.#folder) };
    const name = `${key} ${found}`.replace(/[^\w.-]+/g, '_');
    this.components[name] ??= this.#rebased(declared, ROOT + name, this.#folder);
    return { $ref: ROOT + name };
  }

  /** The reference to a part of a file, which becomes a component. */
  #refer(reference: string, folder: string): string {
    const [file = '', pointer = ''] = reference.split('#');
    const path = resolve(folder, file);
    const known = this.#names.get(path);
    if (known !== undefined) return ROOT + known + pointer;
    const base = basename(path, extname(path)).replace(/[^\w.-]+/g, '_');
    const name = base in this.components ? `${base}${this.#names.size + 1}` : base;
    this.#names.set(path, name);
    const { tree } = readSchemaDocument(path, relative(this.#folder, path));
    this.components[name] = this.#rebased(tree, ROOT + name, dirname(path));
    return ROOT + name + pointer;
  }

  /** A schema whose references are those of the description. */
  #rebased(node: unknown, own: string, folder: string): unknown {
    if (Array.isArray(node)) return node.map((each) => this.#rebased(each, own, folder));
    if (!isPlainObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node)
        .filter(([name]) => name !== '$schema' && name !== '$id')
        .map(([name, each]) => {
          if (name !== '$ref' || typeof each !== 'string') return [name, this.#rebased(each, own, folder)];
          if (each.startsWith('#')) return [name, own + each.slice(1)];
          return [name, /^[a-z][a-z\d+.-]+:/i.test(each) ? each : this.#refer(each, folder)];
        }),
    );
  }
}
