import type {TopicConversation} from '#state/model/conversation.ts';
import {isChannelMuted, topicPolicy} from '#state/unreads/muting.ts';
import type {ActionTarget} from '#ui/actions/action-target.ts';
import {targetsTitle} from '#ui/actions/action-target.ts';
import {actOnTargets, topicPolicyAction} from '#ui/actions/mute-and-follow.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {featureProblem} from '#wire/server-features.ts';
import {targetTopics} from './target-topics.ts';

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
  actOnTargets(app, targets, {actionKind, actions, label: `${done} ${targetsTitle(app.state, targets)}`});
}
