/** The checked data of the bundled profiles. In the package, the build replaces this file by modules that a page can load, too. */
import { builtinModule } from '../../builtin-module.ts';
import type { ProfileData } from '../schema.ts';

/** Returns the data of a bundled profile, without that of `empty`. */
export async function bundledData(name: string): Promise<ProfileData> {
  const { parseProfile } = await import('../parse-profile.ts');
  const file = builtinModule('node:path').join(import.meta.dirname, `${name}.yaml`);
  return parseProfile(builtinModule('node:fs').readFileSync(file, 'utf8'), `bundled:${name}`, {}, 'keep').data;
}
