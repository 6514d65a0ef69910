import { place } from '../model/timeline.js';
import { scale, ticks } from '../model/scale.js';
import { timeOfDay } from '../model/format.js';
import { element, icon, keyed, setAttribute, setIcon, setStyle, setText } from './dom.js';

const AXIS = 20;
const BAR = 22;

/** A timeline in its container: below a `rail` for the gaps' labels rows of `row` pixels, with the bar `inset` pixels below a row's upper edge. */
export function timeline(container, detail, { rail, row, inset, idle }) {
  const gutter = element('div', { class: 'gutter', 'aria-hidden': 'true' });
  const layer = element('div', { class: 'layer' });
  const [tickLayer, gapLayer, termLayer, spellLayer, labelLayer] = [1, 2, 3, 4, 5].map(() => element('div', { class: 'layer', 'aria-hidden': 'true' }));
  const markLayer = element('div', { class: 'layer', role: 'group', 'aria-label': 'Events; the arrow keys move between them' });
  layer.append(tickLayer, gapLayer, termLayer, spellLayer, labelLayer, markLayer);
  const rules = element('div', { 'aria-hidden': 'true' });
  const track = element('div', { class: 'track' }, rules, layer);
  container.append(gutter, track);
  explain(track, detail, idle);
  rove(markLayer);
  let key = '';

  return function draw(view, now, span, offset) {
    if (!track.clientWidth) {
      return;
    }
    const scaled = scale(now, span, track.clientWidth);
    const tops = new Map();
    let bottom = rail;
    for (const each of view.rows) {
      tops.set(each.key, bottom);
      bottom += each.small ? BAR + 6 : row;
    }
    const barTop = (each) => tops.get(each) + (view.rows.find((r) => r.key === each).small ? 3 : inset);
    setStyle(container, 'height', `${bottom + AXIS}px`);
    keyed(gutter, view.rows, (r) => element('span', { class: r.small ? 'small' : '' }, r.label),
      (node, r) => setStyle(node, 'top', `${barTop(r.key) + BAR / 2}px`));
    keyed(rules, [...view.rows, { key: 'end' }], () => element('div', { class: 'rule' }),
      (node, r) => setStyle(node, 'top', `${tops.get(r.key) ?? bottom}px`));

    const placed = place(view, scaled);
    keyed(tickLayer, ticks(scaled, offset, 66).map((at) => ({ key: at })), () => element('div', { class: 'tick' }, element('span')), (node, { key: at }) => {
      setStyle(node, 'left', `${scaled.x(at)}px`);
      setText(node.firstChild, (now - at) * scaled.perMilli < 58 ? '' : timeOfDay(at + offset));
    });
    keyed(gapLayer, placed.gaps, () => element('div', { class: 'gap' }), (node, gap) => {
      box(node, gap, gap.row === null ? rail : tops.get(gap.row) + 1, gap.row === null ? bottom - rail : row - 1);
      setAttribute(node, 'data-open', !gap.closed);
      setAttribute(node, 'data-planned', gap.planned);
      setAttribute(node, 'data-text', `Nobody led ${gap.role} for ${gap.text}`);
    });
    keyed(labelLayer, placed.gaps.filter((gap) => gap.labelled), () => element('div', { class: 'gap-label' }), (node, gap) => {
      setText(node, gap.text);
      setAttribute(node, 'data-planned', gap.planned);
      setStyle(node, 'left', `${gap.middle}px`);
      setStyle(node, 'top', `${gap.row === null ? 2 : tops.get(gap.row) + (row - 20) / 2}px`);
    });
    keyed(termLayer, placed.bars, (bar) => element('div', { class: 'term', 'data-fill': bar.fill }, element('span')), (node, bar) => {
      box(node, bar, barTop(bar.row), BAR);
      setAttribute(node, 'data-end', bar.end ?? '');
      node.style.setProperty('--live', bar.live === null ? '100%' : `${bar.live}px`);
      setAttribute(node, 'data-text', bar.text);
      setText(node.firstChild, bar.label);
      setStyle(node.firstChild, 'left', `${bar.inset}px`);
    });
    keyed(spellLayer, placed.spells, (spell) => element('div', { class: 'spell', 'data-kind': spell.kind }), (node, spell) => {
      box(node, spell, barTop(spell.row) + BAR - 7, 7);
      setAttribute(node, 'data-text', `${spell.row || 'broker'}: ${spell.kind}`);
    });
    const focused = markLayer.contains(document.activeElement);
    keyed(markLayer, placed.marks, createMark, (node, mark) => {
      setStyle(node, 'left', `${mark.x}px`);
      setStyle(node, 'top', `${mark.row === '' ? barTop('') + 1 : tops.get(mark.row) + 3}px`);
      setAttribute(node, 'data-text', `${timeOfDay(mark.at + offset)}  ${mark.text}`);
      setAttribute(node, 'aria-label', `${timeOfDay(mark.at + offset)} ${mark.text}`);
    });
    keepOneTabStop(markLayer, focused);
    layer.classList.toggle('moving', key === scaled.key);
    key = scaled.key;
    setStyle(layer, 'transform', `translateX(${scaled.shift.toFixed(1)}px)`);
  };
}

function box(node, { x, width }, top, height) {
  setStyle(node, 'left', `${x}px`);
  setStyle(node, 'width', `${width}px`);
  setStyle(node, 'top', `${top}px`);
  setStyle(node, 'height', `${height}px`);
}

const SHAPES = { KILL: 'dead', FREEZE: 'frozen', CUT: 'cut', FENCED: 'fenced', BROKER_STOP: 'STOP', BROKER_START: 'START', BROKER_UP: 'up' };
const DRAWN = new Set(['THAW', 'HEAL', 'STOP', 'START', 'RESIGN', 'REFUSED', 'EXITED']);

function createMark(mark) {
  const node = element('button', { type: 'button', class: 'mark', tabindex: '-1', 'data-tone': mark.tone, 'data-kind': mark.kind }, icon('standby'));
  setIcon(node.firstChild, SHAPES[mark.kind] ?? (DRAWN.has(mark.kind) ? mark.kind : 'standby'));
  return node;
}

/** Says below the timeline what is pointed at or has the focus. */
function explain(track, detail, idle) {
  const show = (event) => {
    const thing = event.target.closest?.('[data-text]');
    setText(detail, thing ? thing.dataset.text : idle);
    setAttribute(detail, 'data-at', Boolean(thing));
  };
  const leave = () => {
    setText(detail, idle);
    setAttribute(detail, 'data-at', false);
  };
  leave();
  track.addEventListener('pointerover', show);
  track.addEventListener('focusin', show);
  track.addEventListener('click', show);
  track.addEventListener('pointerleave', leave);
  track.addEventListener('focusout', leave);
}

/** One tab stop for all marks; left, right, Home and End move among them in the order of time. */
function rove(group) {
  group.addEventListener('keydown', (event) => {
    const marks = inTime(group);
    const at = marks.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: marks.length - 1 }[event.key];
    if (marks[to]) {
      marks[at].tabIndex = -1;
      marks[to].tabIndex = 0;
      marks[to].focus({ preventScroll: true });
      event.preventDefault();
    }
  });
}

const inTime = (group) => [...group.children].sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left));

/** The focused mark is the tab stop, else the newest; a focused mark that has gone by hands the focus on. */
function keepOneTabStop(group, focused) {
  if (group.contains(document.activeElement)) {
    return;
  }
  const marks = inTime(group);
  marks.forEach((mark, i) => setAttribute(mark, 'tabindex', i === marks.length - 1 ? 0 : -1));
  if (focused) {
    marks.at(-1)?.focus({ preventScroll: true });
  }
}
