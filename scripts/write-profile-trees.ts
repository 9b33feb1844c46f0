/** Writes the trees of bundled profiles as JSON beside their YAML, so that no command has to read YAML for them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** @param folder of `NAME.yaml` files; `NAME.json` files are written there */
export function writeProfileTrees(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.yaml'))) {
    const tree = parse(readFileSync(join(folder, name), 'utf8'));
    writeFileSync(join(folder, name.replace(/\.yaml$/, '.json')), JSON.stringify(tree));
  }
}
