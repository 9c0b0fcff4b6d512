import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  directConversation,
} from '#state/model/conversation.ts';
import {channelName, conversationRowTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {shownConversation, viewChannelId} from '#ui/core/view.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import {rowsThatKeyRefersTo, rowThatKeyRefersTo} from './painted-frame.ts';

/** The conversation or channel that a command such as done, mute or follow acts on. */
export type ActionTarget =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number};

/**
 * Returns the targets of a command: the selected rows of the focused list, or its row under the cursor; among
 * messages, their conversation.
 */
export function actionTargets(app: AppReader): readonly ActionTarget[] {
  const id = focusedList(app.screen);
  if (id !== undefined) return rowsThatKeyRefersTo(app, id).flatMap((row) => targetsOfRow(app.state, row));
  const conversation = currentConversation(app);
  return conversation === undefined ? [] : [{kind: 'conversation', conversation}];
}

/** Returns the conversation that is shown in full, or else that of the selected message. */
export function currentConversation(app: AppReader): Conversation | undefined {
  const shown = shownConversation(app.screen);
  if (shown !== undefined) return shown;
  const message = selectedMessage(app);
  return message === undefined ? undefined : conversationOf(message);
}

/** Returns the channel of the row or message under the cursor, or else of the view. */
export function currentChannelId(app: AppReader): number | undefined {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : rowThatKeyRefersTo(app, id);
  const [target] = row === undefined ? [] : targetsOfRow(app.state, row);
  if (target?.kind === 'channel') return target.channelId;
  const conversation = target?.conversation ?? (id === undefined ? currentConversation(app) : undefined);
  return conversation?.kind === 'topic' ? conversation.channelId : viewChannelId(app.screen.view);
}

/** Returns the targets of a list row; none for titles and for views of many conversations. */
export function targetsOfRow({self}: AccountState, {target}: ListRow): readonly ActionTarget[] {
  switch (target?.kind) {
    case undefined:
      return [];
    case 'conversation':
    case 'channel':
      return [target];
    case 'person':
      return [{kind: 'conversation', conversation: directConversation([target.userId], self.userId)}];
    case 'view': {
      const channelId = viewChannelId(target.view);
      return channelId === undefined ? [] : [{kind: 'channel', channelId}];
    }
  }
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
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : rowThatKeyRefersTo(app, id);
  const [target] = row === undefined ? [] : targetsOfRow(app.state, row);
  return target?.kind === 'conversation' ? listedConversation(app.state, target.conversation) : undefined;
}

/**
 * Returns the conversations that a command in the focused list acts on: the selected ones, or the one under the cursor.
 */
export function targetConversations(app: AppReader): readonly ListedConversation[] {
  return actionTargets(app).flatMap((target) =>
    target.kind === 'conversation' ? [listedConversation(app.state, target.conversation)] : [],
  );
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
    ? `#${channelName(state, first.channelId)}`
    : conversationRowTitle(state, first.conversation);
}

function targetsNoun(targets: readonly ActionTarget[]): string {
  if (targets.every(({kind}) => kind === 'conversation')) return 'conversations';
  return targets.every(({kind}) => kind === 'channel') ? 'channels' : 'rows';
}
