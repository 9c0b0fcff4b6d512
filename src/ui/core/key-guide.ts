import type {Frame} from './frame.ts';
import type {ScreenState} from './screen-state.ts';

/** A key and a short label of its effect. */
export interface KeyHint {
  readonly key: string;
  readonly label: string;
}

/** Describes the keys for the panes that show hints; made from the commands and the keymap. */
export interface KeyGuide {
  /** Whether keys are commands (NAV), type text (WRITE) or choose a row (PICK) now. */
  mode(screen: ScreenState): 'NAV' | 'WRITE' | 'PICK';
  /** Returns the hints for the frame, the most useful first. */
  hints(frame: Frame): readonly KeyHint[];
  /** Returns the hints of the inbox, also below an overlay. */
  inboxHints(frame: Frame): readonly KeyHint[];
  /** Returns the hints for the palette and the help; the last one is never left out. */
  moreHints(frame: Frame): readonly KeyHint[];
  /** Returns a key that runs one of the commands now; undefined when none of them can run. */
  workingKey(frame: Frame, ids: readonly string[]): string | undefined;
  /** Returns the key of a command, such as `Ctrl-G`; its name in the palette if it has no key. */
  keyOf(commandId: string): string;
  /** Returns the keys that can follow the keys pressed so far. */
  continuations(screen: ScreenState): readonly KeyHint[];
}
