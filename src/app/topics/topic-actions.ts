import type {App} from '#app/core/app.ts';
import {redirectViews} from '#app/navigation/navigation.ts';
import {confirmFetched, openPicker} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {type ActionTarget, actionTargets, targetsTitle} from '#app/targets/action-target.ts';
import {actOnTargets, topicPolicyAction} from '#app/triage/mute-and-follow.ts';
import {deleteTopic} from '#state/actions/channels.ts';
import {updateTopicResolved} from '#state/actions/messages.ts';
import {narrowMessages} from '#state/fetches/queries.ts';
import {isChannelMuted, topicPolicy} from '#state/messages/event-conversations.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {truncatedTopic} from '#state/outbox/normalize-text.ts';
import {topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {conversationRowTitle, isResolved, resolvedTopicName, unresolvedName} from '#state/selectors/names/names.ts';
import {canDeleteTopic, canResolveTopic} from '#state/selectors/permissions/message-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

interface VisibilityChoice {
  readonly policy: number;
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  /** The beginning of the label for the undo history: `Muted #general › tides`. */
  readonly done: string;
  /** Returns why the server cannot store it. */
  readonly problem?: (frame: Frame) => string | undefined;
}

const choices: readonly VisibilityChoice[] = [
  {
    policy: visibilityPolicies.muted,
    key: 'm',
    label: 'Muted',
    detail: 'hidden from the inbox, no notifications',
    done: 'Muted',
  },
  {
    policy: visibilityPolicies.none,
    key: 'd',
    label: 'Default',
    detail: 'as its channel',
    done: 'Reset to the channel’s setting:',
  },
  {
    policy: visibilityPolicies.unmuted,
    key: 'u',
    label: 'Unmuted',
    detail: 'shown even if its channel is muted',
    done: 'Unmuted',
    problem: ({account}) => featureProblem(account.server.level, 'unmutedTopics'),
  },
  {
    policy: visibilityPolicies.followed,
    key: 'f',
    label: 'Followed',
    detail: 'notifies you of every message',
    done: 'Followed',
    problem: ({account}) => featureProblem(account.server.level, 'followedTopics'),
  },
];

/** Opens the menu of the four states of the topics that the key refers to; the current one is marked. */
export function openTopicVisibility(app: App): void {
  const topics = targetTopics(app);
  if (topics.length === 0) return;
  const targets = topics.map((conversation): ActionTarget => ({kind: 'conversation', conversation}));
  openPicker(app, {
    id: 'topic visibility',
    title: targetsTitle(app.state, targets),
    isMenu: true,
    columns: 64,
    rows: (frame) => choices.map((choice) => visibilityRow(frame, choice, topics)),
    startAt: ({account}) => {
      const [first] = topics;
      const policy = first === undefined ? 0 : topicPolicy(account, first.channelId, first.topic);
      return choices.findIndex((choice) => choice.policy === policy);
    },
    accept: (from, {key}) => {
      from.closeOverlay();
      const choice = choices.find(({label}) => label === key);
      if (choice !== undefined) setVisibility(from, topics, targets, choice);
    },
  });
}

function visibilityRow(frame: Frame, choice: VisibilityChoice, topics: readonly TopicConversation[]): PickerRow {
  const {account, display} = frame;
  const {policy, key, label, detail} = choice;
  const isCurrent = topics.every(({channelId, topic}) => topicPolicy(account, channelId, topic) === policy);
  const isChannelQuiet = topics.every(({channelId}) => isChannelMuted(account, channelId));
  const inherited = isChannelQuiet ? 'as its channel, which is muted' : detail;
  return {
    key: label,
    label: `${isCurrent ? uiGlyphs(display).marked : ' '} ${label}`,
    detail: policy === visibilityPolicies.none ? inherited : detail,
    right: key,
    disabled: choice.problem?.(frame),
  };
}

function setVisibility(
  app: App,
  topics: readonly TopicConversation[],
  targets: readonly ActionTarget[],
  {policy, done, label}: VisibilityChoice,
): void {
  const isCurrent = ({channelId, topic}: TopicConversation) => topicPolicy(app.state, channelId, topic) === policy;
  if (topics.every(isCurrent)) {
    app.toast(`Already ${label.toLowerCase()}.`);
    return;
  }
  const actions = topics.map(({channelId, topic}) => topicPolicyAction(channelId, topic, policy));
  const actionKind = policy === visibilityPolicies.muted ? 'muted' : 'other';
  actOnTargets(app, targets, {actionKind, actions, label: composed`${done} ${targetsTitle(app.state, targets)}`});
}

/** The confirmation says `more than 5000` from here on, instead of counting longer. */
const maxCounted = 5000;

export function deleteTopicProblem(app: AppReader): string | undefined {
  const topics = targetTopics(app);
  const [topic] = topics;
  if (topic === undefined) return 'No topic is selected';
  if (topics.length > 1) return 'Select a single topic: topics are deleted one at a time';
  return refusalReason(canDeleteTopic(app.state, topic.channelId, app.clock.now()));
}

/** Counts the messages of the topic and asks, because they are deleted for everyone and permanently. */
export function askToDeleteTopic(app: App): void {
  const [topic] = targetTopics(app);
  if (topic === undefined) return;
  const title = conversationRowTitle(app.state, topic);
  confirmFetched(app, {
    title: composed`Delete ${title}?`,
    progressText: 'Counting messages…',
    request: narrowMessages({narrow: conversationNarrow(topic), maxCount: maxCounted}),
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
    progressText: composed`Deleting ${title}…`,
    send: () =>
      deleteTopic(context, topic.channelId, topic.topic, () => {
        const left = app.state.messages.byConversation.get(conversationKey(topic))?.size ?? 0;
        app.toast(
          left === 0
            ? composed`Deleting ${title}: more to do…`
            : composed`Deleting ${title}: ${left} loaded messages left…`,
        );
      }),
    doneText: () => composed`Deleted ${title} (${count})`,
    permanentText: 'Deleting a topic cannot be undone',
    failureText: composed`${title} was not deleted completely`,
  });
}

/** Returns the topics that a command acts on: those of the selected rows, or else the shown one or that of the message. */
function targetTopics(app: AppReader): readonly TopicConversation[] {
  return actionTargets(app).flatMap((target) =>
    target.kind === 'conversation' && target.conversation.kind === 'topic' ? [target.conversation] : [],
  );
}

export function noTopicProblem(app: AppReader): string | undefined {
  return targetTopics(app).length === 0 ? 'No topic is selected' : undefined;
}

export function resolveProblem(app: AppReader): string | undefined {
  const topics = targetTopics(app);
  const [topic] = topics;
  if (topic === undefined) return 'Only topics can be resolved.';
  if (topics.length > 1) return 'Select a single topic: topics are resolved one at a time';
  return refusalReason(canResolveTopic(app.state, topic.channelId, topic.topic, app.clock.now()));
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
  const label = isNowResolved ? composed`Resolved ${title}` : composed`Unresolved ${title}`;
  requestFromServer(app, {
    progressText: isNowResolved ? composed`Resolving ${title}…` : composed`Unresolving ${title}…`,
    send: async () => {
      const change = {messageId, topic: conversation.topic, isResolved: isNowResolved};
      const outcome = await updateTopicResolved(app.session.context, change);
      if (outcome.kind === 'partOnly') throw new Error(outcome.problem);
    },
    doneText: () => {
      const to = renamed(app, conversation, isNowResolved);
      redirectViews(app, conversation, to);
      const step = {kind: 'move', from: conversation, to, messageId, mode: 'change_all', merged: []} as const;
      app.undoStack.pushStep(label, step);
      return withUndoKey(label);
    },
    failureText: 'Topic not changed',
  });
}

function renamed({state}: App, {kind, channelId, topic}: TopicConversation, isNowResolved: boolean): TopicConversation {
  const name = isNowResolved ? resolvedTopicName(topic) : unresolvedName(topic);
  return {kind, channelId, topic: truncatedTopic(name, state)};
}
