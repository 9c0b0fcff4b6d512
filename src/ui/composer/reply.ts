import {forwardMarkdown, mentionMarkdown, type QuotedMessage, quoteMarkdown} from '#content/composer-markdown.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, directConversation, topicConversation} from '#state/model/conversation.ts';
import type {Message} from '#state/model/message.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canCreateTopic, canPostInChannel, hasNoTopics} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {currentChannelId} from '#ui/actions/action-target.ts';
import {isAmbiguous} from '#ui/completion-menu/find-people.ts';
import {channelLinkText} from '#ui/completion-menu/link-text.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {messageUrl, selectedMessage, selectedOutboxEntry} from '#ui/message-pane/selection.ts';
import {insert} from '#ui/text/text-field.ts';
import {viewConversation} from './destination.ts';
import {type ComposeOptions, composeProblem, destinationProblem, openComposer} from './open-composer.ts';
import {noRecipients, type Recipients, recipientsOf} from './recipients.ts';

/** Replies in the conversation of the selected message, sent or not; without a selection, in the view's conversation. */
export function reply(app: App): void {
  const target = replyTarget(app);
  if (target !== undefined) openComposer(app, {target, repliesTo: selectedMessage(app)?.id});
  else app.toast('No message selected: c starts a topic, x a direct message', 'warning');
}

function replyTarget(app: AppReader, message = selectedMessage(app)): Conversation | undefined {
  if (message !== undefined) return conversationOf(message);
  return selectedOutboxEntry(app)?.conversation ?? viewConversation(app.screen.view);
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

/** Returns the reason why no topic can be started in the current channel. */
export function newTopicProblem(app: AppReader): string | undefined {
  const problem = composeProblem(app);
  const channelId = currentChannelId(app);
  const channel = channelId === undefined ? undefined : app.state.channels.get(channelId);
  if (problem !== undefined || channel === undefined) return problem;
  const now = app.clock.now();
  const permissions = [
    canPostInChannel(app.state, channel, now),
    // A channel without topics has nothing to create.
    ...(hasNoTopics(app.state, channel.id) ? [] : [canCreateTopic(app.state, channel.id, now)]),
  ];
  return permissions.flatMap((permission) => (permission.ok ? [] : [permission.reason]))[0];
}

/** Starts a topic in the current channel, or asks for the channel. */
export function startNewTopic(app: App): void {
  const channelId = currentChannelId(app);
  if (channelId === undefined) {
    openWithRecipients(app, noRecipients('channel'));
    return;
  }
  if (hasNoTopics(app.state, channelId)) {
    openComposer(app, {target: topicConversation(channelId, '')});
    return;
  }
  openWithRecipients(app, recipientsOf(app.state, {kind: 'topic', channelId, topic: ''}), {activePart: 'topic'});
}

export function startNewDirectMessage(app: App): void {
  openWithRecipients(app, noRecipients('people'));
}

/** Opens the composer for a message whose recipients are still to be typed. */
function openWithRecipients(app: App, recipients: Recipients, more: Partial<ComposeOptions> = {}): void {
  openComposer(app, {target: {kind: 'none', topic: ''}, recipients, activePart: 'to', ...more});
}
