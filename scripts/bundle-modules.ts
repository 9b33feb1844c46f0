/**
 * Bundles the compiled modules of the package: a run loads some dozen files in place of some hundred. Entries keep their
 * paths; what several entries share is one chunk, so that there is one copy of each module (docs/decisions/start-up.md).
 */
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';

/** What `package.json`, a thread or vitest loads, below the folder of the package. */
const ENTRIES = [
  'src/cli/main',
  'src/api/index',
  'src/api/msw',
  'src/api/vitest',
  'src/recording/store/polly-preset',
  'src/selftest/worker',
];

/** Two folders deep, as each entry whose modules name files. */
const CHUNKS = 'src/chunks';

/**
 * Replaces the modules of a folder by bundles of them; types and other files stay.
 * @param folder the compiled package
 */
export async function bundleModules(folder: string): Promise<void> {
  const suites = globSync('suites/*/*.conformance.js', { cwd: folder }).map((file) => file.slice(0, -'.js'.length));
  const modules = globSync('{src,suites,simulator}/**/*.js', { cwd: folder });
  const bundle = await rolldown({
    input: Object.fromEntries([...ENTRIES, ...suites].map((name) => [name, join(folder, `${name}.js`)])),
    platform: 'node',
    cwd: folder,
    external: (id) => !/^[./]/.test(id) && !id.startsWith(folder),
    plugins: [
      {
        name: 'places',
        transform(code, id) {
          if (!code.includes('import.meta.')) return null;
          const place = relative(folder, id);
          return code
            .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../../${dirname(place)}')`)
            .replaceAll('import.meta.filename', `(import.meta.dirname + '/../../${place}')`)
            .replaceAll('import.meta.url', `new URL('../../${place}', import.meta.url).href`);
        },
        renderChunk(code, { fileName }) {
          if (code.includes('import.meta.') && fileName.split('/').length !== 3)
            throw new Error(`${fileName} names files beside itself, but does not lie two folders deep`);
          return null;
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', chunkFileNames: `${CHUNKS}/[name].js` });
  await bundle.close();
  for (const file of modules) rmSync(join(folder, file));
  mkdirSync(join(folder, CHUNKS));
  for (const file of output) if (file.type === 'chunk') writeFileSync(join(folder, file.fileName), file.code);
}
