import type {Api} from '#api/api.ts';
import {pollState, voteContent} from '#content/widgets/widgets.ts';
import {canBeUnread} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, directKey} from '#state/model/conversation.ts';
import type {Reaction} from '#state/model/message.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {KeyedUnreadMessage} from '#state/unreads/keyed-unread-message.ts';
import {unreadIdsOf} from '#state/unreads/unreads.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';
import {isRefusal} from '#wire/failure.ts';
import {normalizedReactionType, sameEmoji} from '#wire/objects/message.ts';
import type {Handlers, OptimisticHandler} from './reversible-actions.ts';

/** Marks exactly these messages as read, unread, starred or collapsed. */
export interface FlagsAction {
  readonly kind: 'flags';
  readonly op: 'add' | 'remove';
  readonly flag: 'read' | 'starred' | 'collapsed';
  readonly ids: readonly number[];
  /** The conversations of the messages, for marking messages unread that are not loaded. */
  readonly places?: readonly ConversationUnreadIds[];
}

export interface ConversationUnreadIds {
  readonly conversation: Conversation;
  readonly ids: readonly number[];
  readonly mentions: readonly number[];
}

/** Returns whether a message has the flag; undefined when that is unknown here. */
function currentFlag(state: AccountState, flag: FlagsAction['flag'], id: number): boolean | undefined {
  if (flag === 'starred') return state.starred.has(id);
  const message = state.messages.byId.get(id);
  if (flag === 'collapsed') return message?.flags.includes(flag);
  const {byId, oldMissing} = state.unreads;
  if (byId.has(id)) return false;
  return oldMissing && message === undefined ? undefined : true;
}

/** Filters out messages of unsubscribed channels, which servers leave read. */
function markableUnread(state: AccountState, {places: groups}: FlagsAction, ids: readonly number[]): number[] {
  const conversations = new Map<number, Conversation>();
  for (const group of groups ?? []) for (const id of group.ids) conversations.set(id, group.conversation);
  return ids.filter((id) => {
    const message = state.messages.byId.get(id);
    const conversation = message === undefined ? conversations.get(id) : conversationOf(message);
    return conversation === undefined || canBeUnread(state, conversation);
  });
}

/** Groups unread messages by conversation. */
function unreadIdsByConversation({unreads}: AccountState, ids: readonly number[]): ConversationUnreadIds[] {
  const {byId, conversations, mentions} = unreads;
  return groupByConversation(
    ids.flatMap((id) => {
      const key = byId.get(id);
      const conversation = key === undefined ? undefined : conversations.get(key)?.conversation;
      if (key === undefined || conversation === undefined) return [];
      return [{id, key, conversation, isMention: mentions.has(id)}];
    }),
  );
}

export function groupByConversation(messages: readonly KeyedUnreadMessage[]): ConversationUnreadIds[] {
  return [...Map.groupBy(messages, ({key}) => key).values()].flatMap((group) => {
    const mentions = group.flatMap(({id, isMention}) => (isMention ? id : []));
    return group.slice(0, 1).map(({conversation}) => ({conversation, ids: group.map(({id}) => id), mentions}));
  });
}

/** Returns the event that the server will send. */
function flagsEvent(
  state: AccountState,
  {op, flag, ids, places: groups}: FlagsAction,
): EventOf<'update_message_flags'> {
  const common = {type: 'update_message_flags' as const, id: -1, flag, messages: [...ids], all: false};
  if (op === 'add') return {...common, op};
  if (flag !== 'read') return {...common, op};
  return {...common, op, message_details: {...groupDetails(groups ?? []), ...loadedDetails(state, ids)}};
}

type DetailsById = Record<string, MessageDetails>;

function loadedDetails(state: AccountState, ids: readonly number[]): DetailsById {
  const details: DetailsById = {};
  for (const id of ids) {
    const message = state.messages.byId.get(id);
    if (message === undefined) continue;
    details[id] = detailsOf(conversationOf(message), message.flags.includes('mentioned'));
  }
  return details;
}

function groupDetails(groups: readonly ConversationUnreadIds[]): DetailsById {
  const details: DetailsById = {};
  for (const {conversation, ids, mentions} of groups) {
    const mentioned = new Set(mentions);
    for (const id of ids) details[id] = detailsOf(conversation, mentioned.has(id));
  }
  return details;
}

function detailsOf(conversation: Conversation, isMentioned: boolean): MessageDetails {
  const mentioned = isMentioned ? {mentioned: true} : {};
  return conversation.kind === 'topic'
    ? {type: 'stream', stream_id: conversation.channelId, topic: conversation.topic, ...mentioned}
    : {type: 'private', user_ids: [...conversation.userIds], ...mentioned};
}

export interface ReactionAction {
  readonly kind: 'reaction';
  readonly op: 'add' | 'remove';
  readonly messageId: number;
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
}

/** Returns all reactions with this emoji, oldest first. */
function sameReactions({messages}: AccountState, action: ReactionAction): readonly Reaction[] {
  const emoji = {emoji_code: action.emojiCode, reaction_type: action.reactionType};
  const all = messages.byId.get(action.messageId)?.reactions ?? [];
  return all.filter(({emojiCode, reactionType}) =>
    sameEmoji({emoji_code: emojiCode, reaction_type: reactionType}, emoji),
  );
}

/** Votes for an option of a poll, or removes the vote. */
interface PollVoteAction {
  readonly kind: 'pollVote';
  readonly messageId: number;
  readonly key: string;
  readonly isOn: boolean;
}

/** Returns whether the user votes for the option; undefined when the poll or the option is not known here. */
function hasVoted({messages, self}: AccountState, {messageId, key}: PollVoteAction): boolean | undefined {
  const message = messages.byId.get(messageId);
  const poll = message && pollState(message.submessages, message.senderId);
  return poll?.options.find((option) => option.key === key)?.voters.includes(self.userId);
}

export interface MutedUserAction {
  readonly kind: 'mutedUser';
  readonly userId: number;
  readonly isMuted: boolean;
  /** For unmuting: the messages that muting marked as read. */
  readonly unread?: readonly ConversationUnreadIds[];
}

/** Returns the unread messages known to be from the user: loaded ones and direct messages. */
function unreadFrom({unreads, messages}: AccountState, userId: number): number[] {
  const direct = unreads.conversations.get(directKey([userId]))?.ids;
  return [...unreads.byId.keys()].filter(
    (id) => direct?.has(id) === true || messages.byId.get(id)?.senderId === userId,
  );
}

function groupIds(groups: readonly ConversationUnreadIds[] = []): number[] {
  return groups.flatMap(({ids}) => ids);
}

function unreadAction({isMuted, unread = []}: MutedUserAction, ids: readonly number[]) {
  return {
    kind: 'flags',
    op: isMuted ? 'add' : 'remove',
    flag: 'read',
    ids,
    ...(!isMuted && {places: unread}),
  } as const;
}

/** Mutes or unmutes. Repeating a request is refused like any error, so a snapshot tells whether it is already done. */
async function requestMute(api: Api, {userId, isMuted}: MutedUserAction): Promise<void> {
  const args = {muted_user_id: userId};
  try {
    await (isMuted ? api.muteUser(args) : api.unmuteUser(args));
  } catch (error) {
    if (!isRefusal(error, 'BAD_REQUEST') || (await isMutedOnServer(api, userId)) !== isMuted) throw error;
  }
}

async function isMutedOnServer(api: Api, userId: number): Promise<boolean> {
  const state = await api.register({event_types: [], fetch_event_types: ['muted_users']});
  if (state.queue_id !== null) {
    await api.deleteQueue({queue_id: state.queue_id}).catch(() => {});
  }
  return state.muted_users?.some(({id}) => id === userId) ?? false;
}

/**
 * Marks the unread messages of a view up to a given one as read, including those that the server left out of
 * its list of unread messages. Their ids are fetched page by page while online, and each page is on disk
 * before the request that marks it, so that undo makes exactly those unread again, from any process and after
 * any crash. The server's own operation for whole views does not report what it marked.
 */
export interface MarkOlderReadAction {
  readonly kind: 'oldRead';
  readonly id: string;
  readonly narrow: Narrow;
  /** The newest message to mark: later ones were not seen. */
  readonly upTo: number;
  /** Messages from this id on were fetched already. */
  readonly before: number;
  /** The number of pages fetched. */
  readonly pages: number;
  /** All pages are fetched. */
  readonly isNamed: boolean;
  /** The action was undone: nothing more is fetched or marked. */
  readonly isTakenBack: boolean;
}

/** Undoes a marking as far as it got. */
export interface UndoMarkOlderReadAction {
  readonly kind: 'oldUnread';
  /** The id of the action to undo. */
  readonly id: string;
  /** What the action was, to redo it; records of earlier versions do not have it. */
  readonly redo?: Pick<MarkOlderReadAction, 'narrow' | 'upTo'> | undefined;
}

export function newMarkOlderReadAction(id: string, narrow: Narrow, upTo: number): MarkOlderReadAction {
  const progress = {before: upTo + 1, pages: 0, isNamed: false, isTakenBack: false};
  return {kind: 'oldRead', id, narrow, upTo, ...progress};
}

/** Shows the effect on the messages that are known here. */
export const markOlderReadHandler: OptimisticHandler<MarkOlderReadAction> = {
  effective: (state, action) => (action.isTakenBack || knownIds(state, action).length === 0 ? undefined : action),
  optimisticEvents: (state, action) => [
    flagsEvent(state, {kind: 'flags', op: 'add', flag: 'read', ids: knownIds(state, action)}),
  ],
};

function knownIds(state: AccountState, {narrow, upTo}: MarkOlderReadAction): readonly number[] {
  return unreadIdsOf(state, narrow).filter((id) => id <= upTo);
}

/** Checks the fields of an action from disk. */
export function isMarkOlderReadAction(value: Readonly<Record<string, unknown>>): boolean {
  const {id, narrow, upTo, before, pages} = value;
  const numbers = [upTo, before, pages];
  return typeof id === 'string' && Array.isArray(narrow) && numbers.every((number) => Number.isSafeInteger(number));
}

/** An action on messages, or on those of a user. */
export type MessageAction = FlagsAction | ReactionAction | PollVoteAction | MutedUserAction;

export const messageHandlers: Handlers<MessageAction> = {
  flags: {
    effective(state, action) {
      const ids = [...new Set(action.ids)].filter(
        (id) => Number.isSafeInteger(id) && currentFlag(state, action.flag, id) !== (action.op === 'add'),
      );
      const possible = action.flag === 'read' && action.op === 'remove' ? markableUnread(state, action, ids) : ids;
      return possible.length === 0 ? undefined : {...action, ids: possible};
    },

    optimisticEvents: (state, action) => [flagsEvent(state, action)],

    inverse(state, {kind, op, flag, ids}) {
      // For the rest only the server knows whether they change; undoing what it did not do would be a change of its own.
      const knownIds = ids.filter((id) => currentFlag(state, flag, id) !== undefined);
      if (op === 'remove') return {kind, op: 'add', flag, ids: knownIds};
      const groups = flag === 'read' ? {places: unreadIdsByConversation(state, knownIds)} : {};
      return {kind, op: 'remove', flag, ids: knownIds, ...groups};
    },

    request: (api, {op, flag, ids}) => api.updateFlags({messages: [...ids], op, flag}),
  },

  reaction: {
    /** Uses the emoji name of the first reaction, because an emoji has one name per message. */
    effective(state, action) {
      const present = sameReactions(state, action);
      const hasReacted = present.some(({userId}) => userId === state.self.userId);
      const isLoaded = state.messages.byId.has(action.messageId);
      if (isLoaded && hasReacted === (action.op === 'add')) return undefined;
      const [first] = present;
      if (first !== undefined) {
        return {...action, emojiName: first.emojiName, reactionType: first.reactionType};
      }
      const isExtra = normalizedReactionType(action.reactionType) === 'extra_emoji';
      return isExtra ? {...action, reactionType: state.server.extraEmojiType} : action;
    },

    optimisticEvents: (state, action): EventOf<'reaction'>[] => [
      {
        type: 'reaction',
        id: -1,
        op: action.op,
        message_id: action.messageId,
        user_id: state.self.userId,
        emoji_name: action.emojiName,
        emoji_code: action.emojiCode,
        reaction_type: action.reactionType,
      },
    ],

    inverse: (_state, action) => ({...action, op: action.op === 'add' ? 'remove' : 'add'}),

    async request(api, action) {
      const args = {
        message_id: action.messageId,
        emoji_name: action.emojiName,
        emoji_code: action.emojiCode,
        reaction_type: action.reactionType,
      };
      await (action.op === 'add' ? api.addReaction(args) : api.removeReaction(args));
    },
  },

  pollVote: {
    effective: (state, action) => (hasVoted(state, action) === action.isOn ? undefined : action),

    optimisticEvents: (state, {messageId, key, isOn}): EventOf<'submessage'>[] => [
      {
        type: 'submessage',
        id: -1,
        message_id: messageId,
        // After all others of the message.
        submessage_id: Math.max(0, ...(state.messages.byId.get(messageId)?.submessages.map(({id}) => id) ?? [])) + 1,
        sender_id: state.self.userId,
        msg_type: 'widget',
        content: voteContent(key, isOn),
      },
    ],

    inverse: (_state, action) => ({...action, isOn: !action.isOn}),

    request: (api, {messageId, key, isOn}) =>
      api.sendSubmessage({message_id: messageId, msg_type: 'widget', content: voteContent(key, isOn)}),
  },

  mutedUser: {
    effective(state, action) {
      if (state.mutedUsers.has(action.userId) !== action.isMuted) return action;
      const isRestored =
        action.isMuted ||
        messageHandlers.flags.effective(state, unreadAction(action, groupIds(action.unread))) === undefined;
      return isRestored ? undefined : action;
    },

    optimisticEvents(state, action, now) {
      const {userId, isMuted} = action;
      const others = [...state.mutedUsers.values()].filter(({id}) => id !== userId);
      const muted = isMuted ? [...others, {id: userId, timestamp: Math.floor(now / 1000)}] : others;
      const unread = isMuted ? unreadFrom(state, userId) : groupIds(action.unread);
      const changed = messageHandlers.flags.effective(state, unreadAction(action, unread));
      return [
        {type: 'muted_users', id: -1, muted_users: muted},
        ...(changed === undefined ? [] : messageHandlers.flags.optimisticEvents(state, changed, now)),
      ];
    },

    inverse(state, {kind, userId, isMuted}) {
      const unread = isMuted ? unreadIdsByConversation(state, unreadFrom(state, userId)) : [];
      return {kind, userId, isMuted: !isMuted, ...(unread.length > 0 && {unread})};
    },

    async request(api, action) {
      await requestMute(api, action);
      const ids = groupIds(action.unread);
      if (!action.isMuted && ids.length > 0) {
        await api.updateFlags({messages: ids, op: 'remove', flag: 'read'});
      }
    },
  },
};
