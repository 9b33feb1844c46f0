import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Provenance } from '../recording/format/schema.ts';
import { newFolder } from '../resources.test.support.ts';
import { BUNDLED_RECORDINGS, findRecording, profileOfRecording, recordingsFolderOf } from './open-replay.ts';

test('a recording that the user does not have is searched for among those of the package', () => {
  const dir = newFolder();
  expect(recordingsFolderOf('reference', dir)).toBe(BUNDLED_RECORDINGS);
  expect(findRecording('reference', join(dir, 'nowhere'))).toMatchObject({
    name: 'reference',
    about: { source: 'simulator' },
  });
  expect(recordingsFolderOf('../recordings/reference', dir)).toBe(dir);
  mkdirSync(join(dir, 'reference'));
  expect(recordingsFolderOf('reference', dir)).toBe(dir);
  expect(() => findRecording('reference', dir)).toThrow('holds no recording');
});

test('the profile it was recorded with is found by its file, unless that would be run', async () => {
  const dir = newFolder();
  const recorded = (as: string) =>
    profileOfRecording({ about: { profile: 'acme', profileSource: { as, digest: '' } } as Provenance });
  const [yaml, code] = [join(dir, 'acme.yaml'), join(dir, 'acme.mjs')];
  writeFileSync(yaml, `name: acme\nauth: { scheme: bearer, token: "\${NOT_SET_HERE}" }`);
  writeFileSync(code, 'throw new Error("was run")');
  expect((await recorded(yaml)).data.name).toBe('acme');
  expect((await recorded('terse')).data.name).toBe('terse');
  await expect(recorded(code)).rejects.toThrow(
    /made with the profile “acme” \(.*acme\.mjs\).*name its file with --profile FILE/,
  );
  await expect(recorded(join(dir, 'gone.yaml'))).rejects.toThrow('name its file with --profile FILE');
});
