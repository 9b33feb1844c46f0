/**
 * For `node --import`: writes the address of every module that the process loads to the file LOADED_MODULES, and hides
 * the package HIDDEN_PACKAGE as if it were not installed.
 */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { LOADED_MODULES, HIDDEN_PACKAGE } = process.env;
const loaded = new Set<string>();

registerHooks({
  resolve(specifier, context, next) {
    if (HIDDEN_PACKAGE && specifier.startsWith(`${HIDDEN_PACKAGE}/`)) throw new Error(`${specifier} is hidden`);
    return next(specifier, context);
  },
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
if (LOADED_MODULES) process.on('exit', () => writeFileSync(LOADED_MODULES, JSON.stringify([...loaded])));
