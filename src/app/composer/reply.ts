import type {App} from '#app/core/app.ts';
import {forwardMarkdown, mentionMarkdown, type QuotedMessage, quoteMarkdown} from '#content/composer-markdown.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, directConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {noRecipients} from '#ui/composer/recipients.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {messageUrl, selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selected-message.ts';
import {channelLinkText} from '#ui/search/find-channels-and-topics.ts';
import {isAmbiguous} from '#ui/search/find-people.ts';
import {insert} from '#ui/text/text-field.ts';
import {openWithRecipients} from './new-conversation.ts';
import {composeProblem, destinationProblem, openComposer} from './open-composer.ts';

/** Replies in the conversation of the selected message, sent or not; without a selection, in the view's conversation. */
export function reply(app: App): void {
  const target = replyTarget(app);
  if (target !== undefined) openComposer(app, {target, repliesTo: selectedMessage(app)?.id});
  else app.toast('No message selected: c starts a topic, x a direct message', 'warning');
}

function replyTarget(app: AppReader, message = selectedMessage(app)): Conversation | undefined {
  if (message !== undefined) return conversationOf(message);
  return selectedOutboxEntry(app)?.conversation ?? shownConversation(app.screen);
}

/** Returns why the user cannot reply: not at all, or not there. */
export function replyProblem(app: AppReader, message = selectedMessage(app)): string | undefined {
  const target = replyTarget(app, message);
  return composeProblem(app) ?? (target && destinationProblem(app, target));
}

export function replyToSenderDirectly(app: App, message: Message): void {
  openComposer(app, {target: directConversation([message.senderId], app.state.self.userId)});
}

export function replyMentioning(app: App, message: Message): void {
  const {users} = app.state;
  const user = users.get(message.senderId) ?? {id: message.senderId, fullName: message.senderName};
  const known = users.get(message.senderId);
  const mention = mentionMarkdown(user, known === undefined || isAmbiguous(app.state, known), false);
  openComposer(app, {
    target: conversationOf(message),
    repliesTo: message.id,
    text: (field) => insert(field, `${mention} `),
  });
}

export function quote(app: App, message: Message): void {
  openComposer(app, {
    target: conversationOf(message),
    repliesTo: message.id,
    block: quoteMarkdown(quoted(app.state, message)),
  });
}

/** Opens the composer with the quoted message and asks for the destination. */
export function forward(app: App, message: Message): void {
  const channelLink =
    message.kind === 'channel'
      ? channelLinkText(
          app.state,
          {id: message.channelId, name: channelName(app.state, message.channelId)},
          message.topic,
        )
      : undefined;
  openWithRecipients(app, noRecipients('channel'), {block: forwardMarkdown(quoted(app.state, message), channelLink)});
}

function quoted(state: AccountState, message: Message): QuotedMessage {
  const {senderId, senderName, content} = message;
  const fullName = state.users.get(senderId)?.fullName ?? senderName;
  return {senderId, senderName: fullName, link: messageUrl(state, message), content};
}
