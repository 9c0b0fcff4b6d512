import {type Api, makeApi} from '#api/api.ts';
import {withRetries} from '#api/retry.ts';
import {type CliIo, printNotice} from '#cli/io.ts';
import type {Account} from '#config/load-account.ts';
import type {AccountStore} from '#state/account-store.ts';
import {Cache} from '#state/cache.ts';
import {initialState} from '#state/initial-state.ts';
import {apiWithLookUps} from '#state/lost-responses/api-with-look-ups.ts';
import {groupFromWire, userFromWire} from '#state/model/user.ts';
import type {SessionContext} from '#state/session-context.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {unsupportedServerFailure} from '#state/updates/registration.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {type ApiFailure, failureMessage, isApiFailure, type RetryFailure, type RetryReason} from '#wire/failure.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {minimumLevel} from '#wire/levels.ts';
import {serverVersion} from '#wire/objects/server-settings.ts';
import {fullClientCapabilities, type Snapshot} from '#wire/register.ts';
import {connect} from './connect.ts';
import {type AccountFlags, openAccount} from './lazy-account.ts';
import {openStore} from './open-store.ts';

/** An account and the API of its server, for the duration of a verb. */
export interface ApiContext {
  readonly account: Account;
  readonly api: Api;
  readonly io: CliIo;
  readonly signal: AbortSignal;
}

/** Only rate limits are retried, this often: other failures are left to the caller of the verb. */
const maxAttempts = 5;
const maxWaitMs = 60_000;

/** Runs the body with an API that finds out about changes whose responses were lost. */
export function withApi<T>(
  flags: AccountFlags,
  io: CliIo,
  signal: AbortSignal,
  body: (context: ApiContext) => Promise<T>,
): Promise<T> {
  return withPlainApi(flags, io, signal, (context) => body(withLookUps(context, initialState)));
}

function withLookUps(context: ApiContext, state: AccountState): ApiContext {
  const {clock, random} = context.io;
  const onUnknown = (failure: ApiFailure) => printNotice(context.io, `${failureMessage(failure)} ${lookingText}`);
  return {...context, api: apiWithLookUps({...context, clock, random, cache: {state}, onUnknown})};
}

const lookingText = 'Looking whether it was done, for up to 30 seconds…';

async function withPlainApi<T>(
  flags: AccountFlags,
  io: CliIo,
  signal: AbortSignal,
  body: (context: ApiContext) => Promise<T>,
): Promise<T> {
  const {account, release} = await openAccount(flags, io);
  try {
    signal.throwIfAborted();
    const connection = await connect(account, io);
    try {
      return await body({account, api: withRateLimitRetries(makeApi(connection), io, signal), io, signal});
    } finally {
      await connection.close();
    }
  } finally {
    await release();
  }
}

/** Returns the API with calls that wait when the server limits the rate, and that stop when the signal aborts. */
function withRateLimitRetries(api: Api, io: CliIo, signal: AbortSignal): Api {
  const wrapped: Record<string, unknown> = {connection: api.connection};
  for (const [name, call] of Object.entries(api)) {
    if (typeof call !== 'function') continue;
    if (name === 'sendMessage') {
      // The outbox waits instead: until then the message is not being sent and can be cancelled.
      wrapped[name] = call;
      continue;
    }
    const original = call as (args?: object, options?: object) => Promise<unknown>;
    wrapped[name] = (args?: object, options: object = {}) =>
      retryWhenRateLimited(() => original(args, {signal, ...options}), io, signal);
  }
  return wrapped as Api; // It has a function for each name of the original.
}

export function retryWhenRateLimited<T>(call: () => Promise<T>, io: CliIo, signal: AbortSignal): Promise<T> {
  const {clock, random} = io;
  const attempt = async () => {
    try {
      return {value: await call()};
    } catch (error) {
      if (isBriefWait(error)) throw error;
      // Returned instead of thrown, because a thrown error would be retried.
      return {error};
    }
  };
  const onWait = (failure: RetryFailure) => printRetryNotice(io, failure);
  return withRetries(attempt, {clock, random, signal, idempotent: true, limit: maxAttempts, onWait}).then((result) => {
    if ('error' in result) throw result.error;
    return result.value;
  });
}

const printedReasons = new WeakMap<CliIo, Set<RetryReason>>();

/** Prints why a verb waits, once for each reason: every attempt of every request would say the same. */
export function printRetryNotice(io: CliIo, failure: RetryFailure): void {
  const printed = printedReasons.get(io) ?? new Set();
  if (!printed.has(failure.reason)) printNotice(io, failureMessage(failure));
  printedReasons.set(io, printed.add(failure.reason));
}

function isBriefWait(error: unknown): boolean {
  return (
    isApiFailure(error) &&
    error.kind === 'retry' &&
    error.reason === 'rateLimit' &&
    (error.retryAfterMs ?? 0) <= maxWaitMs
  );
}

/** An account, its API, and the requested part of the server's state. */
export interface StateContext extends ApiContext {
  readonly state: AccountState;
}

export interface StateNeeds {
  readonly fetch: readonly FetchType[];
  /** `all` is a long list in a large organization; `self` is one record. */
  readonly people: 'all' | 'self';
}

/** The data that resolving and naming a conversation requires. */
export const conversationNeeds = ['subscription', 'realm', 'muted_users'] as const satisfies FetchType[];

/** The data that rendering messages requires besides. */
export const messageNeeds = [
  ...conversationNeeds,
  'user_settings',
  'realm_linkifiers',
  'realm_emoji',
] as const satisfies FetchType[];

export function withState<T>(
  flags: AccountFlags,
  io: CliIo,
  signal: AbortSignal,
  needs: StateNeeds,
  body: (context: StateContext) => Promise<T>,
): Promise<T> {
  return withPlainApi(flags, io, signal, async (apiContext) => {
    const [snapshot, own] = await Promise.all([
      fetchSnapshot(apiContext, needs),
      needs.people === 'self' ? fetchSelf(apiContext) : undefined,
    ]);
    // Nothing reads the queue, so it is deleted at once; the deletion runs while the body works.
    const deletion = deleteQueue(apiContext, snapshot);
    try {
      const state = stateOf(apiContext, snapshot, own);
      return await body({...withLookUps(apiContext, state), state});
    } finally {
      await deletion;
    }
  });
}

async function fetchSnapshot({api}: ApiContext, {fetch, people}: StateNeeds): Promise<Snapshot> {
  const fetchTypes = people === 'all' ? [...fetch, 'realm_user'] : [...fetch];
  const snapshot = await api.register({
    event_types: [],
    fetch_event_types: fetchTypes,
    client_gravatar: true,
    client_capabilities: fullClientCapabilities,
  });
  const {level} = api.connection;
  if (level < minimumLevel) throw unsupportedServerFailure(level, serverVersion(snapshot));
  return snapshot;
}

type OwnRecord = Parameters<typeof userFromWire>[0];

async function fetchSelf({api}: ApiContext): Promise<OwnRecord> {
  const own = await api.getOwnUser({});
  return {...own, is_active: own.is_active ?? true, is_bot: own.is_bot ?? false, role: own.role ?? 400};
}

async function deleteQueue({api}: ApiContext, {queue_id}: Snapshot): Promise<void> {
  if (queue_id === null) return;
  try {
    await api.deleteQueue({queue_id});
  } catch {
    // The server removes an unused queue after some minutes.
  }
}

function stateOf({api, io}: ApiContext, snapshot: Snapshot, own: OwnRecord | undefined): AccountState {
  const context = {url: api.connection.site, now: io.clock.now()};
  if (own === undefined) return stateFromSnapshot(snapshot, context);
  const self = {userId: own.user_id};
  return stateFromSnapshot({...snapshot, user_id: own.user_id, realm_users: [own]}, {...context, self});
}

/** Fetches the bots that every organization of the server has; only a registration with all users names them. */
async function fetchSystemBots(context: StateContext) {
  const snapshot = await fetchSnapshot(context, {fetch: [], people: 'all'});
  await deleteQueue(context, snapshot);
  return snapshot.cross_realm_bots ?? [];
}

/** Returns the context with the records of these users added, as far as the server has them. */
export async function withFetchedUsers(context: StateContext, userIds: Iterable<number>): Promise<StateContext> {
  const missing = [...new Set(userIds)].filter((id) => !context.state.users.has(id));
  if (missing.length === 0) return context;
  const {members} = await context.api.getUsers({user_ids: missing});
  const isComplete = missing.every((id) => members.some(({user_id}) => user_id === id));
  const bots = isComplete ? [] : await fetchSystemBots(context);
  const users = context.state.users.edit((draft) => {
    for (const user of [...bots, ...members]) draft.set(user.user_id, userFromWire(user));
  });
  return {...context, state: {...context.state, users}};
}

/** Returns the context with the organization's groups, which few commands need. */
export async function withFetchedGroups(context: StateContext): Promise<StateContext> {
  const snapshot = await fetchSnapshot(context, {fetch: ['realm_user_groups'], people: 'self'});
  await deleteQueue(context, snapshot);
  const groups = SortedMap.by((snapshot.realm_user_groups ?? []).map(groupFromWire), ({id}) => id);
  return {...context, state: {...context.state, groups}};
}

/**
 * Runs a verb with a session context but without a session: no event queue and no presence. The store is
 * opened on first use. Everything is closed when the body ends.
 */
export async function withSessionContext<T>(
  verbContext: StateContext,
  body: (context: SessionContext) => Promise<T>,
): Promise<T> {
  const {api, io, account, state} = verbContext;
  const controller = new AbortController();
  const end = () => controller.abort(verbContext.signal.reason);
  verbContext.signal.addEventListener('abort', end, {once: true});
  if (verbContext.signal.aborted) end();
  let openedStore: AccountStore | undefined;
  try {
    return await body({
      api,
      cache: new Cache({...state, connection: {phase: 'online'}}),
      get store() {
        openedStore ??= openStore(account, io);
        return openedStore;
      },
      clock: io.clock,
      random: io.random,
      log: () => {},
      queueId: () => undefined,
      signal: controller.signal,
      isExploring: true,
    });
  } finally {
    verbContext.signal.removeEventListener('abort', end);
    controller.abort(new Error('The verb has ended'));
    openedStore?.close();
  }
}
