// Words for figures. No DOM, no clock: what is drawn depends on the arguments alone.

/** A measured duration in milliseconds: 12 ms, 870 ms, 2.87 s, 12.3 s, 1 min 4 s. */
export function duration(millis) {
  const ms = Math.max(0, Math.round(millis));
  if (ms < 1000) {
    return `${ms} ms`;
  }
  if (ms < 9995) {
    return `${(ms / 1000).toFixed(2)} s`;
  }
  if (ms < 59_950) {
    return `${(ms / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Its figure and its unit apart, for where the figure is set large; longer than a minute there is no one unit. */
export function figure(millis) {
  const text = duration(millis);
  const [value, unit, ...rest] = text.split(' ');
  return rest.length ? { value: text, unit: '' } : { value, unit };
}

/** What is left of a lease, coarse enough to be read while it changes. */
export function left(millis) {
  return `${(Math.max(0, millis) / 1000).toFixed(1)} s`;
}

/** The time of day of the machine the page is read on, to the second. */
export function timeOfDay(epochMillis) {
  const date = new Date(epochMillis);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((n) => String(n).padStart(2, '0')).join(':');
}

export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

export function list(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const CAUSES = {
  KILL: 'killed',
  FREEZE: 'frozen',
  CUT: 'cut off',
  STOP: 'stopped',
  RESIGN: 'resigned',
  BALANCE: 'balanced',
  BROKER: 'broker away',
  OTHER: 'other',
};

export function cause(code) {
  return CAUSES[code] ?? code.toLowerCase();
}
