// Changes only the parts of the document that differ, so that focus, hover and scroll positions are kept.

export const byId = (id) => document.getElementById(id);

export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

const ICONS = {
  frozen: 'freeze', down: 'kill', stopping: 'draining', committed: 'up', failed: 'kill',
};

export function setIcon(svg, name) {
  setAttribute(svg.firstElementChild, 'href', `#icon-${ICONS[name] ?? name}`);
}

export function element(tag, className = '', ...children) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

export function icon() {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(document.createElementNS('http://www.w3.org/2000/svg', 'use'));
  return svg;
}

/** Makes the parent's children match the items, in order: one node per key, created once and then updated. */
export function keyed(parent, items, keyOf, create, update) {
  const before = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  let next = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const node = before.get(key) ?? create(item);
    before.delete(key);
    node.dataset.key = key;
    if (node === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(node, next);
    }
    update(node, item);
  }
  while (next) { // not what is left of `before`, which lacks all but one node of each key
    const stale = next;
    next = next.nextElementSibling;
    stale.remove();
  }
}
