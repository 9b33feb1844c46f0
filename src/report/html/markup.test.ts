import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import fc from '../../seeded-fast-check.test.support.ts';
import { HOSTILE_TEXT } from '../sample-run.test.support.ts';
import { html, linesOfText } from './markup.ts';

/** The elements, attributes and texts of a fragment, read by a parser that shares no code with the template. */
function parse(fragment: string) {
  const seen = { elements: [] as string[], attributes: [] as string[], text: '' };
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    seen.elements.push(name);
    seen.attributes.push(...Object.keys(attributes));
  });
  parser.on('text', (text) => {
    seen.text += text;
  });
  parser.write(fragment).close();
  return seen;
}

describe('a template of HTML', () => {
  test('holds its own elements and attributes only, whatever text is inserted', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant(HOSTILE_TEXT),
      fc.constantFrom('"', "'>", ']]>'),
    );
    fc.assert(
      fc.property(anyText, anyText, (attribute, content) => {
        const { text } = html`<p title="${attribute}">${content}<b>${linesOfText(content)}</b></p>`;
        const { elements, attributes } = parse(text);
        expect([elements, attributes]).toEqual([['p', 'b'], ['title']]);
      }),
      { numRuns: 100 },
    );
  });

  test('inserts texts, numbers, other templates and lists of them, and nothing for what is absent', () => {
    const items = ['a', '<'].map((each) => html`<li>${each}</li>`);
    expect(html`<ul>${items}</ul>${undefined}${false}${0}`.text).toBe('<ul><li>a</li><li>&lt;</li></ul>0');
  });

  test('keeps the line breaks of a text of several lines', () => {
    expect(linesOfText('<a>\n\tb').text).toBe('&lt;a&gt;\n\\tb');
    expect(html`${'a\nb'}`.text).toBe('a\\nb');
  });
});
