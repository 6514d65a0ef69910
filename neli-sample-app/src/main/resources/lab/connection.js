// The lab's events, and whether they still come.

const SILENCE = 6_000;
const AGAIN = 2_000;
const GONE = 30_000;

/**
 * Listens to the lab for as long as the page is open. `onEvent(name, data)` gets each event; `onState(state, since)` is
 * told `live`, `reconnecting`, and `gone` when the lab has not been heard for half a minute; it goes on trying then too.
 *
 * The browser reconnects by itself after most errors, not after all: it gives up on an answer that is no event stream,
 * and it does not notice a peer that is silent. Both are seen here, and a new stream is opened.
 */
export function connect(url, names, onEvent, onState) {
  let source;
  let state = 'connecting';
  let since = Date.now();
  let heard = performance.now();
  let opened = performance.now();

  function become(next) {
    if (next !== state && !(state === 'gone' && next === 'reconnecting')) {
      since = next === 'gone' ? since : Date.now();
      state = next;
      onState(state, since);
    }
  }

  function open() {
    source?.close();
    opened = performance.now();
    source = new EventSource(url);
    source.onerror = () => become('reconnecting');
    for (const name of names) {
      source.addEventListener(name, (event) => {
        heard = performance.now();
        become('live');
        onEvent(name, JSON.parse(event.data));
      });
    }
  }

  function watch() {
    const now = performance.now();
    if (now - heard > GONE) {
      become('gone');
    } else if (now - heard > SILENCE) {
      become('reconnecting');
    }
    const closed = source.readyState === EventSource.CLOSED;
    if (now - opened > (closed ? AGAIN : SILENCE) && (closed || now - heard > SILENCE)) {
      open();
    }
  }

  open();
  setInterval(watch, 500);
}
