import {settingChoices, userSettings} from '#server/accounts/user-settings.ts';
import {statusView} from '#server/actions/events/user-events.ts';
import {alertWords} from '#server/actions/personal/alert-words.ts';
import {mutedUsers} from '#server/actions/personal/muted-users.ts';
import {presenceTable, serverTimestamp} from '#server/actions/users/presence.ts';
import type {ActionContext, ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {StatusRow} from '#server/db/personal-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {listUsers, type UserViewRow} from '#server/db/users.ts';
import type {QueueOptions} from '#server/event-queues/event-queues.ts';
import {EncodedJson} from '#server/json-text.ts';
import {accessibleUserIds, canSeeEmailAt, emailVisibility} from '#server/permissions/user-access.ts';
import {groupViews} from '#server/views/group.ts';
import {userView} from '#server/views/user.ts';
import {isPlainProfile, ownAccountView, profileDataByUser, systemBotViews, userViews} from '#server/views/users.ts';
import {LruCache} from '#std/lru-cache.ts';
import type {ProfileData, WireUser, WireUserStatus} from '#wire/objects/user.ts';

/** A registration request, as the functions that make its response see it. */
export interface SnapshotRequest {
  readonly act: ActionContext;
  readonly viewer: UserRow;
  readonly options: QueueOptions;
  readonly includeSubscribers: 'false' | 'true' | 'partial';
  readonly presenceHistoryDays: number;
  /** The fetch types of this registration; undefined means all. */
  readonly fetchTypes: ReadonlySet<string> | undefined;
}

export type SnapshotPart = Readonly<Record<string, unknown>>;
/** Returns the keys that one fetch type contributes to the response. One that may take long can pause. */
export type SnapshotBlock = (request: SnapshotRequest) => SnapshotPart | Generator<void, SnapshotPart>;
/** Blocks by fetch type. */
export type SnapshotBlocks = Readonly<Record<string, SnapshotBlock>>;

/** Users, groups, presence, and the settings and lists of the own user. */
export const usersBlocks: SnapshotBlocks = {
  realm_user: users,
  user_settings: ({viewer}) => ({
    user_settings: {...userSettings(viewer), ...settingChoices},
  }),
  user_status: userStatuses,
  muted_users: ({act, viewer}) => ({muted_users: mutedUsers(act.db, viewer.id)}),
  alert_words: ({act, viewer}) => ({alert_words: alertWords(act.db, viewer.id)}),
  realm_user_groups: ({act, options}) => ({
    realm_user_groups: groupViews(act, {
      includeDeactivated: options.capabilities.include_deactivated_groups === true,
    }),
  }),
  presence({act, viewer, options, presenceHistoryDays}) {
    const {presences, lastUpdateId} = presenceTable(act, viewer, {
      modern: options.slimPresence,
      historyDays: presenceHistoryDays,
    });
    return {
      presences,
      presence_last_update_id: lastUpdateId,
      server_timestamp: serverTimestamp(act),
    };
  },
};

function users({act, viewer, options}: SnapshotRequest): Record<string, unknown> {
  const {clientGravatar} = options;
  const {active, inactive} = encodedUserLists(act, viewer, clientGravatar) ?? userLists(act, viewer, options);
  return {
    realm_users: active,
    realm_non_active_users: inactive,
    cross_realm_bots: systemBotViews(act, viewer, {clientGravatar}),
    ...ownAccountView(act, viewer),
  };
}

/** Returns the active and the inactive users with their profile data. */
export function userLists(act: ReadContext, viewer: UserRow, {clientGravatar, capabilities}: QueueOptions) {
  const placeholders = capabilities.user_list_incomplete !== true;
  const all = userViews(act, viewer, {clientGravatar, profileData: true, placeholders});
  return {
    active: all.filter((user) => user.is_active).map(listed),
    inactive: all.filter((user) => !user.is_active).map(listed),
  };
}

/** Returns a user as in a list of a registration, whose name says whether they are active. */
function listed({is_active: _, ...user}: WireUser): Omit<WireUser, 'is_active'> {
  return user;
}

function userStatuses({act, viewer}: SnapshotRequest): Record<string, unknown> {
  const rows = act.db.all<StatusRow>(
    `SELECT * FROM user_status WHERE status_text <> '' OR emoji_name <> '' OR away = 1`,
  );
  const allowed = accessibleUserIds(act, viewer);
  const userStatus: Record<string, WireUserStatus> = {};
  for (const row of rows) {
    if (allowed === 'everyone' || allowed.has(row.user_id)) userStatus[row.user_id] = statusView(row);
  }
  return {user_status: userStatus};
}

/** Users with consecutive ids are encoded together; a changed user costs the encoding of so many. */
const idsPerBlock = 256;
/** Each block is kept in this many forms, so the cache is at most as large as so many user lists. */
const formsPerBlock = 3;
/** With more new blocks, the profile values of all users are fetched at once. */
const maxSingleFetches = 8;

/** The users of one range of ids. */
interface Block {
  readonly users: readonly UserViewRow[];
  /** The values of `email_address_visibility` that people among them have. */
  readonly visibilities: ReadonlySet<number>;
  readonly forms: LruCache<string, EncodedBlock>;
}

/** JSON of users, each with a comma before it. */
interface EncodedBlock {
  readonly active: Buffer;
  readonly inactive: Buffer;
}

interface BlockCache {
  version: number;
  blocks: ReadonlyMap<number, Block>;
}

const caches = new WeakMap<Database, BlockCache>();

/**
 * Returns the lists of active and of inactive users, with profile data, as JSON, which is kept until a user changes.
 * Returns undefined if objects are needed: for viewers who do not see everybody, and on servers of an older level.
 */
export function encodedUserLists(
  act: ReadContext,
  viewer: UserRow,
  clientGravatar: boolean,
): {readonly active: EncodedJson; readonly inactive: EncodedJson} | undefined {
  if (act.server.downgrade !== undefined || accessibleUserIds(act, viewer) !== 'everyone') return undefined;
  const encode = blockEncoder(act, viewer, clientGravatar);
  const encoded = currentBlocks(act.server.db).map((block) => {
    const form = formFor(viewer, block, clientGravatar);
    return (form === undefined ? undefined : block.forms.get(form)) ?? encode(block, form);
  });
  return {
    active: asList(encoded.map(({active}) => active)),
    inactive: asList(encoded.map(({inactive}) => inactive)),
  };
}

function asList(pieces: readonly Buffer[]): EncodedJson {
  const [first, ...others] = pieces.filter(({length}) => length > 0);
  return new EncodedJson([Buffer.from('['), ...(first ? [first.subarray(1)] : []), ...others, Buffer.from(']')]);
}

/** Returns the blocks in the order of ids. Those without a changed user are the same objects as before. */
function currentBlocks(db: Database): Block[] {
  const cache = caches.get(db) ?? {version: -1, blocks: new Map()};
  caches.set(db, cache);
  const changedIds = db.changes.users.since(cache.version);
  if (changedIds?.length !== 0) {
    const changed = changedIds && new Set(changedIds.map(blockOf));
    const users = Map.groupBy(listUsers(db), ({id}) => blockOf(id));
    const reused = (number: number) => (changed?.has(number) === false ? cache.blocks.get(number) : undefined);
    cache.blocks = new Map(Array.from(users, ([number, list]) => [number, reused(number) ?? newBlock(list)]));
    cache.version = db.changes.users.version;
  }
  return [...cache.blocks.values()];
}

function blockOf(userId: number): number {
  return Math.floor(userId / idsPerBlock);
}

function newBlock(users: readonly UserViewRow[]): Block {
  const visibilities = new Set(users.filter(({is_bot}) => is_bot === 0).map(emailVisibility));
  return {users, visibilities, forms: new LruCache(formsPerBlock)};
}

/** Returns the name of the form in which a viewer gets a block; undefined if it is for this viewer only. */
function formFor(viewer: UserRow, {users, visibilities}: Block, clientGravatar: boolean): string | undefined {
  const hidden = [...visibilities].filter((visibility) => !canSeeEmailAt(viewer, visibility));
  // Users see their own address whatever its visibility.
  if (hidden.includes(emailVisibility(viewer)) && users.some(({id}) => id === viewer.id)) return undefined;
  return [clientGravatar, ...hidden].join();
}

/** Returns a function that encodes a block, and keeps the result if its form has a name. */
function blockEncoder(act: ReadContext, viewer: UserRow, clientGravatar: boolean) {
  let fetches = 0;
  let everybody: ReadonlyMap<number, ProfileData> | undefined;
  const profilesOf = (users: readonly UserViewRow[]) => {
    if (++fetches <= maxSingleFetches) {
      return profileDataByUser(
        act,
        users.map(({id}) => id),
      );
    }
    everybody ??= profileDataByUser(act);
    return everybody;
  };
  return (block: Block, form: string | undefined): EncodedBlock => {
    const profiles = profilesOf(block.users);
    const views = block.users.map((user) =>
      userView(act, viewer, user, {clientGravatar, profileData: profiles.get(user.id) ?? {}}),
    );
    const encoded = {
      active: encodeAll(views.filter(({is_active}) => is_active)),
      inactive: encodeAll(views.filter(({is_active}) => !is_active)),
    };
    // How other texts are rendered depends on more than the tables whose changes are noted.
    const isLasting = block.users.every(({id}) => isPlainProfile(profiles.get(id)));
    if (form !== undefined && isLasting) block.forms.set(form, encoded);
    return encoded;
  };
}

function encodeAll(views: readonly WireUser[]): Buffer {
  return Buffer.from(views.map((view) => `,${JSON.stringify(listed(view))}`).join(''));
}
