/** Writes the checked data of bundled profiles as modules beside their YAML: no command reads YAML or loads the schema for them, and a page can load them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseProfile } from '../src/profile/parse-profile.ts';

/**
 * @param folder of `NAME.yaml` files
 * @param to where `NAME.js` files go, and `index.js` in place of `src/profile/bundled/index.ts`
 */
export function writeBundledProfiles(folder: string, to: string): void {
  const entries: string[] = [];
  for (const file of readdirSync(folder).filter((each) => each.endsWith('.yaml'))) {
    const name = file.replace(/\.yaml$/, '');
    const {
      data,
      variables = [],
      unset = [],
    } = parseProfile(readFileSync(join(folder, file), 'utf8'), `bundled:${name}`, {}, 'keep');
    if (variables.length + unset.length > 0)
      throw new Error(`${file}: a bundled profile is checked in the build, so it cannot contain variables`);
    writeFileSync(join(to, `${name}.js`), `export default ${JSON.stringify(data)};\n`);
    entries.push(`${name}: () => import('./${name}.js')`);
  }
  const index = `const DATA = { ${entries.join(', ')} };\nexport const bundledData = async (name) => (await DATA[name]()).default;\n`;
  writeFileSync(join(to, 'index.js'), index);
}
