/**
 * Bundles modules of ours: a run loads some dozen files in place of some hundred. Entries keep their paths; what several
 * entries share is one chunk, so that there is one copy of each module (docs/decisions/start-up.md).
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
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

/** What is a part of the bundles: no dependency of the package has the helpers that the bundler imports. */
const BUNDLED = /^(?:@mswjs\/data$|@oxc-project\/runtime\/)/;

/** Two folders deep, as each entry whose modules name files. */
const CHUNKS = 'src/chunks';

/**
 * Bundles the modules of a folder. The files that they name beside themselves are looked up where the bundles go.
 * @param from the folder: compiled, or a checkout
 * @param extension of its modules
 * @param mswjsData the file that the simulator’s store imports in place of `@mswjs/data`
 * @returns the code of each file, by its path
 */
export async function bundleModules(
  from: string,
  extension: '.js' | '.ts',
  mswjsData: string,
): Promise<ReadonlyMap<string, string>> {
  const suites = globSync(`suites/*/*.conformance${extension}`, { cwd: from });
  const entries = [...ENTRIES, ...suites.map((file) => file.slice(0, -extension.length))];
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(from, name + extension)])),
    platform: 'node',
    cwd: from,
    external: (id) => !/^[./]/.test(id) && !id.startsWith(from) && !BUNDLED.test(id),
    resolve: { alias: { '@mswjs/data': mswjsData } },
    plugins: [
      {
        name: 'places',
        transform(code, id) {
          if (!code.includes('import.meta.')) return null;
          const place = relative(from, id).replace(/ts$/, 'js');
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
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])));
}

/** Writes bundles below a folder. */
export function writeBundles(bundles: ReadonlyMap<string, string>, to: string): void {
  for (const [file, code] of bundles) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), code);
  }
}
