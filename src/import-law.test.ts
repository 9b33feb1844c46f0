/** Who may import whom (ARCHITECTURE.md). */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { SUITES } from '../suites/index.ts';

const root = join(import.meta.dirname, '..');

const CORE = ['src/contract', 'src/profile', 'src/exchange', 'src/secrets'] as const;

/** Each folder and the folders it may import besides itself. */
const LAW: Record<string, readonly string[]> = {
  'src/contract': [],
  'src/profile': ['src/contract'],
  'src/exchange': ['src/contract', 'src/profile'],
  'src/secrets': ['src/contract', 'src/profile', 'src/exchange'],
  'src/reading': ['src/contract', 'src/profile', 'src/exchange'],
  'src/rule': ['src/contract', 'src/profile', 'src/exchange', 'src/reading'],
  'src/client': CORE,
  'src/recording/format': [...CORE, 'src/reading'],
  'src/recording/store': [...CORE, 'src/recording/format'],
  'src/recording/rerecord': [...CORE, 'src/reading', 'src/run', 'src/recording/format', 'src/recording/store'],
  'src/recording/record': [...CORE, 'src/recording/format', 'src/recording/store', 'src/recording/rerecord'],
  'src/recording/verify': [...CORE, 'src/run', 'src/recording/format', 'src/recording/store', 'src/recording/record'],
  'src/recording/observe': [...CORE, 'src/reading', 'src/rule', 'src/run', 'src/recording/format'],
  'src/recording/import': [
    ...CORE,
    'src/run',
    'src/recording/format',
    'src/recording/store',
    'src/recording/record',
    'src/recording/observe',
  ],
  'src/recording/drift': [
    ...CORE,
    'src/reading',
    'src/run',
    'src/report',
    'src/recording/format',
    'src/recording/store',
  ],
  'src/run': [...CORE, 'src/reading', 'src/rule', 'src/client'],
  'src/learn': [...CORE, 'src/reading', 'src/rule', 'src/client', 'src/run'],
  'src/strength': [...CORE, 'src/reading', 'src/rule', 'src/run', 'src/learn'],
  'src/waivers': ['src/contract', 'src/profile', 'src/run', 'src/report'],
  'src/config': ['src/contract', 'src/profile', 'src/exchange', 'src/run', 'src/report', 'src/waivers'],
  'src/terminal': ['src/exchange', 'src/run'],
  'src/api': ['src', 'simulator'],
  'src/commands': [
    ...CORE,
    'src/config',
    'src/rule',
    'src/client',
    'src/run',
    'src/recording',
    'src/terminal',
    'src/waivers',
    'src/comparison',
    'src/strength',
    'suites',
    'simulator',
  ],
  'src/selftest': [
    'src/contract',
    'src/profile',
    'src/rule',
    'src/run',
    'src/report',
    'src/commands',
    'suites',
    'simulator',
  ],
  'src/report': ['src/contract', 'src/exchange', 'src/rule', 'src/run', 'src/terminal', 'suites'],
  'src/comparison': ['src/contract', 'src/profile', 'src/rule', 'src/run', 'src/report'],
  'src/cli': ['src', 'suites', 'simulator'],
  suites: ['src/contract', 'src/rule'],
  'simulator/dialects': ['src/contract', 'simulator/model'],
  'simulator/dialects/from-profile': ['src/contract', 'src/profile', 'simulator/dialects', 'simulator/model'],
  'simulator/http': ['src/exchange', 'src/recording/format'],
  'simulator/gateway': [...CORE, 'src/recording', 'simulator/http'],
  'simulator/replay': [...CORE, 'src/recording/format', 'src/recording/store', 'simulator/http'],
  simulator: ['src/contract', 'src/profile', 'src/exchange'],
};

/** Files beside the folders that every folder but the contract may import. */
const SHARED = [
  'src/atomic-write.ts',
  'src/builtin-module.ts',
  'src/bytes.ts',
  'src/content-codings.ts',
  'src/first-of-each.ts',
  'src/format-values.ts',
  'src/json-nodes.ts',
  'src/text-patterns.ts',
  'src/usage-error.ts',
  'src/version.ts',
  'src/xml-nodes.ts',
];

const folderOf = (file: string): string | undefined =>
  Object.keys(LAW)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((x, y) => y.length - x.length)[0];

const files = globSync(['src/**/*.ts', 'suites/**/*.ts', 'simulator/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test(\.support)?\.ts$|\.conformance\.ts$/.test(file),
);

/** The files of ours that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    normalize(join(dirname(file), target)),
  );

test('every file imports only what its folder may', () => {
  const breaches: string[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    if (!folder) continue;
    const allowed = [folder, ...(LAW[folder] ?? [])];
    for (const path of importsOf(file))
      if (!allowed.some((each) => path.startsWith(`${each}/`)) && !SHARED.includes(path))
        breaches.push(`${file} imports ${path}`);
  }
  expect(breaches).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});

test('each folder of suites has an entry for vitest, which imports the public function and its options only', () => {
  const entries = globSync('suites/**/*.conformance.ts', { cwd: root });
  expect(entries.sort()).toEqual(
    Object.keys(SUITES)
      .map((suite) => `suites/${suite}/${suite}.conformance.ts`)
      .sort(),
  );
  for (const entry of entries) {
    expect(importsOf(entry)).toEqual(['src/api/vitest.ts', 'src/commands/suite-options.ts']);
    expect(readFileSync(join(root, entry), 'utf8')).toContain(
      `describeConformance(suiteOptions('${entry.split('/')[1]}'))`,
    );
  }
});

/** The circles in a graph, each as a path. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node);
    if (at >= 0) circles.push([...path.slice(at), node].join(' → '));
    if (at >= 0 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

test('no files import each other in a circle, types included', () => {
  expect(circlesIn(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
});

test('no folders import each other in a circle', () => {
  const roomOf = (file: string): string => /^src\/[^/]+(?=\/)|^(?:suites|simulator)/.exec(file)?.[0] ?? '';
  const rooms = Map.groupBy(files, roomOf);
  const graph = new Map(
    [...rooms].map(([room, members]) => [
      room,
      [...new Set(members.flatMap(importsOf).map(roomOf))].filter((each) => each !== room && each !== ''),
    ]),
  );
  graph.delete('');
  expect(circlesIn(graph)).toEqual([]);
  expect(graph.size).toBeGreaterThan(15);
});

test('an exported name has one meaning', () => {
  const places = new Map<string, string[]>();
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm,
    ))
      places.set(name, [...new Set([...(places.get(name) ?? []), file])]);
  expect([...places].filter(([, each]) => each.length > 1)).toEqual([]);
  expect(places.size).toBeGreaterThan(1000);
});

/** Libraries with one reason to be here, and the one place that imports each. */
const LIBRARIES: Record<string, RegExp> = {
  undici: /^(src\/client|src\/exchange\/wire|simulator\/gateway)\//,
  '@mswjs/data': /^simulator\/model\/store\.ts$/,
  yaml: /^src\/(profile|waivers|learn\/write)\//,
  ajv: /^src\/profile\/body-schema\//,
  'ajv-formats': /^src\/profile\/body-schema\//,
  'json-p3': /^src\/profile\//,
  re2js: /^src\/profile\/pattern\//,
  selfsigned: /^simulator\/http\/make-certificate\.ts$/,
  'fastest-levenshtein': /^src\/profile\/did-you-mean\.ts$/,
  'json-merge-patch': /^src\/selftest\/patched-profile\.ts$/,
  'partial-json': /^src\/reading\/partial-json\.ts$/,
  tinypool: /^src\/selftest\/worker-pool\.ts$/,
  'wrap-ansi': /^src\/terminal\//,
  zod: /^(src\/(profile|config|waivers|comparison|report|secrets|recording\/(format|drift\/formats))|simulator\/(behaviors|control))\//,
  '@pollyjs/core': /^src\/recording\/store\//,
  '@pollyjs/adapter': /^src\/recording\/store\//,
  '@pollyjs/persister-fs': /^src\/recording\/store\//,
  msw: /^src\/commands\/msw-handlers\.ts$/,
  vitest: /^src\/commands\/(describe-conformance|suite-options|to-conform)\.ts$/,
  'vitest/node': /^src\/cli\/present-in-vitest\.ts$/,
};

test('each library is imported in one place', () => {
  const breaches = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return Object.entries(LIBRARIES)
      .filter(
        ([name, place]) =>
          new RegExp(`(?:from |import\\(|load\\(|requireFrom\\(import\\.meta\\.url, )'${name}'`).test(text) &&
          !place.test(file),
      )
      .map(([name]) => `${file} imports ${name}`);
  });
  expect(breaches).toEqual([]);
});
