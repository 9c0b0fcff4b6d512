import {type Conversation, type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {channelRanks} from '#state/selectors/channels.ts';
import {inboxRows, smartNext, unreadAfter} from '#state/selectors/inbox.ts';
import type {InboxRow} from '#state/selectors/inbox-index.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from './app.ts';
import {openConversation, openView, shownConversation} from './navigation.ts';
import {messagesView, type View, viewKey} from './view.ts';

/** A way through what is unread. It is over as soon as one goes anywhere else. */
export interface UnreadWalk {
  /** Where it began, and where it ends when nothing is left. */
  readonly origin: View;
  /** What was shown on the way, the present one last. */
  readonly steps: readonly View[];
}

/** The most important conversation that waits; where the walk began when there is none. */
export function walkOn(app: App): void {
  const shown = shownConversation(app.screen);
  const walk = presentWalk(app);
  const key = shown === undefined ? undefined : conversationKey(shown);
  const seen = new Set(walk?.steps.map(viewKey));
  // What is unread and was not seen on the way comes before what was kept, and before drafts.
  const isSeen = (one: Conversation) => seen.has(viewKey(messagesView(conversationNarrow(one))));
  const next = unreadAfter(app.state, key, isSeen) ?? smartNext(app.state, key);
  if (next !== undefined) {
    openConversation(app, next);
    const steps = [...(walk?.steps ?? []), app.screen.view];
    app.set({walk: {origin: walk?.origin ?? originOf(app), steps}});
  } else if (walk === undefined) {
    app.toast('Nothing is unread.');
  } else {
    app.set({walk: undefined});
    openView(app, walk.origin);
    app.toast('Nothing else is unread · back to where you began');
  }
}

/** The one visited before; where the walk began after the first. */
export function walkBack(app: App): void {
  const walk = presentWalk(app);
  if (walk === undefined) {
    const waiting = inboxRows(app.state).at(-1);
    if (waiting === undefined) app.toast('Nothing is unread.');
    else openConversation(app, waiting.conversation);
    return;
  }
  const steps = walk.steps.slice(0, -1);
  const before = steps.at(-1);
  openView(app, before ?? walk.origin);
  app.set({walk: before === undefined ? undefined : {...walk, steps}});
}

function presentWalk({screen}: App): UnreadWalk | undefined {
  const last = screen.walk?.steps.at(-1);
  return last !== undefined && viewKey(last) === viewKey(screen.view) ? screen.walk : undefined;
}

/** The view before the one that was just opened. */
function originOf({screen}: App): View {
  return screen.back.at(-1) ?? screen.view;
}

export type UnreadKind = 'topic' | 'followed' | 'direct';

/** The next unread conversation of a kind in the order of the lists, from the one shown on, and around at the end. */
export function nextUnread(
  state: AccountState,
  kind: UnreadKind,
  shown: Conversation | undefined,
): Conversation | undefined {
  const rows = inboxRows(state).filter((row) => isOfKind(row, kind));
  const ordered = kind === 'direct' ? rows : inSidebarOrder(state, rows);
  const key = shown === undefined ? undefined : conversationKey(shown);
  const others = ordered.filter((row) => row.key !== key);
  if (kind === 'direct' || shown?.kind !== 'topic') {
    return (key === undefined ? others[0] : after(ordered, key))?.conversation ?? others[0]?.conversation;
  }
  // First what else is unread in this channel, then the channels after it.
  const here = others.find(({conversation}) => isIn(conversation, shown.channelId));
  if (here !== undefined) return here.conversation;
  const ranks = channelRanks(state);
  const rank = ranks.get(shown.channelId) ?? -1;
  const later = others.find((row) => rankOf(ranks, row) > rank);
  return (later ?? others[0])?.conversation;
}

function isIn(conversation: Conversation, channelId: number): boolean {
  return conversation.kind === 'topic' && conversation.channelId === channelId;
}

function after(rows: readonly InboxRow[], key: ConversationKey): InboxRow | undefined {
  const at = rows.findIndex((row) => row.key === key);
  return at < 0 ? undefined : rows[at + 1];
}

function isOfKind({conversation, isFollowed}: InboxRow, kind: UnreadKind): boolean {
  if (kind === 'direct') return conversation.kind === 'direct';
  return conversation.kind === 'topic' && (kind === 'topic' || isFollowed);
}

function rankOf(ranks: ReadonlyMap<number, number>, {conversation}: InboxRow): number {
  return conversation.kind === 'topic' ? (ranks.get(conversation.channelId) ?? ranks.size) : -1;
}

function inSidebarOrder(state: AccountState, rows: readonly InboxRow[]): readonly InboxRow[] {
  const ranks = channelRanks(state);
  return rows.toSorted((a, b) => rankOf(ranks, a) - rankOf(ranks, b) || b.newestUnreadId - a.newestUnreadId);
}
