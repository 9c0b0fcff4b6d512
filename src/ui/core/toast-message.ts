import type {Frame} from './frame.ts';

/** A command that a toast offers: ` · z undo`. */
export interface KeyOffer {
  readonly label: string;
  /** The toast shows the key that runs one of them where the user is, and nothing where none does. */
  readonly commands: readonly string[];
}

/** A toast's text in parts. */
export interface ToastMessage {
  /** What happened. */
  readonly text: string;
  /** What follows from it, or what the user can do now. */
  readonly hint?: string | undefined;
  readonly offer?: KeyOffer | undefined;
}

export const undoCommands = ['triage.undo', 'draft.undo', 'undo'] as const;

export function withUndoKey(text: string, label = 'undo'): ToastMessage {
  return {text, offer: {label, commands: undoCommands}};
}

export function withDraftsKey(text: string): ToastMessage {
  return {text, offer: {label: 'drafts', commands: ['view.drafts']}};
}

export function toastMessage(written: string | ToastMessage): ToastMessage {
  return typeof written === 'string' ? {text: written} : written;
}

/** Returns a toast's text with the key that works in the frame; `tail` is its end, which is shown whole if possible. */
export function shownToast(frame: Frame, {text, hint, offer}: ToastMessage): {text: string; tail: string} {
  const key = offer && frame.info.keys?.workingKey(frame, offer.commands);
  const parts = [...(hint === undefined ? [] : [hint]), ...(key === undefined ? [] : [`${key} ${offer?.label}`])];
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
