import type {CliIo} from '#cli/io.ts';
import type {AccountStore} from '#state/account-store.ts';
import {Cache} from '#state/cache.ts';
import {groupFromWire} from '#state/model/group.ts';
import {userFromWire} from '#state/model/user.ts';
import type {SessionContext} from '#state/session-context.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {unsupportedServerFailure} from '#state/updates/failures.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {FetchType} from '#wire/fetch-types.ts';
import {minimumLevel} from '#wire/levels.ts';
import {serverVersion} from '#wire/objects/version.ts';
import {fullClientCapabilities, type Snapshot} from '#wire/register.ts';
import type {AccountFlags} from './open-account.ts';
import {openStore} from './open-store.ts';
import {type ApiContext, withApi} from './with-api.ts';

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
export const messageNeeds = [...conversationNeeds, 'user_settings', 'realm_linkifiers'] as const satisfies FetchType[];

export function withState<T>(
  flags: AccountFlags,
  io: CliIo,
  signal: AbortSignal,
  needs: StateNeeds,
  body: (context: StateContext) => Promise<T>,
): Promise<T> {
  return withApi(flags, io, signal, async (apiContext) => {
    const [snapshot, own] = await Promise.all([
      fetchSnapshot(apiContext, needs),
      needs.people === 'self' ? fetchSelf(apiContext) : undefined,
    ]);
    // Nothing reads the queue, so it is deleted at once; the deletion runs while the body works.
    const deletion = deleteQueue(apiContext, snapshot);
    try {
      return await body({...apiContext, state: stateOf(apiContext, snapshot, own)});
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
