import type {InboxCursorContext} from '#app/inbox/inbox-state.ts';
import type {Frame} from './frame.ts';
import type {ScreenState} from './screen-state.ts';

/** A key and a word or two for what it does. */
export interface KeyHint {
  readonly key: string;
  readonly label: string;
}

/** What the keys do, for whoever shows it; made from the commands and the keymap. */
export interface KeyGuide {
  /** What to do with text, with keys or with a menu now. */
  mode(screen: ScreenState): 'NAV' | 'WRITE' | 'PICK';
  /** The most useful first. */
  hints(frame: Frame): readonly KeyHint[];
  /** The same for the inbox, whatever has the keys. */
  inboxHints(spot: InboxCursorContext): readonly KeyHint[];
  /** Where everything else is found; the last one is never left out. */
  moreHints(screen: ScreenState): readonly KeyHint[];
  /** What may follow the keys pressed so far. */
  continuations(screen: ScreenState): readonly KeyHint[];
}
