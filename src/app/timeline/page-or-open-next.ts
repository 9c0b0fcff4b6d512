import type {App} from '#app/core/app.ts';
import {openNextUnreadAfter} from '#app/navigation/unread-walk.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {markConversationRead} from './mark-read.ts';
import {moveInMessages} from './move-in-messages.ts';
import {mainTimelineNow} from './selection.ts';

/** A page on; at the end of a conversation it is read, and the next one that waits is opened. */
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
    app.toast('This is the end.');
    return;
  }
  const conversation = conversationOfNarrow(view.narrow);
  if (conversation !== undefined) markConversationRead(app, conversation);
  if (!openNextUnreadAfter(app, conversation)) app.toast('Nothing else is unread.');
}
