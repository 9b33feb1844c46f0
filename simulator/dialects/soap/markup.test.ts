import { expect, test } from 'vitest';
import { element, text } from './markup.ts';

test.each([
  ['Salt & Spices < 1 > "0"', 'Salt &amp; Spices &lt; 1 &gt; "0"'],
  ['Crème', 'Crème'],
  ['œuf – 😀\u0085\r', '&#x153;uf &#x2013; &#x1F600;&#x85;&#xD;'],
  ['\u0000a\ud800', '&#xFFFD;a&#xFFFD;'],
])('the text %j is written %j', (value, written) => expect(text(value)).toBe(written));

test('attributes keep their line breaks and quotes; undefined attributes are omitted', () => {
  expect(element('a', { x: '12" é\n', y: undefined })).toBe('<a x="12&quot; &#233;&#10;" />');
  expect(element('a', { x: '', y: '2', z: '–' }, '<b/>')).toBe('<a x=""\n\ty="2" z="&#x2013;"><b/></a\n>');
});
