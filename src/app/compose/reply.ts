import {channelAtHand} from '#app/actions/action-target.ts';
import {isAmbiguous} from '#app/completion/find-people.ts';
import {channelLinkText} from '#app/completion/link-text.ts';
import type {App} from '#app/core/app.ts';
import {insert} from '#app/text/text-field.ts';
import {messageUrl} from '#app/timeline/message-url.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import {forwardText, mentionText, type Quoted, quoteText} from '#content/composer-markdown.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {viewConversation} from './destination.ts';
import {compose} from './open-composer.ts';
import {noRecipients, recipientsOf} from './recipients.ts';

/** Answers where the selected message is; without one, where the view is. */
export function reply(app: App): void {
  const message = selectedMessage(app);
  const here = viewConversation(app.screen.view);
  if (message !== undefined) compose(app, {target: conversationOf(message), answers: message.id});
  else if (here !== undefined) compose(app, {target: here});
  else app.toast('No message is selected: c begins a topic, x writes to somebody', 'warning');
}

export function replyDirectly(app: App, message: Message): void {
  compose(app, {target: directConversation([message.senderId], app.state.self.userId)});
}

export function replyMentioning(app: App, message: Message): void {
  const {users} = app.state;
  const user = users.get(message.senderId) ?? {id: message.senderId, fullName: message.senderName};
  const known = users.get(message.senderId);
  const mention = mentionText(user, known === undefined || isAmbiguous(app.state, known), false);
  compose(app, {
    target: conversationOf(message),
    answers: message.id,
    text: (field) => insert(field, `${mention} `),
  });
}

export function quote(app: App, message: Message): void {
  compose(app, {
    target: conversationOf(message),
    answers: message.id,
    block: quoteText(quoted(app.state, message)),
  });
}

/** To somewhere else, which is asked first. */
export function forward(app: App, message: Message): void {
  const place =
    message.kind === 'channel'
      ? channelLinkText(
          app.state,
          {id: message.channelId, name: channelName(app.state, message.channelId)},
          message.topic,
        )
      : undefined;
  compose(app, {
    target: {kind: 'none', topic: ''},
    recipients: noRecipients('channel'),
    place: 'to',
    block: forwardText(quoted(app.state, message), place),
  });
}

function quoted(state: AccountState, message: Message): Quoted {
  const {senderId, senderName, content} = message;
  const fullName = state.users.get(senderId)?.fullName ?? senderName;
  return {senderId, senderName: fullName, link: messageUrl(state, message), content};
}

/** A new topic in the channel that is looked at, or in one that is asked for. */
export function newTopic(app: App): void {
  const channelId = channelAtHand(app);
  if (channelId === undefined) {
    compose(app, {target: {kind: 'none', topic: ''}, recipients: noRecipients('channel'), place: 'to'});
    return;
  }
  const {to, topic} = recipientsOf(app.state, {kind: 'topic', channelId, topic: ''});
  compose(app, {
    target: {kind: 'none', topic: ''},
    recipients: {kind: 'channel', to, topic},
    place: 'topic',
  });
}

export function newDirect(app: App): void {
  compose(app, {target: {kind: 'none', topic: ''}, recipients: noRecipients('people'), place: 'to'});
}
