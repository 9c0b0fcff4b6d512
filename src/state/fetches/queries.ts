import type {Narrow} from '#state/model/narrow.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import {getServerSettings} from '#wire/endpoints/session.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import type {ServerEvent} from '#wire/events.ts';
import {fetchAttachments, fetchMessage, fetchNarrowMessages} from './fetch-messages.ts';
import {fetchPage, messagesRequest} from './fetch-page.ts';
import type {FetchRequest} from './kept-queries.ts';

interface QueryOptions<T, A> extends Pick<FetchRequest, 'isPage'> {
  /** The first part of its key. */
  readonly kind: string;
  readonly fetch: (context: SessionContext, argument: A, signal: AbortSignal) => Promise<T>;
  readonly refetchMs?: (data: T) => number | undefined;
  readonly isOutdatedBy?: (event: ServerEvent, argument: A) => boolean;
}

/** Returns a function that makes the request for an argument: `readReceipts(messageId)`. */
function query<T, A = void>({kind, fetch, isPage, refetchMs, isOutdatedBy}: QueryOptions<T, A>) {
  return (argument: A): FetchRequest<T> => ({
    key: argument === undefined ? [kind] : [kind, JSON.stringify(argument)],
    fetch: (context, signal) => fetch(context, argument, signal),
    isPage,
    ...(refetchMs !== undefined && {refetchMs}),
    ...(isOutdatedBy !== undefined && {isOutdatedBy: (event) => isOutdatedBy(event, argument)}),
  });
}

export type MessageEditHistory = ResultOf<Endpoints['getMessageHistory']>['message_history'];

/** The versions of a message, oldest first. */
export const editHistory = query<MessageEditHistory, number>({
  kind: 'edit history',
  fetch: async ({api}, messageId, signal) => {
    const args = {message_id: messageId, allow_empty_topic_name: true};
    return (await api.getMessageHistory(args, {signal})).message_history;
  },
  isOutdatedBy: (event, messageId) =>
    event.type === 'update_message' && (event.message_id === messageId || event.message_ids.includes(messageId)),
});

/** The ids of users who read a message and share read receipts. */
export const readReceipts = query<readonly number[], number>({
  kind: 'receipts',
  fetch: async ({api}, messageId, signal) => (await api.getReadReceipts({message_id: messageId}, {signal})).user_ids,
});

/** The ids of the channels of a user. */
export const userChannels = query<ReadonlySet<number>, number>({
  kind: 'user channels',
  fetch: async ({api}, userId, signal) =>
    new Set((await api.getUserChannels({user_id: userId}, {signal})).subscribed_channel_ids),
});

/** The server's settings. The level of the connection stays that of the registration, which the state is made for. */
export const serverSettings = query({
  kind: 'server settings',
  fetch: ({api}, _none, signal) => api.connection.call(getServerSettings, {}, {signal}),
});

/** The open invitations: the user's own, and for administrators all. */
export const invitations = query({
  kind: 'invitations',
  fetch: async ({api}, _none, signal) => (await api.getInvites({}, {signal})).invites,
  isOutdatedBy: ({type}) => type === 'invites_changed',
});

/** The keys with which the user logs in over SSH. */
export const sshKeys = query({
  kind: 'SSH keys',
  fetch: async ({api}, _none, signal) => (await api.getSshKeys({}, {signal})).ssh_keys,
});

/** Servers say in an event that an export is ready, which this client does not request for this list alone. */
const lookAgainMs = 10_000;

/** The data exports, newest first. */
export const dataExports = query({
  kind: 'data exports',
  fetch: async ({api}, _none, signal) => {
    const {exports} = await api.getExports({}, {signal});
    return exports.toSorted((a, b) => b.id - a.id);
  },
  refetchMs: (exports) => (exports.some(({pending}) => pending) ? lookAgainMs : undefined),
});

/** A page of what was changed in the organization: the newest entries, or those before one. */
export const administrationPage = query({
  kind: 'administration log',
  fetch: ({api}, before: number | undefined, signal) =>
    api.getAdministrationLog(before === undefined ? {} : {before}, {signal}),
});

/** The space that files use. The user's files, which come with it, are in the account state. */
export const uploadSpace = query({
  kind: 'upload space',
  fetch: (context) => fetchAttachments(context),
  isOutdatedBy: ({type}) => type === 'attachment',
});

/** Those of the messages that can be fetched. */
export const messagesByIds = query({
  kind: 'messages',
  fetch: async (context, ids: readonly number[]) => {
    const results = await Promise.allSettled(ids.map((id) => fetchMessage(context, id)));
    return results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
  },
});

interface CountedNarrow {
  readonly narrow: Narrow;
  readonly maxCount: number;
}

/** The newest messages of a narrow, for counting them and for an exact undo. */
export const narrowMessages = query({
  kind: 'narrow messages',
  fetch: (context, {narrow, maxCount}: CountedNarrow) => fetchNarrowMessages(context, narrow, maxCount),
});

/**
 * The newest messages of a narrow, newest first. They enter the account state as well; this keeps which they are. Events make
 * mentions and starred messages outdated, but not searches: every new message might be found.
 */
export const newestMessages = query({
  kind: 'newest messages',
  isPage: true,
  fetch: async (context, {narrow, maxCount}: CountedNarrow, signal) => {
    const args = {anchor: 'newest' as const, num_before: maxCount, num_after: 0, narrow: [...narrow]};
    return (await fetchPage(context, {send: messagesRequest(context, args)}, signal)).toReversed();
  },
  isOutdatedBy: (event, {narrow: [term]}) => {
    if (term?.operator !== 'is') return false;
    const hasFlag = (flag: string) => flag.includes(String(term.operand));
    if (event.type === 'message' || event.type === 'update_message') return event.flags.some(hasFlag);
    return event.type === 'delete_message' || (event.type === 'update_message_flags' && hasFlag(event.flag));
  },
});
