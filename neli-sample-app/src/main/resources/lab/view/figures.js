import { failoversOf } from '../model/failovers.js';
import { entriesOf } from '../model/ledger.js';
import { leadersByRole } from '../model/leader.js';
import { keyOf, sentence } from '../model/events.js';
import { count } from '../model/format.js';
import { byId, element, icon, keyed, setAttribute, setIcon, setStyle, setText } from './dom.js';

export function drawFailovers(history, role, time) {
  const { unplanned, planned, changes } = failoversOf(history, role);
  setText(byId('failovers').querySelector('.role'), role);
  drawKind(byId('unplanned'), unplanned, time, 'None yet. Kill the leader.');
  drawKind(byId('planned'), planned, time, 'None yet. Let the leader resign.');
  keyed(byId('changes').tBodies[0], changes, row, (node, change) => {
    setAttribute(node, 'data-planned', change.planned);
    setAttribute(node, 'data-cause', change.cause);
    cells(node, [time(change.at), change.path, change.why, change.lasted]);
  });
}

function drawKind(node, kind, time, none) {
  const find = (selector) => node.querySelector(selector);
  setText(find('.value'), kind.last?.value ?? '–');
  setText(find('.unit'), kind.last?.unit ?? '');
  setText(find('.which'), kind.last?.path ?? none);
  setText(find('.why'), kind.last ? `${kind.last.why}, ${time(kind.last.at)}` : '');
  keyed(find('.figures'), [...kind.figures, ...(kind.count ? [{ name: 'count', value: String(kind.count) }] : [])].map((each) => ({ key: each.name, ...each })),
    ({ name }) => element('div', {}, element('dt', {}, name), element('dd')),
    (each, { value }) => setText(each.lastChild, value));
  drawHistogram(find('.histogram'), kind.bins);
}

function drawHistogram(node, bins) {
  node.hidden = bins.length === 0;
  setStyle(node, 'maxWidth', `${bins.length * 36}px`);
  if (!node.firstChild) {
    node.append(element('div', { class: 'bins' }), element('div', { class: 'ends' }, element('span'), element('span')));
  }
  const filled = bins.filter((bin) => bin.count > 0);
  setAttribute(node, 'aria-label', `Histogram. ${filled.map((bin) => bin.text).join('; ')}`);
  keyed(node.firstChild, bins, () => element('div', { class: 'bin' }, element('span')), (each, bin) => {
    setStyle(each.firstChild, 'transform', `scaleY(${bin.share.toFixed(3)})`);
    setAttribute(each, 'title', bin.text);
  });
  setText(node.lastChild.firstChild, bins[0]?.from ?? '');
  setText(node.lastChild.lastChild, bins.length > 1 ? bins.at(-1).to : '');
}

export function drawLedger(entries, history, time) {
  const ledger = byId('ledger');
  const refused = history.marks.filter((mark) => mark.kind === 'REFUSED').length;
  setText(ledger.querySelector('.refusals'), refused ? `${count(refused, 'stale write')} refused` : 'none refused yet');
  setAttribute(ledger.querySelector('.refusals'), 'data-any', refused > 0);
  keyed(ledger.querySelector('.entries'), entriesOf(entries, history.terms), createEntry, (node, entry) => {
    setAttribute(node, 'data-tone', entry.tone);
    const [at, name, token, number, outcome, why] = node.children;
    setText(at, time(entry.at));
    setText(name, entry.instance);
    setText(token, `token ${entry.token}`);
    setText(number, `no. ${entry.number}`);
    setIcon(outcome.firstChild, entry.state === 'COMMITTED' ? 'up' : entry.state === 'REFUSED' ? 'REFUSED' : 'dead');
    setText(outcome.lastChild, entry.outcome);
    setText(why, entry.why);
    setAttribute(why, 'title', entry.reason ?? '');
  });
}

function createEntry() {
  return element('li', { class: 'entry' },
    element('time'), element('span', { class: 'instance' }), element('span'), element('span'),
    element('span', { class: 'outcome' }, icon('up'), element('span')), element('p', { class: 'why' }));
}

export function drawLeaders(lab, history, time) {
  const rows = leadersByRole(lab, history).map((each) => ({ key: each.role, ...each }));
  keyed(byId('leaders').tBodies[0], rows, () => {
    const node = row();
    node.cells[2].className = 'number';
    node.cells[1].append(element('span', { class: 'member' }));
    return node;
  }, (node, each) => {
    setAttribute(node, 'data-role', each.role);
    setText(node.cells[0], each.role);
    const member = node.cells[1].firstChild;
    setText(member, each.leader ?? 'nobody');
    setAttribute(member, 'data-member', lab.instances.findIndex((instance) => instance.name === each.leader));
    setAttribute(member, 'class', each.leader ? 'member' : 'member nobody');
    setText(node.cells[2], each.token === null ? '' : String(each.token));
    setText(node.cells[3], each.since === null ? '' : time(each.since));
  });
}

export function drawEvents(history, time) {
  setText(byId('events').querySelector('.count'), count(history.marks.length, 'event'));
  if (byId('events').open) {
    const events = history.marks.toReversed().map((mark) => ({ key: keyOf(mark), mark }));
    keyed(byId('events').querySelector('ol'), events, () => element('li', {}, element('time'), element('span')), (node, { mark }) => {
      setText(node.firstChild, time(mark.at));
      setText(node.lastChild, sentence(mark));
    });
  }
}

function row() {
  return element('tr', {}, element('td'), element('td'), element('td'), element('td', { class: 'number' }));
}

function cells(node, texts) {
  texts.forEach((text, i) => setText(node.cells[i], text));
}
