import {topicConversationKey} from '#state/model/conversation.ts';
import type {UserTopic} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import type {ActionHandler} from './action-handler.ts';

/** Follows, mutes or unmutes a topic, or resets it to its channel's setting. */
export interface TopicPolicyAction {
  readonly kind: 'topicPolicy';
  readonly channelId: number;
  readonly topic: string;
  /** 0 as the channel, 1 muted, 2 unmuted, 3 followed. */
  readonly policy: number;
}

export const topicPolicyHandler: ActionHandler<TopicPolicyAction> = {
  effective: (state, action) => ((userTopic(state, action)?.policy ?? 0) === action.policy ? undefined : action),

  optimisticEvents: (_state, {channelId, topic, policy}, now) => [
    {
      type: 'user_topic',
      id: -1,
      stream_id: channelId,
      topic_name: topic,
      last_updated: Math.floor(now / 1000),
      visibility_policy: policy,
    },
  ],

  inverse(state, action) {
    const before = userTopic(state, action);
    return {...action, topic: before?.topic ?? action.topic, policy: before?.policy ?? 0};
  },

  request: (api, {channelId, topic, policy}) =>
    api.setUserTopic({stream_id: channelId, topic, visibility_policy: policy}),
};

function userTopic({userTopics}: AccountState, {channelId, topic}: TopicPolicyAction): UserTopic | undefined {
  return userTopics.get(topicConversationKey(channelId, topic));
}
