import type {Api} from '#api/api.ts';
import {type ApiFailure, isApiFailure, isRefusal, notCarriedOut} from '#api/failure.ts';
import {delay, withRetries} from '#api/retry.ts';
import {normalizedContent, normalizedTopicKey, truncatedTopic} from '#state/outbox/normalize-text.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import type {SessionContext} from './session-context.ts';
import type {AccountState, SliceName} from './state.ts';

/** The user waits for the change: after this long they are told that it was not made, and how long the server asks to wait. */
const maxRateLimitWaitMs = 30_000;
/** After a connection broke, the server may still be at work on the request. */
const secondLookMs = 2000;

type Call = (args?: object, options?: {readonly signal?: AbortSignal}) => Promise<unknown>;
type AnyLookUp = 'repeat' | ((context: LookUpContext, args: object) => Promise<unknown>);

/**
 * Returns the API of a session, whose calls stop when the session ends. When the rate limit refuses one of `lookUps`, it waits
 * and asks again. When a response leaves open whether the server made one, it finds out. The failure's `carriedOut` is then
 * `no` if the change was not made, and `maybe` only if that stays unknown.
 */
export function apiWithLookUps(context: SessionContext): Api {
  return new Proxy(context.api, {
    get: (api, name) => {
      const call: unknown = Reflect.get(api, name);
      if (typeof call !== 'function') return call;
      const lookUp = Reflect.get(lookUps, name) as AnyLookUp | undefined;
      if (lookUp !== undefined) return callWithLookUp(context, call as Call, lookUp);
      return (args: object, options?: object) => call(args, {signal: context.signal, ...options});
    },
  });
}

function callWithLookUp(context: SessionContext, call: Call, lookUp: AnyLookUp): Call {
  return async (args = {}, options) => {
    const {cache, clock, random} = context;
    const before = cache.state;
    const signal = options?.signal ?? context.signal;
    const send = () => call(args, {...options, signal});
    try {
      return await withRetries(send, {
        clock,
        random,
        signal,
        idempotent: false,
        reasons: ['rateLimit'],
        maxWaitMs: maxRateLimitWaitMs,
      });
    } catch (error) {
      if (!isUncertain(error)) throw error;
      const look = async () => (lookUp === 'repeat' ? send() : lookUp({...context, before}, args));
      const isFinal = error.kind === 'retry' && error.reason === 'server';
      const found = await look()
        .then(async (result) => {
          if (result !== undefined || isFinal) return result;
          await delay(secondLookMs, clock, signal);
          return look();
        })
        .catch(() => {
          signal.throwIfAborted();
          throw error;
        });
      if (found === undefined) throw notCarriedOut(error);
      return found;
    }
  };
}

/** Returns whether a failure leaves open whether the server carried out the request. */
export function isUncertain(error: unknown): error is ApiFailure {
  return isApiFailure(error) && error.carriedOut === 'maybe';
}

type Args<N extends keyof Api> = Api[N] extends (args: infer A, ...rest: never[]) => unknown ? NonNullable<A> : never;
type Result<N extends keyof Api> = Api[N] extends (...args: never[]) => Promise<infer R> ? R : never;

interface LookUpContext extends SessionContext {
  /** The state before the change was requested. */
  readonly before: AccountState;
}

/**
 * Finds out whether the server made a change: returns its result, or undefined if the change was not made. Rejects when that
 * cannot be known. `repeat` makes the change again, for changes whose repetition has no further effect.
 */
type LookUp<N extends keyof Api> =
  | 'repeat'
  | ((context: LookUpContext, args: Args<N>) => Promise<Result<N> | undefined>);

/** What is done about a lost response, by call. The result of calls that are not listed stays unknown. */
export const lookUps: {readonly [N in keyof Api]?: LookUp<N>} = {
  createScheduledMessage: async ({api, before, signal}, args) => {
    const {scheduled_messages: all} = await api.getScheduledMessages({}, {signal});
    const text = normalizedContent(args.content, before);
    return all.find(
      ({scheduled_message_id: id, content, scheduled_delivery_timestamp: at}) =>
        !before.scheduled.has(id) && at === args.scheduled_delivery_timestamp && content.trim() === text.trim(),
    );
  },
  editScheduledMessage: 'repeat',
  deleteScheduledMessage: async ({api, signal}, args) => {
    const {scheduled_messages: all} = await api.getScheduledMessages({}, {signal});
    return doneIf(all.every(({scheduled_message_id: id}) => id !== args.scheduled_message_id));
  },
  createReminder: async ({api, before, signal}, args) =>
    (await api.getReminders({}, {signal})).reminders.find(
      ({reminder_id: id, reminder_target_message_id: messageId, scheduled_delivery_timestamp: at}) =>
        !before.reminders.has(id) && messageId === args.message_id && at === args.scheduled_delivery_timestamp,
    ),
  deleteReminder: async ({api, signal}, args) => {
    const {reminders} = await api.getReminders({}, {signal});
    return doneIf(reminders.every(({reminder_id: id}) => id !== args.reminder_id));
  },
  editMessage: async ({api, before, signal}, {message_id, content, topic, stream_id: channelId}) => {
    // Callers compare changed texts themselves.
    if (content !== undefined) throw new Error('A changed text is not looked up here');
    const {message} = await api.getMessage({message_id, apply_markdown: false}, {signal});
    const isThere =
      (topic === undefined || isSameTopic(message.subject ?? '', topic, before)) &&
      (channelId === undefined || (message.type === 'stream' && message.stream_id === channelId));
    return isThere ? {detached_uploads: []} : undefined;
  },
  sendSubmessage: async ({api, before, signal}, {message_id, content}) => {
    const {message} = await api.getMessage({message_id, apply_markdown: false}, {signal});
    const known = new Set(before.messages.byId.get(message_id)?.submessages.map(({id}) => id));
    const isOwn = (one: {id: number; sender_id: number; content: string}) =>
      !known.has(one.id) && one.sender_id === before.self.userId && one.content === content;
    return doneIf(message.submessages?.some(isOwn) === true);
  },
  uploadFile: async ({api, before, clock, signal}, {file}) => {
    const {attachments} = await api.getAttachments({}, {signal});
    const same = attachments.filter(
      ({name, size, message_ids: users}) => name === file.name && size === file.size && !users?.length,
    );
    if (same.length === 0) return undefined;
    const newest = same.reduce((a, b) => (a.id > b.id ? a : b));
    const age = clock.now() / 1000 + before.presences.serverOffset - newest.create_time;
    if (Math.abs(age) > maxUploadAgeSeconds) throw new Error('An older file has the same name and size');
    return {url: `/user_uploads/${newest.path_id}`, filename: newest.name};
  },
  deleteAttachment: async ({api, signal}, {attachment_id}) =>
    doneIf((await api.getAttachments({}, {signal})).attachments.every(({id}) => id !== attachment_id)),
  revokeInvite: async (context, {invite_id}) => doneIf(!(await hasInvite(context, invite_id, false))),
  revokeInviteLink: async (context, {invite_id}) => doneIf(!(await hasInvite(context, invite_id, true))),
  createUser: async ({api, before, signal}, {email}) => {
    try {
      const {user} = await api.getUserByEmail({email}, {signal});
      return before.users.has(user.user_id) ? undefined : user;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  },
  createSnippet: shownIn(({snippets}, {title, content}, before) => {
    const found = newIn(snippets, before.snippets, (one) => one.title === title && one.content === content);
    return found && {saved_snippet_id: found.id};
  }),
  editSnippet: 'repeat',
  deleteSnippet: shownIn(({snippets}, {saved_snippet_id: id}) => doneIf(!snippets.has(id))),
  createChannel: shownIn(({channels}, {name}, before) => newIn(channels, before.channels, (one) => one.name === name)),
  // A channel that has the name already refuses it.
  updateChannel: (context, args) =>
    repeatedOrShown(
      context,
      () => context.api.updateChannel(args, {signal: context.signal}),
      ({channels}) =>
        doneIf(args.new_name !== undefined && channels.get(args.stream_id)?.name === args.new_name.trim()),
    ),
  archiveChannel: shownIn(({channels}, {stream_id: id}) =>
    doneIf(!channels.has(id) || channels.get(id)?.isArchived === true),
  ),
  addDefaultChannel: 'repeat',
  removeDefaultChannel: 'repeat',
  // Who has left a private channel cannot name it any more.
  unsubscribe: (context, args) =>
    repeatedOrShown(
      context,
      () => context.api.unsubscribe(args, {signal: context.signal}),
      (state) => {
        const isOwn = args.principals === undefined;
        return isOwn && !args.subscriptions.some((name) => isSubscribedTo(state, name))
          ? {removed: args.subscriptions, not_removed: []}
          : undefined;
      },
    ),
  deleteTopic: 'repeat',
  createFolder: shownIn(({folders}, {name}, before) => {
    const found = newIn(folders, before.folders, (one) => one.name === name);
    return found && {channel_folder_id: found.id};
  }),
  updateFolder: 'repeat',
  reorderFolders: 'repeat',
  updateUser: 'repeat',
  updateUserByEmail: 'repeat',
  updateUserStatus: 'repeat',
  deactivateUser: shownIn(({users}, {user_id: id}) => doneIf(users.get(id)?.isActive === false)),
  reactivateUser: shownIn(({users}, {user_id: id}) => doneIf(users.get(id)?.isActive === true)),
  updateBot: 'repeat',
  deactivateBot: shownIn(({users}, {bot_id: id}) => doneIf(users.get(id)?.isActive === false)),
  updateProfileData: 'repeat',
  removeProfileData: 'repeat',
  deleteAvatar: 'repeat',
  createGroup: shownIn(({groups}, {name}, before) => {
    const found = newIn(groups, before.groups, (one) => one.name === name);
    return found && {group_id: found.id};
  }),
  updateGroup: 'repeat',
  deactivateGroup: shownIn(({groups}, {user_group_id: id}) => doneIf(groups.get(id)?.isDeactivated !== false)),
  updateGroupMembers: shownIn(({groups}, {user_group_id: id, add, delete: removed}) =>
    doneIf(hasMembers(groups.get(id)?.members, add, removed)),
  ),
  updateSubgroups: shownIn(({groups}, {user_group_id: id, add, delete: removed}) =>
    doneIf(hasMembers(groups.get(id)?.subgroupIds, add, removed)),
  ),
  updateRealm: 'repeat',
  addLinkifier: shownIn(({linkifiers}, {pattern}, before) =>
    linkifiers.find((one) => one.pattern === pattern && !isIn(before.linkifiers, one)),
  ),
  updateLinkifier: 'repeat',
  removeLinkifier: shownIn(({linkifiers}, {filter_id: id}) => doneIf(!isIn(linkifiers, {id}))),
  reorderLinkifiers: 'repeat',
  addDomain: shownIn(({domains}, {domain}, before) =>
    hasDomain(domains, domain) && !hasDomain(before.domains, domain)
      ? {new_domain: [0, domain] as [number, string]}
      : undefined,
  ),
  updateDomain: 'repeat',
  removeDomain: shownIn(({domains}, {domain}) => doneIf(!hasDomain(domains, domain))),
  createProfileField: shownIn(({profileFields}, {name}, before) =>
    profileFields.find((one) => one.name === name && !isIn(before.profileFields, one)),
  ),
  updateProfileField: 'repeat',
  removeProfileField: shownIn(({profileFields}, {field_id: id}) => doneIf(!isIn(profileFields, {id}))),
  reorderProfileFields: 'repeat',
};

/** How old an uploaded file may be to count as the one whose response was lost; the clocks may differ a little. */
const maxUploadAgeSeconds = 120;
/** Events show a change sooner than this, unless the connection is broken. */
const eventsMs = 5000;

/** Looks up a change that events show: `resultIn` returns its result, given the state before it too. */
function shownIn<A, R>(resultIn: (state: AccountState, args: A, before: AccountState) => R | undefined) {
  return (context: LookUpContext, args: A): Promise<R> =>
    shown(context, (state) => resultIn(state, args, context.before));
}

/** Returns the item that was added since. */
function newIn<V extends {readonly id: number}>(
  items: SortedMap<number, V>,
  before: SortedMap<number, V>,
  isWanted: (item: V) => boolean,
): V | undefined {
  return [...items.values()].find((one) => !before.has(one.id) && isWanted(one));
}

function hasDomain(domains: AccountState['domains'], domain: string): boolean {
  return domains.some((one) => one.domain === domain);
}

function doneIf(isDone: boolean): object | undefined {
  return isDone ? {} : undefined;
}

function isSameTopic(stored: string, requested: string, state: AccountState): boolean {
  const key = (topic: string) => normalizedTopicKey(topic, state);
  return stored === truncatedTopic(requested.trim(), state) || (key(stored) === '' && key(requested) === '');
}

function isIn(list: readonly {readonly id: number}[], {id}: {readonly id: number}): boolean {
  return list.some((one) => one.id === id);
}

function isSubscribedTo(state: AccountState, name: string): boolean {
  const channel = channelNamed(state, name);
  return channel !== undefined && isSubscribed(state, channel.id);
}

/** Repeats a change. If the server refuses that because the change was made, events show it. */
async function repeatedOrShown<T>(
  context: SessionContext,
  repeat: () => Promise<T>,
  resultIn: (state: AccountState) => T | undefined,
): Promise<T> {
  try {
    return await repeat();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return shown(context, resultIn);
  }
}

type Members = {has(id: number): boolean} | undefined;

function hasMembers(members: Members, added: readonly number[] = [], removed: readonly number[] = []): boolean {
  return members !== undefined && added.every((id) => members.has(id)) && !removed.some((id) => members.has(id));
}

async function hasInvite({api, signal}: SessionContext, inviteId: number, isLink: boolean): Promise<boolean> {
  const {invites} = await api.getInvites({}, {signal});
  return invites.some(({id, is_multiuse}) => id === inviteId && is_multiuse === isLink);
}

/** Waits until events show a change. Rejects when they do not: it may or may not have been made. */
function shown<T>(
  {cache, clock, signal}: SessionContext,
  resultIn: (state: AccountState) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const result = resultIn(cache.state);
      if (result !== undefined) end(() => resolve(result));
    };
    const fail = () => end(() => reject(new Error('No event shows the change')));
    const end = (settle: () => void) => {
      unsubscribe();
      cancel();
      signal.removeEventListener('abort', fail);
      settle();
    };
    const unsubscribe = cache.subscribe(Object.keys(cache.state) as SliceName[], look);
    const cancel = clock.after(eventsMs, fail);
    signal.addEventListener('abort', fail);
    look();
  });
}
