import { duration, timeOfDay } from '../model/format.js';
import { headline } from '../model/leader.js';
import { forget, press } from './press.js';
import { byId, element, setAttribute, setIcon, setText } from './dom.js';

const BROKER = {
  UP: ['leading', 'Broker up'],
  DOWN: ['dead', 'Broker down'],
  STARTING: ['starting', 'Broker starting'],
  STOPPING: ['draining', 'Broker stopping'],
};

/** The role's leader in large letters. `time` turns lab time into the time of day. */
export function drawHeadline(lab, history, role, now, time) {
  const { leader, token, since, hint } = headline(lab, history, role);
  const title = byId('headline');
  const name = leader ?? 'Nobody';
  if (title.dataset.name !== name || title.dataset.role !== role) {
    title.dataset.name = name;
    title.dataset.role = role;
    title.replaceChildren(`${name} leads `, element('code', {}, role));
    document.title = `${name} leads ${role} – Neli failover lab`;
  }
  setAttribute(title, 'data-leader', leader ?? '');
  setAttribute(title, 'data-lost', since !== null);
  const term = history.terms.findLast((each) => each.role === role && each.instance === leader && each.to === null);
  setText(byId('subline'), leader
    ? `with token ${token}${term ? `, since ${time(term.from)}` : ''}${hint ? `. ${hint}` : ''}`
    : [since === null ? '' : `for ${duration(now - since)}.`, hint].join(' ').trim());
}

export function drawBroker(broker) {
  const node = byId('broker');
  const [shape, word] = BROKER[broker.state] ?? ['starting', `Broker ${broker.state.toLowerCase()}`];
  setAttribute(node, 'data-state', broker.state.toLowerCase());
  setIcon(node.querySelector('.icon'), shape);
  setText(node.querySelector('.word'), word);
  setText(node.querySelector('.address'), broker.address ?? '');
  const button = node.querySelector('button');
  if (button.dataset.actions !== String(broker.actions)) {
    button.dataset.actions = String(broker.actions);
    forget(byId('broker-message'));
  }
  const action = broker.actions[0] ?? (broker.state === 'UP' || broker.state === 'STARTING' ? 'stop' : 'start');
  setAttribute(button, 'data-action', action);
  setAttribute(button, 'aria-disabled', broker.actions.length === 0);
  setText(button, action === 'stop' ? 'Stop broker' : 'Start broker');
}

export function wireBroker() {
  const button = byId('broker').querySelector('button');
  press(button, byId('broker-message'), () => ({
    path: `/api/broker/${button.dataset.action}`,
    refused: 'The broker is busy with that; wait for it.',
  }));
}

const CONNECTION = {
  connecting: ['starting', () => 'Connecting to the lab'],
  live: ['leading', () => 'Live'],
  reconnecting: ['dead', (at) => `Connection lost at ${at}, reconnecting`],
  gone: ['dead', (at) => `No lab since ${at}. If it has ended, start it again, and open the address that it prints.`],
};

export function drawConnection(state, since) {
  const [shape, words] = CONNECTION[state];
  setAttribute(byId('lab'), 'data-connection', state);
  const node = byId('connection');
  setAttribute(node, 'data-state', state);
  setIcon(node.querySelector('.icon'), shape);
  setText(node.querySelector('.words'), words(timeOfDay(since)));
}

const said = { role: null, leader: null };

/** Tells a screen reader of each change of leader, and of nothing else. */
export function announce(lab, history, role) {
  const { leader, token } = headline(lab, history, role);
  if (said.role === role && said.leader !== leader) {
    const change = history.changes.findLast((each) => each.role === role);
    const gap = leader && change?.token === token && change.millis !== null ? `, after ${duration(change.millis)}` : '';
    setText(byId('announcer'), leader ? `${leader} leads ${role} with token ${token}${gap}` : `Nobody leads ${role}`);
  }
  said.role = role;
  said.leader = leader;
}
