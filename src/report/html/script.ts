/** The script of the page: filter, keys, copy buttons, print. It reads the page only, and no text of a service. */
export const SCRIPT = `
'use strict';
const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
const filter = document.getElementById('filter');
const text = document.getElementById('filter-text');
const cards = $('#failures .card');
const groups = $('#check-list > details').map((group) => ({
  group,
  title: group.querySelector('summary').textContent.toLowerCase(),
  rows: $('li', group).map((row) => ({
    row,
    operation: row.dataset.operation.toLowerCase(),
    words: (row.dataset.operation + ' ' + row.textContent).toLowerCase(),
  })),
}));
const operations = new Set(groups.flatMap(({ rows }) => rows.map(({ operation }) => operation)));
const all = groups.reduce((sum, { rows }) => sum + rows.length, 0);

function apply() {
  const wanted = text.value.trim().toLowerCase();
  const boxes = $('input[name=mark]', filter);
  const marks = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let shown = 0;
  for (const { group, title, rows } of groups) {
    const whole = title.includes(wanted);
    let own = 0;
    for (const { row, operation, words } of rows) {
      const found = operations.has(wanted) ? operation === wanted : whole || words.includes(wanted);
      const fits = marks.has(row.dataset.mark) && found;
      row.hidden = !fits;
      if (fits) own++;
    }
    group.hidden = own === 0;
    if (wanted !== '' && !whole && own > 0) group.open = true;
    shown += own;
  }
  document.getElementById('filter-count').textContent = shown + ' of ' + all + ' checks.';
  document.getElementById('filter-none').hidden = shown > 0;
}

function clear() {
  text.value = '';
  for (const box of $('input[name=mark]', filter)) box.checked = true;
  apply();
}

filter.hidden = false;
filter.addEventListener('submit', (event) => event.preventDefault());
filter.addEventListener('input', apply);
apply();

for (const link of $('[data-filter]'))
  link.addEventListener('click', () => {
    text.value = link.dataset.filter;
    apply();
  });

function move(step) {
  if (cards.length === 0) return;
  const at = cards.indexOf(document.activeElement);
  const next = cards[at < 0 ? (step > 0 ? 0 : cards.length - 1) : (at + step + cards.length) % cards.length];
  const folded = next.closest('details');
  if (folded) folded.open = true;
  next.focus();
  next.scrollIntoView({ block: 'start' });
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') {
    clear();
    text.blur();
    return;
  }
  if (event.target.closest('input, textarea, select')) return;
  if (event.key === '/') {
    event.preventDefault();
    text.focus();
  }
  if (event.key === 'j') move(1);
  if (event.key === 'k') move(-1);
});

for (const block of $('.code pre')) {
  const label = block.parentElement.querySelector('.label');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(block);
      button.textContent = 'Selected';
    }
  });
  label.append(button);
}

let closed = [];
addEventListener('beforeprint', () => {
  closed = $('details:not([open])');
  for (const each of closed) each.open = true;
});
addEventListener('afterprint', () => {
  for (const each of closed) each.open = false;
});
`;
