/** The dialects of bundled profiles, in Node and in a page. */
import { bundledData } from '../../../src/profile/bundled/index.ts';
import { bundledProfile } from '../../../src/profile/bundled.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import type { DialectName } from '../names.ts';
import type { Dialect } from '../types.ts';
import { dialectOf } from './dialect.ts';

const loaded = new Map<string, Promise<Profile>>();

/** Builds the dialect of a bundled profile, which is loaded once. */
export async function bundledDialect(name: DialectName): Promise<Dialect> {
  const profile = loaded.get(name) ?? bundledData(name).then((data) => bundledProfile(data, `bundled:${name}`));
  loaded.set(name, profile);
  return dialectOf(await profile);
}
