// Marks in words, and what they say of an instance's state over time.

/** Of what was done, which is always the same; the lab's own text says more of what came of it. */
const WORDS = {
  KILL: 'killed (SIGKILL)',
  FREEZE: 'frozen (SIGSTOP)',
  THAW: 'thawed (SIGCONT)',
  CUT: 'cut off from the broker',
  HEAL: 'connected to the broker again',
  STOP: 'told to stop (SIGTERM)',
  START: 'started',
  RESIGN: 'told to resign',
  BROKER_STOP: 'told to stop',
  BROKER_START: 'started',
  BROKER_UP: 'up',
};

const TONES = {
  KILL: 'fault', FREEZE: 'fault', CUT: 'fault', STOP: 'fault', RESIGN: 'fault', BROKER_STOP: 'fault',
  THAW: 'cure', HEAL: 'cure', START: 'cure', BROKER_START: 'cure', BROKER_UP: 'cure',
  FENCED: 'loss', REFUSED: 'loss', EXITED: 'plain', REVOKED: 'plain', ACQUIRED: 'plain',
};

export const tone = (mark) => TONES[mark.kind] ?? 'plain';

/** A mark as a sentence without its time. */
export function sentence(mark) {
  const subject = mark.instance ?? 'broker';
  return `${subject}${mark.role ? `, ${mark.role}` : ''}: ${WORDS[mark.kind] ?? mark.text}`;
}

export const keyOf = (mark) => `${mark.at} ${mark.kind} ${mark.instance ?? ''} ${mark.role ?? ''}`;

const OPEN = { FREEZE: 'frozen', CUT: 'cut', KILL: 'dead', EXITED: 'dead', BROKER_STOP: 'away' };
const CLOSE = { THAW: ['frozen'], HEAL: ['cut'], START: ['dead'], KILL: ['frozen', 'cut'], EXITED: ['frozen', 'cut'], BROKER_UP: ['away'] };

/** From when to when an instance (null: the broker) was frozen, cut off, dead or away; `to` is null while it is. */
export function spells(marks, instance) {
  const done = [];
  const open = new Map();
  for (const mark of marks) {
    if ((mark.instance ?? null) !== instance) {
      continue;
    }
    for (const kind of CLOSE[mark.kind] ?? []) {
      if (open.has(kind)) {
        done.push({ ...open.get(kind), to: mark.at });
        open.delete(kind);
      }
    }
    const kind = instance === null && mark.kind === 'EXITED' ? 'away' : OPEN[mark.kind];
    if (kind && !open.has(kind)) {
      open.set(kind, { kind, from: mark.at, to: null });
    }
  }
  return [...done, ...open.values()];
}
