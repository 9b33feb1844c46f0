import { expect, test } from 'vitest';
import { base64, latin1, textOfBase64, textOfUtf8, utf8 } from './bytes.ts';

test.each(['', 'a', 'simulator:s3same:öffne', '\ufeffx', '😀', 'x'.repeat(20_001)])('%.30s is kept', (text) => {
  expect(textOfUtf8(utf8(text))).toBe(text);
  expect(base64(utf8(text))).toBe(Buffer.from(text).toString('base64'));
  expect(textOfBase64(base64(utf8(text)))).toBe(text);
});

test('characters of ISO 8859-1 are one byte each, and what is not Base64 is no text', () => {
  expect([...latin1('é\xa0Ā')]).toEqual([...Buffer.from('é\xa0Ā', 'latin1')]);
  expect(textOfBase64('a')).toBe('');
});
