/** HTML from templates that escape whatever is inserted, so that no text of a service is markup or script. */
import { escapeXml } from '../escape-xml.ts';
import { MARKS, type Mark } from '../marks.ts';

/** HTML that is safe to insert; only `html` makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Inserted = string | number | Html | readonly Html[] | undefined | false;

const insert = (value: Inserted): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(({ text }: Html) => text).join('');
  return value === undefined || value === false ? '' : escapeXml(String(value));
};

/**
 * A template of HTML. Texts are escaped, in content and in quoted attributes; `undefined` and `false` are nothing.
 * @example html`<b title="${'"'}">${'<'}</b>`.text // '<b title="&quot;">&lt;</b>'
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Inserted[]): Html =>
  new Html(parts.map((part, at) => (at === 0 ? part : `${insert(values[at - 1])}${part}`)).join(''));

/** A text of several lines; its line breaks stay. */
export const linesOfText = (text: string): Html => new Html(text.split('\n').map(escapeXml).join('\n'));

/** Our own style or script, unchanged. */
export const verbatim = (text: string): Html => new Html(text);

/** A table that scrolls if the page is narrow. */
export const table = (label: string, head: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${head.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;

/** The sign of a mark; readers of the screen get the word. */
export const signOf = (mark: Mark): Html =>
  html`<span class="sign ${mark}" aria-hidden="true">${MARKS[mark].sign}</span><span class="unseen">${MARKS[mark].word}: </span>`;

/** A path that may break after each slash, with the target in a report of several runs. */
export const operationMarkup = (operation: string, target?: string): Html => {
  const [method = '', path = ''] = operation.split(' ');
  const parts = path.split('/').map((part, at) => (at === 0 ? html`${part}` : html`/<wbr>${part}`));
  return html`<span class="method">${method}</span> <span class="path">${parts}</span>${target !== undefined && html` <span class="badge">${target}</span>`}`;
};
