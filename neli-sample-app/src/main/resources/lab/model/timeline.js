// The two timelines as data: rows, and what lies on them. Places in pixels come last, from a scale.

import { duration } from './format.js';
import { keyOf, sentence, spells, tone } from './events.js';
import { fitting, spread } from './scale.js';

const SHOWN_BY_BARS = new Set(['ACQUIRED', 'REVOKED']);
const FOREVER = 600_000;

/** One role: a row per instance, its terms as bars labelled by token, marks above them, gaps across all rows. */
export function instancesView(lab, history, role) {
  const rows = lab.instances.map((each) => ({ key: each.name, label: each.name, instance: each.name }));
  rows.push({ key: '', label: 'broker', instance: null, small: true });
  return {
    rows,
    bars: history.terms.filter((term) => term.role === role)
      .map((term) => bar(term, history, term.instance, 'leading', [`token ${term.token}`, `${term.token}`])),
    spells: rows.flatMap((row) => spells(history.marks, row.instance).map((each) => ({ ...each, row: row.key }))),
    gaps: history.gaps.filter((gap) => gap.role === role).map((gap) => gapOf(gap, history, null)),
    marks: history.marks.filter((mark) => !SHOWN_BY_BARS.has(mark.kind) && (mark.role === null || mark.role === role))
      .map((mark) => markOf(mark, mark.instance ?? '')),
  };
}

/** All roles: a row each, the terms as bars named and coloured by instance. */
export function rolesView(lab, history) {
  const faults = { key: '', label: 'faults', small: true };
  return {
    rows: [faults, ...lab.roles.map((role) => ({ key: role, label: role }))],
    bars: history.terms.map((term) => bar(term, history, term.role, `member-${lab.instances.findIndex((each) => each.name === term.instance)}`,
      [`${term.instance} ${term.token}`, term.instance, term.instance[0]])),
    spells: [],
    gaps: history.gaps.map((gap) => gapOf(gap, history, gap.role)),
    marks: history.marks.filter((mark) => mark.role === null && tone(mark) !== 'plain').map((mark) => markOf(mark, '')),
  };
}

const ENDS = { KILLED: 'killed', FENCED: 'fenced', REVOKED: 'handed over', SUPERSEDED: 'superseded' };

function bar(term, history, row, fill, labels) {
  const lost = history.gaps.find((gap) => gap.role === term.role && gap.from > term.from && gap.from < (term.to ?? Infinity));
  const lasted = term.to === null ? 'leads now' : `${duration(term.to - term.from)}, ${ENDS[term.end] ?? 'ended'}`;
  return {
    key: `${term.role} ${term.instance} ${term.token}`,
    row, fill, labels, from: term.from, to: term.to, end: term.end, lost: lost && (lost.to === null || lost.to >= (term.to ?? Infinity)) ? lost.from : null,
    text: `${term.instance} led ${term.role} with token ${term.token}: ${lasted}`.replace('led', term.to === null ? 'leads' : 'led'),
  };
}

/** A gap is of a handover where the change that ended it was planned. */
function gapOf(gap, history, row) {
  const planned = history.changes.some((each) => each.planned && each.role === gap.role && each.at === gap.to);
  return { ...gap, row, planned };
}

function markOf(mark, row) {
  return { key: keyOf(mark), row, at: mark.at, kind: mark.kind, tone: tone(mark), text: sentence(mark) };
}

/** The view's things that touch the scale's window, in pixels. */
export function place(view, scale) {
  const inWindow = (thing) => (thing.to ?? Infinity) >= scale.from;
  const stretch = (thing, least) => {
    const x = scale.x(Math.max(thing.from, scale.from - FOREVER));
    return { x, width: Math.max(least, scale.x(thing.to ?? scale.now + FOREVER) - x) };
  };
  const seen = (thing) => Math.min(scale.now, thing.to ?? scale.now) - Math.max(scale.from, thing.from);
  const bars = view.bars.filter(inWindow).map((each) => {
    const room = seen({ ...each, to: each.lost ?? each.to }) * scale.perMilli - 10;
    return {
      ...each, ...stretch(each, 3),
      live: each.lost === null ? null : (each.lost - each.from) * scale.perMilli,
      inset: Math.max(0, (scale.from - each.from) * scale.perMilli),
      label: each.labels.find((label) => label.length * 7.2 <= room) ?? '',
    };
  });
  const gaps = view.gaps.filter(inWindow).map((each) => {
    const text = duration((each.to ?? scale.now) - each.from);
    return { ...each, key: `${each.role} ${each.from}`, ...stretch(each, 2), text, closed: each.to !== null };
  });
  const acrossAll = gaps.filter((each) => each.row === null);
  const labelled = fitting(acrossAll.map((each) => ({
    key: each.key, x: each.x + seen(each) * scale.perMilli / 2, width: each.text.length * 7 + 10, weight: seen(each),
  })));
  for (const gap of gaps) {
    const room = seen(gap) * scale.perMilli;
    gap.middle = Math.min(Math.max(gap.x, scale.x(scale.from)) + room / 2, scale.x(scale.now) - gap.text.length * 3.5 - 6);
    gap.labelled = gap.row === null ? labelled.has(gap.key) : room >= gap.text.length * 7 + 4;
  }
  return { bars, gaps, spells: view.spells.filter(inWindow).map((each) => ({
    ...each, key: `${each.row} ${each.kind} ${each.from}`, ...stretch(each, 2),
  })), marks: placeMarks(view, scale) };
}

function placeMarks(view, scale) {
  return view.rows.flatMap((row) => {
    const marks = view.marks.filter((mark) => mark.row === row.key && mark.at >= scale.from - 2_000);
    const places = spread(marks.map((mark) => scale.x(mark.at)), 19);
    return marks.map((mark, i) => ({ ...mark, x: places[i] }));
  });
}
