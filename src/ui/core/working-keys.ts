import type {Frame} from './frame.ts';
import type {ToastMessage} from './toast-message.ts';

/** Returns a toast's text with the key that works in the frame; `tail` is its end, which is shown whole if possible. */
export function shownToast(frame: Frame, {text, hint, offer, note}: ToastMessage): {text: string; tail: string} {
  const key = offer && frame.info.keys?.workingKey(frame, offer.commands);
  const parts = [hint, key && `${key} ${offer?.label}`, note].filter((part) => part !== undefined);
  const tail = parts.length === 0 ? '' : ` · ${parts.at(-1)}`;
  return {text: [text, ...parts].join(' · '), tail};
}

/** Returns the frame without overlays and pressed keys: the panes below stay as they are. */
export function paneFrame(frame: Frame): Frame {
  const {overlays, prefix} = frame.screen;
  if (overlays.length === 0 && prefix.length === 0) return frame;
  return {...frame, screen: {...frame.screen, overlays: [], prefix: []}};
}

/** Returns the key for a text in a pane, whatever lies over it; undefined where none runs one of the commands. */
export function paneKey(frame: Frame, commands: readonly string[]): string | undefined {
  return frame.info.keys?.workingKey(paneFrame(frame), commands);
}
