import type {Channel, Subscribers} from '#state/model/channel.ts';
import {type Conversation, conversationKey, directConversation, directKey} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {
  allowed,
  allowedIf,
  hasChannelPermission,
  hasGroupPermission,
  hasRealmPermission,
  hasRole,
  isAdministrator,
  isGuest,
  type Permission,
  postPolicies,
  refused,
  selfUser,
} from './permission.ts';

export const unknownChannel = 'This channel does not exist, or you cannot see it.';

/** Returns why a channel is not among those that the user can see. */
export function missingChannelReason({formerChannels}: AccountState, channelId: number): string {
  const name = formerChannels.get(channelId);
  return name === undefined ? unknownChannel : composed`You no longer have access to #${name}.`;
}

export function isSubscribed(state: AccountState, channelId: number): boolean {
  return state.subscriptions.get(channelId)?.isSubscribed === true;
}

/**
 * Returns whether the user can read the messages of a channel. Administrators cannot read a private channel
 * by role alone.
 */
export function canReadChannel(state: AccountState, channel: Channel, nowMs: number): boolean {
  return isSubscribed(state, channel.id) || canReadUnsubscribed(state, channel, nowMs);
}

/** Returns whether the user could read a channel without a subscription, and so could subscribe without help. */
export function canReadUnsubscribed(state: AccountState, channel: Channel, nowMs: number): boolean {
  if (channel.isWebPublic === true) return true;
  if (isGuest(state)) return false;
  if (!channel.isPrivate) return true;
  return (
    hasChannelPermission(state, channel, 'canAddSubscribersGroup', nowMs) === true ||
    hasChannelPermission(state, channel, 'canSubscribeGroup', nowMs) === true
  );
}

/** Returns why the user cannot read the messages of a channel; undefined where they can. */
export function unreadableReason(state: AccountState, channelId: number, nowMs: number): string | undefined {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return missingChannelReason(state, channelId);
  return canReadChannel(state, channel, nowMs)
    ? undefined
    : composed`You do not have access to the messages of #${channel.name}.`;
}

/** Returns whether the user can change the channel's settings. */
export function canAdministerChannel(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  return allowedIf(
    isChannelAdministrator(state, channel, nowMs),
    composed`Only administrators of #${channel.name} may change its settings.`,
  );
}

/** Returns whether the user administers the channel. Only visible channels are known, so visibility is not checked. */
export function isChannelAdministrator(state: AccountState, channel: Channel, nowMs: number): boolean {
  if (isAdministrator(state)) return true;
  return !isGuest(state) && hasChannelPermission(state, channel, 'canAdministerChannelGroup', nowMs) === true;
}

/** Returns whether the user can subscribe without help. */
export function canSubscribe(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  if (channel.isArchived === true) return refused(composed`#${channel.name} is archived: you cannot join it.`);
  return allowedIf(
    !isGuest(state) && (isSubscribed(state, channelId) || canReadChannel(state, channel, nowMs)),
    composed`You cannot join #${channel.name} yourself: ask someone who can add subscribers.`,
  );
}

/** Returns whether the user can add other users. */
export function canAddSubscribers(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  if (channel.isArchived === true) return refused(composed`#${channel.name} is archived: you cannot join it.`);
  const denied = refused(composed`You do not have permission to add people to #${channel.name}.`);
  if (isGuest(state) || !canReadChannel(state, channel, nowMs)) return denied;
  const isAllowed =
    isChannelAdministrator(state, channel, nowMs) ||
    hasRealmPermission(state, 'canAddSubscribersGroup', nowMs) ||
    hasChannelPermission(state, channel, 'canAddSubscribersGroup', nowMs) === true;
  return isAllowed ? allowed : denied;
}

/** Returns whether the user can remove `userId`; everyone can remove themselves and their own bots. */
export function canRemoveSubscribers(
  state: AccountState,
  channelId: number,
  nowMs: number,
  userId?: number,
): Permission {
  const {userId: selfId} = state.self;
  if (userId === selfId) return allowed;
  if (userId !== undefined && state.users.get(userId)?.botOwnerId === selfId) return allowed;
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(missingChannelReason(state, channelId));
  const isAllowed =
    isChannelAdministrator(state, channel, nowMs) ||
    hasChannelPermission(state, channel, 'canRemoveSubscribersGroup', nowMs) === true;
  return allowedIf(isAllowed, composed`You do not have permission to remove people from #${channel.name}.`);
}

export type ChannelPrivacy = 'public' | 'private' | 'webPublic';

const creationPermissions = {
  public: ['canCreatePublicChannelGroup'],
  private: ['canCreatePrivateChannelGroup'],
  webPublic: ['canCreatePublicChannelGroup', 'canCreateWebPublicChannelGroup'],
} as const;

export function canCreateChannel(state: AccountState, privacy: ChannelPrivacy, nowMs: number): Permission {
  const {realm, server} = state;
  const isWebPublic = privacy === 'webPublic';
  if (isWebPublic && (realm.enableSpectatorAccess !== true || server.serverWebPublicStreamsEnabled === false)) {
    return refused('Web-public channels are turned off in this organization.');
  }
  return allowedIf(
    creationPermissions[privacy].every((name) => hasRealmPermission(state, name, nowMs)),
    `You do not have permission to create ${isWebPublic ? 'web-public' : privacy} channels.`,
  );
}

/** A wildcard mention that reaches more users than this needs a permission. */
export const wildcardMentionLimit = 15;

/**
 * Returns whether the user can post in a conversation. Whether a topic is new is known only where all topics
 * are loaded.
 */
export function canPost(state: AccountState, conversation: Conversation, nowMs: number): Permission {
  if (conversation.kind === 'direct') return canSendDirect(state, conversation.userIds, nowMs);
  const channel = state.channels.get(conversation.channelId);
  if (channel === undefined) return refused(missingChannelReason(state, conversation.channelId));
  const inChannel = canPostInChannel(state, channel, nowMs);
  if (!inChannel.ok) return inChannel;
  const topicPermission = fitsTopicsPolicy(state, channel, conversation.topic);
  if (!topicPermission.ok) return topicPermission;
  const isNew = topicExists(state, channel.id, conversation.topic) === false;
  return isNew ? canCreateTopic(state, channel.id, nowMs) : allowed;
}

export function canPostInChannel(state: AccountState, channel: Channel, nowMs: number): Permission {
  if (channel.isArchived === true) return refused(composed`#${channel.name} is archived: you cannot post there.`);
  const readsHistory = channel.historyPublicToSubscribers !== false && canReadUnsubscribed(state, channel, nowMs);
  if (!readsHistory && !isSubscribed(state, channel.id) && !isOwnerSubscribed(state, channel)) {
    const joining = canSubscribe(state, channel.id, nowMs);
    return joining.ok ? refused(composed`Subscribe to #${channel.name} before you write there.`) : joining;
  }
  const writers = [selfUser(state), ownerOfSelf(state)].filter((user) => user !== undefined);
  const isAllowed = writers.some((user) => canSend(state, user, channel, nowMs));
  return allowedIf(isAllowed, composed`You do not have permission to write in #${channel.name}.`);
}

/** A bot may post where its owner may. */
function ownerOfSelf(state: AccountState): User | undefined {
  const user = selfUser(state);
  return user?.isBot === true && user.botOwnerId !== undefined ? state.users.get(user.botOwnerId) : undefined;
}

function isOwnerSubscribed(state: AccountState, channel: Channel): boolean {
  const owner = ownerOfSelf(state);
  return owner !== undefined && state.subscribers.get(channel.id)?.ids.has(owner.id) === true;
}

function canSend(state: AccountState, user: User, channel: Channel, nowMs: number): boolean {
  const permission = hasChannelPermission(state, channel, 'canSendMessageGroup', nowMs, user.id);
  if (permission !== undefined) return permission;
  const {streamPostPolicy: policy, isAnnouncementOnly} = channel;
  if (policy === undefined) {
    return hasRole(state, user, isAnnouncementOnly === true ? 'role:administrators' : 'role:everyone', nowMs);
  }
  return hasRole(state, user, postPolicies[policy] ?? 'role:administrators', nowMs);
}

export function canCreateTopic(state: AccountState, channelId: number, nowMs: number): Permission {
  const channel = state.channels.get(channelId);
  if (channel === undefined) return refused(unknownChannel);
  const permission = hasChannelPermission(state, channel, 'canCreateTopicGroup', nowMs);
  return allowedIf(
    permission !== false,
    composed`You can post in existing topics of #${channel.name}, but not start new ones.`,
  );
}

/** Returns whether the channel accepts the empty topic, named topics, or both. */
export function fitsTopicsPolicy(state: AccountState, channel: Channel, topic: string): Permission {
  const isEmpty = topic.trim() === '' || topic.trim() === '(no topic)';
  const policy = topicsPolicy(state, channel);
  if (isEmpty && policy === 'disable_empty_topic') {
    return refused(composed`Messages in #${channel.name} need a topic.`);
  }
  if (!isEmpty && policy === 'empty_topic_only') {
    return refused(composed`#${channel.name} has no topics: leave the topic empty.`);
  }
  return allowed;
}

export function topicsPolicy({realm}: AccountState, channel: Channel): string {
  if (channel.topicsPolicy !== undefined && channel.topicsPolicy !== 'inherit') return channel.topicsPolicy;
  if (realm.topicsPolicy !== undefined) return realm.topicsPolicy;
  return realm.mandatoryTopics === true ? 'disable_empty_topic' : 'allow_empty_topic';
}

/** Whether all messages of the channel are in the empty topic. */
export function hasNoTopics(state: AccountState, channelId: number): boolean {
  const channel = state.channels.get(channelId);
  return channel !== undefined && topicsPolicy(state, channel) === 'empty_topic_only';
}

/** Returns whether the user can write to these users. Messages to oneself and to bots are always allowed. */
export function canSendDirect(state: AccountState, userIds: readonly number[], nowMs: number): Permission {
  const {userIds: others} = directConversation(userIds, state.self.userId);
  const deactivatedId = others.find((id) => state.users.get(id)?.isActive === false);
  if (deactivatedId !== undefined) {
    return refused(composed`${state.users.get(deactivatedId)?.fullName} is deactivated and cannot receive messages.`);
  }
  const people = others.filter((id) => state.users.get(id)?.isBot !== true);
  if (selfUser(state)?.isBot === true || people.length === 0) return allowed;
  const authorized = directMessagePermission(state, [state.self.userId, ...people], nowMs);
  if (!authorized.ok) return authorized;
  // A conversation that is not listed may exist, but the server lists recent ones.
  if (state.directs.has(directKey(others))) return allowed;
  return allowedIf(
    hasRealmPermission(state, 'directMessageInitiatorGroup', nowMs),
    'You can reply to direct messages, but not start new conversations.',
  );
}

function directMessagePermission(state: AccountState, people: readonly number[], nowMs: number): Permission {
  const isAuthorized = people.some((id) => hasRealmPermission(state, 'directMessagePermissionGroup', nowMs, id));
  return allowedIf(isAuthorized, 'At least one person in this conversation needs permission to use direct messages.');
}

/** Returns whether the user can use a wildcard mention; `reach` is everyone in the channel or in the topic. */
export function canMentionAll(
  state: AccountState,
  conversation: Conversation,
  nowMs: number,
  reach: 'channel' | 'topic' = 'channel',
): Permission {
  if (conversation.kind === 'direct') return allowed;
  if (hasRealmPermission(state, 'canMentionManyUsersGroup', nowMs)) return allowed;
  const reached = wildcardReach(state, conversation, reach);
  // Participants who left the channel do not count for the server: without all subscribers, it decides.
  const isUncertain = reach === 'topic' && state.subscribers.get(conversation.channelId)?.complete !== true;
  return allowedIf(
    isUncertain || reached === undefined || reached.count <= wildcardMentionLimit,
    `You do not have permission to mention more than ${wildcardMentionLimit} people at once; this would reach ${reachCount(reached)}.`,
  );
}

/** The number of users whom a wildcard mention notifies. */
interface WildcardReach {
  readonly count: number;
  /** Whether there may be more that this client does not know of. */
  readonly isLeast: boolean;
}

/** Returns `16`, or `at least 16`. */
export function reachCount(reach: WildcardReach | undefined): string {
  return reach === undefined ? '' : `${reach.isLeast ? 'at least ' : ''}${reach.count}`;
}

/** Returns how many users a wildcard mention would reach; undefined when that is unknown here. */
export function wildcardReach(
  state: AccountState,
  conversation: Conversation,
  reach: 'channel' | 'topic',
): WildcardReach | undefined {
  if (conversation.kind === 'direct') return {count: conversation.userIds.length, isLeast: false};
  const subscribers = state.subscribers.get(conversation.channelId);
  if (reach === 'topic') return {count: topicParticipants(state, conversation, subscribers), isLeast: true};
  const {subscriberCount} = state.channels.get(conversation.channelId) ?? {};
  const count = subscribers?.complete === true ? subscribers.ids.size : (subscriberCount ?? subscribers?.ids.size);
  return count === undefined ? undefined : {count, isLeast: false};
}

/** The number of subscribers who wrote or reacted there, in the loaded messages. */
function topicParticipants(
  {messages}: AccountState,
  conversation: Conversation,
  subscribers: Subscribers | undefined,
): number {
  const people = new Set<number>();
  for (const id of messages.byConversation.get(conversationKey(conversation)) ?? []) {
    const message = messages.byId.get(id);
    if (message === undefined) continue;
    people.add(message.senderId);
    for (const {userId} of message.reactions) people.add(userId);
  }
  return subscribers?.complete === true ? [...people].filter((id) => subscribers.ids.has(id)).length : people.size;
}

export function canMentionGroup(state: AccountState, groupId: number, nowMs: number): Permission {
  const group = state.groups.get(groupId);
  if (group === undefined) return refused('There is no such group.');
  const problem = composed`You do not have permission to mention @${group.name}.`;
  if (group.isDeactivated) return refused(composed`The group @${group.name} has been deactivated.`);
  const permission = hasGroupPermission(state, group, 'canMentionGroup', nowMs);
  return allowedIf(permission ?? !group.isSystemGroup, problem);
}
