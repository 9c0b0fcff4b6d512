import type {ComposerState} from '#app/compose/composer-state.ts';
import type {InboxState} from '#app/inbox/inbox-state.ts';
import type {ListState} from '#app/lists/list-state.ts';
import type {TimelineState} from '#app/timeline/timeline-state.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {OverlayState} from './overlay.ts';
import type {Toast} from './toasts.ts';
import type {View} from './view.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The panes that can have the keys. Exactly one has them; an overlay takes them from it for as long as it is open. */
export type Focus = 'channels' | 'topics' | 'main' | 'banner' | 'people' | 'connection' | 'composer';

export type ListId = 'channels' | 'topics' | 'people' | 'inbox' | 'recent' | 'directs' | 'browser' | 'drafts';

export interface Panes {
  /** Of the lists at the left: by the width of the terminal, unless somebody said otherwise. */
  readonly sidebar: 'auto' | 'shown' | 'hidden';
  /** Of the people at the right: where there is ample room for it, unless somebody said otherwise. */
  readonly people: 'auto' | 'shown' | 'hidden';
  /** No lists, no marks, no borders: text for the terminal's own selection. */
  readonly isBare: boolean;
}

/** What the clock says about a server that is out of reach. */
export interface Outage {
  /** For so short a time that the time of day says less than the seconds. */
  readonly isFresh: boolean;
  /** Seconds until it is tried again; undefined while it is being tried. */
  readonly retryIn: number | undefined;
}

/** Where somebody is: what is shown, which part of it, and what they write there. Lists remember their own cursors. */
export interface ReturnPoint {
  readonly view: View;
  readonly focus: Focus;
  readonly timeline: TimelineState | undefined;
  readonly composer: ComposerState | undefined;
  /** The list whose filter is being typed. */
  readonly filtered: ListId | undefined;
}

/** A way through what is unread. It is over as soon as one goes anywhere else. */
export interface UnreadWalk {
  /** Where it began, and where it ends when nothing is left. */
  readonly origin: ReturnPoint;
  /** What was shown on the way, the present one last. */
  readonly steps: readonly View[];
  /** What was passed, with the newest unread message there then: whatever comes after it is news. */
  readonly passed: ReadonlyMap<ConversationKey, number>;
}

/** Everything about the screen that is not known from the server. Replaced and never changed in place. */
export interface ScreenState {
  readonly size: Size;
  readonly view: View;
  readonly back: readonly View[];
  readonly forward: readonly View[];
  readonly focus: Focus;
  readonly panes: Panes;
  readonly lists: Readonly<Record<ListId, ListState>>;
  readonly inbox: InboxState;
  /** By `viewKey` of the views with messages that were shown. */
  readonly timelines: ReadonlyMap<string, TimelineState>;
  readonly composer: ComposerState;
  /** The last one is on top and has the keys. */
  readonly overlays: readonly OverlayState[];
  readonly toast: Toast | undefined;
  /** Keys of a sequence that is not complete, such as `g`. */
  readonly prefix: readonly string[];
  /** The possible next keys of it are shown. */
  readonly isPrefixShown: boolean;
  /** What the terminal says about its window; undefined while it never said anything. */
  readonly hasWindowFocus: boolean | undefined;
  readonly isMouseOn: boolean;
  /** Of the first picture: what takes long to lay out and is not what one looks at comes with the next one. */
  readonly isFirstFrame: boolean;
  /** Messages that are shown whole, spoilers too. */
  readonly expandedMessageIds: ReadonlySet<number>;
  /** Messages that keys made unread again since the last picture. */
  readonly restored: ReadonlySet<number>;
  /** Ends the upload under way and those behind it; undefined while there are none. */
  readonly uploads: AbortController | undefined;
  /** What was copied last: the same message once more is copied as it was written. */
  readonly copied: {readonly id: number; readonly isSource: boolean} | undefined;
  /** From one unread conversation to the next, while one does nothing else. */
  readonly unreadWalk: UnreadWalk | undefined;
  /** Who was there at the last minute: it changes all the time, and nobody watches it change. Undefined: as is known now. */
  readonly presences: AccountState['presences'] | undefined;
  /** While the server is out of reach. */
  readonly outage: Outage | undefined;
  /** Where the shown conversation went while somebody was writing there, until they have answered to that. */
  readonly movedConversation: {readonly from: Conversation; readonly to: Conversation} | undefined;
  /** When somebody last asked to leave; milliseconds since the epoch. */
  readonly quitAskedAt: number | undefined;
}
