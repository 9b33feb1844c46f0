import { describe, expect, test } from 'vitest';
import { perform } from './perform.test.support.ts';

const ADDRESSES = [
  'http://h/?apikey=SECRET',
  'http://h/#SECRET',
  'http://me:SECRET@h/',
  'http://SECRET@h:port/',
  'http://me:SEC/SECRET@h',
  'http://me:a?SECRET@h',
  'me:SECRET@h/x',
  '//h?SECRET',
  'h?SECRET',
];

describe('no refusal repeats a credential', () => {
  test.each(ADDRESSES)('in %s', async (address) => {
    for (const args of [
      ['run', '--base-url', address],
      ['run', `--base-url=${address}`],
      ['run', address],
      ['run', '--simulator', '--profile', address],
      ['run', '--simulator', '--report', address],
      ['run', '--simulator', '--safety', address],
      ['run', '--recordings', address],
      ['plan', '--base-url', address],
      ['record', '--name', 'x', '--base-url', address],
      ['gateway', '--name', 'x', '--upstream', address],
      ['gateway', '--name', address, '--upstream', 'http://127.0.0.1:1'],
      ['drift', 'reference', '--base-url', address],
      ['drift', address, '--base-url', 'http://127.0.0.1:1'],
      ['judge', address],
      ['replay', address],
      ['import', address, '--name', 'x'],
      ['recordings', 'verify', address],
      ['profile', 'try', 'reference', 'GET /PLATFORMAPI/prodRef/v1/allProducts', '--base-url', address],
      ['profile', 'check', address],
      ['profile', 'from-openapi', address],
      ['explain', address],
      ['simulate', '--port', address],
      [address],
    ]) {
      const { code, stdout, stderr } = await perform(args);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(stdout + stderr, args.join(' ')).not.toContain('SECRET');
    }
  });

  test('of --secret, in every place', async () => {
    const { stderr } = await perform(['judge', 'folder-s3cret-value', '--secret', 's3cret-value']);
    expect(stderr).toContain('folder-***');
  });
});
