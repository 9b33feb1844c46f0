import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { startSimulator } from '../../simulator/server.ts';
import { newFolder } from '../resources.test.support.ts';
import { UsageError } from '../usage-error.ts';
import { openQuestions } from './init/ask.ts';
import { CI_FILES, configText, type Starter } from './init/starter-files.ts';
import { perform } from './perform.test.support.ts';

const mdwi = (folder: string, ...args: string[]) => perform(args, folder);

test('init writes files that work, judges the target, and replaces nothing without --force', async () => {
  const simulator = await startSimulator({ products: 20 });
  onTestFinished(() => simulator.close());
  const root = newFolder();
  const dir = join(root, 'api');
  mkdirSync(join(root, '.git'));
  mkdirSync(dir);
  const first = await mdwi(dir, 'init', '--base-url', simulator.url, '--ci', 'github');
  expect([first.code, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toMatch(/outcome +partial \(ABCD, read, standard\)/);
  expect(readFileSync(join(dir, 'mdwi.config.yaml'), 'utf8')).toContain(`baseUrl: "${simulator.url}"`);
  const workflow = parseYaml(readFileSync(join(root, '.github/workflows/mdwi.yml'), 'utf8'));
  expect(workflow.jobs.conformance.defaults.run['working-directory']).toBe('api');
  writeFileSync(join(dir, 'profile.yaml'), 'name: mine');
  const again = await mdwi(dir, 'init', '--base-url', simulator.url);
  expect(again).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('mdwi.config.yaml exists already; give --force'),
  });
  expect(readFileSync(join(dir, 'profile.yaml'), 'utf8')).toBe('name: mine');
  expect((await mdwi(dir, 'profile', 'check', 'profile.yaml')).code).toBe(0);
});

test('init names what the drafted profile needs in place of a run that cannot be made', async () => {
  const dir = newFolder();
  const description = {
    openapi: '3.0.3',
    info: { title: 'Acme', version: '1' },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Acme-Key' } } },
    security: [{ key: [] }],
    paths: { '/PLATFORMAPI/prodRef/v1/allCategories': { get: { responses: { 200: { description: 'ok' } } } } },
  };
  writeFileSync(join(dir, 'openapi.json'), JSON.stringify(description));
  const args = ['--base-url', 'http://127.0.0.1:1', '--openapi', 'openapi.json', '--ci', 'gitlab', '--name', 'qa'];
  const { code, stdout, stderr } = await mdwi(dir, 'init', ...args);
  expect([code, stderr]).toEqual([0, '']);
  const [, variable = ''] = /The profile needs (\w+): set it .*npx mdwi run qa/.exec(stdout) ?? [];
  expect(variable).toMatch(/KEY/);
  expect(parseYaml(readFileSync(join(dir, 'mdwi.config.yaml'), 'utf8')).secrets).toEqual([variable]);
  expect(readFileSync(join(dir, 'mdwi.gitlab-ci.yml'), 'utf8')).toContain(variable);
});

test('without a terminal and an address, init says what is missing', async () => {
  const ended = await mdwi(newFolder(), 'init');
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--base-url URL is missing') });
});

test.each(Object.keys(CI_FILES) as (keyof typeof CI_FILES)[])(
  'the file for %s runs the target and keeps reports',
  (ci) => {
    const starter: Starter = {
      name: 'staging',
      baseUrl: 'https://staging.example',
      profile: 'acme.yaml',
      variables: ['ACME_KEY'],
      folder: '',
      isDependency: true,
    };
    const text = CI_FILES[ci].text(starter);
    const { jobs, conformance = jobs.conformance } = parseYaml(text);
    const commands = JSON.stringify(conformance.steps ?? conformance.script);
    expect(commands).toContain('npm ci');
    expect(commands).toContain('npx mdwi run staging --report json=run.json');
    expect(text).toContain('ACME_KEY');
    expect(JSON.stringify(conformance)).toMatch(/always/);
  },
);

test.each(['staging', '1.10', '2026', 'null', 'true', '0x10'])(
  'the target %s has this name in the configuration',
  (name) => {
    const rest = { profile: 'profile.yaml', variables: [], folder: '', isDependency: true };
    for (const baseUrl of [undefined, 'https://staging.example'])
      expect(Object.keys(parseYaml(configText({ name, baseUrl, ...rest })).targets)).toEqual([name]);
  },
);

test('a question is repeated until its answer is allowed, and ends with the input', async () => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const answers = ['maybe', ''];
  let shown = '';
  output.on('data', (text: string) => {
    shown += text;
    if (text.includes('CI file')) input.write(`${answers.shift()}\n`);
    if (text.includes('Name')) input.end();
  });
  const { ask, close } = openQuestions(input, output);
  const check = (answer: string) => {
    if (answer !== 'none') throw new UsageError(`${answer} is not allowed`);
  };
  expect(await ask({ text: 'CI file', fallback: 'none', check })).toBe('none');
  expect(shown).toContain('CI file [none]: maybe is not allowed\n');
  await expect(ask({ text: 'Name', check })).rejects.toThrow('the input ended before every question was answered');
  close();
});
