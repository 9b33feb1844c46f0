/** Imports the default export of a profile or configuration that is a module. */
import { pathToFileURL } from 'node:url';
import { ProfileError } from './profile-error.ts';
import { oneLine } from './profile-location.ts';

/**
 * Imports a module and returns its default export. Throws ProfileError.
 * @param source the name of the file in messages
 * @param define the function that types the export, for the advice
 */
export async function importDefault(path: string, source: string, define: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    if (module.default === undefined)
      throw new Error(`it has no default export; write “export default ${define}({ … })”`);
    return module.default;
  } catch (error) {
    // A module may throw any value.
    const message = error instanceof Error ? error.message : `it throws ${String(error)}`;
    // Node treats .ts and .js as CommonJS unless the nearest package.json sets `"type": "module"`.
    const advice = /outside a module|Unexpected token 'export'/.test(message)
      ? '; name the file .mts (or .mjs), which is always a module'
      : '';
    throw new ProfileError(`${source}: cannot be loaded: ${oneLine(message)}${advice}`);
  }
}
