import type {Frame} from './frame.ts';

/** These characters stand in no text of a user or of the server: both are shown without control characters. */
const [start, separator, end] = ['\u0001', '\u0002', '\u0003'];

/**
 * Returns the part of a toast's text that offers a command: ` · z undo`. The toast shows the key that runs one of the commands
 * where the user is, and leaves the part out where none does.
 */
export function keyOffer(label: string, ...commands: readonly string[]): string {
  return `${start}${[label, ...commands].join(separator)}${end}`;
}

export const undoCommands = ['triage.undo', 'draft.undo', 'undo'] as const;

export function undoKeyOffer(label = 'undo'): string {
  return keyOffer(label, ...undoCommands);
}

export function draftsKeyOffer(): string {
  return keyOffer('drafts', 'view.drafts');
}

/** Replaces the offers in a text. */
export function replaceKeyOffers(
  written: string,
  textOf: (label: string, commands: readonly string[]) => string,
): string {
  const [before = '', ...offers] = written.split(start);
  const replaced = offers.map((part) => {
    const [offer = '', after = ''] = part.split(end);
    const [label = '', ...commands] = offer.split(separator);
    return `${textOf(label, commands)}${after}`;
  });
  return [before, ...replaced].join('');
}

/** Returns a toast's text with the keys that work in the frame. */
export function withOfferedKeys(frame: Frame, written: string): string {
  return replaceKeyOffers(written, (label, commands) => {
    const key = frame.info.keys?.workingKey(frame, commands);
    return key === undefined ? '' : ` · ${key} ${label}`;
  });
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
