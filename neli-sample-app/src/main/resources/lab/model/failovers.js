// Measured changes of leader of one role, ready to be read.

import { cause, duration, figure } from './format.js';

const NONE = { count: 0 };

/** The last unplanned and the last planned change large, the figures of each kind, and the list, newest first. */
export function failoversOf(history, role) {
  const changes = history.changes.filter((each) => each.role === role).toReversed();
  const measured = changes.filter((each) => each.cause !== 'BROKER' && each.millis !== null);
  const statistics = history.statistics.find((each) => each.role === role) ?? { planned: NONE, unplanned: NONE };
  return {
    unplanned: kind(measured.find((each) => !each.planned), statistics.unplanned),
    planned: kind(measured.find((each) => each.planned), statistics.planned),
    changes: changes.map((each) => ({
      ...each,
      key: `${each.at} ${each.token}`,
      path: `${each.from ?? 'nobody'} → ${each.to}`,
      why: cause(each.cause),
      lasted: each.millis === null ? '' : duration(each.millis),
    })),
  };
}

function kind(last, statistics) {
  return {
    last: last ? { ...figure(last.millis), path: `${last.from ?? 'nobody'} → ${last.to}`, why: cause(last.cause), at: last.at } : null,
    count: statistics.count,
    figures: statistics.count
      ? [['min', statistics.min], ['median', statistics.median], ['max', statistics.max]].map(([name, ms]) => ({ name, value: duration(ms) }))
      : [],
    bins: bins(statistics.histogram ?? []),
  };
}

/** Bars of the histogram as shares of the highest; a few of them are labelled. */
export function bins(histogram) {
  const most = Math.max(1, ...histogram.map((each) => each.count));
  return histogram.map((each) => ({
    key: String(each.from),
    share: each.count / most,
    count: each.count,
    from: duration(each.from),
    to: duration(each.to),
    text: `${duration(each.from)} to ${duration(each.to)}: ${each.count}`,
  }));
}
