import {rowsThatKeyRefersTo, rowThatKeyRefersTo} from '#app/lists/rows-of-key.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  directConversation,
} from '#state/model/conversation.ts';
import {channelName, conversationRowTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {shownConversation, viewChannelId} from '#ui/core/frame.ts';
import {focusedList} from '#ui/list-table.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';

/** The conversation or channel that a command such as done, mute or follow acts on. */
export type ActionTarget =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number};

/**
 * Returns the targets of a command: the selected rows of the focused list, or its row under the cursor; among
 * messages, their conversation.
 */
export function actionTargets(app: AppReader): readonly ActionTarget[] {
  const list = focusedList(app.screen);
  if (list !== undefined) return rowsThatKeyRefersTo(app, list).flatMap((row) => targetsOfRow(app.state, row));
  const conversation = currentConversation(app);
  return conversation === undefined ? [] : [{kind: 'conversation', conversation}];
}

/** Returns the conversation that is shown in full, or else that of the selected message. */
export function currentConversation(app: AppReader): Conversation | undefined {
  const shown = shownConversation(app.screen);
  if (shown !== undefined) return shown;
  const message = selectedMessage(app);
  return message && conversationOf(message);
}

/** Returns the channel of the row or message under the cursor, or else of the view. */
export function currentChannelId(app: AppReader): number | undefined {
  const target = targetUnderCursor(app);
  if (target?.kind === 'channel') return target.channelId;
  const isAmongMessages = focusedList(app.screen) === undefined;
  const conversation = target?.conversation ?? (isAmongMessages ? currentConversation(app) : undefined);
  return conversation?.kind === 'topic' ? conversation.channelId : viewChannelId(app.screen.view);
}

/** Returns the targets of a list row; none for titles and for views of many conversations. */
export function targetsOfRow({self}: AccountState, {target}: ListRow): readonly ActionTarget[] {
  if (target?.kind === 'conversation' || target?.kind === 'channel') return [target];
  if (target?.kind === 'person')
    return [{kind: 'conversation', conversation: directConversation([target.userId], self.userId)}];
  const channelId = target && viewChannelId(target.view);
  return channelId === undefined ? [] : [{kind: 'channel', channelId}];
}

/** A conversation in a list, with its label. */
export interface ListedConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  /** The conversation's title for the user. */
  readonly label: string;
}

/** Returns the conversation under the cursor of the focused list; undefined on a channel, a view or a title. */
export function conversationUnderCursor(app: AppReader): ListedConversation | undefined {
  const target = targetUnderCursor(app);
  return target?.kind === 'conversation' ? listedConversation(app.state, target.conversation) : undefined;
}

function targetUnderCursor(app: AppReader): ActionTarget | undefined {
  const list = focusedList(app.screen);
  const row = list && rowThatKeyRefersTo(app, list);
  return row && targetsOfRow(app.state, row)[0];
}

/**
 * Returns the conversations that a command in the focused list acts on: the selected ones, or the one under the cursor.
 */
export function targetConversations(app: AppReader): readonly ListedConversation[] {
  return actionTargets(app)
    .filter((target) => target.kind === 'conversation')
    .map((target) => listedConversation(app.state, target.conversation));
}

/** Returns a conversation with its key and label. */
export function listedConversation(state: AccountState, conversation: Conversation): ListedConversation {
  return {
    key: conversationKey(conversation),
    conversation,
    label: conversationRowTitle(state, conversation),
  };
}

/** Returns the name of a single target, or the number of several: `3 conversations`. */
export function targetsTitle(state: AccountState, targets: readonly ActionTarget[]): string {
  const [first] = targets;
  if (targets.length !== 1 || first === undefined) return `${targets.length} ${targetsNoun(targets)}`;
  return first.kind === 'channel'
    ? composed`#${channelName(state, first.channelId)}`
    : conversationRowTitle(state, first.conversation);
}

function targetsNoun(targets: readonly ActionTarget[]): string {
  if (targets.every(({kind}) => kind === 'conversation')) return 'conversations';
  return targets.every(({kind}) => kind === 'channel') ? 'channels' : 'rows';
}

/**
 * Returns the messages of these conversations that were unread in the painted frame and still are. Messages
 * that arrived since then were not seen and stay out. Messages that undo made unread since then count as
 * seen: several keys that arrive together are painted once.
 */
export function paintedUnreadIds(app: AppReader, keys: readonly ConversationKey[]): readonly number[] {
  const {conversations} = app.frames.paintedFrame.account.unreads;
  const {byId} = app.state.unreads;
  const shown = keys.flatMap((key) => conversations.get(key)?.ids.toArray() ?? []);
  const {order} = app.screen.inbox;
  // A renamed conversation has its former name in the painted frame. When the frame has both names, a key
  // about one is not about the other.
  const renamed = keys.flatMap((key) =>
    conversations.has(key) ? [] : order.formerKeys(key).flatMap((name) => conversations.get(name)?.ids.toArray() ?? []),
  );
  const wanted = new Set(keys);
  const restored = [...app.screen.restored, ...renamed].filter((id) => wanted.has(byId.get(id) ?? ''));
  const ids = restored.length === 0 ? shown : [...new Set([...shown, ...restored])].sort((a, b) => a - b);
  return ids.filter((id) => byId.has(id));
}

/** Returns the conversations of a channel that were unread in the painted frame or are unread now. */
export function paintedUnreadTopics(app: AppReader, channelId: number): readonly ConversationKey[] {
  const topicsIn = ({unreads}: AccountState) => unreads.channels.get(channelId) ?? [];
  return [...new Set([...topicsIn(app.frames.paintedFrame.account), ...topicsIn(app.state)])];
}
