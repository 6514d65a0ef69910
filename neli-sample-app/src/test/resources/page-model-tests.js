// The body of an async function that returns what is wrong. `test` names are sentences.

const load = (name) => import(new URL(`/model/${name}.js`, location).href);
const [format, lane, leader, scales, events, timeline, failovers, ledger] =
  await Promise.all(['format', 'lane', 'leader', 'scale', 'events', 'timeline', 'failovers', 'ledger'].map(load));

const wrong = [];
let name = '';

function test(sentence, body) {
  name = sentence;
  body();
}

function equal(actual, expected) {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    wrong.push(`${name}: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
  }
}

const instance = (name, state, more = {}, own = {}) => ({
  name, pid: 7, process: 'RUNNING', cut: false, problem: null, actions: ['kill'],
  roles: [{ role: 'ledger', state, token: state === 'STANDBY' ? null : 17, leaseLeft: state === 'LEADING' ? 2400 : null, ...own }], ...more,
});
const lab = (...instances) => ({ now: 10_000, lease: 3000, roles: ['ledger'], broker: { state: 'UP', actions: ['stop'] }, instances });
const nothing = { terms: [], marks: [], gaps: [], changes: [], statistics: [] };

test('durations are as precise as they can be read', () => {
  equal([0, 12.4, 999, 2870, 9994, 12_340, 59_990, 64_000].map(format.duration),
    ['0 ms', '12 ms', '999 ms', '2.87 s', '9.99 s', '12.3 s', '1 min 0 s', '1 min 4 s']);
  equal(format.figure(2870), { value: '2.87', unit: 's' });
  equal(format.figure(64_000), { value: '1 min 4 s', unit: '' });
});

test('a lane has one state in a word', () => {
  const stateOf = (...args) => {
    const { state, word } = lane.laneOf(instance('alice', ...args), 'ledger', lab());
    return `${state}: ${word}`;
  };
  equal(stateOf('LEADING'), 'leading: Leading');
  equal(stateOf('CLAIMED'), 'claiming: Claiming');
  equal(stateOf('DRAINING'), 'draining: Draining');
  equal(stateOf('FENCED'), 'fenced: Fenced');
  equal(stateOf('STANDBY'), 'standby: Standby');
  equal(stateOf('LEADING', { process: 'FROZEN' }), 'frozen: Frozen, leading');
  equal(stateOf('STANDBY', { process: 'FROZEN' }), 'frozen: Frozen');
  equal(stateOf('LEADING', { cut: true }), 'cut: Cut off, leading');
  equal(stateOf('NONE', { process: 'STARTING' }), 'starting: Starting');
  equal(stateOf('NONE', { process: 'DEAD', roles: [] }), 'dead: Not running');
});

test('a lane shows the share of the lease that is left', () => {
  const shown = lane.laneOf(instance('alice', 'LEADING'), 'ledger', lab());
  equal([shown.leaseLeft, shown.leaseShare, shown.token, shown.troubled], [2400, 0.8, 17, false]);
});

test('a lane tells of trouble instead of the usual note, at length only where nobody has made it', () => {
  const troubled = instance('alice', 'STANDBY', { problem: 'no rights' });
  equal(lane.laneOf(troubled, 'ledger', lab()).note, 'no rights');
  equal(lane.laneOf(troubled, 'ledger', { ...lab(), broker: { state: 'DOWN', actions: ['start'] } }).note, 'Cannot reach the broker, and tries again.');
  equal(lane.laneOf({ ...troubled, cut: true }, 'ledger', lab()).note, 'Runs, but no byte passes.');
});

test('a frozen leader does not lead, nor does one whose lease has run out', () => {
  equal(leader.leaderOf(lab(instance('alice', 'LEADING', { process: 'FROZEN' })), 'ledger'), null);
  equal(leader.leaderOf(lab(instance('alice', 'LEADING', {}, { leaseLeft: 0 })), 'ledger'), null);
});

test('a button that cannot be pressed says what to do first', () => {
  equal(lane.whyNot({ name: 'bob', process: 'DEAD' }, 'kill'), 'bob is not running; start it first.');
  equal(lane.whyNot({ name: 'bob', process: 'FROZEN' }, 'stop'), 'bob is frozen; thaw it first.');
  equal(lane.whyNot({ name: 'bob', process: 'RUNNING' }, 'start'), 'bob is running already.');
});

test('of two that believe they lead the larger token is right', () => {
  const two = lab(instance('alice', 'LEADING'), instance('bob', 'LEADING', {}, { token: 21 }));
  equal(leader.leaderOf(two, 'ledger').name, 'bob');
});

test('the headline says since when nobody leads, and what has to happen first', () => {
  const frozen = lab(instance('alice', 'LEADING', { process: 'FROZEN' }), instance('bob', 'STANDBY'));
  const headline = leader.headline(frozen, { ...nothing, gaps: [{ role: 'ledger', from: 9000, to: null }] }, 'ledger');
  equal(headline, { leader: null, token: null, since: 9000, hint: 'alice is frozen, and its lease has to run out first.' });
});

test('now is at the right edge and the window begins at the left one', () => {
  const scale = scales.scale(1_000_000, 120_000, 600);
  equal([scale.x(1_000_000) + scale.shift, scale.x(880_000) + scale.shift].map(Math.round), [600, 0]);
  equal(scales.scale(1_000_200, 120_000, 600).key, scale.key);
});

test('ticks are at round times of day with room between them', () => {
  equal(scales.ticks(scales.scale(100_000, 60_000, 600), 3_000, 90), [47_000, 57_000, 67_000, 77_000, 87_000, 97_000]);
});

test('marks make room for each other, and of labels that collide the more important is shown', () => {
  equal(scales.spread([0, 5, 100, 101], 20), [0, 20, 100, 120]);
  equal([...scales.fitting([{ key: 'a', x: 10, width: 30, weight: 1 }, { key: 'b', x: 30, width: 30, weight: 5 }, { key: 'c', x: 90, width: 30, weight: 1 }])], ['b', 'c']);
});

test('an instance is frozen from the freeze to the thaw or its death, and dead until it is started', () => {
  const marks = [[1, 'FREEZE'], [4, 'THAW'], [6, 'FREEZE'], [7, 'KILL'], [9, 'START']]
    .map(([at, kind]) => ({ at, kind, instance: 'alice' }));
  equal(events.spells(marks, 'alice').map(({ kind, from, to }) => `${kind} ${from} ${to}`), ['frozen 1 4', 'frozen 6 7', 'dead 7 9']);
  equal(events.spells([{ at: 3, kind: 'BROKER_STOP', instance: null }], null), [{ kind: 'away', from: 3, to: null }]);
});

const history = {
  ...nothing,
  terms: [
    { role: 'ledger', instance: 'alice', token: 17, from: 10_000, to: 40_000, end: 'KILLED' },
    { role: 'ledger', instance: 'bob', token: 21, from: 42_870, to: null, end: null },
  ],
  gaps: [{ role: 'ledger', from: 40_000, to: 42_870 }],
  marks: [{ at: 40_000, instance: 'alice', kind: 'KILL', role: null, text: 'SIGKILL' }],
  changes: [{ role: 'ledger', at: 42_870, from: 'alice', to: 'bob', token: 21, cause: 'KILL', planned: false, millis: 2870 }],
  statistics: [{ role: 'ledger', planned: { count: 0 }, unplanned: { count: 1, min: 2870, median: 2870, max: 2870, histogram: [{ from: 2500, to: 3000, count: 1 }] } }],
};
const three = { ...lab(instance('alice', 'NONE', { process: 'DEAD' }), instance('bob', 'LEADING', {}, { token: 21 })), now: 70_000 };

test('terms are bars, gaps print their time, and marks stand where they belong', () => {
  const placed = timeline.place(timeline.instancesView(three, history, 'ledger'), scales.scale(70_000, 60_000, 600));
  equal(placed.bars.map((bar) => [bar.row, Math.round(bar.width) > 300 || bar.width, bar.label]), [['alice', 300, 'token 17'], ['bob', true, 'token 21']]);
  equal(placed.gaps.map((gap) => [gap.text, gap.labelled, gap.planned, Math.round(gap.width * 10) / 10]), [['2.87 s', true, false, 28.7]]);
  equal(placed.marks.map((mark) => [mark.row, mark.text]), [['alice', 'alice: killed (SIGKILL)']]);
  equal(placed.spells.map((spell) => `${spell.row} ${spell.kind}`), ['alice dead']);
});

test('what has left the window is not drawn', () => {
  const placed = timeline.place(timeline.instancesView({ ...three, now: 900_000 }, history, 'ledger'), scales.scale(900_000, 60_000, 600));
  equal([placed.bars.length, placed.gaps.length, placed.marks.length], [1, 0, 0]);
});

test('the bar of a leader that is frozen is live only up to the freeze', () => {
  const open = { ...nothing, terms: [{ ...history.terms[0], to: null }], gaps: [{ role: 'ledger', from: 40_000, to: null }] };
  const [bar] = timeline.place(timeline.instancesView(three, open, 'ledger'), scales.scale(70_000, 60_000, 600)).bars;
  equal(Math.round(bar.live), 300);
});

test('the last failover is large, and the figures are those of its kind', () => {
  const shown = failovers.failoversOf(history, 'ledger');
  equal([shown.unplanned.last.value, shown.unplanned.last.unit, shown.unplanned.last.path, shown.unplanned.last.why], ['2.87', 's', 'alice → bob', 'killed']);
  equal(shown.unplanned.figures.map((each) => each.value), ['2.87 s', '2.87 s', '2.87 s']);
  equal([shown.planned.last, shown.planned.figures, shown.planned.bins], [null, [], []]);
});

test('a change that waited for the broker is listed, not measured', () => {
  const away = { ...history, changes: [{ ...history.changes[0], cause: 'BROKER' }] };
  equal(failovers.failoversOf(away, 'ledger').unplanned.last, null);
  equal(failovers.failoversOf(away, 'ledger').changes.length, 1);
});

test('a refused write says in words who leads instead', () => {
  const [entry] = ledger.entriesOf([{ at: 50_000, instance: 'alice', token: 17, number: 42, state: 'REFUSED', reason: 'ProducerFencedException' }], history.terms);
  const [failed] = ledger.entriesOf([{ at: 1, instance: 'bob', token: 2, number: 1, state: 'FAILED', reason: 'org.apache.kafka.common.errors.TimeoutException: after 5000ms' }], []);
  equal(failed.why, 'The write failed: TimeoutException: after 5000ms');
  equal(entry.why, 'Token 17 is stale: bob leads since with token 21. The broker refused the transaction, so nothing of it is in the ledger.');
});

return wrong;
