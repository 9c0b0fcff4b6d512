import type {App} from '#app/core/app.ts';
import {goOnFrom} from '#app/navigation/unread-walk.ts';
import {narrowConversation} from '#state/model/narrow.ts';
import {markConversationRead} from './mark-read.ts';
import {moveInMessages} from './move-in-messages.ts';
import {timelineNow} from './selection.ts';

/** A page on; at the end of a conversation it is read, and the next one that waits is opened. */
export function readOn(app: App): void {
  const {view} = app.screen;
  const shown = timelineNow(app.frame);
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
  const conversation = narrowConversation(view.narrow);
  if (conversation !== undefined) markConversationRead(app, conversation);
  if (!goOnFrom(app, conversation)) app.toast('Nothing else is unread.');
}
