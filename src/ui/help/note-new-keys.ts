import type {App} from '#ui/core/app.ts';
import {persistValue, readPersistedValue} from '#ui/core/app.ts';

const valueName = 'keys.note';
/** Longer than other toasts, and wrapped as a warning is: it is shown only once. */
const noteMs = 20_000;

/**
 * Tells a user of an earlier version once that done and undo have the same keys everywhere. New users see nothing, nor do those
 * whose own keymap has other keys. If another toast is shown, it waits for the next start.
 */
export function noteNewKeys(app: App, hasRunBefore: boolean): void {
  if (readPersistedValue(app, valueName, (value) => value === true)) return;
  const {keys} = app.info;
  const [done, undo, edit] = ['conv.done', 'undo', 'msg.edit'].map((id) => keys?.keyOf(id));
  const isShown = hasRunBefore && done === 'e' && undo === 'z' && edit === 'E';
  if (isShown && app.screen.toast !== undefined) return;
  // It is not shown again and again if it cannot be saved that it was shown.
  if (!persistValue(app, valueName, true) || !isShown) return;
  const text = 'e is done and z is undo everywhere now; E edits';
  app.toast({text, hint: 'old keys: preset = "zulip" in keys.toml'}, 'warning', noteMs);
}
