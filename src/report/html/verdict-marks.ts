/** How verdicts and operations look on the page. */
import { MARKS, type Mark } from '../marks.ts';
import { type Html, html } from './markup.ts';

/** The sign of a mark; readers of the screen get the word. */
export const signOf = (mark: Mark): Html =>
  html`<span class="sign ${mark}" aria-hidden="true">${MARKS[mark].sign}</span><span class="unseen">${MARKS[mark].word}: </span>`;

/** A path that may break after each slash, with the target in a report of several runs. */
export const operationMarkup = (operation: string, target?: string): Html => {
  const [method = '', path = ''] = operation.split(' ');
  const parts = path.split('/').map((part, at) => (at === 0 ? html`${part}` : html`/<wbr>${part}`));
  return html`<span class="method">${method}</span> <span class="path">${parts}</span>${target !== undefined && html` <span class="badge">${target}</span>`}`;
};
