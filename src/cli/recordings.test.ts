import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway } from '../../simulator/gateway/gateway.ts';
import type { Har, HarEntry, Provenance } from '../recording/format/schema.ts';
import { openRecording } from '../recording/store/open-recording.ts';
import type { ProblemKind } from '../recording/verify/finding.ts';
import { exitCodeOf, type Verification, verifyRecording } from '../recording/verify/verify.ts';
import { newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

const sound = newFolder(afterAll);
beforeAll(async () => {
  await perform([
    ...['record', '--name', 'c', '--recordings', sound],
    ...['--products', '20', '--group', 'C', '--ask-once'],
  ]);
  const long = `{"long":"${'x'.repeat(70_000)}"}\n`;
  const bodies = new Map<string, string | Buffer>([
    ['/image', Buffer.from([1, 13, 10, 200])],
    ['/long', long],
    ['/list', JSON.stringify({ rows: Array.from({ length: 80 }, (_, at) => at) })],
  ]);
  const server = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/image' ? 'image/png' : 'application/json');
    response.end(bodies.get(request.url ?? '') ?? '{"a":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const about = { suite: 'test', source: 'live', profile: 'empty' } as const;
  const gateway = await startGateway({ upstream, dir: sound, name: 'g', about });
  const ask = async (path: string, options: RequestInit = {}): Promise<string> =>
    (await fetch(`${gateway.url}${path}`, options)).text();
  for (const path of ['/webservices/testService', '/image', '/long', '/list', '/same', '/same']) await ask(path);
  await ask('/post', { method: 'POST', body: '{"b":1}', headers: { authorization: 'Bearer abcdefgh12345678' } });
  await fetch(`${gateway.urlOf('ci')}/in-lane`).then((each) => each.text());
  await gateway.close();
  server.close();
});

/** A copy of the sound recordings, for somebody to damage. */
function copied(name: string): { readonly dir: string; readonly folder: string } {
  const dir = newFolder();
  cpSync(join(sound, name), join(dir, name), { recursive: true });
  return { dir, folder: join(dir, name) };
}

const LANE = 'main_3935363592/recording.har';

function editJson<T>(file: string, edit: (value: T) => void): void {
  const value = JSON.parse(readFileSync(file, 'utf8'));
  edit(value);
  writeFileSync(file, JSON.stringify(value));
}
const entryFor = ({ log }: Har, path: string): HarEntry =>
  log.entries.find(({ request }) => request.url.endsWith(path)) as HarEntry;
const editEntry = (folder: string, path: string, edit: (entry: HarEntry, har: Har) => void): void =>
  editJson<Har>(join(folder, LANE), (har) => edit(entryFor(har, path), har));
const editAbout = (folder: string, edit: (about: Provenance) => void): void =>
  editJson(join(folder, 'provenance.json'), edit);
/** The side file that begins with this byte. */
const sideFile = (folder: string, first: number): string =>
  readdirSync(join(folder, 'bodies'))
    .map((each) => join(folder, 'bodies', each))
    .find((each) => readFileSync(each)[0] === first) as string;

/** Runs the command in this process and returns its output. */
const mdwi = (...args: string[]) => mdwiAs('recordings', ...args);

async function mdwiAs(...args: string[]): Promise<{ readonly code: number; readonly said: string }> {
  const { code, stdout, stderr } = await perform(args);
  return { code, said: stdout + stderr };
}

async function verified(dir: string, name: string, ...flags: string[]) {
  const report = join(dir, 'report.json');
  const { code, said } = await mdwi('verify', name, '--recordings', dir, '--report', `json=${report}`, ...flags);
  const { exitCode, recordings } = JSON.parse(readFileSync(report, 'utf8')) as {
    exitCode: number;
    recordings: Verification[];
  };
  expect(exitCode).toBe(code);
  const [one] = recordings as [Verification];
  return { code, said, one, kinds: one.findings.map(({ kind }) => kind) };
}

test('the former name of the command still works, and no help shows it', async () => {
  const { dir } = copied('c');
  const verify = ['verify', 'c', '--recordings', dir];
  const current = await mdwiAs('recordings', ...verify);
  expect(current.code).toBe(0);
  expect(await mdwiAs('fixtures', ...verify)).toEqual(current);
  const help = await mdwiAs('recordings', '--help');
  expect(help.said).toMatch(/^mdwi recordings verify/);
  expect(await mdwiAs('fixtures', '--help')).toEqual(help);
  expect((await mdwiAs('--help')).said).not.toContain('fixtures');
  expect((await mdwiAs('fixture')).said).not.toContain('fixtures');
});

test('a recording by the suites is sound: nothing missing, nothing unused', async () => {
  const { code, one, said } = await verified(copied('c').dir, 'c', '--strict');
  expect(one.findings.map(({ kind }) => kind)).toEqual(['unmapped']);
  expect({ code, lanes: one.lanes, operations: one.operations, reloads: one.reloads }).toEqual({
    ...{ code: 0, lanes: 1, operations: 5, reloads: 0 },
  });
  expect(one.used).toBeGreaterThan(20);
  expect(said).toMatch(/valid: no errors, no warnings/);
});

test('a recording of other clients is sound, too, and its coverage is not checked', async () => {
  const { code, one, kinds } = await verified(copied('g').dir, 'g', '--strict');
  expect({ code, kinds }).toEqual({ code: 0, kinds: ['set', 'unmapped'] });
  expect(one).toMatchObject({ lanes: 2, entries: 8, operations: 1, unmapped: 7, about: { source: 'live' } });
  expect(one.largest[0]?.bytes).toBeGreaterThan(70_000);
});

interface Damage {
  readonly kind: ProblemKind;
  readonly code: number;
  readonly says: RegExp;
  readonly flags?: readonly string[];
  do(folder: string): void;
}
const SECRET = 'zz-9f3b7c61d2e84a50';

const DAMAGES: Record<string, Damage> = {
  'a lane that is no JSON': {
    ...{ kind: 'damaged', code: 2, says: /recording\.har is not JSON/ },
    do: (folder) => writeFileSync(join(folder, LANE), readFileSync(join(folder, LANE), 'utf8').slice(0, 500)),
  },
  'an entry without its key': {
    ...{ kind: 'damaged', code: 2, says: /log\.entries\[\d+\]\._mdwi\.key/ },
    do: (folder) => editEntry(folder, '/image', (entry) => Reflect.deleteProperty(entry._mdwi, 'key')),
  },
  'no provenance': {
    ...{ kind: 'damaged', code: 2, says: /provenance\.json: is missing; restore it/ },
    do: (folder) => rmSync(join(folder, 'provenance.json')),
  },
  'a provenance of another form': {
    ...{ kind: 'damaged', code: 2, says: /provenance\.json is not a provenance of a recording \(source/ },
    do: (folder) => editAbout(folder, (about) => Object.assign(about, { source: 'elsewhere' })),
  },
  'a side file that is gone': {
    ...{ kind: 'side file missing', code: 2, says: /GET \/image: its body is in bodies\/sha256-\w+, which is missing/ },
    do: (folder) => rmSync(sideFile(folder, 1)),
  },
  'a side file that is cut': {
    ...{ kind: 'side file changed', code: 2, says: /has other content than the recorded file \(3 bytes, recorded 4\)/ },
    do: (folder) => writeFileSync(sideFile(folder, 1), Buffer.from([1, 13, 10])),
  },
  'a side file with the line endings of another system': {
    ...{ kind: 'side file changed', code: 2, says: /other line endings.*bodies\/\*\* -text/ },
    do: (folder) =>
      writeFileSync(sideFile(folder, 0x7b), readFileSync(sideFile(folder, 0x7b), 'utf8').replace('\n', '\r\n')),
  },
  'a body nobody names': {
    ...{ kind: 'orphan', code: 0, says: /sha256-0+: is not named by any entry; mdwi recordings prune/ },
    do: (folder) => writeFileSync(join(folder, 'bodies', `sha256-${'0'.repeat(64)}`), 'x'),
  },
  'a file a killed recorder left': {
    ...{ kind: 'leftover', code: 0, says: /1-1\.part: is an unfinished file/ },
    do: (folder) => writeFileSync(join(folder, 'bodies', '1-1.part'), 'x'),
  },
  'a file of somebody else': {
    ...{ kind: 'stranger', code: 0, says: /notes\.txt: is not part of a recording/ },
    do: (folder) => writeFileSync(join(folder, 'notes.txt'), 'x'),
  },
  'an empty folder': {
    ...{ kind: 'stranger', code: 0, says: /old_1: is an empty folder/ },
    do: (folder) => mkdirSync(join(folder, 'old_1')),
  },
  'a key of another request': {
    ...{
      kind: 'wrong key',
      code: 2,
      says: /GET \/elsewhere: its key does not match its request, whose key is “GET \/image”/,
    },
    do: (folder) => editEntry(folder, '/image', ({ _mdwi }) => Object.assign(_mdwi, { key: 'GET /elsewhere' })),
  },
  'a request of another body': {
    ...{ kind: 'wrong key', code: 2, says: /POST \/post/ },
    do: (folder) =>
      editEntry(folder, '/post', ({ request }) => Object.assign(request.postData ?? {}, { text: '{"b":2}' })),
  },
  'an operation that is another one': {
    ...{
      kind: 'wrong operation',
      code: 2,
      says: /it names no operation, but its path is of GET \/webservices\/testService/,
    },
    do: (folder) => editEntry(folder, '/testService', ({ _mdwi }) => Reflect.deleteProperty(_mdwi, 'operation')),
  },
  'an id that is not Polly’s': {
    ...{ kind: 'wrong id', code: 2, says: /GET \/image: its _id is not the one that stock Polly computes/ },
    do: (folder) => editEntry(folder, '/image', (entry) => Object.assign(entry, { _id: 'f00' })),
  },
  'a folder that is not Polly’s': {
    ...{ kind: 'wrong id', code: 2, says: /holds the lane “main”.*rename the folder to main_3935363592/ },
    do: (folder) => renameSync(join(folder, dirname(LANE)), join(folder, 'main')),
  },
  'a sequence with a hole': {
    ...{ kind: 'wrong order', code: 2, says: /GET \/same: its responses have the order 1, not 0 to 0/ },
    do: (folder) =>
      editEntry(folder, '/same', (entry, { log }) => void log.entries.splice(log.entries.indexOf(entry), 1)),
  },
  'a lane that is gone': {
    ...{ kind: 'lane missing', code: 2, says: /the lane “main”, which the provenance names, is missing/ },
    do: (folder) => rmSync(join(folder, dirname(LANE)), { recursive: true }),
  },
  'a lane that is not named': {
    ...{ kind: 'lane not named', code: 0, says: /holds the lane “ci”, which the provenance does not name/ },
    do: (folder) => editAbout(folder, (about) => about.lanes.splice(0, 1)),
  },
  'another answer than the one laid out for people': {
    ...{
      kind: 'wrong copy',
      code: 2,
      says: /GET \/list: the indented copy in `readable` differs from content\.text/,
    },
    do: (folder) =>
      editEntry(folder, '/list', ({ response: { content } }) =>
        Object.assign(content, { text: content.text?.replace('39', '40') }),
      ),
  },
  'the true origin in a header': {
    ...{ kind: 'origin left', code: 2, says: /the header x-next holds http:\/\/127\.0\.0\.1:\d+ in place of/ },
    do: (folder) => {
      const { upstream } = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8'));
      editEntry(folder, '/image', ({ _mdwi }) => _mdwi.responseHeaders?.push(['x-next', `${upstream}/2`]));
    },
  },
  'the true origin in a text': {
    ...{ kind: 'origin left', code: 2, says: /GET \/same: the body holds http:/ },
    do: (folder) => {
      const { upstream } = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8'));
      editEntry(folder, '/same', ({ response }) =>
        Object.assign(response.content, { text: `{"next":"${upstream}/2"}` }),
      );
    },
  },
  'a recorder that was killed before it scanned': {
    ...{ kind: 'not scanned', code: 2, says: /not yet scanned for secrets/ },
    do: (folder) => editAbout(folder, ({ redaction }) => Object.assign(redaction, { scan: 'pending' })),
  },
  'an edit after the scan': {
    ...{ kind: 'changed since scan', code: 0, says: /the receipt is for other contents/ },
    do: (folder) => editEntry(folder, '/same', ({ response }) => Object.assign(response.content, { text: '{"a":2}' })),
  },
  'a lock': {
    ...{ kind: 'being recorded', code: 0, says: /\.lock: the recording is being recorded/ },
    do: (folder) => writeFileSync(join(folder, '.lock'), '{"pid":1,"host":"elsewhere"}'),
  },
  'a credential put back': {
    ...{ kind: 'secret', code: 6, says: /POST \/post: the header authorization of the request holds what looks like/ },
    do: (folder) =>
      editEntry(folder, '/post', ({ _mdwi }) => {
        _mdwi.requestHeaders = _mdwi.requestHeaders.map(([name, value]) => [
          name,
          name.toLowerCase() === 'authorization' ? 'Bearer Kx7f3eA91cQ2' : value,
        ]);
      }),
  },
  'a token in an answer': {
    ...{ kind: 'secret', code: 6, says: /GET \/same: the body of the response holds what looks like a secret/ },
    do: (folder) =>
      editEntry(folder, '/same', ({ response }) =>
        Object.assign(response.content, { text: '{"access_token":"Kx7f3eA91cQ2mZ0pL4"}' }),
      ),
  },
  'a declared secret, in hex, in a side file': {
    ...{ kind: 'secret', code: 6, says: /holds a secret \(secret, form hex\)/, flags: ['--secret', SECRET] },
    do: (folder) => writeFileSync(sideFile(folder, 1), Buffer.from(SECRET).toString('hex')),
  },
  'a recording that is too large': {
    ...{
      kind: 'over size',
      code: 1,
      says: /takes 0\.1 MB, more than 0; largest are bodies\/sha256-\w+ \(0\.1 MB, GET \/long\)/,
    },
    flags: ['--max-size', '0'],
    do: () => undefined,
  },
  'a recording that is too old': {
    ...{
      kind: 'over age',
      code: 1,
      says: /is 3 weekly reloads old, more than 2; record again/,
      flags: ['--max-age', '2'],
    },
    do: (folder) =>
      editAbout(folder, (about) =>
        Object.assign(about, { recordedAt: new Date(Date.now() - 22 * 24 * 3_600_000).toISOString() }),
      ),
  },
};

describe('a recording with', () => {
  test.each(Object.entries(DAMAGES))('%s is found out', async (_, damage) => {
    const { dir, folder } = copied('g');
    damage.do(folder);
    const { kinds, code, said } = await verified(dir, 'g', ...(damage.flags ?? []));
    expect(kinds).toContain(damage.kind);
    expect(said).toMatch(damage.says);
    expect(said).not.toContain(SECRET);
    expect(code).toBe(damage.code);
    if (code === 0) expect((await verified(dir, 'g', '--strict')).code).toBe(1);
  });
});

test('missing and unused requests are reported, with what to do', async () => {
  const { dir, folder } = copied('c');
  editJson<Har>(join(folder, LANE), ({ log }) => {
    log.entries = log.entries.filter(({ request }) => !request.url.endsWith('/allCategories'));
  });
  const missing = await verified(dir, 'c');
  expect(missing.said).toMatch(
    /warning GET \/PLATFORMAPI\/prodRef\/v1\/allCategories: the suites request it \(of C\), but it is not recorded; mdwi record --simulator --name c --profile reference --safety all --products 20 --operation/,
  );
  expect((await mdwi('prune', 'c', '--unused', '--recordings', dir)).said).toMatch(
    /requests of the rules are not recorded.*record again first: mdwi record/,
  );

  const other = copied('c');
  const flags = ['--safety', 'all', '--operation', 'GET /PLATFORMAPI/prodRef/v1/allCategories'];
  editAbout(other.folder, (about) => Object.assign(about, { made: [{ command: 'record', flags }] }));
  const unused = await verified(other.dir, 'c');
  expect(unused.kinds).toContain('unused');
  expect(unused.code).toBe(0);
  expect(unused.said).toMatch(/no step of the suites requests it.*mdwi recordings prune --unused removes it/);

  const shown = await mdwi('prune', 'c', '--unused', '--recordings', other.dir);
  expect(shown.said).toMatch(/c: \d+ entries and 0 files .* would be removed; --yes removes them/);
  expect((await verified(other.dir, 'c')).one.entries).toBe(unused.one.entries);
  expect((await mdwi('prune', 'c', '--unused', '--yes', '--recordings', other.dir)).code).toBe(0);
  const left = await verified(other.dir, 'c', '--strict');
  expect(left).toMatchObject({ code: 0, kinds: ['unmapped'] });
  expect(left.one.entries).toBeLessThan(unused.one.entries);
});

test('prune removes what no entry names, and nothing while the recording is written', async () => {
  const { dir, folder } = copied('g');
  writeFileSync(join(folder, 'bodies', `sha256-${'0'.repeat(64)}`), 'x');
  mkdirSync(join(folder, 'bodies'), { recursive: true });
  writeFileSync(join(folder, 'bodies', '1-1.part'), 'x');
  const lock = join(folder, '.lock');
  writeFileSync(lock, '{"pid":1,"host":"elsewhere"}');
  const locked = await mdwi('prune', 'g', '--yes', '--recordings', dir);
  expect(locked).toMatchObject({
    code: 2,
    said: expect.stringContaining('is being recorded by process 1 on elsewhere'),
  });
  rmSync(lock);
  expect((await mdwi('prune', 'g', '--recordings', dir)).said).toMatch(/0 entries and 2 files .* would be removed/);
  expect((await mdwi('prune', 'g', '--unused', '--yes', '--recordings', dir)).said).toMatch(
    /contains requests of other clients/,
  );
  expect((await mdwi('prune', 'g', '--yes', '--recordings', dir)).said).toMatch(/0 entries and 2 files .* removed/);
  expect((await verified(dir, 'g', '--strict')).code).toBe(0);
  expect(openRecording(dir, 'g').lanes.size).toBe(2);
  writeFileSync(join(folder, LANE), '{');
  expect(await mdwi('prune', 'g', '--yes', '--recordings', dir)).toMatchObject({
    code: 2,
    said: expect.stringContaining('is damaged'),
  });
});

test('recording a part again keeps the rest, and the options it was recorded with', async () => {
  const { dir, folder } = copied('c');
  const before = openRecording(dir, 'c');
  await perform([
    ...['record', '--name', 'c', '--recordings', dir, '--products', '20', '--ask-once'],
    ...['--operation', 'GET /PLATFORMAPI/prodRef/v1/allCategories'],
  ]);
  const after = openRecording(dir, 'c');
  expect([...(after.lanes.get('main')?.keys() ?? [])]).toEqual(
    expect.arrayContaining([...(before.lanes.get('main')?.keys() ?? [])]),
  );
  expect(readFileSync(join(folder, LANE), 'utf8')).toBe(readFileSync(join(sound, 'c', LANE), 'utf8'));
  const { one, code } = await verified(dir, 'c', '--strict');
  expect({ code, kinds: one.findings.map(({ kind }) => kind) }).toEqual({ code: 0, kinds: ['unmapped'] });
});

test('the age counts whole weekly reloads, by the clock that is given', async () => {
  const folder = join(sound, 'g');
  const { recordedAt } = JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8')) as Provenance;
  const ageAt = async (days: number) => {
    const now = new Date(Date.parse(recordedAt) + days * 86_400_000);
    const protectionFor = async () => ({ options: {}, findings: [] });
    const { reloads, findings } = await verifyRecording(folder, { now, maxAge: 1, protectionFor });
    return [reloads, exitCodeOf(findings)];
  };
  expect([await ageAt(-3), await ageAt(6.9), await ageAt(7), await ageAt(20)]).toEqual([
    [0, 0],
    [0, 0],
    [1, 0],
    [2, 1],
  ]);
});

test('wrong use is one clear sentence', async () => {
  const { dir } = copied('g');
  const said = async (...args: string[]) => {
    const { code, said: text } = await mdwi(...args, ...(args.includes('--recordings') ? [] : ['--recordings', dir]));
    expect(code).toBe(2);
    expect(text.trim().split('\n')).toHaveLength(1);
    return text;
  };
  expect(await said('verify', 'nonesuch')).toMatch(/there is no recording .*nonesuch; there are: g/);
  expect(await said('verify', '--recordings', join(dir, 'x'))).toMatch(/there is no folder .*x; name the folder/);
  expect(await said('verify', '--max-age=-1')).toMatch(/--max-age -1: a whole number/);
  expect(await said('verify', '--yes')).toMatch(/--yes is not a flag of mdwi recordings verify/);
  expect(await said('verify', 'g', '--profile', 'nonesuch')).toMatch(/nonesuch: there is no such file/);
  expect(await said('prune', 'g', '--strict')).toMatch(/--strict is not a flag of mdwi recordings prune/);
  expect(await said('prune')).toMatch(/the name of the recording is missing/);
  expect(await said('prune', 'reference')).toMatch(/reference comes with the package/);
  expect(await said('tidy')).toMatch(/there is no “mdwi recordings tidy”; there are: verify, prune/);
});
