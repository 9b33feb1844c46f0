/** A recording of a service with signatures or sessions is replayed without them, and contains none. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatorServer } from '../commands/start-simulator.ts';
import { bundledPath } from '../profile/bundled.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

const REFERENCE = readFileSync(bundledPath('reference.yaml'), 'utf8');
const KEY = 'k3y-0f-the-c1ient';

// Sessions are opened in the response of an operation; group B carries the token in bodies, group C signs requests.
const CREDENTIALS = `auth:
  scheme: login
  request: &login { method: GET, url: /webservices/testService, query: { account: acme-retail, pin: "$\{ACME_KEY}" } }
  token: $.DATA.SID
  in: query
  name: sid
authFor:
  B: { scheme: login, request: *login, token: $.DATA.SID, in: body, name: ticket }
  C:
    scheme: hmac
    algorithm: sha256
    key: "$\{ACME_KEY}"
    message: "{method}\\n{target}\\n{host}\\n{timestamp}\\n{bodySha256Hex}"
    encoding: base64
    headers: { Authorization: "ACME KeyId=me, Sig={signature}", X-Time: "{timestamp}" }
    query: { nonce: "{nonce}" }
authRequired: [A, B, C]`;

const OPERATIONS = [
  'GET /webservices/getAllProspectFilters',
  'POST /data-access/v1/Catalogue/LogicalDimensions',
  'GET /PLATFORMAPI/prodRef/v1/allCategories',
];

const provable = ({ stdout }: { readonly stdout: string }) => /provable .*/.exec(stdout)?.[0];

test('sessions and signatures are recorded, replayed and sent again without a value of theirs', async () => {
  const folder = newFolder();
  const file = join(folder, 'acme.yaml');
  writeFileSync(file, REFERENCE.replace('auth: { scheme: none }', CREDENTIALS));
  process.env.ACME_KEY = KEY;
  onTestFinished(() => void delete process.env.ACME_KEY);
  const simulator = await startSimulatorServer({ profile: file, products: 30 });
  onTestFinished(() => simulator.close());
  const service = ['--base-url', simulator.url, '--profile', file];
  const checks = [
    '--rule',
    'every.served',
    '--rule',
    'every.credentials',
    ...OPERATIONS.flatMap((key) => ['--operation', key]),
  ];
  const recorded = await perform([
    'record',
    ...service,
    '--name',
    'acme',
    '--recordings',
    folder,
    ...checks,
    '--ask-once',
  ]);
  const stored = ['--recordings', 'acme', '--recordings-dir', folder];
  const replayed = await perform(['run', ...stored, '--profile', file, ...checks]);
  expect([recorded.code, replayed.code, provable(recorded)]).toEqual([0, 0, provable(replayed)]);
  const compared = await perform(['drift', 'acme', ...service, '--recordings', folder]);
  expect(compared.stdout).toMatch(/^0 verdict changed · 0 breaking shape · 0 additive shape · 0 data · 0 volatile/m);
  expect(compared.stdout).not.toContain('not compared');
  const texts = globSync('acme/**/*.*', { cwd: folder }).map((each) => readFileSync(join(folder, each), 'latin1'));
  expect(texts.join('\n')).toContain('mdwiAuthorization');
  expect(texts.join('\n')).not.toMatch(/Sig=|nonce=[\da-f]{8}-|mdwi-[\da-f]{8}-|k3y-0f/);
});
