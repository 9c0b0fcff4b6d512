import type {ConversationKey} from '#state/model/conversation.ts';
import type {ComposerState} from '#ui/composer/composer-state.ts';
import type {View} from '#ui/core/frame.ts';
import type {Focus} from '#ui/core/screen-state.ts';
import type {ListId} from '#ui/lists/list-state.ts';
import type {TimelineState} from '#ui/message-pane/timeline-state.ts';

/**
 * The view, focus, scroll position and composer to return to when a walk through unread conversations ends.
 * Lists remember their own cursors.
 */
export interface ReturnPoint {
  readonly view: View;
  readonly focus: Focus;
  readonly timeline: TimelineState | undefined;
  readonly composer: ComposerState | undefined;
  /** The list whose filter has the keys. */
  readonly filtered: ListId | undefined;
}

/** A walk from one unread conversation to the next. It ends as soon as the user opens anything else. */
export interface UnreadWalk {
  /** The view in which the walk began; it returns there when nothing is unread. */
  readonly origin: ReturnPoint;
  /** The views shown during the walk, the current one last. */
  readonly steps: readonly View[];
  /**
   * The visited conversations, each with its newest unread message at the visit: only later messages bring it
   * back into the walk.
   */
  readonly passed: ReadonlyMap<ConversationKey, number>;
  /** The number of the account in which the walk began, if that is another one. */
  readonly beganIn?: number | undefined;
  /** The number of the account in which the step before the first of these is, if there is one. */
  readonly cameFrom?: number | undefined;
}

declare module '#ui/core/screen-state.ts' {
  interface ScreenState {
    /** The walk from one unread conversation to the next, while the user does nothing else. */
    readonly unreadWalk?: UnreadWalk | undefined;
  }
}
