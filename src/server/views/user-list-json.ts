import type {ReadContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import type {UserRow} from '#server/db/rows.ts';
import {listUsers, type UserViewRow} from '#server/db/users.ts';
import {EncodedJson} from '#server/http/json-text.ts';
import {accessibleUserIds} from '#server/permissions/user-access.ts';
import {LruCache} from '#std/lru-cache.ts';
import type {ProfileData} from '#wire/objects/user.ts';
import {isPlainProfile, profileDataByUser} from './profile-data.ts';
import {canSeeEmailAt, emailVisibility, userView} from './user.ts';

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

function encodeAll(views: readonly object[]): Buffer {
  return Buffer.from(views.map((view) => `,${JSON.stringify(view)}`).join(''));
}
