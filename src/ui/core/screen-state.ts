import type {Conversation} from '#state/model/conversation.ts';
import type {NavigationView} from '#state/slices/navigation-views.ts';
import type {AccountState} from '#state/state.ts';
import type {FormEdits} from './form.ts';
import type {PaneLine, View} from './frame.ts';
import type {OverlayState} from './overlay.ts';
import type {ToastMessage} from './toast-message.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A part of the screen. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/**
 * The panes that can have the focus. Exactly one has it; an open overlay takes the keys from it. `other`: in the frame of the
 * pane without the focus (`other-pane/other-pane-frame.ts`).
 */
export type Focus = 'channels' | 'topics' | 'main' | 'banner' | 'people' | 'connection' | 'composer' | 'other';

/** A view in the history, and the name of its account: accounts that are shown together have one history. */
export interface Visit {
  readonly account: string;
  readonly view: View;
}

/** The user's choice of panes. */
interface Panes {
  /** Visibility of the channel and topic lists; `auto` decides by the terminal's width. */
  readonly sidebar: 'auto' | 'shown' | 'hidden';
  /** Visibility of the people list; `auto` shows it in wide terminals. */
  readonly people: 'auto' | 'shown' | 'hidden';
  /** Whether only text is shown, without lists, marks and borders, for the terminal's own selection. */
  readonly isBare: boolean;
  /** Whether only one pane is shown at a time, in the whole width: a screen reader reads across panes. */
  readonly isSingle?: boolean | undefined;
}

/** The connection's outage or silence, in the clock's terms. */
export interface Outage {
  /** Whether the outage is so short that seconds say more than the time of day. */
  readonly isFresh: boolean;
  /** Seconds until the next attempt; undefined during an attempt. */
  readonly retryIn: number | undefined;
  /** Seconds without a response, while the connection counts as online. */
  readonly silentFor?: number | undefined;
}

/** A message that times out. */
export interface Toast {
  /** The message as a text, made for each frame. */
  readonly text: string;
  /** The end of `text` that is shown whole if possible: ` · z undo`. */
  readonly tail?: string | undefined;
  readonly message?: ToastMessage | undefined;
  readonly tone: 'plain' | 'warning' | 'error';
  /** Distinguishes this toast from the next one with the same text. */
  readonly id: number;
}

/** The instruction of the tour, and its lines below all panes. */
export interface TourArea {
  readonly instruction: string;
  readonly lines: readonly PaneLine[];
}

/**
 * Everything about the screen that the server does not know. Replaced, never changed in place. Parts of the screen add their own state
 * in their own folders (`composer/composer-state.ts`, `inbox/inbox-state.ts` and others), and `new-screen.ts` has what it is at startup.
 */
export interface ScreenState {
  /** The area of all panes: the terminal without the lines of the tour below it. */
  readonly size: Size;
  readonly tour?: TourArea | undefined;
  readonly view: View;
  readonly back: readonly Visit[];
  readonly forward: readonly Visit[];
  readonly focus: Focus;
  /** In the frame of the other pane: its rectangle. */
  readonly area?: Rect | undefined;
  readonly panes: Panes;
  /** The last one is on top and has the keys. */
  readonly overlays: readonly OverlayState[];
  /** The unsaved changes of forms by form id: they outlive the form. */
  readonly formEdits: ReadonlyMap<string, FormEdits>;
  /** The order of the sidebar's views by fragment; empty for the default order. */
  readonly sidebarOrder: readonly string[];
  /** The views of the sidebar that are saved on this machine, because the server stores none. */
  readonly localViews: readonly NavigationView[];
  readonly toast?: Toast | undefined;
  /** The address of the server that was found last, so that it need not be typed again to add an account. */
  readonly loginAddress: string;
  /** The pressed keys of an incomplete key sequence, such as `g`. */
  readonly prefix: readonly string[];
  /** Whether the possible next keys are shown. */
  readonly isPrefixShown: boolean;
  /** Whether the terminal's window has the focus; undefined until the terminal reports it. */
  readonly hasWindowFocus?: boolean | undefined;
  readonly isMouseOn: boolean;
  /** Until when notifications are held back; undefined while they are not. */
  readonly quietUntil?: number | undefined;
  /** Whether this is the first paint: panes that are slow to lay out and not the main one come with the next paint. */
  readonly isFirstFrame: boolean;
  /** How often an image was loaded or could not be: lines with images are painted again. */
  readonly imageChanges: number;
  /** Messages shown in full, spoilers included. */
  readonly expandedMessageIds: ReadonlySet<number>;
  /** Messages with an edit that was kept and is neither saved nor being saved (`composer/composer-saver.ts`). */
  readonly unsavedEditIds: ReadonlySet<number>;
  /** Messages that undo made unread again since the last paint. */
  readonly restored: ReadonlySet<number>;
  /** Aborts the running upload and the queued ones; undefined while there are none. */
  readonly uploads?: AbortController | undefined;
  /** The message copied last: copying it again copies its Markdown source. */
  readonly copied?: {readonly id: number; readonly isSource: boolean} | undefined;
  /**
   * Presence of all users as of the current minute: it changes constantly, and a list that follows every
   * change is restless. Undefined: use the account's.
   */
  readonly presences?: AccountState['presences'] | undefined;
  /** Set while the server cannot be reached. */
  readonly outage?: Outage | undefined;
  /** Set while nothing can be written to disk: what is typed or sent is lost when the program ends. */
  readonly writeProblem?: {readonly directory: string; readonly cause: string} | undefined;
  /** The shown conversation was moved while the user was writing in it; set until the user chose where to send. */
  readonly movedConversation?: {readonly from: Conversation; readonly to: Conversation} | undefined;
  /** The time of the last quit key, by the monotonic clock. */
  readonly quitAskedAt?: number | undefined;
}
