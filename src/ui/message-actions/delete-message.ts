import {deleteMessage} from '#state/actions/messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationTitle, userName} from '#state/selectors/names/names.ts';
import {canDeleteMessage} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {excerpt, messageContext} from '#ui/format/message-context.ts';
import {confirm} from '#ui/overlays/picker.ts';

export function deleteProblem(app: AppReader, message: Message): string | undefined {
  const permission = canDeleteMessage(app.state, message, app.clock.now());
  return refusalReason(permission);
}

/** Asks for confirmation, because the message is deleted for everyone and permanently. */
export function confirmDelete(app: App, message: Message): void {
  const {id, content, facts, senderId, senderName} = message;
  const isOwn = senderId === app.state.self.userId;
  confirm(app, {
    title: isOwn ? 'Delete your message?' : `Delete the message from ${userName(app.state, senderId, senderName)}?`,
    yes: 'Delete for everyone',
    detail: excerpt(content, messageContext(app.state), facts),
    onYes: (from) =>
      requestFromServer(from, {
        progressText: 'Deleting…',
        send: () => deleteMessage(from.session.context, id),
        doneText: () => 'Deleted the message',
        permanentText: 'Deleting a message cannot be undone',
        place: conversationTitle(app.state, conversationOf(message)),
        failureText: 'Not deleted',
      }),
  });
}
