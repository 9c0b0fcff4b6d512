import {type Conversation, conversationKey, sameConversation} from '#state/model/conversation.ts';
import {inboxRows} from '#state/selectors/inbox/inbox.ts';
import {recentConversations, recentDirectConversations} from '#state/selectors/lists/recent-conversations.ts';
import {topicRows} from '#state/selectors/lists/topic-rows.ts';
import type {AccountState} from '#state/state.ts';
import {type Frame, shownConversation, type View} from '#ui/core/frame.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';

/** Returns the conversation before or after the current one in its list; undefined at the list's ends. */
export function neighbourConversation(frame: Frame, step: 1 | -1): Conversation | undefined {
  const {account, screen} = frame;
  const id = focusedList(screen);
  const shown = shownConversation(screen);
  if (id !== undefined) {
    const listed = visibleRowsOf(frame, id).rows.flatMap(({target}) =>
      target?.kind === 'conversation' ? [target.conversation] : [],
    );
    const target = cursorRow(frame, id)?.target;
    const at = target?.kind === 'conversation' ? target.conversation : shown;
    return at === undefined ? undefined : neighbourOf(listed, at, step);
  }
  return shown === undefined ? undefined : neighbourOf(listAround(account, screen, shown), shown, step);
}

function neighbourOf(listed: readonly Conversation[], at: Conversation, step: 1 | -1): Conversation | undefined {
  const key = conversationKey(at);
  const index = listed.findIndex((conversation) => conversationKey(conversation) === key);
  return index < 0 ? listed[0] : listed[index + step];
}

/**
 * Returns the conversations of the list shown last, if it has this one; else the topics of its channel, or
 * the direct conversations.
 */
function listAround(account: AccountState, {back}: ScreenState, shown: Conversation): readonly Conversation[] {
  const last = back.findLast(({kind}) => kind !== 'messages');
  const listed = last === undefined ? [] : conversationsOf(account, last);
  if (listed.some((conversation) => sameConversation(conversation, shown))) return listed;
  const rows = shown.kind === 'topic' ? topicRows(account, shown.channelId) : recentDirectConversations(account);
  return rows.map(({conversation}) => conversation);
}

function conversationsOf(account: AccountState, view: View): readonly Conversation[] {
  switch (view.kind) {
    case 'inbox':
    case 'triage':
      return inboxRows(account).map(({conversation}) => conversation);
    case 'recent':
      return recentConversations(account, {unmuted: true}).map(({conversation}) => conversation);
    case 'directs':
      return recentDirectConversations(account).map(({conversation}) => conversation);
    default:
      return [];
  }
}

/** Returns the view of the last conversation shown other than the current one. */
export function lastOtherConversation({back, forward, view}: ScreenState): View | undefined {
  const shown = shownConversation({view});
  const isOther = (before: View): boolean => {
    const conversation = shownConversation({view: before});
    return conversation !== undefined && (shown === undefined || !sameConversation(conversation, shown));
  };
  return back.findLast(isOther) ?? forward.find(isOther);
}
