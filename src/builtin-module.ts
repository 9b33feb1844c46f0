/** Modules of Node for code that bundlers also build for browsers. */

/** The modules that such code uses. */
interface Builtins {
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:fs': typeof import('node:fs');
  readonly 'node:http': typeof import('node:http');
  readonly 'node:module': typeof import('node:module');
  readonly 'node:path': typeof import('node:path');
  readonly 'node:stream': typeof import('node:stream');
  readonly 'node:timers/promises': typeof import('node:timers/promises');
  readonly 'node:url': typeof import('node:url');
  readonly 'node:worker_threads': typeof import('node:worker_threads');
  readonly 'node:zlib': typeof import('node:zlib');
}

/**
 * Returns a module of Node. Unlike an import, it is loaded when this is called, and bundlers do not look for it.
 *
 * @throws an Error in a browser
 * @example builtinModule('node:zlib').gzipSync('text')
 */
export function builtinModule<ID extends keyof Builtins & string>(id: ID): Builtins[ID] {
  if (!isNode()) throw new Error(`this needs Node: a browser has no module ${id}`);
  return process.getBuiltinModule(id as string) as unknown as Builtins[ID];
}

/** Whether the program runs in Node. */
export const isNode = (): boolean => typeof globalThis.process?.getBuiltinModule === 'function';

/**
 * Returns a library on first use, in Node only: bundlers do not include it.
 *
 * @param from `import.meta.url` of the file that uses it
 * @throws an Error in a browser
 */
export const requireFrom = (from: string, library: string): unknown =>
  builtinModule('node:module').createRequire(from)(library);
