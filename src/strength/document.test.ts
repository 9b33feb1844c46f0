/** The positions of values and rows, in each notation: a change of one changes nothing else. */
import { expect, test } from 'vitest';
import type { Field } from '../contract/index.ts';
import { bodyFrom } from '../exchange/body.ts';
import type { Exchange } from '../exchange/types.ts';
import type { BodyPlan } from '../reading/read-body.ts';
import { changeRow, insertRow, removeRows } from './changes.ts';
import { type Document, readDocument, readEdited } from './document.ts';
import { applyEdits } from './parts.ts';

const exchangeOf = (type: string, body: string): Exchange => ({
  request: { method: 'GET', url: 'http://h/', headers: [] },
  response: { status: 200, reasonPhrase: 'OK', headers: [['content-type', type]] },
  body: bodyFrom(Buffer.from(body)),
  redirects: [],
  timing: { startedAt: '', totalMs: 0 },
});

const FIELDS = { upc: { at: '@.u' }, category: { at: '@.c' }, sales4Weeks: { at: '@.s' } } as const;
const [A, B, C] = ['012345678905', '042100000177', '660133988943'];

/** The same three rows in each notation. */
const NOTATIONS: Record<string, { readonly type: string; readonly body: string; readonly plan: BodyPlan }> = {
  JSON: {
    type: 'application/json',
    body: `{"n":3,"rows":[{"u":"${A}","c":"Tea","s":10.5},{"u":"${B}","c":"Tea","s":20},\n{"u":"${C}","c":"Cocoa \\"X\\"","s":20}],"page":1}`,
    plan: { rows: '$.rows[*]', fields: FIELDS },
  },
  'a map of JSON': {
    type: 'application/json',
    body: `{"${A}":{"u":"${A}","c":"Tea","s":10.5},"${B}":{"u":"${B}","c":"Tea","s":20},"${C}":{"u":"${C}","c":"Cocoa \\"X\\"","s":20}}`,
    plan: { rows: '$.*', fields: FIELDS },
  },
  'columns of JSON': {
    type: 'application/json',
    body: `{"u":["${A}","${B}","${C}"],"c":["Tea","Tea","Cocoa \\"X\\""],"s":[10.5,20,20]}`,
    plan: { rows: '$', shape: { zip: true }, fields: FIELDS },
  },
  'pairs of names and values': {
    type: 'application/json',
    body: `[${[
      [A, 'Tea', 10.5],
      [B, 'Tea', 20],
      [C, 'Cocoa \\"X\\"', 20],
    ]
      .map(([u, c, s]) => `[{"k":"u","v":"${u}"},{"k":"c","v":"${c}"},{"k":"s","v":${s}}]`)
      .join()}]`,
    plan: {
      rows: '$[*]',
      fields: {
        upc: { at: "@[?@.k=='u'].v" },
        category: { at: "@[?@.k=='c'].v" },
        sales4Weeks: { at: "@[?@.k=='s'].v" },
      },
    },
  },
  NDJSON: {
    type: 'application/x-ndjson',
    body: `{"u":"${A}","c":"Tea","s":10.5}\n{"u":"${B}","c":"Tea","s":20}\n{"u":"${C}","c":"Cocoa \\"X\\"","s":20}\n`,
    plan: { rows: '$[*]', fields: FIELDS },
  },
  XML: {
    type: 'application/xml',
    body: `<r><p u="${A}" s="10.5"><c>Tea</c></p><p s="20" u="${B}"><c>Tea</c></p>\n<p u="${C}" s="20"><c>Cocoa "X"</c></p></r>`,
    plan: {
      rows: '$.r[0].p[*]',
      fields: { upc: { at: "@['@u']" }, category: { at: "@.c[0]['#text']" }, sales4Weeks: { at: "@['@s']" } },
    },
  },
  CSV: {
    type: 'text/csv',
    body: `u,c,s\r\n${A},Tea,10.5\r\n${B},Tea,20\r\n${C},"Cocoa ""X""",20`,
    plan: { rows: '$[*]', fields: FIELDS },
  },
};

const read = async (name: string): Promise<Document> => {
  const { type, body, plan } = NOTATIONS[name] as (typeof NOTATIONS)[string];
  return (await readDocument(exchangeOf(type, body), plan)) as Document;
};
const ROWS = [
  { upc: A, category: 'Tea', sales4Weeks: 10.5 },
  { upc: B, category: 'Tea', sales4Weeks: 20 },
  { upc: C, category: 'Cocoa "X"', sales4Weeks: 20 },
];

test.each(Object.keys(NOTATIONS))('each value of %s has its position, also of equal ones', async (name) => {
  const document = await read(name);
  expect(document.rows).toEqual(ROWS);
  for (const [row, values] of ROWS.entries())
    for (const field of Object.keys(values) as Field[]) {
      const other = document.cells[(row + 1) % 3]?.get(field);
      const source = document.text.slice(other?.valueStart, other?.end);
      const edit = changeRow(document, row, { [field]: source }, () => true);
      if (edit === 'impossible') throw new Error(`${field} of row ${row} has no position`);
      const { rows } = await readEdited(document, edit.edits);
      const expected = ROWS.map((each, at) =>
        at === row ? { ...each, [field]: ROWS[(row + 1) % 3]?.[field as 'upc'] } : each,
      );
      expect(rows).toEqual(expected);
    }
});

test.each(Object.keys(NOTATIONS))('each row of %s can be removed', async (name) => {
  const document = await read(name);
  for (const removed of [[0], [1], [2], [0, 1], [1, 2]]) {
    const edit = removeRows(document, removed);
    if (!edit || edit === 'impossible') throw new Error(`rows ${removed} cannot be removed`);
    const after = await readEdited(document, edit.edits);
    expect(edit.isIntended(after)).toBe(true);
    expect(after.rows).toEqual(ROWS.filter((_, at) => !removed.includes(at)));
  }
});

test.each(['JSON', 'NDJSON', 'XML', 'CSV'])('a row of %s can be repeated in the text of the service', async (name) => {
  const document = await read(name);
  const edit = insertRow(document, document, 0);
  if (edit === 'impossible') throw new Error('it cannot');
  expect((await readEdited(document, edit.edits)).rows).toEqual([...ROWS, ROWS[0]]);
  const part = document.rowParts[0]?.[0];
  expect(applyEdits(document.text, edit.edits).split(document.text.slice(part?.start, part?.end)).length).toBe(3);
});

test('a change that the profile reads otherwise is not intended', async () => {
  const document = await read('JSON');
  const edit = changeRow(document, 0, { upc: `"${B}"},{"u":"${C}"` }, () => true);
  if (edit === 'impossible') throw new Error('it has a position');
  expect(edit.isIntended(await readEdited(document, edit.edits))).toBe(false);
});
