// The page: asks the lab several times a second what to show, and draws that. All texts and places come from the lab.
import { byId, element, keyed, setAttribute, setIcon, setText } from './dom.js';
import { connectButton, forgetError } from './commands.js';
import { drawTimeline } from './timeline.js';

const INTERVAL = 250;
const TIMEOUT = 4_000;

function drawHeadline({ leader, lost, text, detail, announcement }) {
  setText(byId('headline'), text);
  setAttribute(byId('headline'), 'data-leader', leader);
  setAttribute(byId('headline'), 'data-lost', lost);
  setText(byId('detail'), detail);
  setText(byId('announcer'), announcement);
  document.title = `${text} – Neli failover lab`;
}

function drawBroker(broker) {
  const node = byId('broker');
  const button = node.querySelector('button');
  if (node.dataset.state !== broker.state) {
    forgetError(byId('broker-message'));
  }
  setAttribute(node, 'data-state', broker.state);
  setIcon(node.querySelector('.icon'), broker.icon);
  setText(node.querySelector('.word'), broker.text);
  setText(node.querySelector('.address'), broker.address);
  setAttribute(button, 'data-path', `/api/broker/${broker.action}`);
  setAttribute(button, 'data-refusal', broker.enabled ? '' : `${broker.text}; wait for that.`);
  setAttribute(button, 'aria-disabled', !broker.enabled);
  setText(button, broker.label);
}

function createInstance({ name, buttons }) {
  const node = byId('instance').content.firstElementChild.cloneNode(true);
  const message = node.querySelector('.message');
  node.dataset.instance = name;
  node.querySelector('h3').textContent = name;
  node.querySelector('h3').id = `instance-${name}`;
  node.setAttribute('aria-labelledby', `instance-${name}`);
  message.id = `message-${name}`;
  for (const { slot } of buttons) {
    const button = element('button');
    button.type = 'button';
    button.setAttribute('aria-describedby', `about-${slot} message-${name}`);
    connectButton(button, message);
    node.querySelector('.buttons').append(button);
  }
  return node;
}

function updateInstance(node, instance) {
  const find = (selector) => node.querySelector(selector);
  if (node.dataset.state !== instance.state) {
    forgetError(find('.message'));
  }
  setAttribute(node, 'data-state', instance.state);
  setIcon(find('.state .icon'), instance.state);
  for (const part of ['process', 'word', 'token', 'note']) {
    setText(find(`.${part}`), instance[part]);
  }
  setText(find('.left'), instance.leaseLeft);
  find('.bar span').style.transform = `scaleX(${instance.leaseShare.toFixed(3)})`;
  setAttribute(find('.note'), 'data-failed', instance.failed);
  [...find('.buttons').children].forEach((button, i) => {
    const { action, label, refusal } = instance.buttons[i];
    setAttribute(button, 'data-action', action);
    setAttribute(button, 'data-path', `/api/instances/${instance.name}/${action}`);
    setAttribute(button, 'data-refusal', refusal ?? '');
    setAttribute(button, 'aria-disabled', refusal !== null);
    setAttribute(button, 'aria-label', `${label} ${instance.name}`);
    setText(button, label);
  });
}

function drawKind(node, { last, path, why, figures }) {
  setText(node.querySelector('.last'), last);
  setText(node.querySelector('.path'), path);
  setText(node.querySelector('.why'), why);
  keyed(node.querySelector('.figures'), figures, (each) => each.name,
    (each) => element('div', '', element('dt', 'muted', each.name), element('dd')), (each, { value }) => setText(each.lastChild, value));
}

function drawTexts(parent, items, create, texts) {
  keyed(parent, items, (item) => texts(item).join(' '), create, (node, item) =>
    texts(item).forEach((text, i) => setText(node.children[i], text)));
}

function createEntry({ outcome }) {
  const node = element('li', 'entry', element('time'), element('span'), element('span'), element('span'), element('span'), element('p'));
  node.dataset.outcome = outcome;
  return node;
}

function draw(view) {
  drawHeadline(view.headline);
  drawBroker(view.broker);
  keyed(byId('instances'), view.instances, (each) => each.name, createInstance, updateInstance);
  drawTimeline(byId('timeline'), view.timeline);
  setText(byId('events').querySelector('summary'), `All events as text (${view.events.length})`);
  if (byId('events').open) {
    drawTexts(byId('events').querySelector('ol'), view.events, () => element('li', '', element('time'), element('span')),
      (each) => [each.time, each.text]);
  }
  drawKind(byId('unplanned'), view.failovers.unplanned);
  drawKind(byId('planned'), view.failovers.planned);
  drawTexts(byId('changes').tBodies[0], view.failovers.changes, ({ planned }) =>
    element('tr', planned ? '' : 'unplanned', ...[1, 2, 3, 4].map(() => element('td'))),
  (each) => [each.time, each.path, each.why, each.took]);
  setText(byId('ledger').querySelector('.refusals'), view.writes.summary);
  setAttribute(byId('ledger').querySelector('.refusals'), 'data-any', view.writes.refused);
  drawTexts(byId('ledger').querySelector('ol'), view.writes.entries, createEntry,
    (each) => [each.time, each.instance, each.token, each.number, each.outcome, each.why]);
}

function drawConnection(state, text) {
  const node = byId('connection');
  if (node.dataset.state !== state) {
    node.dataset.state = state;
    setIcon(node.querySelector('.icon'), state === 'live' ? 'leading' : 'kill');
    setText(node.lastElementChild, text);
  }
}

async function poll() {
  try {
    const response = await fetch('/api/view', { signal: AbortSignal.timeout(TIMEOUT) });
    draw(await response.json());
    drawConnection('live', 'Live');
  } catch {
    const time = new Date().toLocaleTimeString('en-GB');
    drawConnection('lost', `Connection lost at ${time}, reconnecting. If the lab has ended, start it again and open the address that it prints.`);
  }
  setTimeout(poll, INTERVAL);
}

connectButton(byId('broker').querySelector('button'), byId('broker-message'));
poll();
