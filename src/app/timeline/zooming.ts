import type {App} from '#app/core/app.ts';
import {changeTimeline, openConversation} from '#app/navigation/navigation.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';

/** The message among those around it in its conversation. A look, which marks nothing read. */
export function showInConversation(app: App, message: Message): void {
  openConversation(app, conversationOf(message), {anchor: message.id});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}
