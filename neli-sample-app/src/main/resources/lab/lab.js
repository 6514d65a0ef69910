// Asks the lab several times a second what to show, and draws it. All texts and positions come from the lab.
import { byId, element, icon, keyed, setAttribute, setIcon, setText } from './dom.js';
import { connectButton } from './commands.js';
import { drawTimeline } from './timeline.js';

const INTERVAL = 250;
const TIMEOUT = 4_000;
const TERMS_INTERVAL = 2_000;
const TERMS_TIMEOUT = 15_000;

function drawHeadline({ leader, lost, text, detail, announcement }) {
  setText(byId('headline'), text);
  setAttribute(byId('headline'), 'data-leader', leader);
  setAttribute(byId('headline'), 'data-lost', lost);
  setText(byId('detail'), detail);
  setText(byId('announcer'), announcement);
  document.title = `${text} – Neli failover lab`;
}

function createButtons(node, buttons, describedBy) {
  const message = node.querySelector('.message');
  for (const { slot } of buttons) {
    const button = element('button');
    button.type = 'button';
    button.setAttribute('aria-describedby', describedBy(slot, message.id));
    connectButton(button, message);
    node.querySelector('.buttons').append(button);
  }
}

function updateButtons(node, { name, buttons }) {
  [...node.querySelector('.buttons').children].forEach((button, i) => {
    const { action, label, refusal } = buttons[i];
    setAttribute(button, 'data-action', action);
    setAttribute(button, 'data-path', `/api/processes/${name}/${action}`);
    setAttribute(button, 'data-refusal', refusal ?? '');
    setAttribute(button, 'aria-disabled', refusal !== null);
    setText(button, label);
  });
}

function createBroker({ name, title, buttons }) {
  const node = byId('broker').content.firstElementChild.cloneNode(true);
  node.dataset.broker = name;
  node.setAttribute('aria-label', title);
  node.querySelector('.message').id = `message-${name}`;
  createButtons(node, buttons, (slot, message) => message);
  return node;
}

function updateBroker(node, broker) {
  const condition = node.querySelector('.condition');
  if (condition.dataset.state !== broker.state) {
    setText(node.querySelector('.message'), '');
  }
  setAttribute(condition, 'data-state', broker.state);
  setIcon(node.querySelector('.icon'), broker.state);
  setText(node.querySelector('.word'), broker.text);
  setText(node.querySelector('.address'), broker.address);
  updateButtons(node, broker);
}

function createInstance({ name, buttons }) {
  const node = byId('instance').content.firstElementChild.cloneNode(true);
  node.dataset.instance = name;
  node.querySelector('h3').textContent = name;
  node.querySelector('h3').id = `instance-${name}`;
  node.setAttribute('aria-labelledby', `instance-${name}`);
  node.querySelector('.message').id = `message-${name}`;
  createButtons(node, buttons, (slot, id) => `about-${slot} ${id}`);
  return node;
}

function updateInstance(node, instance) {
  const find = (selector) => node.querySelector(selector);
  if (node.dataset.state !== instance.state) {
    setText(find('.message'), '');
  }
  setAttribute(node, 'data-state', instance.state);
  setIcon(find('.state .icon'), instance.state);
  for (const part of ['process', 'word', 'token', 'note']) {
    setText(find(`.${part}`), instance[part]);
  }
  setText(find('.left'), instance.leaseLeft);
  find('.bar span').style.transform = `scaleX(${instance.leaseShare.toFixed(3)})`;
  setAttribute(find('.note'), 'data-failed', instance.failed);
  updateButtons(node, instance);
  [...find('.buttons').children].forEach((button) => setAttribute(button, 'aria-label', `${button.textContent} ${instance.name}`));
}

function drawLogs(logs) {
  keyed(byId('logs'), logs, (log) => log.topic, ({ topic }) => element('li', 'log', icon(), element('code', '', topic), element('span')), (node, log) => {
    setAttribute(node, 'data-held', log.held);
    setIcon(node.firstChild, log.icon);
    setText(node.lastChild, log.text);
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
  setText(byId('setting'), view.setting);
  drawHeadline(view.headline);
  keyed(byId('brokers'), view.brokers, (each) => each.name, createBroker, updateBroker);
  drawLogs(view.logs);
  keyed(byId('instances'), view.instances, (each) => each.name, createInstance, updateInstance);
  drawTimeline(byId('timeline'), view.timeline);
  drawSchedule(byId('schedule'), view.schedule);
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

function drawSchedule(node, { summary, wrong, runs }) {
  setText(node.querySelector('.counts'), summary);
  setAttribute(node.querySelector('.counts'), 'data-any', wrong);
  keyed(node.querySelector('ol'), runs, (run) => run.key,
    () => element('li', 'run', element('time'), element('span'), element('span', 'word')), (each, { kind, time, instance, word, text }) => {
      setAttribute(each, 'data-kind', kind);
      setAttribute(each, 'title', text);
      [time, instance, word].forEach((part, i) => setText(each.children[i], part));
    });
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

/** Reading the log loads the brokers, so it is read only while its panel is open. */
async function pollTerms() {
  const terms = byId('terms');
  clearTimeout(pollTerms.next);
  if (!terms.open) {
    return;
  }
  try {
    const response = await fetch('/api/terms', { signal: AbortSignal.timeout(TERMS_TIMEOUT) });
    const answer = await response.json();
    if (response.ok) {
      drawTexts(terms.querySelector('tbody'), answer, () => element('tr', '', ...[1, 2, 3, 4, 5].map(() => element('td'))),
        (each) => [each.time, each.member, each.token, each.end, each.unled]);
    }
    setText(terms.querySelector('.message'), response.ok ? '' : answer.detail);
  } catch {
    setText(terms.querySelector('.message'), 'The leader topic cannot be read now.');
  }
  clearTimeout(pollTerms.next);
  pollTerms.next = setTimeout(pollTerms, TERMS_INTERVAL);
}

byId('terms').addEventListener('toggle', pollTerms);
poll();
