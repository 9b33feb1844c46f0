/** Drafting from OpenAPI on the command line, and what a draft proves once run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startSimulator } from '../../../simulator/server.ts';
import { judgeTarget } from '../../commands/judge-target.ts';
import { loadProfile } from '../../profile/load.ts';
import { newFolder } from '../../resources.test.support.ts';
import { draftFromOpenapi } from './from-openapi.ts';

const folder = newFolder(afterAll);
const at = (name: string) => join(folder, name);
const DESCRIPTIONS = join(import.meta.dirname, '../../profile/openapi/__fixtures__');

test('the draft of the reference dialect fails nothing and proves most of it', async () => {
  const out = at('reference.yaml');
  await draftFromOpenapi([join(DESCRIPTIONS, 'reference-dialect.yaml'), '--out', out]);
  const drafted = readFileSync(out, 'utf8');
  // What a person adds who read the list: examples the service knows, the jobs that names suggest, and what its dates and
  // percentages mean.
  const jobs = [...drafted.replace(/\n#\s+/g, ' ').matchAll(/write (\w+: \{ start: POST \S+ \})/g)].map(
    ([, job]) => job,
  );
  expect(jobs).toHaveLength(5);
  writeFileSync(
    out,
    `${drafted
      .replace(/(?<=^# examples:$)[\s\S]*?^(?=$)/m, (lines) => lines.replace(/^# /gm, ''))
      .replace('# examples:', 'examples:')
      .replace(/^jobs:$/m, `jobs:\n  ${jobs.join('\n  ')}`)
      .replace('- CAT-RETAIL', '- CAT-RETAIL\n    - CAT-PANEL')}
dataWeek: { endsOn: saturday, firstDay: excluded }
figures: { percentChange: { of: sales52Weeks, decimals: 1 } }
`,
  );
  const simulator = await startSimulator({ products: 200 });
  try {
    const run = await judgeTarget({
      base: simulator.url,
      profile: await loadProfile(out),
      selection: { safety: 'all' },
      wait: async () => undefined,
    });
    const count = (verdict: string) => run.results.filter((each) => each.verdict === verdict).length;
    expect(run.results.filter((each) => each.verdict === 'fail' || each.verdict === 'inconclusive')).toEqual([]);
    expect(run.exitCode).toBe(0);
    // The rest needs a word no description says: which POST starts a prospect job, what tells catalogues apart.
    expect(count('pass') / (count('pass') + count('untested'))).toBeGreaterThan(0.9);
  } finally {
    await simulator.close();
  }
});

test('nothing is overwritten without --force, and the schemas are next to the profile', async () => {
  const out = at('acme.yaml');
  const text = await draftFromOpenapi([join(DESCRIPTIONS, 'acme.json'), '--out', out]);
  expect(text).toMatch(/acme\.yaml and .*acme\.schemas\.json written/);
  expect(text).toMatch(/not decided \(\d+\):\n {2}operations/);
  expect(text).toContain('set in the environment before the profile is used:\n  SUBSCRIPTION_KEY');
  const { data } = await loadProfile(out, { SUBSCRIPTION_KEY: 'x' });
  expect(data.operations?.['GET /PLATFORMAPI/prodRef/v1/allProducts']?.response?.schemas?.['200']).toMatch(
    /^acme\.schemas\.json#\/\$defs\//,
  );
  await expect(draftFromOpenapi([join(DESCRIPTIONS, 'acme.json'), '--out', out])).rejects.toThrow(
    /exists already; name another file, or give --force/,
  );
  await draftFromOpenapi([join(DESCRIPTIONS, 'acme.json'), '--out', out, '--force']);
  await expect(draftFromOpenapi([join(DESCRIPTIONS, 'acme.json'), '--out', at('x.json')])).rejects.toThrow(/\.yaml/);
});

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
  .split('')
  .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(',')}]`)
  .join('\n')}\nopenapi: 3.0.0\npaths: {}\n`;

test.each([
  ['missing.yaml', undefined, /there is no such file/],
  ['notes.txt', 'hello', /a description is a \.yaml/],
  ['broken.yaml', 'a: [', /neither valid YAML nor valid JSON/],
  ['broken.json', '{"a":', /is not JSON/],
  ['bomb.yaml', bomb, /alias/i],
  ['circle.yaml', 'openapi: 3.0.0\npaths: &p { /a: *p }', /a YAML alias refers to a node/],
  ['list.yaml', '- a', /is not an OpenAPI description/],
  ['swagger.json', '{"swagger":"2.0","paths":{}}', /is Swagger 2\.0.*convert it first.*swagger2openapi/],
  ['future.yaml', 'openapi: 4.0.0\npaths: {}', /versions 3\.0 and 3\.1 are supported/],
  ['pathless.yaml', 'openapi: 3.1.0\nwebhooks: {}', /describes no paths/],
  ['other.yaml', 'openapi: 3.1.0\npaths: { /pets: { get: {} } }', /none of the 41 operations/],
  [
    'near.yaml',
    'openapi: 3.1.0\npaths: { /PlatformApi/prodRef/v1/allProducts: { get: {} } }',
    /none of the 41.*closest: .*different case/,
  ],
  ['deep.json', `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, /nested deeper|not an OpenAPI/],
  ['deep-schema.json', `{"openapi":"3.0.0","paths":{},"x":${'['.repeat(300)}${']'.repeat(300)}}`, /nested deeper than/],
])('%s is one sentence', async (name, text, message) => {
  if (text !== undefined) writeFileSync(at(name), text);
  const error = await draftFromOpenapi([at(name)]).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error?.constructor.name).toBe('UsageError');
  expect(error?.message).toMatch(message);
  expect(error?.message).not.toContain('\n');
});

test('a folder and a file too large are refused', async () => {
  await expect(draftFromOpenapi([folder])).rejects.toThrow(/a description is a/);
  writeFileSync(at('large.yaml'), `openapi: 3.0.0\nx: ${'y'.repeat(9 << 20)}`);
  await expect(draftFromOpenapi([at('large.yaml')])).rejects.toThrow(/larger than/);
  await expect(draftFromOpenapi([])).rejects.toThrow(/file is missing/);
});
