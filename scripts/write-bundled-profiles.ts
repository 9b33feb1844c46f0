/** Writes the checked data of bundled profiles as JSON beside their YAML, so that no command reads YAML or loads the schema for them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseProfile } from '../src/profile/parse-profile.ts';

/** @param folder of `NAME.yaml` files; `NAME.json` files are written there */
export function writeBundledProfiles(folder: string): void {
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.yaml'))) {
    const name = file.replace(/\.yaml$/, '');
    const {
      data,
      variables = [],
      unset = [],
    } = parseProfile(readFileSync(join(folder, file), 'utf8'), `bundled:${name}`, {}, 'keep');
    if (variables.length + unset.length > 0)
      throw new Error(`${file}: a bundled profile is checked in the build, so it cannot contain variables`);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(data));
  }
}
