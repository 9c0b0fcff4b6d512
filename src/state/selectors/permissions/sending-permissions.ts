import type {Channel} from '#state/model/channel.ts';
import {type Conversation, directConversation, directKey} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {topicExists} from '#state/selectors/lists/topic-rows.ts';
import type {AccountState} from '#state/state.ts';
import {isSubscribed, unknownChannel} from './channel-permissions.ts';
import {hasRole, postPolicies, wildcardPolicies} from './group-members.ts';
import {
  allowed,
  allowedIf,
  hasChannelPermission,
  hasGroupPermission,
  hasRealmPermission,
  isGuest,
  type Permission,
  refused,
  selfUser,
} from './permission.ts';

/** A wildcard mention that reaches more people than this needs a permission. */
export const wildcardMentionLimit = 15;

/** Whether one may write to a conversation. Whether a topic is new is known only where all topics are. */
export function canPost(state: AccountState, conversation: Conversation, nowMs: number): Permission {
  if (conversation.kind === 'direct') return canSendDirect(state, conversation.userIds, nowMs);
  const channel = state.channels.get(conversation.channelId);
  if (channel === undefined) return refused(unknownChannel);
  const place = canPostInChannel(state, channel, nowMs);
  if (!place.ok) return place;
  const topic = fitsTopicsPolicy(state, channel, conversation.topic);
  if (!topic.ok) return topic;
  const isNew = topicExists(state, channel.id, conversation.topic) === false;
  return isNew ? canCreateTopic(state, channel.id, nowMs) : allowed;
}

export function canPostInChannel(state: AccountState, channel: Channel, nowMs: number): Permission {
  if (channel.isArchived === true) return refused(`#${channel.name} is archived: nobody can write there.`);
  const reaches = (!channel.isPrivate && !isGuest(state)) || isSubscribed(state, channel.id);
  if (!reaches && !ownerReaches(state, channel)) {
    return refused(`Subscribe to #${channel.name} before you write there.`);
  }
  const writers = [selfUser(state), ownerOfSelf(state)].filter((user) => user !== undefined);
  const may = writers.some((user) => maySend(state, user, channel, nowMs));
  return allowedIf(may, `You do not have permission to write in #${channel.name}.`);
}

/** A bot may write where its owner may. */
function ownerOfSelf(state: AccountState): User | undefined {
  const user = selfUser(state);
  return user?.isBot === true && user.botOwnerId !== undefined ? state.users.get(user.botOwnerId) : undefined;
}

function ownerReaches(state: AccountState, channel: Channel): boolean {
  const owner = ownerOfSelf(state);
  if (owner === undefined) return false;
  if (!channel.isPrivate && !isGuest(state, owner.id)) return true;
  return state.subscribers.get(channel.id)?.ids.has(owner.id) === true;
}

function maySend(state: AccountState, user: User, channel: Channel, nowMs: number): boolean {
  const held = hasChannelPermission(state, user.id, channel, 'canSendMessageGroup', nowMs);
  if (held !== undefined) return held;
  const {streamPostPolicy: policy, isAnnouncementOnly} = channel;
  if (policy === undefined) {
    return hasRole(state, user, isAnnouncementOnly === true ? 'role:administrators' : 'role:everyone', nowMs);
  }
  return hasRole(state, user, postPolicies[policy] ?? 'role:administrators', nowMs);
}

export function canCreateTopic(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  const held = hasChannelPermission(state, state.self.userId, channel, 'canCreateTopicGroup', nowMs);
  return allowedIf(
    held !== false,
    `You may write in the topics of #${channel.name}, but you may not start new ones.`,
  );
}

/** Whether the channel takes the empty topic, named ones, or both. */
export function fitsTopicsPolicy(state: AccountState, channel: Channel, topic: string): Permission {
  const isEmpty = topic.trim() === '' || topic.trim() === '(no topic)';
  const policy = topicsPolicy(state, channel);
  if (isEmpty && policy === 'disable_empty_topic') {
    return refused(`Messages in #${channel.name} need a topic.`);
  }
  if (!isEmpty && policy === 'empty_topic_only') {
    return refused(`#${channel.name} has no topics: leave the topic empty.`);
  }
  return allowed;
}

export function topicsPolicy({realm}: AccountState, channel: Channel): string {
  if (channel.topicsPolicy !== undefined && channel.topicsPolicy !== 'inherit') return channel.topicsPolicy;
  if (realm.topicsPolicy !== undefined) return realm.topicsPolicy;
  return realm.mandatoryTopics === true ? 'disable_empty_topic' : 'allow_empty_topic';
}

/** `userIds` with or without oneself. Writing to oneself and to bots is open to everybody. */
export function canSendDirect(state: AccountState, userIds: readonly number[], nowMs: number): Permission {
  const {userIds: others} = directConversation(userIds, state.self.userId);
  const gone = others.find((id) => state.users.get(id)?.isActive === false);
  if (gone !== undefined) {
    return refused(`${state.users.get(gone)?.fullName} has left this organization and cannot be written to.`);
  }
  const people = others.filter((id) => state.users.get(id)?.isBot !== true);
  if (selfUser(state)?.isBot === true || people.length === 0) return allowed;
  const authorized = mayAuthorize(state, [state.self.userId, ...people], nowMs);
  if (!authorized.ok) return authorized;
  // Not listed is no proof that nobody ever wrote there, but the server lists what is recent.
  if (state.directs.has(directKey(others))) return allowed;
  const older = {fallback: 'role:everyone'} as const;
  return allowedIf(
    hasRealmPermission(state, state.self.userId, 'directMessageInitiatorGroup', nowMs, older),
    'You may answer direct messages, but you may not start new conversations.',
  );
}

/** Older servers know only two policies: 1 everybody, 2 nobody. */
const directPolicies = {1: 'role:everyone', 2: 'role:nobody'} as const;

function mayAuthorize(state: AccountState, people: readonly number[], nowMs: number): Permission {
  const older = {
    policy: {code: state.realm.privateMessagePolicy, codes: directPolicies},
    fallback: 'role:everyone',
  } as const;
  const isAuthorized = people.some((id) =>
    hasRealmPermission(state, id, 'directMessagePermissionGroup', nowMs, older),
  );
  return allowedIf(
    isAuthorized,
    'Nobody in this conversation has the permission for direct messages that one of you would need.',
  );
}

/** `reach`: whom the mention is for, everybody in the channel or everybody who spoke in the topic. */
export function canMentionAll(
  state: AccountState,
  conversation: Conversation,
  nowMs: number,
  reach: 'channel' | 'topic' = 'channel',
): Permission {
  if (conversation.kind === 'direct') return allowed;
  const older = {
    policy: {code: state.realm.wildcardMentionPolicy, codes: wildcardPolicies},
    fallback: 'role:administrators',
  } as const;
  if (hasRealmPermission(state, state.self.userId, 'canMentionManyUsersGroup', nowMs, older)) return allowed;
  const count = wildcardMentionCount(state, conversation, reach);
  return allowedIf(
    count === undefined || count <= wildcardMentionLimit,
    `You do not have permission to mention more than ${wildcardMentionLimit} people at once; this would reach ${count}.`,
  );
}

/** How many people a wildcard mention would reach; undefined when that is not known here. */
export function wildcardMentionCount(
  state: AccountState,
  conversation: Conversation,
  reach: 'channel' | 'topic',
): number | undefined {
  if (conversation.kind === 'direct') return conversation.userIds.length;
  // Who spoke in a topic is known only as far as it is loaded: the server decides.
  if (reach === 'topic') return undefined;
  const subscribers = state.subscribers.get(conversation.channelId);
  if (subscribers?.complete === true) return subscribers.ids.size;
  return state.channels.get(conversation.channelId)?.subscriberCount ?? subscribers?.ids.size;
}

export function canMentionGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  const group = state.groups.get(groupId);
  if (group === undefined) return refused('There is no such group.');
  const no = `You do not have permission to mention @${group.name}.`;
  if (group.isDeactivated) return refused(`The group @${group.name} has been deactivated.`);
  const held = hasGroupPermission(state, state.self.userId, group, 'canMentionGroup', nowMs);
  return allowedIf(held ?? !group.isSystemGroup, no);
}
