import { element, icon, keyed, setAttribute, setIcon, setText } from './dom.js';

const keyOf = (item) => item.key;

export function drawTimeline(node, { ticks, rows, gaps }) {
  const [tickLayer, rowLayer, gapLayer] = node.children;
  keyed(tickLayer, ticks, (tick) => tick.text, () => element('span', 'tick'), (each, tick) => {
    place(each, tick);
    setText(each, tick.left < 92 ? tick.text : ''); // no room for a label at the end
  });
  keyed(rowLayer, rows, (row) => row.name, createRow, drawRow);
  keyed(gapLayer, gaps, keyOf, () => element('div', 'gap', element('span')), drawBar);
}

function createRow({ name }) {
  return element('div', 'row', element('span', 'name', name), element('div', 'track', element('div'), element('div'), element('div')));
}

function drawRow(node, { broker, terms, spans, marks }) {
  setAttribute(node, 'data-broker', broker);
  const [termLayer, spanLayer, markLayer] = node.lastChild.children;
  keyed(termLayer, terms, keyOf, () => element('div', 'term', element('span')), drawBar);
  keyed(spanLayer, spans, keyOf, () => element('div', 'span', element('span')), drawBar);
  keyed(markLayer, marks, keyOf, () => element('div', 'mark', icon()), (each, mark) => {
    place(each, mark);
    setIcon(each.firstChild, mark.kind);
    setAttribute(each, 'data-kind', mark.kind);
    setAttribute(each, 'title', mark.text);
  });
}

function drawBar(node, bar) {
  place(node, bar);
  node.style.width = `${bar.width.toFixed(2)}%`;
  setAttribute(node, 'data-kind', bar.kind);
  setAttribute(node, 'title', bar.text);
  setText(node.firstChild, bar.label);
}

function place(node, { left }) {
  node.style.left = `${left.toFixed(2)}%`;
}
