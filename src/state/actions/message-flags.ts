import {canBeUnread} from '#state/messages/event-conversations.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Conversation, ConversationKey} from '#state/model/conversation.ts';
import type {AccountState} from '#state/state.ts';
import type {UnreadMessage} from '#state/unreads/unreads.ts';
import type {MessageDetails, UpdateMessageFlagsEvent} from '#wire/events/update-message-flags.ts';
import type {ActionHandler} from './reversal.ts';

/** Marks messages read, unread, starred, collapsed; exactly these and no others. */
export interface FlagsAction {
  readonly kind: 'flags';
  readonly op: 'add' | 'remove';
  readonly flag: 'read' | 'starred' | 'collapsed';
  readonly ids: readonly number[];
  /** Where they are, for marking unread what is not loaded. */
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
      (id) => Number.isSafeInteger(id) && hasFlagNow(state, action.flag, id) !== (action.op === 'add'),
    );
    const possible =
      action.flag === 'read' && action.op === 'remove' ? canBeMarkedUnread(state, action, ids) : ids;
    return possible.length === 0 ? undefined : {...action, ids: possible};
  },

  optimisticEvents: (state, action) => [flagsEvent(state, action)],

  inverse(state, {kind, op, flag, ids}) {
    // Whether the others change is the server's to say; taking back what it did not do would be a change of its own.
    const certain = ids.filter((id) => hasFlagNow(state, flag, id) !== undefined);
    if (op === 'remove') return {kind, op: 'add', flag, ids: certain};
    const places = flag === 'read' ? {places: unreadIdsByConversation(state, certain)} : {};
    return {kind, op: 'remove', flag, ids: certain, ...places};
  },

  request: (api, {op, flag, ids}, signal) => api.updateFlags({messages: [...ids], op, flag}, {signal}),
};

/** Undefined when nobody here can know. */
function hasFlagNow(state: AccountState, flag: FlagsAction['flag'], id: number): boolean | undefined {
  if (flag === 'starred') return state.starred.has(id);
  const message = state.messages.byId.get(id);
  if (flag === 'collapsed') return message?.flags.includes(flag);
  const {byId, oldMissing} = state.unreads;
  if (byId.has(id)) return false;
  return oldMissing && message === undefined ? undefined : true;
}

/** Without those in channels one is not subscribed to, which servers leave read. */
function canBeMarkedUnread(state: AccountState, {places}: FlagsAction, ids: readonly number[]): number[] {
  const placed = new Map<number, Conversation>();
  for (const place of places ?? []) for (const id of place.ids) placed.set(id, place.conversation);
  return ids.filter((id) => {
    const message = state.messages.byId.get(id);
    const where = message === undefined ? placed.get(id) : conversationOf(message);
    return where === undefined || canBeUnread(state, where);
  });
}

/** Where these unread messages are. */
export function unreadIdsByConversation(
  {unreads}: AccountState,
  ids: readonly number[],
): ConversationUnreadIds[] {
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
  /** Of its conversation. */
  readonly key: ConversationKey;
}

export function groupByConversation(messages: readonly KeyedUnreadMessage[]): ConversationUnreadIds[] {
  const places = new Map<ConversationKey, {conversation: Conversation; ids: number[]; mentions: number[]}>();
  for (const {id, key, conversation, isMention} of messages) {
    const place = places.get(key) ?? {conversation, ids: [], mentions: []};
    places.set(key, place);
    place.ids.push(id);
    if (isMention) place.mentions.push(id);
  }
  return [...places.values()];
}

/** As the server will say it. */
export function flagsEvent(
  state: AccountState,
  {op, flag, ids, places}: FlagsAction,
): UpdateMessageFlagsEvent {
  const common = {type: 'update_message_flags' as const, id: -1, flag, messages: [...ids], all: false};
  if (op === 'add') return {...common, op};
  if (flag !== 'read') return {...common, op};
  return {...common, op, message_details: {...placedDetails(places ?? []), ...loadedDetails(state, ids)}};
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

function placedDetails(places: readonly ConversationUnreadIds[]): DetailsById {
  const details: DetailsById = {};
  for (const {conversation, ids, mentions} of places) {
    const mentioned = new Set(mentions);
    for (const id of ids) details[id] = detailsOf(conversation, mentioned.has(id));
  }
  return details;
}

function detailsOf(where: Conversation, isMentioned: boolean): MessageDetails {
  const mentioned = isMentioned ? {mentioned: true} : {};
  return where.kind === 'topic'
    ? {type: 'stream', stream_id: where.channelId, topic: where.topic, ...mentioned}
    : {type: 'private', user_ids: [...where.userIds], ...mentioned};
}
