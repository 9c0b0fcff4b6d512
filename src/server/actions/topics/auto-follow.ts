import {userSettings} from '#server/accounts/user-settings.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {byCapability} from '#server/event-queues/emitted-event.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';

/** What somebody did in a topic, from the weakest sign of interest to the strongest. */
const codes = {participated: 1, sent: 2, started: 3} as const;
export type TopicActivity = keyof typeof codes;

export interface ChannelTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly topicKey: string;
}

/** Follows or unmutes the topic if the person's settings want that after such a deed. Gives the new policy. */
export function autoFollow(
  act: ActionContext,
  user: UserRow,
  place: ChannelTopic,
  deed: TopicActivity,
): number | undefined {
  if (user.is_bot === 1) return undefined;
  const settings = userSettings(user);
  if (settings.automatically_follow_topics_policy <= codes[deed]) {
    return raise(act, user.id, place, visibilityPolicies.followed);
  }
  if (settings.automatically_unmute_topics_in_muted_streams_policy > codes[deed]) return undefined;
  const muted = 'SELECT is_muted FROM subscription WHERE user_id = ? AND channel_id = ?';
  if (act.db.value(muted, user.id, place.channelId) !== 1) return undefined;
  return raise(act, user.id, place, visibilityPolicies.unmuted);
}

export function autoFollowMentioned(act: ActionContext, user: UserRow, place: ChannelTopic): void {
  if (user.is_bot === 1 || !userSettings(user).automatically_follow_topics_where_mentioned) return;
  raise(act, user.id, place, visibilityPolicies.followed);
}

/** Automatic changes only ever make a topic more visible. */
function raise(act: ActionContext, userId: number, place: ChannelTopic, policy: number): number | undefined {
  const {channelId, topic, topicKey} = place;
  const current = act.db.value(
    'SELECT policy FROM user_topic WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
    userId,
    channelId,
    topicKey,
  );
  if (current === policy || current === visibilityPolicies.followed) return undefined;
  act.db.run(
    `INSERT OR REPLACE INTO user_topic (user_id, channel_id, topic_key, topic_name, policy, updated_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    userId,
    channelId,
    topicKey,
    topic,
    policy,
    act.now,
  );
  emitUserTopic(act, userId, channelId, topic, policy);
  return policy;
}

export function emitUserTopic(
  act: ActionContext,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
): void {
  const body = (name: string) => ({
    stream_id: channelId,
    topic_name: name,
    last_updated: act.now,
    visibility_policy: policy,
  });
  act.emit({
    type: 'user_topic',
    to: [userId],
    body: byCapability(
      'empty_topic_name',
      () => body(topic),
      () => body(topic === '' ? organization(act).empty_topic_display_name : topic),
    ),
  });
}
