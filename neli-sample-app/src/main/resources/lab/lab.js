// The page: takes the lab's events, keeps the last of each kind, and draws them.

import { connect } from './connection.js';
import { timeOfDay } from './model/format.js';
import { instancesView, rolesView } from './model/timeline.js';
import { byId, element, keyed } from './view/dom.js';
import { announce, drawBroker, drawConnection, drawHeadline, wireBroker } from './view/header.js';
import { drawLanes } from './view/lanes.js';
import { drawEvents, drawFailovers, drawLeaders, drawLedger } from './view/figures.js';
import { wireTabs } from './view/tabs.js';
import { timeline } from './view/timeline.js';

const state = { lab: null, history: null, ledger: null };
const view = { role: 'ledger', span: 120_000, tab: 'instances', live: false };
const clock = { now: 0, at: 0, offset: 0 };

const IDLE = 'Point at a bar or a mark, or move among the marks with the arrow keys, to read what it was.';
const drawInstances = timeline(byId('timeline-instances'), byId('panel-instances').querySelector('.detail'), { rail: 24, row: 52, inset: 25, idle: IDLE });
const drawRoles = timeline(byId('timeline-roles'), byId('panel-roles').querySelector('.detail'), { rail: 2, row: 30, inset: 4, idle: IDLE });

/** The lab's clock now. It stands still while nothing is heard of the lab. */
function labNow() {
  return clock.now + (view.live ? performance.now() - clock.at : 0);
}

const time = (at) => timeOfDay(at + clock.offset);

function setClock(now) {
  const offset = Date.now() - now;
  // What is on the page shall not flicker by a second; a machine that was suspended, or another lab, is another matter.
  if (!clock.at || Math.abs(offset - clock.offset) > 2_000) {
    clock.offset = offset;
  }
  clock.now = now;
  clock.at = performance.now();
}

function draw() {
  const { lab, history, ledger } = state;
  if (!lab || !history || !ledger) {
    return;
  }
  const now = labNow();
  drawHeadline(lab, history, view.role, now, time);
  drawBroker(lab.broker);
  drawLanes(lab, view.role);
  if (view.tab === 'instances') {
    drawInstances(instancesView(lab, history, view.role), now, view.span, clock.offset);
  } else {
    drawRoles(rolesView(lab, history), now, view.span, clock.offset);
    drawLeaders(lab, history, time);
  }
  drawEvents(history, time);
  drawFailovers(history, view.role, time);
  drawLedger(ledger.entries, history, time);
  announce(lab, history, view.role);
}

function drawChoice(lab) {
  keyed(byId('role'), lab.roles.map((role) => ({ key: role })), ({ key }) => element('option', { value: key }, key), () => {});
  if (!lab.roles.includes(view.role)) {
    view.role = lab.roles[0];
  }
  byId('role').value = view.role;
}

let due = false;
function drawSoon() {
  if (!due) {
    due = true;
    requestAnimationFrame(() => {
      due = false;
      draw();
    });
  }
}

byId('role').addEventListener('change', (event) => {
  view.role = event.target.value;
  drawSoon();
});
document.querySelector('.window').addEventListener('change', (event) => {
  view.span = Number(event.target.value);
  drawSoon();
});
view.span = Number(document.querySelector('.window input:checked').value);
byId('events').addEventListener('toggle', drawSoon);
wireTabs(document.querySelector('[role=tablist]'), (tab) => {
  view.tab = tab;
  drawSoon();
});
new ResizeObserver(drawSoon).observe(byId('lab'));
wireBroker();

connect('/api/events', ['lab', 'history', 'ledger'], (name, data) => {
  state[name] = data;
  if (name === 'lab') {
    setClock(data.now);
    drawChoice(data);
  }
  drawSoon();
}, (connection, since) => {
  clock.now = labNow();
  clock.at = performance.now();
  view.live = connection === 'live';
  drawConnection(connection, since);
});
