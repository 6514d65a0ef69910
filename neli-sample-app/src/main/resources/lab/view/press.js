import { setText } from './dom.js';

/**
 * Lets a button send a command. It keeps the focus, whatever comes of it; what went wrong is said beside it, and stays
 * until the next press. A button that cannot be pressed now is not `disabled`, as that would take the focus away.
 */
export function press(button, message, command) {
  button.addEventListener('click', async () => {
    const { path, busy, refused } = command();
    if (button.getAttribute('aria-busy') === 'true') {
      return;
    }
    if (button.getAttribute('aria-disabled') === 'true') {
      say(message, refused, 'error');
      return;
    }
    button.setAttribute('aria-busy', 'true');
    say(message, busy ?? '', 'busy');
    say(message, await post(path), 'error');
    button.removeAttribute('aria-busy');
  });
}

/** Takes back what went wrong, once it is no longer so. */
export function forget(message) {
  if (message.dataset.tone === 'error') {
    setText(message, '');
  }
}

function say(message, text, tone) {
  message.dataset.tone = tone;
  setText(message, text);
}

/** What went wrong, in words; empty where nothing did. */
async function post(path) {
  try {
    const response = await fetch(path, { method: 'POST', signal: AbortSignal.timeout(15_000) });
    return response.ok ? '' : await problem(response);
  } catch (error) {
    return error.name === 'TimeoutError' ? 'The lab has not answered for 15 s.' : 'The lab cannot be reached.';
  }
}

async function problem(response) {
  const body = await response.json().catch(() => ({}));
  return body.problem ?? body.detail ?? `The lab answered ${response.status}.`;
}
