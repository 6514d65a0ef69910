import { setText } from './dom.js';

/**
 * Lets a button send the command in its `data-path`. The button keeps the focus, and an error is shown next to it until
 * the next press. If the command is not possible now, the button is not `disabled`, because it would lose the focus.
 */
export function connectButton(button, message) {
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') {
      return;
    }
    setText(message, button.dataset.refusal);
    if (!button.dataset.refusal) {
      button.setAttribute('aria-busy', 'true');
      setText(message, await post(button.dataset.path));
      button.removeAttribute('aria-busy');
    }
  });
}

/** Returns the error message, or an empty string. */
async function post(path) {
  try {
    const response = await fetch(path, { method: 'POST', signal: AbortSignal.timeout(15_000) });
    if (response.ok) {
      return '';
    }
    const body = await response.json().catch(() => ({}));
    return body.detail ?? `The lab answered ${response.status}.`;
  } catch (error) {
    return error.name === 'TimeoutError' ? 'The lab has not answered for 15 s.' : 'The lab cannot be reached.';
  }
}
