#!/usr/bin/env node
/**
 * The entry point: refuses an old Node in one sentence, before it imports modules that would crash on it. Node keeps compiled
 * modules beside the package, where only its owner can change them; in a read-only folder it keeps none.
 */
import module from 'node:module';
import { join } from 'node:path';

const OLD_NODE = 78;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `mdwi needs Node 22.19 or newer, this is ${process.versions.node}: install it in your project (npm install node@24), or upgrade Node.\n`,
  );
  process.exitCode = OLD_NODE;
} else {
  const root = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '../../..');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE || join(root, 'node_modules', '.cache', 'mdwi'));
  const { exitCodeAfterOutput, guardStandardStreams } = await import('../terminal/standard-streams.ts');
  guardStandardStreams();
  const { main } = await import('./command.ts');
  process.exitCode = await exitCodeAfterOutput(await main(process.argv.slice(2)));
}
