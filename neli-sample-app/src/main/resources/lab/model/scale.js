// Time to pixels. Places are counted from an origin that stands still for minutes, so that what is drawn stays where it
// is and only the layer that carries it moves.

const EPOCH = 600_000;

/** The window of `span` ms that ends at `now`, `width` pixels wide. */
export function scale(now, span, width) {
  const origin = Math.floor((now - span) / EPOCH) * EPOCH;
  const perMilli = width / span;
  return {
    now,
    from: now - span,
    perMilli,
    key: `${origin} ${span} ${width}`,
    x: (at) => (at - origin) * perMilli,
    /** How far the layer is moved so that `now` is at the right edge. */
    shift: -(now - span - origin) * perMilli,
    width,
  };
}

const STEPS = [5_000, 10_000, 15_000, 30_000, 60_000, 120_000];

/** Round times of day in the window, not closer together than `room` pixels. `offset` is epoch minus lab time. */
export function ticks(scale, offset, room) {
  const step = STEPS.find((each) => each * scale.perMilli >= room) ?? STEPS.at(-1);
  const times = [];
  for (let at = Math.ceil((scale.from + offset) / step) * step - offset; at <= scale.now; at += step) {
    times.push(at);
  }
  return times;
}

/** Places at least `room` apart, in order, each at or after its own. */
export function spread(places, room) {
  let last = -Infinity;
  return places.map((place) => {
    last = Math.max(place, last + room);
    return last;
  });
}

/** Which of the labels fit beside each other: the longer the thing, the sooner it is labelled. */
export function fitting(labels) {
  const placed = [];
  const shown = new Set();
  for (const label of [...labels].sort((a, b) => b.weight - a.weight)) {
    const from = label.x - label.width / 2;
    const to = label.x + label.width / 2;
    if (placed.every((other) => to <= other.from || from >= other.to)) {
      placed.push({ from, to });
      shown.add(label.key);
    }
  }
  return shown;
}
