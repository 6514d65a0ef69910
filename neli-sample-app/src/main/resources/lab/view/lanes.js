import { left } from '../model/format.js';
import { laneOf, whyNot } from '../model/lane.js';
import { forget, press } from './press.js';
import { byId, element, keyed, setAttribute, setIcon, setStyle, setText } from './dom.js';

/** A button's actions: the first that is possible now is what it does and says, else it stands there disabled. */
const BUTTONS = [
  [['kill', 'Kill']],
  [['freeze', 'Freeze'], ['thaw', 'Thaw']],
  [['cut', 'Cut'], ['heal', 'Heal']],
  [['stop', 'Stop']],
  [['resign', 'Resign']],
  [['start', 'Start']],
];

/** Each instance as it was last drawn. */
const seen = new Map();

const BUSY = { freeze: 'Waits until it is in the middle of its work …' };

export function drawLanes(lab, role) {
  const lanes = lab.instances.map((instance) => ({ key: instance.name, ...laneOf(instance, role, lab) }));
  keyed(byId('lanes'), lanes, create, update);
}

function create({ name }) {
  const lane = byId('lane').content.firstElementChild.cloneNode(true);
  const message = lane.querySelector('.message');
  lane.dataset.instance = name;
  lane.querySelector('h3').textContent = name;
  lane.querySelector('h3').id = `lane-${name}`;
  lane.setAttribute('aria-labelledby', `lane-${name}`);
  message.id = `message-${name}`;
  for (const [[action]] of BUTTONS) {
    const button = element('button', { type: 'button', class: 'button', 'data-slot': action });
    const about = byId(`about-${action}`) ? `about-${action} ` : '';
    button.setAttribute('aria-describedby', about + message.id);
    press(button, message, () => ({
      path: `/api/instances/${name}/${button.dataset.action}`,
      busy: BUSY[button.dataset.action],
      refused: whyNot(seen.get(name), button.dataset.action),
    }));
    lane.querySelector('.buttons').append(button);
  }
  return lane;
}

function update(node, lane) {
  const find = (selector) => node.querySelector(selector);
  if (String(seen.get(lane.name)?.actions) !== String(lane.actions)) {
    forget(find('.message'));
  }
  seen.set(lane.name, lane.instance);
  setAttribute(node, 'data-state', lane.state);
  setText(find('.process'), lane.process);
  setIcon(find('.state .icon'), lane.state);
  setText(find('.word'), lane.word);
  setText(find('.token'), lane.token === null ? '' : `token ${lane.token}`);
  setAttribute(find('.lease'), 'data-held', lane.leaseLeft !== null);
  setStyle(find('.lease .bar span'), 'transform', `scaleX(${lane.leaseShare.toFixed(3)})`);
  setText(find('.lease .left'), lane.leaseLeft === null ? '–' : left(lane.leaseLeft));
  setText(find('.note'), lane.note);
  setAttribute(find('.note'), 'data-troubled', lane.troubled);
  setAttribute(find('.note'), 'title', lane.problem);
  setText(find('.others .name'), lane.others.length ? 'also leads' : '');
  keyed(find('.chips'), lane.others.map((role) => ({ key: role })),
    ({ key }) => element('span', { class: 'chip' }, key), () => {});
  const buttons = find('.buttons').children;
  BUTTONS.forEach((choices, i) => updateButton(buttons[i], choices, lane));
}

function updateButton(button, choices, lane) {
  const possible = choices.find(([action]) => lane.actions.includes(action));
  const [action, word] = possible ?? choices[0];
  setAttribute(button, 'data-action', action);
  setAttribute(button, 'aria-disabled', !possible);
  setAttribute(button, 'aria-label', `${word} ${lane.name}`);
  setText(button, word);
}
