import { expect, test } from 'vitest';
import { parseFlat } from './read.ts';

test.each([
  ['<Ask/>', {}],
  ['<Ask><Id>7</Id></Ask>', { Id: '7' }],
  ['\ufeff<Ask><Id>7</Id></Ask>'.slice(1), { Id: '7' }],
  [
    '<?xml version="1.0"?>\n<!-- <a> -->\n<q:Ask xmlns:q="urn:q">\n <q:Id a=\'1 > 0\'> 7 </q:Id >\n</q:Ask>\n',
    { Id: '7' },
  ],
  ['<Ask><A>x &lt; y &amp;&#32;&#x7A;</A><B><![CDATA[<&]]></B><C/></Ask>', { A: 'x < y & z', B: '<&', C: '' }],
  ['<Ask><A>1<!-- no --><?nor this?>2</A></Ask>', { A: '12' }],
  ['<Ask><A><Deep>x</Deep>7</A></Ask>', { A: '7' }],
])('%s holds %o', (source, found) => {
  expect(Object.fromEntries(parseFlat(source) ?? [['none', 'at all']])).toEqual(found);
});

test.each([
  '',
  'text',
  '<Ask>',
  '<Ask></Other>',
  '<Ask/><Ask/>',
  '<Ask/>text',
  '<Ask><A>&nbsp;</A></Ask>',
  '<Ask><A>a & b</A></Ask>',
  '<Ask><A>&#x110000;</A></Ask>',
  '<Ask a=1/>',
  '<Ask a="<"/>',
  '<!-- -- --><Ask/>',
  '<Ask><![CDATA[x]></Ask>',
  '{"Ask":{}}',
])('%s is no document', (source) => expect(parseFlat(source)).toBeUndefined());
