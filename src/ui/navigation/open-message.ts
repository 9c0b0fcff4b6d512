import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {App} from '#ui/core/app.ts';
import {openConversation} from './navigation.ts';

/** Opens the conversation of a message at the message, fetching it if needed. `missingText` is shown if there is none. */
export function openMessage(app: App, id: number, missingText: string): void {
  const message = app.state.messages.byId.get(id);
  if (message !== undefined) {
    openConversation(app, conversationOf(message), {anchor: id});
    return;
  }
  const {view} = app.screen;
  app.session.fetchMessage(id).then(
    (found) => {
      // The user may have opened another view meanwhile.
      if (app.screen.view === view) openConversation(app, conversationOf(found), {anchor: id});
    },
    () => app.toast(missingText, 'warning'),
  );
}
