// What a lane says of its instance: one state in a word, and a sentence on what that means.

const ALONE = {
  STARTING: ['starting', 'Starting', 'The process comes up.'],
  STOPPING: ['draining', 'Stopping', 'Hands over what it leads, then ends.'],
  DEAD: ['dead', 'Not running', 'There is no process.'],
};

const ROLE = {
  LEADING: ['leading', 'Leading', 'Does the work, and renews its lease.'],
  CLAIMED: ['claiming', 'Claiming', 'Has claimed the lead, and waits for the old lease to run out.'],
  DRAINING: ['draining', 'Draining', 'Hands over: nobody leads before its running work has ended.'],
  FENCED: ['fenced', 'Fenced', 'Has lost the lead. What it still writes is refused.'],
  STANDBY: ['standby', 'Standby', 'Reads the log, ready to claim.'],
  NONE: ['starting', 'Starting', 'Not yet in the group.'],
};

/** The instance's own view of a role; every instance has one of each. */
export function roleOf(instance, role) {
  return instance.roles?.find((each) => each.role === role) ?? { role, state: 'NONE', token: null, leaseLeft: null };
}

const holds = (own) => own.state === 'LEADING' || own.state === 'DRAINING';

/** Whether it leads, as far as anybody can tell: its lease runs, and it has not been stopped in its tracks. */
export function leads(instance, role) {
  const own = roleOf(instance, role);
  return instance.process !== 'FROZEN' && instance.process !== 'DEAD' && holds(own) && own.leaseLeft > 0;
}

function stateOf(instance, own) {
  if (ALONE[instance.process]) {
    return ALONE[instance.process];
  }
  const [, word] = ROLE[own.state] ?? ROLE.NONE;
  const was = own.state === 'STANDBY' || own.state === 'NONE' ? '' : `, ${word.toLowerCase()}`;
  if (instance.process === 'FROZEN') {
    return ['frozen', `Frozen${was}`, frozen(own)];
  }
  if (instance.cut) {
    return ['cut', `Cut off${was}`, holds(own)
      ? 'Runs, but no byte passes. It stands down by itself as its lease runs out.'
      : 'Runs, but no byte passes.'];
  }
  return ROLE[own.state] ?? ROLE.NONE;
}

function frozen(own) {
  if (!holds(own)) {
    return 'Stopped in its tracks.';
  }
  return own.leaseLeft > 0
    ? 'Stopped in its tracks, in the middle of its work. Its lease runs out.'
    : 'Still believes that it leads. Thaw it: its unfinished write is refused.';
}

/** Why the instance cannot be told to do that now, and what to do first. */
export function whyNot(instance, action) {
  const { name, process } = instance;
  if (process === 'DEAD') {
    return `${name} is not running; start it first.`;
  }
  if (action === 'start') {
    return `${name} is running already.`;
  }
  if (process === 'FROZEN') {
    return `${name} is frozen; thaw it first.`;
  }
  return process === 'RUNNING' ? `${name} cannot do that now.` : `${name} is ${process.toLowerCase()}; wait for it.`;
}

/** What it says itself is wrong; short where it is plain why: its own words name addresses and properties. */
function trouble(instance, lab) {
  if (!instance.problem || instance.cut || instance.process === 'FROZEN') {
    return '';
  }
  return lab.broker.state === 'UP' ? instance.problem : 'Cannot reach the broker, and tries again.';
}

/** All that a lane shows of an instance, seen from one role. */
export function laneOf(instance, role, lab) {
  const own = roleOf(instance, role);
  const [state, word, note] = stateOf(instance, own);
  const problem = trouble(instance, lab);
  const held = holds(own) && own.leaseLeft !== null;
  return {
    name: instance.name,
    process: instance.pid ? `process ${instance.pid}` : 'no process',
    state,
    word,
    note: problem || note,
    problem: instance.problem ?? '',
    troubled: problem !== '',
    token: own.token,
    leaseLeft: held ? Math.max(0, own.leaseLeft) : null,
    leaseShare: held ? Math.min(1, Math.max(0, own.leaseLeft / lab.lease)) : 0,
    others: (instance.roles ?? []).filter((each) => each.role !== role && leads(instance, each.role)).map((each) => each.role),
    actions: instance.actions,
    instance,
  };
}
