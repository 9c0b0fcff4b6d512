import {deleteTopic} from '#state/actions/channels.ts';
import {fetchNarrowMessages} from '#state/actions/narrow-flags.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {conversationRowTitle} from '#state/selectors/names/names.ts';
import {canDeleteTopic} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {confirmCounted} from '#ui/overlays/confirm-counted.ts';
import {targetTopics} from './target-topics.ts';

/** The confirmation says `more than 5000` from here on, instead of counting longer. */
const maxCounted = 5000;

export function deleteTopicProblem(app: AppReader): string | undefined {
  const topics = targetTopics(app);
  const [topic] = topics;
  if (topic === undefined) return 'No topic is selected';
  if (topics.length > 1) return 'Select a single topic: topics are deleted one at a time';
  const permission = canDeleteTopic(app.state, topic.channelId, app.clock.now());
  return refusalReason(permission);
}

/** Counts the messages of the topic and asks, because they are deleted for everyone and permanently. */
export function askToDeleteTopic(app: App): void {
  const [topic] = targetTopics(app);
  if (topic === undefined) return;
  const title = conversationRowTitle(app.state, topic);
  confirmCounted(app, {
    title: `Delete ${title}?`,
    progressText: 'Counting messages…',
    load: () => fetchNarrowMessages(app.session.context, conversationNarrow(topic), maxCounted),
    question: ({messages, isComplete}) => {
      if (messages.length === 0) return 'This topic has no messages.';
      const count = countedNoun(messages.length, 'message');
      const text = isComplete ? count : `more than ${count}`;
      return {
        yes: `Delete ${text} for everyone`,
        detail: 'cannot be undone',
        onYes: (from) => removeTopic(from, topic, text),
      };
    },
  });
}

function removeTopic(app: App, topic: TopicConversation, count: string): void {
  const title = conversationRowTitle(app.state, topic);
  const {context} = app.session;
  requestFromServer(app, {
    progressText: `Deleting ${title}…`,
    send: () =>
      deleteTopic(context, topic.channelId, topic.topic, () => {
        const left = app.state.messages.byConversation.get(conversationKey(topic))?.size ?? 0;
        app.toast(left === 0 ? `Deleting ${title}: more to do…` : `Deleting ${title}: ${left} loaded messages left…`);
      }),
    doneText: () => `Deleted ${title} (${count})`,
    permanentText: 'Deleting a topic cannot be undone',
    failureText: `${title} was not deleted completely`,
  });
}
