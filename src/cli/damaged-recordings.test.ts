/** A damaged recording is refused by every command that reads it: it never becomes a verdict on a service. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodeOf, verifyRecording } from '../recording/verify/verify.ts';
import { newFolder } from '../resources.test.support.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { UsageError } from '../usage-error.ts';
import { drift } from './drift.ts';
import { judge } from './judge.ts';
import { record } from './record.ts';
import { replay } from './replay.ts';
import { run } from './run.ts';

const dir = newFolder(afterAll);
beforeAll(async () => {
  const args = ['--name', 'whole', '--recordings', dir, '--rule', 'C.upc-12-digits', '--quiet'];
  expect(await record(['--simulator', ...args, '--products', '400'])).toBe(0);
});

const VERIFYING = {
  now: new Date(),
  protectionFor: async () => ({ options: {}, findings: [] }),
};

// biome-ignore lint/suspicious/noExplicitAny: an entry of any form.
type Entry = any;
type Damage = readonly [what: string, change: (entry: Entry) => void];

const line = fc.string({ unit: 'grapheme-ascii', maxLength: 5 });
/** A text that ends a header line. */
const ended = fc.tuple(line, fc.constantFrom('\r\n', '\n', '\r', '\0'), line).map((parts) => parts.join(''));
const noText = fc.constantFrom<unknown>(null, 7, true, ['a'], { a: 1 });
const noToken = fc.oneof(ended, fc.constantFrom('', 'X Y', 'X-é', 'X:', ' X', 'X-Ω'));

const set = (what: string, values: fc.Arbitrary<unknown>, change: (entry: Entry, value: unknown) => void) =>
  values.map((value): Damage => [`${what} ${JSON.stringify(value)}`, (entry) => change(entry, value)]);

const DAMAGES = fc.oneof(
  set('status', fc.constantFrom<unknown>(99, 0, -200, 199, 1000, 200.5, '200', null), (entry, value) => {
    entry.response.status = value;
  }),
  set('reason', fc.oneof(ended, noText), (entry, value) => {
    entry._mdwi.reason = value;
  }),
  set('value of a header', fc.oneof(ended, noText), (entry, value) => entry._mdwi.responseHeaders.push(['X-A', value])),
  set('name of a header', fc.oneof(noToken, noText), (entry, value) => entry._mdwi.responseHeaders.push([value, 'a'])),
  set('header', noText, (entry, value) => entry._mdwi.responseHeaders.push(value)),
  set('header of the request', noToken, (entry, value) => entry._mdwi.requestHeaders.push([value, 'a'])),
  set('trailer', noToken, (entry, value) => {
    entry._mdwi.trailers = [[value, 'a']];
  }),
  set('interim response', fc.constantFrom(99, 101, 200), (entry, status) => {
    entry._mdwi.interim = [{ status, headers: [] }];
  }),
  set('header of an interim response', noToken, (entry, value) => {
    entry._mdwi.interim = [{ status: 103, headers: [[value, 'a']] }];
  }),
  set('method', fc.oneof(noToken, noText), (entry, value) => {
    entry.request.method = value;
  }),
  set(
    'URL',
    fc.oneof(
      noText,
      fc.constantFrom(
        '',
        '/x',
        'http://other.example/x',
        'http://upstream.invalid.example/x',
        'http://upstream.invalid/a\r\nb',
      ),
    ),
    (entry, value) => {
      entry.request.url = value;
    },
  ),
  set('missing', fc.constantFrom('response', 'request', '_mdwi', '_order'), (entry, member) => {
    delete entry[member as string];
  }),
  set('without the headers of its response', fc.constant(''), (entry) => {
    delete entry._mdwi.responseHeaders;
  }),
  set('encoding of the body', fc.constantFrom('base64', 'utf8'), (entry, value) => {
    entry.response.content.encoding = value;
  }),
  set('body', fc.oneof(noText, fc.constant('a\ud800')), (entry, value) => {
    delete entry._mdwi.responseBody;
    entry.response.content.text = value;
  }),
  set('body twice', fc.constant('x'), (entry, value) => {
    entry._mdwi.responseBody = { file: `bodies/sha256-${'0'.repeat(64)}`, bytes: 0 };
    entry.response.content.text = value;
  }),
  set(
    'side file',
    fc.constantFrom('../provenance.json', 'bodies/x', `bodies/sha256-${'0'.repeat(64)}`),
    (entry, file) => {
      delete entry.response.content.text;
      entry._mdwi.responseBody = { file, bytes: 3 };
    },
  ),
);

/** Writes a damaged copy of the recording. */
function damage([, change]: Damage, at: number): string {
  const name = 'damaged';
  rmSync(join(dir, name), { recursive: true, force: true });
  cpSync(join(dir, 'whole'), join(dir, name), { recursive: true });
  const lane = readdirSync(join(dir, name)).find((each) => each.startsWith('main')) as string;
  const file = join(dir, name, lane, 'recording.har');
  const har = JSON.parse(readFileSync(file, 'utf8'));
  change(har.log.entries[at % har.log.entries.length]);
  writeFileSync(file, JSON.stringify(har));
  return file;
}

test('a damaged entry ends each command with 2, and the sentence names file and entry', async () => {
  await fc.assert(
    fc.asyncProperty(DAMAGES, fc.nat(50), async (drawn, at) => {
      const file = damage(drawn, at);
      const readers: readonly (() => Promise<number>)[] = [
        () => run(['--recordings', 'damaged', '--recordings-dir', dir, '--quiet']),
        () => judge(['damaged', '--recordings', dir, '--quiet']),
        () => drift(['whole', 'damaged', '--recordings', dir]),
        () => drift(['damaged', 'whole', '--recordings', dir]),
        () => replay(['damaged', '--recordings', dir, '--exit-on-stdin-close']),
      ];
      for (const read of readers) {
        const refusal = await read().catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(UsageError);
        expect((refusal as Error).message).toContain(file);
        expect((refusal as Error).message).toMatch(
          /(?:entries\[\d+\]|the response to GET \S+).*: restore it, or record again$/s,
        );
      }
      const verified = await verifyRecording(join(dir, 'damaged'), VERIFYING);
      expect(exitCodeOf(verified.findings)).toBe(2);
    }),
    { numRuns: 25 },
  );
});
