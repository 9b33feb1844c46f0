import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseProfile } from '../profile/load.ts';
import { setAsideLeaks } from './recording.ts';

const SECRET = 'canary-7f3a9c51-do-not-write';
const profile = parseProfile(`name: t\nauth: { scheme: apiKey, in: header, name: X-Key, value: "\${KEY}" }`, 't.yaml', {
  KEY: SECRET,
});

/** A folder of recordings with one that holds a text. */
function recordingWith(text: string): string {
  const recordings = mkdtempSync(join(tmpdir(), 'mdwi-leak-'));
  onTestFinished(() => rmSync(recordings, { recursive: true, force: true }));
  mkdirSync(join(recordings, 'mine'));
  writeFileSync(join(recordings, 'mine', 'recording.har'), text);
  return recordings;
}

test.each([
  ['as it is', SECRET],
  ['in base64', Buffer.from(`x${SECRET}`).toString('base64')],
  ['in hex', Buffer.from(SECRET).toString('hex')],
])('a recording in which a credential stands %s is set aside, and the sentence does not say it', async (_, text) => {
  const recordings = recordingWith(`{"text":"${text}"}`);
  const says = await setAsideLeaks({ name: 'mine', recordings }, profile);
  expect(says).toMatch(/a secret \(.*\) stands in recording\.har at byte \d+.*set aside as .*mine\.quarantined-/);
  expect(says).not.toContain(SECRET);
  expect(existsSync(join(recordings, 'mine'))).toBe(false);
  expect(readdirSync(recordings)).toEqual([expect.stringMatching(/^mine\.quarantined-/)]);
});

test('one without stays where it is', async () => {
  const recordings = recordingWith('{"text":"nothing of the kind"}');
  expect(await setAsideLeaks({ name: 'mine', recordings, secret: ['another-secret'] }, profile)).toBeUndefined();
  expect(existsSync(join(recordings, 'mine', 'recording.har'))).toBe(true);
});
