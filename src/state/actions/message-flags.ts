import {canBeUnread, mentionsUser} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import {messageFromWire} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import type {UnreadMessage} from '#state/unreads/unreads.ts';
import type {MessageDetails} from '#wire/events/messages.ts';
import type {EventOf} from '#wire/events.ts';
import type {FetchedMessage} from '#wire/objects/message.ts';
import type {ActionHandler} from './action-handler.ts';

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

export const flagsHandler: ActionHandler<FlagsAction> = {
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
};

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
export function unreadIdsByConversation({unreads}: AccountState, ids: readonly number[]): ConversationUnreadIds[] {
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

export interface KeyedUnreadMessage extends UnreadMessage {
  /** The key of its conversation. */
  readonly key: ConversationKey;
}

export function groupByConversation(messages: readonly KeyedUnreadMessage[]): ConversationUnreadIds[] {
  const groups = new Map<ConversationKey, {conversation: Conversation; ids: number[]; mentions: number[]}>();
  for (const {id, key, conversation, isMention} of messages) {
    const group = groups.get(key) ?? {conversation, ids: [], mentions: []};
    groups.set(key, group);
    group.ids.push(id);
    if (isMention) group.mentions.push(id);
  }
  return [...groups.values()];
}

/** Returns the event that the server will send. */
export function flagsEvent(
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

/** Returns what the index of unread messages stores about a message, so that marking it unread can be shown at once. */
export function keyedUnreadMessage(state: AccountState, wire: FetchedMessage): KeyedUnreadMessage {
  const message = messageFromWire(wire, wire.flags, state.self.userId);
  const {id, flags, conversationKey: key} = message;
  const conversation = conversationOf(message);
  return {id, key, conversation, isMention: mentionsUser(state, flags, conversation)};
}
