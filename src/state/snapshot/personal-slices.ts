import type {Channel} from '#state/model/channel.ts';
import {
  draftFromWire,
  navigationViewFromWire,
  reminderFromWire,
  scheduledFromWire,
  userTopicFromWire,
} from '#state/model/personal.ts';
import {userTopicMap, userTopicsFromMuted} from '#state/model/user-topics.ts';
import type {AccountState} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {videoTokens} from '#wire/objects/video-call.ts';
import type {Snapshot} from '#wire/register.ts';

type PersonalSlices = Pick<
  AccountState,
  'userTopics' | 'drafts' | 'scheduled' | 'reminders' | 'snippets' | 'navigationViews' | 'alertWords' | 'videoTokens'
>;

/** Builds the slices with the user's own data from a registration's response. */
export function personalSlices(snapshot: Snapshot, selfId: number, channels: Iterable<Channel>): PersonalSlices {
  const {drafts = [], scheduled_messages = [], reminders = [], saved_snippets = []} = snapshot;
  return {
    userTopics: userTopicsSlice(snapshot, channels),
    drafts: SortedMap.by(
      drafts.map((wire) => draftFromWire(wire, selfId)),
      ({id}) => id,
    ),
    scheduled: SortedMap.by(
      scheduled_messages.map((wire) => scheduledFromWire(wire, selfId)),
      ({id}) => id,
    ),
    reminders: SortedMap.by(reminders.map(reminderFromWire), ({id}) => id),
    snippets: SortedMap.by(saved_snippets.map(camelKeys), ({id}) => id),
    navigationViews: SortedMap.by(
      (snapshot.navigation_views ?? []).map(navigationViewFromWire),
      ({fragment}) => fragment,
    ),
    alertWords: snapshot.alert_words ?? [],
    videoTokens: videoTokens(snapshot),
  };
}

function userTopicsSlice(snapshot: Snapshot, channels: Iterable<Channel>): AccountState['userTopics'] {
  const {user_topics, muted_topics = []} = snapshot;
  if (user_topics === undefined) return userTopicsFromMuted(muted_topics, channels);
  const configured = user_topics.filter(({visibility_policy}) => visibility_policy !== visibilityPolicies.none);
  return userTopicMap(configured.map(userTopicFromWire));
}
