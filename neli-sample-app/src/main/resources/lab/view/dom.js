// Changes to the document that change only what differs: focus, hover and scroll places stay.

export const byId = (id) => document.getElementById(id);

export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

export function setAttribute(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) {
    node.setAttribute(name, text);
  }
}

export function setIcon(svg, name) {
  setAttribute(svg.firstElementChild, 'href', `#icon-${name}`);
}

export function setStyle(node, name, value) {
  if (node.style[name] !== value) {
    node.style[name] = value;
  }
}

/** An element with attributes (`class`, `data-...`) and children, which are nodes or text. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

const known = new WeakMap();

/** Makes the parent's children those of the items, in order: a node per key, made once and then updated in place. */
export function keyed(parent, items, create, update) {
  const before = known.get(parent) ?? new Map();
  const after = new Map(items.map((item) => [item.key, before.get(item.key) ?? create(item)]));
  for (const [key, node] of before) {
    if (!after.has(key)) {
      node.remove();
    }
  }
  let next = parent.firstElementChild;
  for (const item of items) {
    const node = after.get(item.key);
    if (node === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(node, next);
    }
    update(node, item);
  }
  known.set(parent, after);
}
