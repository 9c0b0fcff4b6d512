import type {Api} from '#api/api.ts';
import {type ApiFailure, isApiFailure, isRefusal, notCarriedOut, type PermanentFailure} from '#api/failure.ts';
import {delay, withRetries} from '#api/retry.ts';
import {normalizedContent, normalizedTopicKey, truncatedTopic} from '#state/outbox/normalize-text.ts';
import {channelNamed} from '#state/selectors/names/find-by-name.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {SortedMap} from '#std/sorted-map.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {roles} from '#wire/objects/user.ts';
import {fullClientCapabilities} from '#wire/register.ts';
import type {SessionContext} from './session-context.ts';
import type {AccountState, SliceName} from './state.ts';

/** The user waits for the change: after this long they are told that it was not made, and how long the server asks to wait. */
const maxRateLimitWaitMs = 30_000;
/**
 * The waits between looks. After a connection broke, the server may still be at work on the request, so that a change which is
 * not there is certain not to come only after all of them: Zulip's servers end a request after 20 seconds.
 */
const lookWaitsMs = [1000, 2000, 4000, 8000, 15_000];
/** The wait between later looks, while the server cannot be asked. */
const laterWaitMs = 30_000;

/** What is needed to find out about changes. Verbs have no events to subscribe to. */
export interface ChangeContext extends Pick<SessionContext, 'api' | 'clock' | 'random' | 'signal'> {
  readonly cache: Pick<SessionContext['cache'], 'state'> & Partial<SessionContext['cache']>;
  /** Called when a result is not known at once. `settled` resolves when it is known, or is certain to stay unknown. */
  readonly onUnknown?: ((failure: ApiFailure, settled: Promise<void>) => void) | undefined;
}

type Call = (args?: object, options?: {readonly signal?: AbortSignal}) => Promise<unknown>;
type AnyFind = (context: LookUpContext, args: object, send: () => Promise<unknown>) => Promise<unknown>;
type AnyLookUp = 'none' | 'unknown' | AnyFind | {readonly known: Known; readonly find: AnyFind};

/** Returns the API with calls that stop when the signal aborts. */
export function endingApi({api, signal}: Pick<SessionContext, 'api' | 'signal'>): Api {
  return mappedApi(api, (call) => (args, options) => call(args, {signal, ...options}));
}

/**
 * Returns the API of a session or a verb. Its calls stop when the signal aborts. When the rate limit refuses a change, it waits
 * and asks again. When a response leaves open whether the server made a change, it finds out. The failure's `carriedOut` is
 * then `no` if the change was not made, and `maybe` only if that stays unknown: a session looks as long as it lasts, a verb for
 * half a minute.
 */
export function apiWithLookUps(context: ChangeContext): Api {
  return mappedApi(endingApi(context), (call, name) => {
    const lookUp = lookUpOf(name);
    return lookUp === undefined || lookUp === 'none' ? call : callWithLookUp(context, call, lookUp);
  });
}

function mappedApi(original: Api, map: (call: Call, name: string) => Call): Api {
  return new Proxy(original, {
    get: (api, name) => {
      const call: unknown = Reflect.get(api, name);
      return typeof call === 'function' ? map(call as Call, String(name)) : call;
    },
  });
}

function lookUpOf(name: string): AnyLookUp | undefined {
  // The table pairs each call with its own arguments.
  return Reflect.get(lookUps, name) as AnyLookUp | undefined;
}

function callWithLookUp(context: ChangeContext, call: Call, lookUp: Exclude<AnyLookUp, 'none'>): Call {
  return async (args = {}, options) => {
    const {cache, clock, random} = context;
    const before = cache.state;
    const signal = options?.signal ?? context.signal;
    const known = typeof lookUp === 'object' ? await lookUp.known(context).catch(() => undefined) : undefined;
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
      if (!mayBeMade(error)) throw error;
      error.found = 'unknown';
      if (lookUp === 'unknown') throw error;
      const find = typeof lookUp === 'object' ? lookUp.find : lookUp;
      return findOut({...context, signal}, error, () => find({...context, signal, before, known}, args, send));
    }
  };
}

/** Looks until it is known whether the server made the change. Returns its result; rejects if it was not made or stays unknown. */
async function findOut(context: ChangeContext, failure: ApiFailure, look: () => Promise<unknown>): Promise<unknown> {
  // The server has answered, so it is not at work any more.
  const isEnded = failure.kind === 'retry' && failure.reason === 'server';
  const {promise: settled, resolve: settle} = Promise.withResolvers<void>();
  try {
    for (let looks = 0; ; looks++) {
      const waitMs = lookWaitsMs[looks];
      try {
        const found = await look();
        if (found !== undefined) return found;
        if (isEnded || waitMs === undefined) throw new NotMade();
      } catch (error) {
        context.signal.throwIfAborted();
        if (error instanceof NotMade) throw error.refusal ?? notCarriedOut(failure);
        if (!isApiFailure(error) || error.kind !== 'retry') throw failure;
        const mayAskLater = context.cache.subscribe !== undefined && error.reason !== 'server';
        if (waitMs === undefined && !mayAskLater) throw failure;
      }
      if (looks === 0) context.onUnknown?.(failure, settled);
      const found = await findMeanwhile(context, waitMs ?? laterWaitMs, look);
      if (found !== undefined) return found;
    }
  } finally {
    settle();
  }
}

/** Waits. The first event meanwhile, such as the return of the connection, causes a look; returns what it found. */
async function findMeanwhile({cache, clock, signal}: ChangeContext, ms: number, look: () => Promise<unknown>) {
  const ending = new AbortController();
  const timer = delay(ms, clock, AbortSignal.any([signal, ending.signal]));
  timer.catch(() => {});
  let unsubscribe: (() => void) | undefined;
  const event = new Promise<boolean>((resolve) => {
    unsubscribe = cache.subscribe?.(Object.keys(cache.state) as SliceName[], () => resolve(true));
  });
  try {
    const isEvent = await Promise.race([event, timer.then(() => false)]);
    const found = isEvent ? await look().catch(() => undefined) : undefined;
    if (found === undefined) await timer;
    return found;
  } finally {
    unsubscribe?.();
    ending.abort();
  }
}

/** The change was not made: the server does not have it, or refused the repetition. */
class NotMade extends Error {
  readonly refusal: PermanentFailure | undefined;

  constructor(refusal?: PermanentFailure) {
    super('The change was not made');
    this.refusal = refusal;
  }
}

/** Returns whether a failure leaves open if the server made a change. Some calls ask something before they change it. */
function mayBeMade(error: unknown): error is ApiFailure {
  if (!isApiFailure(error) || error.carriedOut === 'no') return false;
  return Object.values(endpoints).find(({id}) => id === error.endpoint)?.method !== 'GET';
}

type Args<N extends keyof Api> = Api[N] extends (args: infer A, ...rest: never[]) => unknown ? NonNullable<A> : never;
type Result<N extends keyof Api> = Api[N] extends (...args: never[]) => Promise<infer R> ? R : never;

interface LookUpContext extends ChangeContext {
  /** The state before the change was requested. */
  readonly before: AccountState;
  /** The ids of what existed before the request, for what the state does not contain; undefined when they are not known. */
  readonly known: ReadonlySet<number> | undefined;
}

type Known = (context: ChangeContext) => Promise<ReadonlySet<number>>;

/**
 * Finds out whether the server made a change: returns its result, or undefined if the server does not have it. Rejects when
 * that cannot be known. `send` makes the change again, for changes whose repetition has no further effect.
 */
type Find<A, R> = (context: LookUpContext, args: A, send: () => Promise<R>) => Promise<R | undefined>;

/** `none`: it changes nothing that a user looks for, or its caller finds out. `unknown`: nobody can find out. */
type LookUp<A, R> = 'none' | 'unknown' | Find<A, R> | {readonly known: Known; readonly find: Find<A, R>};

const repeat = <R>(_context: LookUpContext, _args: unknown, send: () => Promise<R>): Promise<R> => repeated(send);

/** What is done about a lost response, for every call that is not a mere question. */
export const lookUps: {readonly [N in keyof Api]?: LookUp<Args<N>, Result<N>>} = {
  register: 'none',
  deleteQueue: 'none',
  devFetchApiKey: 'none',
  fetchApiKey: 'none',
  renderMessage: 'none',
  sendTyping: 'none',
  sendEditTyping: 'none',
  updatePresence: 'none',
  // The outbox and the synchronization of drafts find out themselves.
  sendMessage: 'none',
  createDrafts: 'none',
  editDraft: repeat,
  deleteDraft: repeat,
  regenerateApiKey: 'unknown',
  createCall: 'unknown',
  reportMessage: 'unknown',
  runSlashCommand: 'unknown',
  resendInvite: 'unknown',
  requestExport: 'unknown',
  createScheduledMessage: async ({api, before, signal}, args) => {
    const {scheduled_messages: all} = await api.getScheduledMessages({}, {signal});
    const text = normalizedContent(args.content, before);
    return all.find(
      ({scheduled_message_id: id, content, scheduled_delivery_timestamp: at}) =>
        !before.scheduled.has(id) && at === args.scheduled_delivery_timestamp && content.trim() === text.trim(),
    );
  },
  editScheduledMessage: repeat,
  deleteScheduledMessage: repeatedOr(async ({api, signal}, args) => {
    const {scheduled_messages: all} = await api.getScheduledMessages({}, {signal});
    return doneIf(all.every(({scheduled_message_id: id}) => id !== args.scheduled_message_id));
  }),
  createReminder: async ({api, before, signal}, args) =>
    (await api.getReminders({}, {signal})).reminders.find(
      ({reminder_id: id, reminder_target_message_id: messageId, scheduled_delivery_timestamp: at}) =>
        !before.reminders.has(id) && messageId === args.message_id && at === args.scheduled_delivery_timestamp,
    ),
  deleteReminder: repeatedOr(async ({api, signal}, args) => {
    const {reminders} = await api.getReminders({}, {signal});
    return doneIf(reminders.every(({reminder_id: id}) => id !== args.reminder_id));
  }),
  // A move is not repeated: its notice would be sent twice.
  editMessage: (context, args, send) =>
    args.content === undefined ? findEdit(context, args) : repeated(send, () => findEdit(context, args)),
  deleteMessage: repeatedOr(async ({api, signal}, {message_id}) =>
    doneIf(!(await isAccepted(api.getMessage({message_id, apply_markdown: false}, {signal})))),
  ),
  addReaction: repeat,
  removeReaction: repeat,
  sendSubmessage: async ({api, before, signal}, {message_id, content}) => {
    const {message} = await api.getMessage({message_id, apply_markdown: false}, {signal});
    const known = new Set(before.messages.byId.get(message_id)?.submessages.map(({id}) => id));
    const isOwn = (one: {id: number; sender_id: number; content: string}) =>
      !known.has(one.id) && one.sender_id === before.self.userId && one.content === content;
    return doneIf(message.submessages?.some(isOwn) === true);
  },
  markAllAsRead: repeat,
  markChannelAsRead: repeat,
  markTopicAsRead: repeat,
  updateFlags: repeat,
  updateFlagsForNarrow: repeat,
  // The messages that the first request changed are not counted again.
  flagNarrow: async (_context, _args, send) => ({...(await repeated(send)), updatedCount: undefined}),
  muteTopic: repeat,
  setUserTopic: repeat,
  addNavigationView: repeat,
  editNavigationView: repeat,
  removeNavigationView: repeat,
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
  deleteAttachment: repeatedOr(async ({api, signal}, {attachment_id}) =>
    doneIf((await api.getAttachments({}, {signal})).attachments.every(({id}) => id !== attachment_id)),
  ),
  sendInvites: {
    known: inviteIds,
    find: async (context, {invitee_emails: emails}) => {
      const added = new Set((await newInvites(context)).map(({email}) => email?.toLowerCase()));
      const wanted = emails.split(/[,\n]/).map((email) => email.trim().toLowerCase());
      const count = wanted.filter((email) => added.has(email)).length;
      if (count > 0 && count < wanted.length) throw new Error('Some were invited');
      return doneIf(count > 0);
    },
  },
  createInviteLink: {
    known: inviteIds,
    find: async (context, {invite_as: role = roles.member}) => {
      const added = await newInvites(context);
      const link = added.find(({is_multiuse, invited_as}) => is_multiuse && invited_as === role)?.link_url;
      return link === undefined ? undefined : {invite_link: link};
    },
  },
  revokeInvite: repeatedOr(async (context, {invite_id}) => doneIf(!(await hasInvite(context, invite_id, false)))),
  revokeInviteLink: repeatedOr(async (context, {invite_id}) => doneIf(!(await hasInvite(context, invite_id, true)))),
  createUser: async ({api, before, signal}, {email}) => {
    try {
      const {user} = await api.getUserByEmail({email}, {signal});
      return before.users.has(user.user_id) ? undefined : user;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  },
  createSnippet: shownIn(['saved_snippets'], ({snippets}, {title, content}, before) => {
    const found = newIn(snippets, before.snippets, (one) => one.title === title && one.content === content);
    return found && {saved_snippet_id: found.id};
  }),
  editSnippet: repeat,
  deleteSnippet: repeatedOr(
    shownIn(['saved_snippets'], ({snippets}, {saved_snippet_id: id}) => doneIf(!snippets.has(id))),
  ),
  createChannel: shownIn(['subscription'], ({channels}, {name}, before) =>
    newIn(channels, before.channels, (one) => one.name === name),
  ),
  // A channel that has the name already refuses it, and an active one refuses to be unarchived.
  updateChannel: repeatedOr(
    shownIn(['subscription'], ({channels}, {stream_id: id, new_name: name, is_archived: isArchived}, before) => {
      const [now, then] = [channels.get(id), before.channels.get(id)];
      const isRenamed = name !== undefined && now?.name === name.trim() && then?.name !== now.name;
      const isUnarchived = isArchived === false && then?.isArchived === true && now?.isArchived === false;
      return doneIf(isRenamed || isUnarchived);
    }),
  ),
  archiveChannel: repeatedOr(
    shownIn(['subscription'], ({channels}, {stream_id: id}) =>
      doneIf(!channels.has(id) || channels.get(id)?.isArchived === true),
    ),
  ),
  addDefaultChannel: repeat,
  removeDefaultChannel: repeat,
  changeSubscriptions: repeat,
  subscribe: async ({before}, _args, send) => {
    const {subscribed, already_subscribed: already, ...rest} = await repeated(send);
    const own = String(before.self.userId);
    const isNew = (name: string) => !isSubscribedTo(before, name);
    const names = already[own] ?? [];
    return {
      ...rest,
      subscribed: {...subscribed, [own]: [...(subscribed[own] ?? []), ...names.filter(isNew)]},
      already_subscribed: {...already, [own]: names.filter((name) => !isNew(name))},
    };
  },
  // Who has left a private channel cannot name it any more.
  unsubscribe: async (context, args, send) => {
    const hasLeft = shownIn(['subscription'], (state) =>
      doneIf(args.principals === undefined && !args.subscriptions.some((name) => isSubscribedTo(state, name))),
    );
    await repeated<object>(send, () => hasLeft(context, args));
    return {removed: args.subscriptions, not_removed: []};
  },
  updateSubscription: repeat,
  updateSubscriptions: repeat,
  deleteTopic: repeat,
  createFolder: shownIn(['channel_folders'], ({folders}, {name}, before) => {
    const found = newIn(folders, before.folders, (one) => one.name === name);
    return found && {channel_folder_id: found.id};
  }),
  updateFolder: repeat,
  reorderFolders: repeat,
  addAlertWords: repeat,
  removeAlertWords: repeat,
  muteUser: repeat,
  unmuteUser: repeat,
  updateSettings: repeat,
  updateStatus: repeat,
  updateUser: repeat,
  updateUserByEmail: repeat,
  updateUserStatus: repeat,
  deactivateOwnUser: repeatedOrLoggedOut,
  deactivateUser: repeatedOr(async (context, {user_id: id}) => doneIf(!(await isActive(context, id)))),
  reactivateUser: repeatedOr(async (context, {user_id: id}) => doneIf(await isActive(context, id))),
  createBot: async (context, args) => {
    const newBot = shownIn(['realm_bot'], ({bots}, _args, before) =>
      [...bots.values()].find(({userId}) => !before.bots.has(userId)),
    );
    const bot = await newBot(context, args);
    if (bot === undefined) return undefined;
    const {api_key} = await context.api.getBotApiKey({bot_id: bot.userId}, {signal: context.signal});
    return {user_id: bot.userId, api_key};
  },
  updateBot: repeat,
  uploadBotAvatar: repeat,
  deactivateBot: repeatedOr(async (context, {bot_id: id}) => doneIf(!(await isActive(context, id)))),
  regenerateBotApiKey: repeat,
  updateProfileData: repeat,
  removeProfileData: repeat,
  uploadAvatar: repeat,
  deleteAvatar: repeat,
  createGroup: shownIn(['realm_user_groups'], ({groups}, {name}, before) => {
    const found = newIn(groups, before.groups, (one) => one.name === name);
    return found && {group_id: found.id};
  }),
  updateGroup: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id, deactivated}) =>
      doneIf(deactivated === false && groups.get(id)?.isDeactivated === false),
    ),
  ),
  deleteGroup: repeat,
  deactivateGroup: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id}) => doneIf(groups.get(id)?.isDeactivated !== false)),
  ),
  updateGroupMembers: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id, ...args}) => {
      const {members, subgroupIds} = groups.get(id) ?? {};
      const isDone =
        hasMembers(members, args.add, args.delete) &&
        hasMembers(subgroupIds, args.add_subgroups, args.delete_subgroups);
      return doneIf(isDone);
    }),
  ),
  updateSubgroups: repeatedOr(
    shownIn(['realm_user_groups'], ({groups}, {user_group_id: id, add, delete: removed}) =>
      doneIf(hasMembers(groups.get(id)?.subgroupIds, add, removed)),
    ),
  ),
  updateRealm: repeat,
  deactivateRealm: repeatedOrLoggedOut,
  uploadIcon: repeat,
  removeIcon: repeat,
  addEmoji: shownIn(['realm_emoji'], ({emoji}, {emoji_name: name}, before) =>
    doneIf(
      [...emoji.values()].some((one) => one.name === name && one.deactivated !== true && !before.emoji.has(one.id)),
    ),
  ),
  removeEmoji: repeatedOr(
    shownIn(['realm_emoji'], ({emoji}, {emoji_name: name}) =>
      doneIf(![...emoji.values()].some((one) => one.name === name && one.deactivated !== true)),
    ),
  ),
  deleteExport: repeatedOr(async ({api, signal}, {export_id}) =>
    doneIf(!(await api.getExports({}, {signal})).exports.some((one) => one.id === export_id && !one.deleted_timestamp)),
  ),
  addLinkifier: shownIn(['realm_linkifiers'], ({linkifiers}, {pattern}, before) =>
    linkifiers.find((one) => one.pattern === pattern && !isIn(before.linkifiers, one)),
  ),
  updateLinkifier: repeat,
  removeLinkifier: repeatedOr(
    shownIn(['realm_linkifiers'], ({linkifiers}, {filter_id: id}) => doneIf(!isIn(linkifiers, {id}))),
  ),
  reorderLinkifiers: repeat,
  addDomain: shownIn(['realm_domains'], ({domains}, {domain}, before) =>
    hasDomain(domains, domain) && !hasDomain(before.domains, domain)
      ? {new_domain: [0, domain] as [number, string]}
      : undefined,
  ),
  updateDomain: repeat,
  removeDomain: repeatedOr(shownIn(['realm_domains'], ({domains}, {domain}) => doneIf(!hasDomain(domains, domain)))),
  createProfileField: shownIn(['custom_profile_fields'], ({profileFields}, {name}, before) =>
    profileFields.find((one) => one.name === name && !isIn(before.profileFields, one)),
  ),
  updateProfileField: repeat,
  removeProfileField: repeatedOr(
    shownIn(['custom_profile_fields'], ({profileFields}, {field_id: id}) => doneIf(!isIn(profileFields, {id}))),
  ),
  reorderProfileFields: repeat,
};

/** How old an uploaded file may be to count as the one whose response was lost; the clocks may differ a little. */
const maxUploadAgeSeconds = 120;

/** Makes a change again. If the server refuses that, the change may have been made by the first request: `find` looks. */
async function repeated<R>(send: () => Promise<R>, find?: () => Promise<R | undefined>): Promise<R> {
  try {
    return await send();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const found = await find?.();
    if (found === undefined) throw new NotMade(error);
    return found;
  }
}

function repeatedOr<A, R>(find: (context: LookUpContext, args: A) => Promise<R | undefined>): Find<A, R> {
  return (context, args, send) => repeated(send, () => find(context, args));
}

/** Repeats the end of the own account or of the organization, after which the server accepts its credentials no more. */
async function repeatedOrLoggedOut<R>(_context: LookUpContext, _args: unknown, send: () => Promise<R>): Promise<R> {
  return repeated(send).catch((error: unknown) => {
    if (isApiFailure(error) && error.kind === 'login') return {} as R;
    throw error;
  });
}

/** Looks up a change that a registration shows: `resultIn` returns its result, given the state before it too. */
function shownIn<A, R>(
  fetch: readonly FetchType[],
  resultIn: (state: AccountState, args: A, before: AccountState) => R | undefined,
) {
  return async ({api, before, clock, signal}: LookUpContext, args: A): Promise<R | undefined> => {
    const snapshot = await api.register(
      {
        event_types: [],
        fetch_event_types: [...fetch],
        client_gravatar: true,
        client_capabilities: fullClientCapabilities,
      },
      {signal},
    );
    // Nothing reads the queue. The server removes an unused one after some minutes.
    if (snapshot.queue_id !== null) api.deleteQueue({queue_id: snapshot.queue_id}, {signal}).catch(() => {});
    const context = {url: api.connection.site, now: clock.now(), self: before.self};
    return resultIn(stateFromSnapshot(snapshot, context), args, before);
  };
}

async function findEdit(
  {api, before, signal}: LookUpContext,
  {message_id, content, topic, stream_id: channelId}: Args<'editMessage'>,
): Promise<Result<'editMessage'> | undefined> {
  const {message} = await api.getMessage({message_id, apply_markdown: false}, {signal});
  const isThere =
    (content === undefined || isSameText(message.content, content)) &&
    (topic === undefined || isSameTopic(message.subject ?? '', topic, before)) &&
    (channelId === undefined || (message.type === 'stream' && message.stream_id === channelId));
  return isThere ? {detached_uploads: []} : undefined;
}

/** Compares with the stored text: servers trim it, and store `(deleted)` for empty text. */
function isSameText(stored: string, sent: string): boolean {
  return stored.trim() === sent.trim() || (sent.trim() === '' && stored === '(deleted)');
}

/** Returns whether the server accepts a question about something: it refuses if that does not exist. */
async function isAccepted(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false;
      throw error;
    },
  );
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

type Members = {has(id: number): boolean} | undefined;

function hasMembers(members: Members, added: readonly number[] = [], removed: readonly number[] = []): boolean {
  return members !== undefined && added.every((id) => members.has(id)) && !removed.some((id) => members.has(id));
}

async function isActive({api, signal}: LookUpContext, userId: number): Promise<boolean> {
  return (await api.getUser({user_id: userId}, {signal})).user.is_active !== false;
}

async function inviteIds({api, signal}: ChangeContext): Promise<ReadonlySet<number>> {
  return new Set((await api.getInvites({}, {signal})).invites.map(inviteKey));
}

/** E-mail invitations and links are numbered separately. */
function inviteKey({id, is_multiuse}: {readonly id: number; readonly is_multiuse: boolean}): number {
  return is_multiuse ? -id : id;
}

async function newInvites({api, known, signal}: LookUpContext) {
  const {invites} = await api.getInvites({}, {signal});
  if (known === undefined) throw new Error('The earlier invitations are not known');
  return invites.filter((one) => !known.has(inviteKey(one)));
}

async function hasInvite({api, signal}: LookUpContext, inviteId: number, isLink: boolean): Promise<boolean> {
  const {invites} = await api.getInvites({}, {signal});
  return invites.some(({id, is_multiuse}) => id === inviteId && is_multiuse === isLink);
}
