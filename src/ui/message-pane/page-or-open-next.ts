import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {App} from '#ui/core/app.ts';
import {openNextUnreadAfter} from '#ui/navigation/unread-walk.ts';
import {markConversationRead} from './mark-read.ts';
import {moveInMessages} from './move-in-messages.ts';
import {mainTimelineNow} from './selection.ts';

/** Pages down; at the end of a conversation marks it read and opens the next unread one. */
export function pageOrOpenNext(app: App): void {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined) return;
  const isEnd = shown.window?.isAtEnd !== false && shown.timeline?.hasNewest === true;
  if (!isEnd) {
    moveInMessages(app, {by: 'page', step: 1});
    return;
  }
  if (app.settings.readOn === 'page') {
    app.toast('End of the conversation');
    return;
  }
  const conversation = conversationOfNarrow(view.narrow);
  if (conversation !== undefined) markConversationRead(app, conversation);
  if (!openNextUnreadAfter(app, conversation)) app.toast('No more unread conversations');
}
