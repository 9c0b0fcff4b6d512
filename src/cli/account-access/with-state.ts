import type {CliIo} from '#cli/io.ts';
import type {AccountOptions} from '#cli/verbs/verb-table.ts';
import {userFromWire} from '#state/model/user.ts';
import {stateFromSnapshot} from '#state/snapshot/state-from-snapshot.ts';
import type {AccountState} from '#state/state.ts';
import {unsupportedServerFailure} from '#state/updates/failures.ts';
import {minimumLevel} from '#wire/levels.ts';
import {serverVersion} from '#wire/objects/version.ts';
import {type FetchType, fullClientCapabilities, type Snapshot} from '#wire/register.ts';
import {type ApiContext, withApi} from './with-api.ts';

/** An account, its server, and as much of what the server knows as was asked for. */
export interface StateContext extends ApiContext {
  readonly state: AccountState;
}

export interface StateNeeds {
  readonly fetch: readonly FetchType[];
  /** `all` is a long list in a large organization; `self` is one record. */
  readonly people: 'all' | 'self';
}

/** What is needed to understand and to name any place where messages are. */
export const conversationNeeds = ['subscription', 'realm', 'muted_users'] as const satisfies FetchType[];

export function withState<T>(
  asWhom: AccountOptions,
  io: CliIo,
  signal: AbortSignal,
  needs: StateNeeds,
  body: (world: StateContext) => Promise<T>,
): Promise<T> {
  return withApi(asWhom, io, signal, async (reach) => {
    const [snapshot, own] = await Promise.all([
      fetchSnapshot(reach, needs),
      needs.people === 'self' ? fetchSelf(reach) : undefined,
    ]);
    // The queue is not listened to. Nobody waits for its end but the end of the verb.
    const parting = endQueue(reach, snapshot);
    try {
      return await body({...reach, state: stateOf(reach, snapshot, own)});
    } finally {
      await parting;
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

async function endQueue({api}: ApiContext, {queue_id}: Snapshot): Promise<void> {
  if (queue_id === null) return;
  try {
    await api.deleteQueue({queue_id});
  } catch {
    // The server forgets it by itself.
  }
}

function stateOf({api, io}: ApiContext, snapshot: Snapshot, own: OwnRecord | undefined): AccountState {
  const context = {url: api.connection.site, now: io.clock.now()};
  if (own === undefined) return stateFromSnapshot(snapshot, context);
  const self = {userId: own.user_id};
  return stateFromSnapshot({...snapshot, user_id: own.user_id, realm_users: [own]}, {...context, self});
}

/** The same with the records of these people, as far as they can be had. */
export async function withFetchedUsers(
  world: StateContext,
  userIds: Iterable<number>,
): Promise<StateContext> {
  const missing = [...new Set(userIds)].filter((id) => !world.state.users.has(id));
  if (missing.length === 0) return world;
  const {members} = await world.api.getUsers({user_ids: missing});
  const users = world.state.users.edit((draft) => {
    for (const member of members) draft.set(member.user_id, userFromWire(member));
  });
  return {...world, state: {...world.state, users}};
}
