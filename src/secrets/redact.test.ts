import { describe, expect, test } from 'vitest';
import { redactor } from './redact.ts';

describe('a secret is hidden', () => {
  test('as the password of Basic credentials, whatever user stands before it', () => {
    for (const user of ['', 'a', 'ab', 'abc', 'somebody']) {
      const encoded = Buffer.from(`${user}:hunter2hunter2`).toString('base64');
      const text = redactor(['hunter2hunter2'])(encoded);
      expect(text).toContain('***');
      expect(Buffer.from(text.split('***')[1] ?? '', 'base64').toString()).not.toContain('hunter');
    }
  });

  test('every time it stands there', () => {
    expect(redactor(['abcd'])('abcd-abcd')).toBe('***-***');
  });

  test('whole, where it contains another', () => {
    expect(redactor(['secret', 'secret-longer'])('secret-longer secret')).toBe('*** ***');
  });
});

test('other text is left alone, and so are values too short to be secrets', () => {
  expect(redactor([])('text')).toBe('text');
  expect(redactor(['', 'a', 'abc'])('abc text')).toBe('abc text');
  expect(redactor(['hidden'])('nothing here')).toBe('nothing here');
});
