import type {Conversation} from '#state/model/conversation.ts';
import {channelIdOfNarrow, conversationOfNarrow, type Narrow, narrowKey} from '#state/model/narrow.ts';

/** The tabs of the list of all channels. */
export const channelTabs = ['all', 'subscribed', 'others', 'archived'] as const;
export type ChannelTab = (typeof channelTabs)[number];

export const draftsTabs = ['drafts', 'outbox', 'scheduled', 'reminders'] as const;
export type DraftsTab = (typeof draftsTabs)[number];

/** The content of the main pane. */
export type View =
  | {readonly kind: 'inbox'}
  /** The inbox, one conversation at a time. */
  | {readonly kind: 'triage'}
  | {readonly kind: 'recent'}
  | {readonly kind: 'directs'}
  | {readonly kind: 'topics'; readonly channelId: number}
  /** All channels, to subscribe and unsubscribe. */
  | {readonly kind: 'channels'; readonly tab?: ChannelTab}
  | {readonly kind: 'people'}
  | {readonly kind: 'drafts'; readonly tab: DraftsTab}
  | MessagesView;

/** The messages of a narrow. */
export interface MessagesView {
  readonly kind: 'messages';
  readonly narrow: Narrow;
  /** The search text that gave this narrow. */
  readonly query?: string | undefined;
}

export function messagesView(narrow: Narrow, query?: string): MessagesView {
  return {kind: 'messages', narrow, query};
}

/** Identifies a view: equal keys mean the same view. */
export function viewKey(view: View): string {
  switch (view.kind) {
    case 'messages':
      return `messages ${narrowKey(view.narrow)}`;
    case 'topics':
      return `topics ${view.channelId}`;
    default:
      return view.kind;
  }
}

export function sameView(a: View, b: View): boolean {
  return viewKey(a) === viewKey(b);
}

/** Returns the conversation that the main pane shows in full. */
export function shownConversation({view}: {readonly view: View}): Conversation | undefined {
  return view.kind === 'messages' ? conversationOfNarrow(view.narrow) : undefined;
}

/** Returns the channel that a view is about. */
export function viewChannelId(view: View): number | undefined {
  if (view.kind === 'topics') return view.channelId;
  return view.kind === 'messages' ? channelIdOfNarrow(view.narrow) : undefined;
}
