/**
 * The script of the page: searching, and showing messages again that stand further up. It only moves and marks what
 * is there; nothing of it becomes markup. Plain JavaScript, because it goes into the page as it is.
 */
export const PAGE_SCRIPT = `
'use strict';
(() => {
  const main = document.querySelector('main');
  const input = document.getElementById('find');
  const output = document.getElementById('found');
  const rows = [...document.querySelectorAll('details.row')];
  // More are not of use to anybody, and take a browser long to mark.
  const MOST = 5000;
  let ranges = [];
  let isCut = false;
  let current = -1;

  for (const earlier of document.querySelectorAll('details.earlier')) {
    earlier.addEventListener('toggle', () => {
      if (!earlier.open || earlier.dataset.shown) return;
      earlier.dataset.shown = 'yes';
      for (const id of earlier.dataset.messages.split(' ')) {
        const copy = document.getElementById(id).cloneNode(true);
        copy.removeAttribute('id');
        earlier.append(copy);
      }
    });
  }

  // Not every browser lets the keyboard reach what scrolls.
  document.addEventListener('toggle', () => {
    for (const text of main.querySelectorAll('pre'))
      if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
  }, true);

  const highlight = (name, some) => {
    if (typeof Highlight === 'undefined') return;
    if (some.length === 0) CSS.highlights.delete(name);
    else CSS.highlights.set(name, new Highlight(...some));
  };

  const count = () => ranges.length + (isCut ? '+' : '');

  const find = () => {
    const wanted = input.value.toLowerCase();
    ranges = [];
    isCut = false;
    current = -1;
    if (wanted !== '') {
      const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node && !isCut; node = texts.nextNode()) {
        const text = node.data.toLowerCase();
        // Some letters change their length in lower case; then places are not the same.
        if (text.length !== node.data.length) continue;
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          isCut = ranges.length === MOST;
          if (isCut) break;
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          ranges.push(range);
        }
      }
    }
    const hit = new Set();
    for (const range of ranges)
      for (let at = range.startContainer.parentElement; at; at = at.parentElement) hit.add(at);
    // Behind the last of them nobody has looked.
    const last = isCut ? ranges[MOST - 1].startContainer : null;
    const isSeen = (row) => !last || !(last.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
    for (const row of rows) row.classList.toggle('quiet', wanted !== '' && !hit.has(row) && isSeen(row));
    highlight('found', ranges);
    highlight('current', []);
    output.textContent = wanted === '' ? '' : ranges.length === 0 ? 'not found' : count() + ' found';
  };

  const go = (step) => {
    if (ranges.length === 0) return;
    current = (current + step + ranges.length) % ranges.length;
    const range = ranges[current];
    const element = range.startContainer.parentElement;
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    highlight('current', [range]);
    element.scrollIntoView({ block: 'center' });
    output.textContent = current + 1 + ' of ' + count();
  };

  input.addEventListener('input', find);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  });
  document.getElementById('next').addEventListener('click', () => go(1));
  document.getElementById('all').addEventListener('click', () => {
    const isOpen = rows.every((row) => row.open);
    for (const row of rows) row.open = !isOpen;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === input) return;
    event.preventDefault();
    input.focus();
  });
})();
`
