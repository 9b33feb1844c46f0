/** Commands and functions that name no service contact nobody, whatever addresses the profile has. */

import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as api from '../api/index.ts';
import * as msw from '../api/msw.ts';
import { startMain } from '../processes.test.support.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';
import { type CommandName, USAGE } from './usage.ts';

const REFERENCE = join(import.meta.dirname, '../profile/bundled/reference.yaml');
const folder = newFolder(afterAll);
const ENV = { ACME_SECRET: 's3cret-of-acme', GITHUB_TOKEN: '', GITHUB_REPOSITORY: '' };

/** The token server and the login of the profile. */
let contacts = 0;
const elsewhere = createServer((socket) => {
  contacts += 1;
  socket.destroy();
});
beforeAll(async () => {
  for (const [name, value] of Object.entries(ENV)) vi.stubEnv(name, value);
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const credentials = `auth: { scheme: oauth2, tokenUrl: "${address}/oauth/token", clientId: me, clientSecret: "\${ACME_SECRET}" }
authFor:
  D: { scheme: login, request: { url: "${address}/login", json: { password: "\${ACME_SECRET}" } }, token: $.token, in: header, name: X-Session }`;
  const profile = readFileSync(REFERENCE, 'utf8').replace('auth: { scheme: none }', credentials);
  writeFileSync(join(folder, 'acme.yaml'), profile.replace('name: reference', 'name: acme'));
  writeFileSync(
    join(folder, 'targets.yaml'),
    'targets:\n  own: { simulator: true, profile: acme.yaml }\n  kept: { recording: kept, profile: acme.yaml }\n',
  );
  // What other commands read.
  await call('openapi --profile acme.yaml --out api.yaml');
  await call(
    'record --simulator --profile acme.yaml --name kept --rule C.upc-* --rule D.market* --report json=run.json',
  );
  const [lane = ''] = readdirSync(join(folder, 'recordings/kept')).filter((each) => !each.includes('.'));
  writeFileSync(join(folder, 'kept.har'), readFileSync(join(folder, 'recordings/kept', lane, 'recording.har')));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((resolve) => elsewhere.close(resolve));
});

/** Lets a command run in the folder to its end. A server ends with its standard input, so it has a process of its own. */
async function call(
  line: string,
): Promise<{ readonly line: string; readonly code: number | null; readonly said: string }> {
  if (!line.includes('--exit-on-stdin-close')) {
    const { code, stdout, stderr } = await perform(line.split(' '), folder);
    return { line, code, said: code === 0 ? '' : stdout + stderr };
  }
  const { child, ended } = startMain(line.split(' '), { cwd: folder, stdio: 'pipe' });
  child.stdin?.end();
  const { code, out, err } = await ended;
  return { line, code, said: code === 0 ? '' : out + err };
}

const SOME = '--rule C.upc-* --rule D.market*';

/** Calls of each command without the address of a service, as users write them; each ends with 0. */
const CALLS: Record<CommandName, readonly string[]> = {
  run: [
    `run own --config targets.yaml ${SOME}`,
    `run kept --config targets.yaml ${SOME}`,
    `run --recordings kept --profile acme.yaml ${SOME}`,
  ],
  init: ['init --simulator --openapi api.yaml --profile drafted.yaml --ci none --force'],
  plan: ['plan own --config targets.yaml'],
  profile: [
    'profile init new.yaml',
    'profile from-openapi api.yaml --out from.yaml',
    'profile check acme.yaml',
    'profile learn --simulator',
    'profile why fields.upc --simulator --max-requests 9',
    'profile check own --config targets.yaml --json',
    'profile openings acme.yaml',
    'profile try --help',
  ],
  simulate: ['simulate --profile acme.yaml --exit-on-stdin-close'],
  openapi: ['openapi --profile acme.yaml', 'openapi --profile acme.yaml --out again.json'],
  faults: ['faults'],
  oddities: ['oddities'],
  rules: ['rules --matrix'],
  explain: ['explain C.upc-12-digits'],
  demo: ['demo'],
  selftest: ['selftest --only bulk-upc-11-digits --depth quick'],
  record: [`record own --config targets.yaml --name second ${SOME}`],
  replay: ['replay kept --profile acme.yaml --exit-on-stdin-close'],
  // The address of a service is named, and gets no request before a client sends one.
  gateway: ['gateway --upstream http://127.0.0.1:1 --name fourth --profile acme.yaml --exit-on-stdin-close'],
  drift: ['drift kept second --profile acme.yaml'],
  recordings: ['recordings verify --profile acme.yaml', 'recordings prune kept --unused --profile acme.yaml'],
  import: ['import kept.har --name imported --profile acme.yaml'],
  judge: ['judge kept --profile acme.yaml', 'judge kept.har --profile acme.yaml'],
  waive: ['waive --from run.json --reason known --expires 2999-01-01'],
  compare: ['compare run.json run.json'],
  history: ['history past run.json'],
  report: ['report run.json'],
  strength: ['strength kept --profile acme.yaml --max-mutants 5'],
  // Without a repository it lists the issues.
  'github-issues': ['github-issues run.json'],
};

test.each(Object.entries(CALLS))('mdwi %s contacts nobody', async (_, lines) => {
  for (const line of lines) expect(await call(line)).toEqual({ line, code: 0, said: '' });
  expect(contacts).toBe(0);
});

test('each action of profile and recordings is called', () => {
  for (const command of ['profile', 'recordings'] as const) {
    const actions = [...USAGE[command].usage.matchAll(new RegExp(`^mdwi ${command} ([\\w-]+)`, 'gm'))];
    const called = CALLS[command].map((line) => line.split(' ')[1]);
    expect([...new Set(called)].sort()).toEqual([...new Set(actions.map(([, name]) => name))].sort());
  }
});

/** Sends requests that need a token and a session, and closes what was opened. */
async function request(server: { url: string; fetch?: typeof fetch; close?: () => Promise<void> }): Promise<void> {
  const send = server.fetch ?? fetch;
  for (const path of ['/PLATFORMAPI/prodRef/v1/allCategories', '/RetailMeasurement/v1/BrandPerformance/Metadata'])
    await (await send(new Request(server.url + path))).text();
  await server.close?.();
}

/** Uses of each function of the package without the address of a service. */
function uses(): Record<keyof typeof api | keyof typeof msw, () => Promise<unknown>> {
  const profile = join(folder, 'acme.yaml');
  const recorded = { recording: 'kept', recordingsDir: join(folder, 'recordings'), profile };
  const rules = ['C.upc-*', 'D.market*'];
  const nothing = async () => undefined;
  const handle = async (simulator: Parameters<typeof msw.handlersFor>[0]) => msw.handlersFor(simulator);
  return {
    startSimulator: async () => request((await api.startSimulator({ profile })) as never),
    createSimulator: async () => request((await api.createSimulator({ profile })) as never),
    startReplay: async () => request((await api.startReplay(recorded)) as never),
    createReplay: async () => request((await api.createReplay(recorded)) as never),
    run: async () => {
      const { outcome } = await api.run({ simulator: true, profile, rules });
      const replayed = await api.run({ ...recorded, rules });
      expect([outcome, replayed.outcome]).toEqual(['conformant', 'conformant']);
    },
    handlersFor: async () => handle(await api.createSimulator({ profile })),
    createHandlers: async () => request((await msw.createHandlers({ profile: 'terse' })).simulator as never),
    defineConfig: nothing,
    defineProfile: nothing,
    ProfileError: nothing,
    UsageError: nothing,
  };
}

test.each([...Object.keys(api), ...Object.keys(msw)])('the function %s contacts nobody', async (name) => {
  await uses()[name as keyof typeof api]();
  expect(contacts).toBe(0);
});
