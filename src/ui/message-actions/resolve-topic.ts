import {updateTopicResolved} from '#state/actions/move-messages.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {truncatedTopic} from '#state/outbox/normalize-text.ts';
import {topicRows} from '#state/selectors/lists/topic-rows.ts';
import {conversationRowTitle, isResolved, resolvedTopicName, unresolvedName} from '#state/selectors/names/names.ts';
import {canResolveTopic} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {undoKeyOffer} from '#ui/core/key-offer.ts';
import {targetTopics} from '#ui/topics/target-topics.ts';
import {pushMove, showMovedConversation} from './send-move.ts';

export function resolveProblem(app: AppReader): string | undefined {
  const topics = targetTopics(app);
  const [topic] = topics;
  if (topic === undefined) return 'Only topics can be resolved.';
  if (topics.length > 1) return 'Select a single topic: topics are resolved one at a time';
  const permission = canResolveTopic(app.state, topic.channelId, topic.topic, app.clock.now());
  return refusalReason(permission);
}

export function toggleResolved(app: App): void {
  const [topic] = targetTopics(app);
  if (topic !== undefined) setTopicResolved(app, topic, !isResolved(topic.topic));
}

/** Returns any message of the topic: the request names the topic by one of its messages. */
function messageOf(app: App, conversation: TopicConversation): number | undefined {
  const key = conversationKey(conversation);
  return (
    app.state.messages.byConversation.get(key)?.last() ??
    topicRows(app.state, conversation.channelId).find((row) => row.key === key)?.lastMessageId
  );
}

/** Resolves or unresolves a topic, with undo. */
export function setTopicResolved(app: App, conversation: TopicConversation, isNowResolved: boolean): void {
  const messageId = messageOf(app, conversation);
  const title = conversationRowTitle(app.state, conversation);
  if (messageId === undefined) {
    app.toast('This topic has no messages.', 'warning');
    return;
  }
  const label = isNowResolved ? `Resolved ${title}` : `Unresolved ${title}`;
  requestFromServer(app, {
    progressText: isNowResolved ? `Resolving ${title}…` : `Unresolving ${title}…`,
    send: async () => {
      const change = {messageId, topic: conversation.topic, isResolved: isNowResolved};
      const outcome = await updateTopicResolved(app.session.context, change);
      if (outcome.kind === 'partOnly') throw new Error(outcome.problem);
    },
    doneText: () => {
      const to = renamed(app, conversation, isNowResolved);
      showMovedConversation(app, conversation, to);
      pushMove(app, label, {kind: 'move', from: conversation, to, messageId, mode: 'change_all', merged: []});
      return `${label}${undoKeyOffer()}`;
    },
    failureText: 'Topic not changed',
  });
}

function renamed({state}: App, {kind, channelId, topic}: TopicConversation, isNowResolved: boolean): TopicConversation {
  const name = isNowResolved ? resolvedTopicName(topic) : unresolvedName(topic);
  return {kind, channelId, topic: truncatedTopic(name, state)};
}
