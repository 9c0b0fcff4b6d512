import type {App} from '#app/core/app.ts';
import {changeTimeline, openConversation} from '#app/navigation/navigation.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';

/** Opens the message's conversation at the message, without marking it read. */
export function showInConversation(app: App, message: Message): void {
  openConversation(app, conversationOf(message), {anchor: message.id});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}
