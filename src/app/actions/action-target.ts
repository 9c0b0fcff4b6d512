import type {App} from '#app/core/app.ts';
import {shownConversation, viewChannelId} from '#app/core/view.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import type {ListRow} from '#app/lists/list-row.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  type ConversationKey,
  conversationKey,
  directConversation,
} from '#state/model/conversation.ts';
import {channelName, conversationRowTitle} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {rowsThatKeyRefersTo, rowThatKeyRefersTo} from './painted-frame.ts';

/** What verbs such as done, mute and follow are about. */
export type ActionTarget =
  | {readonly kind: 'conversation'; readonly conversation: Conversation}
  | {readonly kind: 'channel'; readonly channelId: number};

/** The selected rows of the list with the keys, or its row with the cursor; among messages, their conversation. */
export function actionTargets(app: App): readonly ActionTarget[] {
  const id = focusedList(app.screen);
  if (id !== undefined) return rowsThatKeyRefersTo(app, id).flatMap((row) => targetsOfRow(app.state, row));
  const conversation = currentConversation(app);
  return conversation === undefined ? [] : [{kind: 'conversation', conversation}];
}

/** The conversation that is shown whole, or else that of the selected message. */
export function currentConversation(app: App): Conversation | undefined {
  const shown = shownConversation(app.screen);
  if (shown !== undefined) return shown;
  const message = selectedMessage(app);
  return message === undefined ? undefined : conversationOf(message);
}

/** The channel of the row or of the message at hand, or of what is shown. */
export function currentChannelId(app: App): number | undefined {
  const id = focusedList(app.screen);
  const [subject] = id === undefined ? [] : actionTargets(app);
  if (subject?.kind === 'channel') return subject.channelId;
  const conversation = subject?.conversation ?? (id === undefined ? currentConversation(app) : undefined);
  return conversation?.kind === 'topic' ? conversation.channelId : viewChannelId(app.screen.view);
}

/** What a row of a list stands for; nothing for titles and for views of many conversations. */
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

/** A conversation in a list. */
export interface ListedConversation {
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  /** For people. */
  readonly label: string;
}

/** The conversation under the cursor of the list with the keys; undefined on a channel, a view or a title. */
export function conversationUnderCursor(app: App): ListedConversation | undefined {
  const id = focusedList(app.screen);
  const row = id === undefined ? undefined : rowThatKeyRefersTo(app, id);
  const [subject] = row === undefined ? [] : targetsOfRow(app.state, row);
  return subject?.kind === 'conversation' ? listedConversation(app.state, subject.conversation) : undefined;
}

/** The conversations that verbs of the list with the keys are about: those selected, or the one under the cursor. */
export function targetConversations(app: App): readonly ListedConversation[] {
  return actionTargets(app).flatMap((subject) =>
    subject.kind === 'conversation' ? [listedConversation(app.state, subject.conversation)] : [],
  );
}

export function listedConversation(state: AccountState, conversation: Conversation): ListedConversation {
  return {
    key: conversationKey(conversation),
    conversation,
    label: conversationRowTitle(state, conversation),
  };
}

/** What they are called together: one by its name, several by their number. */
export function targetsTitle(state: AccountState, subjects: readonly ActionTarget[]): string {
  const [first] = subjects;
  if (subjects.length !== 1 || first === undefined) return `${subjects.length} ${targetsNoun(subjects)}`;
  return first.kind === 'channel'
    ? `#${channelName(state, first.channelId)}`
    : conversationRowTitle(state, first.conversation);
}

function targetsNoun(subjects: readonly ActionTarget[]): string {
  if (subjects.every(({kind}) => kind === 'conversation')) return 'conversations';
  return subjects.every(({kind}) => kind === 'channel') ? 'channels' : 'rows';
}
